#include "registry.h"

#include <map>
#include <mutex>
#include <unordered_map>

#include "client.h"

// The ends of the section of managed variables; null without any.
extern "C" char __start_wg_managed[] __attribute__((weak, visibility("hidden")));
extern "C" char __stop_wg_managed[] __attribute__((weak, visibility("hidden")));

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
};

Registry &registry() {
  static Registry *r = new Registry;
  return *r;
}

// __fatBinC_Wrapper_t of the compilers' host code.
struct FatBinary {
  int magic, version;
  const void *data;
  void *filename;
};

// The start of warpgrind's blob; JSON and PTX follow.
struct Blob {
  char magic[8];
  uint32_t version, reserved;
  uint64_t jsonBytes, ptxBytes;
};

bool isOurs(const void *data) {
  return data && memcmp(data, "WARPGRND", 8) == 0 && static_cast<const Blob *>(data)->version == 1;
}

// PTX text begins with a directive, a comment or space.
bool isText(const void *image) {
  const char *p = static_cast<const char *>(image);
  return p && (*p == '.' || *p == '/' || *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t');
}

cudaError_t load(const char *api, Module &m) {
  if (m.loaded) return m.error;
  if (!isOurs(m.data)) {
    m.loaded = true;
    return m.error = misuse(api, cudaErrorNoKernelImageForDevice,
                            "the program's device code was not compiled by warpgrind");
  }
  const Blob &b = *static_cast<const Blob *>(m.data);
  const char *json = reinterpret_cast<const char *>(&b + 1);
  Call c(api, Op::Load);
  c.u64(b.jsonBytes).raw(json, b.jsonBytes).u64(b.ptxBytes).raw(json + b.jsonBytes, b.ptxBytes);
  std::vector<const char *> managed;
  for (auto &v : registry().variables)
    if ((v.second.managed || v.second.mirror) && v.second.module == &m) managed.push_back(v.second.name.c_str());
  c.u32(static_cast<uint32_t>(managed.size()));
  for (const char *name : managed) c.str(name);
  if (c.send()) m.id = c.getU32();
  m.loaded = true;
  return m.error = c.result();
}

cudaError_t resolve(const char *api, Function &f) {
  if (f.resolved) return cudaSuccess;
  cudaError_t e = load(api, *f.module);
  if (e != cudaSuccess) return e;
  Call c(api, Op::Function);
  c.u32(f.module->id).str(f.name.c_str());
  if (!c.send()) return c.result();
  f.id = c.getU32();
  cudaFuncAttributes &a = f.attributes;
  a.sharedSizeBytes = c.getU32();
  a.localSizeBytes = c.getU32();
  a.numRegs = static_cast<int>(c.getU32());
  a.maxThreadsPerBlock = static_cast<int>(c.getU32());
  a.maxDynamicSharedSizeBytes = static_cast<int>(c.getU32());
  a.constSizeBytes = c.getU64();
  a.ptxVersion = a.binaryVersion = static_cast<int>(caps().sm);
  a.preferredShmemCarveout = -1;
  f.params.resize(c.getU32());
  f.paramBytes = 0;
  for (Param &p : f.params) {
    p.offset = c.getU32();
    p.size = c.getU32();
    if (p.offset + p.size > f.paramBytes) f.paramBytes = p.offset + p.size;
  }
  f.resolved = true;
  return cudaSuccess;
}

cudaError_t resolve(const char *api, Variable &v) {
  if (v.resolved) return cudaSuccess;
  cudaError_t e = load(api, *v.module);
  if (e != cudaSuccess) return e;
  Call c(api, Op::Variable);
  c.u32(v.module->id).str(v.name.c_str());
  if (!c.send()) return c.result();
  v.address = c.getPtr();
  v.size = c.getU64();
  if (v.managed) *v.managed = v.address;
  if (v.mirror) memcpy(v.mirror, v.address, v.size); // its initial value
  v.resolved = true;
  return cudaSuccess;
}

// Calls f for each managed variable that the host has a copy of.
template <class F> void eachMirror(F f) {
  if (__start_wg_managed == __stop_wg_managed) return;
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (auto &v : r.variables)
    if (v.second.mirror && v.second.resolved) f(v.second);
}

} // namespace

void pushManaged() {
  eachMirror([](Variable &v) { memcpy(v.address, v.mirror, v.size); });
}

void pullManaged() {
  eachMirror([](Variable &v) { memcpy(v.mirror, v.address, v.size); });
}

uint64_t deviceAddress(uint64_t pointer) {
  eachMirror([&](Variable &v) {
    uint64_t offset = pointer - reinterpret_cast<uintptr_t>(v.mirror);
    if (offset < v.size) pointer = reinterpret_cast<uintptr_t>(v.address) + offset;
  });
  return pointer;
}

Function *findFunction(const char *api, const void *host, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto it = r.functions.find(host);
  *error = cudaErrorInvalidDeviceFunction;
  if (it == r.functions.end()) {
    *error = misuse(api, *error, "not a __global__ function of this program");
    return nullptr;
  }
  *error = resolve(api, it->second);
  return *error == cudaSuccess ? &it->second : nullptr;
}

Variable *findVariable(const char *api, const void *host, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto it = r.variables.find(host);
  *error = cudaErrorInvalidSymbol;
  if (it == r.variables.end()) {
    *error = misuse(api, *error, "not a __device__ or __constant__ variable of this program");
    return nullptr;
  }
  *error = resolve(api, it->second);
  return *error == cudaSuccess ? &it->second : nullptr;
}

// Wraps PTX text as the front end does.
static std::string blobOf(const char *ptx) {
  static const char json[] = "{\"source\":\"\",\"build\":\"ptx\",\"module\":\"module\"}";
  Blob b{{'W', 'A', 'R', 'P', 'G', 'R', 'N', 'D'}, 1, 0, sizeof json - 1, strlen(ptx)};
  return std::string(reinterpret_cast<char *>(&b), sizeof b) + json + ptx;
}

Module *loadImage(const char *api, const void *image, cudaError_t *error) {
  auto *m = new Module;
  m->data = image;
  if (!isOurs(image) && isText(image)) {
    m->image = blobOf(static_cast<const char *>(image));
    m->data = m->image.data();
  }
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  *error = load(api, *m);
  if (*error != cudaSuccess) {
    delete m;
    return nullptr;
  }
  r.modules.push_back(m);
  return m;
}

Function *functionOf(const char *api, Module *module, const char *name, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto &slot = r.named[{module, name}];
  if (!slot) {
    slot = new Function;
    slot->module = module;
    slot->name = name;
  }
  *error = resolve(api, *slot);
  return *error == cudaSuccess ? slot : nullptr;
}

Variable *variableOf(const char *api, Module *module, const char *name, cudaError_t *error) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  Variable &v = r.globals[{module, name}];
  v.module = module;
  v.name = name;
  *error = resolve(api, v);
  return *error == cudaSuccess ? &v : nullptr;
}

void forgetModules() {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (Module *m : r.modules) m->loaded = false;
  for (auto &f : r.functions) f.second.resolved = false;
  for (auto &v : r.variables) v.second.resolved = false;
  for (auto &f : r.named) f.second->resolved = false;
  for (auto &v : r.globals) v.second.resolved = false;
}

} // namespace warpgrind

using namespace warpgrind;

extern "C" {

void **__cudaRegisterFatBinary(const void *fatCubin) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  auto *m = new Module;
  m->data = static_cast<const FatBinary *>(fatCubin)->data;
  r.modules.push_back(m);
  return reinterpret_cast<void **>(m);
}

// Managed variables have addresses before main starts; anything else waits
// for its first use.
void __cudaRegisterFatBinaryEnd(void **handle) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  for (auto &v : r.variables)
    if ((v.second.managed || v.second.mirror) && v.second.module == reinterpret_cast<Module *>(handle)) resolve("__managed__", v.second);
}

void __cudaUnregisterFatBinary(void **handle) {
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
  f.name = deviceName;
}

void __cudaRegisterVar(void **handle, char *hostVar, char *, const char *deviceName, int, size_t, int, int) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  Variable &v = r.variables[hostVar];
  v.module = reinterpret_cast<Module *>(handle);
  v.name = deviceName;
  if (hostVar >= __start_wg_managed && hostVar < __stop_wg_managed) v.mirror = hostVar;
}

void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *, const char *deviceName, int, size_t,
                              int, int) {
  Registry &r = registry();
  std::lock_guard<std::recursive_mutex> lock(r.mutex);
  Variable &v = r.variables[hostVarPtrAddress];
  v.module = reinterpret_cast<Module *>(handle);
  v.name = deviceName;
  v.managed = hostVarPtrAddress;
}

char __cudaInitModule(void **) { return 0; }

void __cudaRegisterTexture(void **, const void *, const void **, const char *, int, int, int) {}
void __cudaRegisterSurface(void **, const void *, const void **, const char *, int, int) {}

} // extern "C"
