// Modules, kernels and variables of the program: what the constructors that the compiler
// makes register, and what the driver API loads. They reach the server on first use.
#include "registry.h"
#include "lasting.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <map>
#include <mutex>
#include <unordered_map>

#include "client.h"
#include "connection.h"
#include "hostwatch.h"

namespace warpgrind {
namespace {

struct Registry {
  std::recursive_mutex mutex;
  std::vector<Module *> modules;
  std::unordered_map<const void *, Function> functions;
  std::unordered_map<const void *, Variable> variables;
  // Of the driver API.
  std::map<std::pair<Module *, std::string>, Function *> named;
  std::map<std::pair<Module *, std::string>, Variable> globals;
  // Where the host's copies of managed variables lie.
  std::vector<std::pair<const char *, const char *>> managed;
  // How many relocatable modules each image with managed variables has.
  std::map<const void *, int> linked;
};

Registry &registry() {
  static Lasting<Registry> r;
  return r.get();
}

// __fatBinC_Wrapper_t of the compilers' host code.
struct FatBinary {
  int magic, version;
  const void *data;
  void *filename;
};

// Whether loading m loads a variable's module as well.
bool loadsWith(const Module &m, const Module &other) {
  return &m == &other || (m.linked && other.linked && m.home == other.home);
}

bool isManaged(const char *hostVar) {
  for (auto &range : registry().managed)
    if (hostVar >= range.first && hostVar < range.second) return true;
  return false;
}

// PTX text begins with a directive, a comment or space.
bool isText(const void *image) {
  const char *p = static_cast<const char *>(image);
  return p && (*p == '.' || *p == '/' || *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t');
}

cudaError_t resolve(Variable &v);

// Whether an image is machine code of a GPU, an ELF file, and not PTX or a fat binary that may hold it.
bool isMachineCode(const void *image) {
  constexpr uint16_t kCUDA = 190; // EM_CUDA
  auto *header = static_cast<const Elf64_Ehdr *>(image);
  return image && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_machine == kCUDA;
}

// Loads a module on the current device.
cudaError_t load(Module &m) {
  auto known = m.loaded.find(currentDevice());
  if (known != m.loaded.end()) return known->second.error;
  Module::Loaded &here = m.loaded[currentDevice()];
  if (isFatBinary(m.data))
    if (cudaError_t e = unpack(m)) return here.error = e;
  if (isMachineCode(m.data))
    return here.error = unsupported("a module of machine code (a cubin) without PTX, which only a GPU runs: have its compiler make PTX");
  if (!isOurs(m.data))
    return here.error = misuse(cudaErrorNoKernelImageForDevice,
                               "the program's device code was not compiled by warpgrind");
  std::vector<const char *> managed;
  for (auto &v : registry().variables)
    if ((v.second.managed || v.second.mirror) && loadsWith(m, *v.second.module)) managed.push_back(v.second.name.c_str());
  if (m.linked) {
    m.loaded.erase(currentDevice());
    cudaError_t e = loadLinked(registry().modules, m, managed);
    for (auto &v : registry().variables)
      if (e == cudaSuccess && v.second.mirror && loadsWith(m, *v.second.module)) resolve(v.second);
    return e;
  }
  Call c{protocol::Load(partOf(m), protocol::Batch<std::string_view>().addAll(managed))};
  if (c.send()) {
    here.id = c.reply.id;
    m.kernels = c.reply.kernels;
  } else
    m.log = c.reply.log;
  return here.error = c.result();
}

uint32_t moduleId(Module &m) { return m.loaded[currentDevice()].id; }

cudaError_t resolve(Function &f) {
  if (f.ids.count(currentDevice())) return cudaSuccess;
  cudaError_t e = load(*f.module);
  if (e != cudaSuccess) return e;
  Call c{protocol::Function(moduleId(*f.module), f.name)};
  if (!c.send()) return c.result();
  const protocol::FunctionReply &r = c.reply;
  f.ids[currentDevice()] = r.id;
  if (f.described) return cudaSuccess; // other threads may be packing its parameters
  cudaFuncAttributes &a = f.attributes;
  a.sharedSizeBytes = r.sharedBytes;
  a.localSizeBytes = r.localBytes;
  a.numRegs = static_cast<int>(r.registers);
  a.maxThreadsPerBlock = static_cast<int>(r.maxThreads);
  a.ptxVersion = static_cast<int>(r.target);
  a.maxDynamicSharedSizeBytes = static_cast<int>(r.maxDynamicShared);
  a.constSizeBytes = r.constBytes;
  a.requiredClusterWidth = static_cast<int>(r.cluster.x);
  a.requiredClusterHeight = static_cast<int>(r.cluster.y);
  a.requiredClusterDepth = static_cast<int>(r.cluster.z);
  a.clusterDimMustBeSet = a.requiredClusterWidth > 0;
  a.binaryVersion = static_cast<int>(caps().sm);
  a.preferredShmemCarveout = -1;
  f.paramBytes = 0;
  for (const protocol::Param &p : r.params) {
    f.params.push_back({p.offset, p.size});
    if (p.offset + p.size > f.paramBytes) f.paramBytes = p.offset + p.size;
  }
  f.described = true;
  return cudaSuccess;
}

cudaError_t resolve(Variable &v) {
  if (v.places.count(currentDevice())) return cudaSuccess;
  cudaError_t e = load(*v.module);
  if (e != cudaSuccess) return e;
  Call c{protocol::Variable(moduleId(*v.module), v.name)};
  if (!c.send()) return c.result();
  Placed at;
  at.address = c.reply.address;
  at.size = c.reply.size;
  if (v.managed) *v.managed = at.address;
  if (v.mirror && v.places.empty()) { // its initial value
    memcpy(v.mirror, at.address, at.size);
    v.agreed.assign(v.mirror, v.mirror + at.size);
  }
  if (v.mirror && v.places.empty()) watchRange(v.mirror, at.size, reinterpret_cast<uintptr_t>(at.address));
  v.places[currentDevice()] = at;
  return cudaSuccess;
}

// The same before the program's first call.
void resolveManaged(Variable &v) {
  const CallName name("__managed__");
  resolve(v);
}

// Calls f for each managed variable that the host has a copy of.
template <class F> void eachMirror(F f) {
  if (registry().managed.empty()) return;
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (auto &v : r.variables)
    if (v.second.mirror && !v.second.places.empty()) f(v.second, v.second.places.begin()->second);
}

} // namespace

bool hasMirrors() { return !registry().managed.empty(); }

// Copies the bytes that are not what both sides agreed on last. It looks at eight at
// a time, and not with memcmp: that is one of the functions that the host is watched in.
static void copyChanged(char *to, const char *from, std::vector<char> &agreed) {
  const size_t n = agreed.size();
  for (size_t i = 0; i < n; i++) {
    uint64_t a, b;
    if (i % 8 == 0 && i + 8 <= n && (memcpy(&a, from + i, 8), memcpy(&b, &agreed[i], 8), a == b)) i += 7;
    else if (from[i] != agreed[i]) to[i] = agreed[i] = from[i];
  }
}

void pushManaged() {
  eachMirror([](Variable &v, const Placed &at) { copyChanged(static_cast<char *>(at.address), v.mirror, v.agreed); });
}

void pullManaged() {
  eachMirror([](Variable &v, const Placed &at) { copyChanged(v.mirror, static_cast<const char *>(at.address), v.agreed); });
}

// Once the last relocatable module of an image has registered, its managed
// variables get their initial values.
static void resolveLinked(const void *home) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto expected = r.linked.find(home);
  if (expected == r.linked.end()) return;
  int registered = 0;
  for (Module *m : r.modules) registered += m->linked && m->home == home;
  if (registered < expected->second) return;
  for (auto &v : r.variables)
    if (v.second.mirror && v.second.module->linked && v.second.module->home == home) resolveManaged(v.second);
}

uint64_t deviceAddress(uint64_t pointer) {
  eachMirror([&](Variable &v, const Placed &at) {
    uint64_t offset = pointer - reinterpret_cast<uintptr_t>(v.mirror);
    if (offset < at.size) pointer = reinterpret_cast<uintptr_t>(at.address) + offset;
  });
  return pointer;
}

const Placed &Variable::placed() const {
  static const Placed nowhere;
  auto it = places.find(currentDevice());
  return it == places.end() ? nowhere : it->second;
}

uint32_t idOf(Function &f, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  *error = resolve(f);
  return *error == cudaSuccess ? f.ids[currentDevice()] : 0;
}

Function *findFunction(const void *host, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto it = r.functions.find(host);
  *error = cudaErrorInvalidDeviceFunction;
  if (it == r.functions.end()) { // or a cudaKernel_t
    for (auto &f : r.functions)
      if (&f.second == host) return (*error = resolve(f.second)) == cudaSuccess ? &f.second : nullptr;
    for (auto &f : r.named)
      if (f.second == host) return (*error = resolve(*f.second)) == cudaSuccess ? f.second : nullptr;
    *error = misuse(*error, "not a __global__ function of this program");
    return nullptr;
  }
  *error = resolve(it->second);
  return *error == cudaSuccess ? &it->second : nullptr;
}

Variable *findVariable(const void *host, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto it = r.variables.find(host);
  *error = cudaErrorInvalidSymbol;
  if (it == r.variables.end()) {
    *error = misuse(*error, "not a __device__ or __constant__ variable of this program");
    return nullptr;
  }
  *error = resolve(it->second);
  return *error == cudaSuccess ? &it->second : nullptr;
}

std::string blobOf(const std::string &ptx, const char *build, const std::string &module) {
  std::string json = std::string("{\"source\":\"\",\"build\":\"") + build + "\",\"module\":\"" + module + "\"}";
  Blob b{{'W', 'A', 'R', 'P', 'G', 'R', 'N', 'D'}, 1, 0, json.size(), ptx.size()};
  return std::string(reinterpret_cast<char *>(&b), sizeof b) + json + ptx;
}

Module *loadImage(const void *image, cudaError_t *error, std::string *log) {
  auto *m = new Module;
  m->data = image;
  if (!isOurs(image) && isText(image)) {
    m->image = blobOf(static_cast<const char *>(image), "ptx", "module");
    m->data = m->image.data();
  }
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  *error = load(*m);
  if (*error != cudaSuccess) {
    if (log) *log = m->log;
    delete m;
    return nullptr;
  }
  r.modules.push_back(m);
  return m;
}

bool isModule(const Module *module) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  return std::find(r.modules.begin(), r.modules.end(), module) != r.modules.end();
}

bool isOurs(const void *data) {
  return data && memcmp(data, "WARPGRND", 8) == 0 && static_cast<const Blob *>(data)->version - 1 < 2;
}

protocol::Part partOf(const Module &m) {
  const Blob &b = *static_cast<const Blob *>(m.data);
  const char *json = reinterpret_cast<const char *>(&b + 1);
  return {{json, b.jsonBytes}, {json + b.jsonBytes, b.ptxBytes}};
}

void unloadModule(Module *module) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (auto &l : module->loaded) {
    if (l.second.error != cudaSuccess) continue;
    Call(protocol::Unload(l.second.id)).send();
  }
  module->loaded.clear();
  r.modules.erase(std::remove(r.modules.begin(), r.modules.end(), module), r.modules.end());
  // Handles of its functions may be kept: they stay, with a module that has
  // nothing.
  module->image.clear();
  module->data = nullptr;
}

Function *functionOf(Module *module, const char *name, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto &slot = r.named[{module, name}];
  if (!slot) {
    slot = new Function;
    slot->module = module;
    slot->name = name;
  }
  *error = resolve(*slot);
  return *error == cudaSuccess ? slot : nullptr;
}

Variable *variableOf(Module *module, const char *name, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  Variable &v = r.globals[{module, name}];
  v.module = module;
  v.name = name;
  *error = resolve(v);
  return *error == cudaSuccess ? &v : nullptr;
}

void forgetModules(int device) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (Module *m : r.modules) m->loaded.erase(device);
  for (auto &f : r.functions) f.second.ids.erase(device);
  for (auto &v : r.variables) {
    v.second.places.erase(device);
    if (v.second.places.empty()) forgetRange(v.second.mirror);
  }
  for (auto &f : r.named) f.second->ids.erase(device);
  for (auto &v : r.globals) v.second.places.erase(device);
}

} // namespace warpgrind

using namespace warpgrind;

extern "C" {

void **__cudaRegisterFatBinary(const void *fatCubin) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto *m = new Module;
  auto &wrapper = *static_cast<const FatBinary *>(fatCubin);
  m->data = wrapper.data;
  if (wrapper.version == 2) m->prelinked = static_cast<const void *const *>(wrapper.filename);
  r.modules.push_back(m);
  return reinterpret_cast<void **>(m);
}

// Relocatable device code: see clang/rdc.go for the name. The modules of an
// image register one after the other, so nothing is loaded yet.
void __cudaRegisterLinkedBinary(void (*registerGlobals)(void **), void *fatCubin, void *, void (*)(void **)) {
  void **handle = __cudaRegisterFatBinary(fatCubin);
  auto *m = reinterpret_cast<Module *>(handle);
  m->linked = true;
  m->home = homeOf(fatCubin);
  registerGlobals(handle);
  resolveLinked(m->home);
}

void __warpgrindLinked(const char *start, const char *stop) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  r.linked[homeOf(start)] = countModules(start, stop);
}

void __warpgrindManaged(const char *start, const char *stop) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (auto &range : r.managed)
    if (range.first == start) return;
  r.managed.emplace_back(start, stop);
}

// Managed variables have addresses before main starts; anything else waits
// for its first use.
void __cudaRegisterFatBinaryEnd(void **handle) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (auto &v : r.variables)
    if ((v.second.managed || v.second.mirror) && v.second.module == reinterpret_cast<Module *>(handle)) resolveManaged(v.second);
}

void __cudaUnregisterFatBinary(void **handle) {
  if (isForkedChild()) return; // another thread may have held the lock
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto *m = reinterpret_cast<Module *>(handle);
  for (auto it = r.functions.begin(); it != r.functions.end();)
    it = it->second.module == m ? r.functions.erase(it) : std::next(it);
  for (auto it = r.variables.begin(); it != r.variables.end();)
    it = it->second.module == m ? r.variables.erase(it) : std::next(it);
}

void __cudaRegisterFunction(void **handle, const char *hostFun, char *, const char *deviceName, int, void *, void *,
                            dim3 *, dim3 *, int *) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  Function &f = r.functions[hostFun];
  f.module = reinterpret_cast<Module *>(handle);
  f.name = symbolName(*f.module, deviceName);
}

void __cudaRegisterVar(void **handle, char *hostVar, char *, const char *deviceName, int, size_t, int, int) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  Variable &v = r.variables[hostVar];
  v.module = reinterpret_cast<Module *>(handle);
  v.name = symbolName(*v.module, deviceName);
  if (isManaged(hostVar)) v.mirror = hostVar;
}

void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *, const char *deviceName, int, size_t,
                              int, int) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  Variable &v = r.variables[hostVarPtrAddress];
  v.module = reinterpret_cast<Module *>(handle);
  v.name = symbolName(*v.module, deviceName);
  v.managed = hostVarPtrAddress;
}

char __cudaInitModule(void **) { return 0; }

} // extern "C"
