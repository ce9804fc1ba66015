// Entry points of NVIDIA's closed libraries that ours stand for (library.h). An entry
// point jumps to the library's function, and at the first call asks the engine's process, which
// has the compiler, for the library.
#include "library.h"
#include "lasting.h"

#include <cstdio>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "client.h"
#include "context.h"
#include "core.h"
#include "ranks.h"
#include "registry.h"
#include "unsupported.h"

namespace warpgrind {

// An entry point: function is null before the first call.
struct LibraryEntry {
  const char *library, *name;
  void *function;
};

namespace {

struct Libraries {
  std::recursive_mutex mutex;
  std::map<std::string, void *> loaded; // handles by name, null where one could not be loaded
  std::map<std::pair<std::string, std::string>, Module *> modules;
};

Libraries &libraries() {
  static Lasting<Libraries> l;
  return l.get();
}

cudaError_t kernel(const char *library, const char *module, const char *name, CUfunction *out) {
  Libraries &l = libraries();
  std::lock_guard<std::recursive_mutex> lock(l.mutex);
  cudaError_t e = connectOnce();
  if (e != cudaSuccess) return e;
  useRuntime();
  Module *&m = l.modules[{library, module}];
  if (!m) {
    Call c{protocol::Library(library, module)};
    if (!c.send()) return c.result();
    auto *ptx = new std::string(c.reply.text); // a module is used in place
    m = loadImage(ptx->c_str(), &e);
    if (!m) return e;
  }
  *out = reinterpret_cast<CUfunction>(functionOf(m, name, &e));
  return e;
}

cudaError_t launch(CUfunction f, dim3 grid, dim3 block, size_t shared, cudaStream_t stream, void **args) {
  return core::cuLaunchKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, static_cast<unsigned>(shared),
                              reinterpret_cast<CUstream>(stream), args, nullptr);
}

cudaError_t copy(void *to, const void *from, size_t bytes, cudaStream_t stream) {
  return core::cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}

cudaError_t copy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t rows,
                   cudaStream_t stream) {
  return core::cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, rows, cudaMemcpyDefault, stream);
}

unsigned long long capture(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  core::cudaStreamGetCaptureInfo(stream, &status, &id, nullptr, nullptr, nullptr);
  return status == cudaStreamCaptureStatusActive ? id : 0;
}

bool onDevice(const void *address) {
  cudaPointerAttributes a{};
  return core::cudaPointerGetAttributes(&a, address) == cudaSuccess && a.type != cudaMemoryTypeUnregistered;
}

// The call of the program that is under way, and where it was made: a library's own calls may be deep below it.
thread_local const char *callOfProgram = nullptr;
thread_local Site siteOfProgram;

const char *name(const char *call) {
  const char *before = callOfProgram;
  if (call && !before) siteOfProgram = callSite();
  callOfProgram = call;
  return before;
}

void failedCollective(uint8_t fault, int code, const char *error, const char *reason) {
  const CallName named(callOfProgram ? callOfProgram : "");
  const AtSite at(siteOfProgram);
  if (connected() && !inHostFunction()) Call(protocol::Failed(code, false, fault, error, reason, false, nullptr, 0)).send();
}

void failed(int code, const char *error, const char *reason) { failedCollective(0, code, error, reason); }

cudaError_t createOwnStream(cudaStream_t *out, const char *library) {
  Call c{protocol::StreamCreate(cudaStreamNonBlocking, 0, "", library)};
  if (c.send()) *out = c.reply.handle;
  return c.result();
}

// Runs a function of the core under the name of the call that the program made.
template <class... A> struct Named {
  template <cudaError_t (*f)(A...)> static cudaError_t call(A... a) {
    const CallName named(callOfProgram ? callOfProgram : "");
    const AtSite at(siteOfProgram);
    return f(a...);
  }
};
template <class... A> Named<A...> namedOf(cudaError_t (*)(A...));
#define NAMED(f) decltype(namedOf(f))::call<f>

const LibraryServices services = {
    NAMED(kernel), NAMED(launch), NAMED(core::cudaMalloc), NAMED(core::cudaFree), NAMED(copy), NAMED(copy2D),
    NAMED(core::cudaMemsetAsync), NAMED(core::cudaStreamSynchronize), onDevice, name, failed,
    [](const char *what) {
      const AtSite at(siteOfProgram);
      unsupported(what);
    },
    NAMED(core::cudaSetDevice), NAMED(core::cudaGetDevice), NAMED(core::cudaGetDeviceCount),
    NAMED(createOwnStream), NAMED(core::cudaStreamDestroy), NAMED(core::cudaStreamWaitEvent), capture,
    NAMED(core::cudaEventCreateWithFlags), NAMED(core::cudaEventRecord), NAMED(core::cudaEventDestroy),
    [] { return LibraryCall{callOfProgram, siteOfProgram}; },
    [](const LibraryCall &c) {
      callOfProgram = c.name;
      siteOfProgram = c.site;
    },
    callsSoFar, failedCollective, NAMED(core::cudaMallocAsync), NAMED(core::cudaFreeAsync),
    {NAMED(ranks::identifier), NAMED(ranks::join), NAMED(ranks::leave), NAMED(ranks::post), NAMED(ranks::await), NAMED(ranks::take),
     NAMED(ranks::done)},
};

// The library of a name, compiled if need be; null where that is not possible.
void *load(const char *library) {
  Libraries &l = libraries();
  auto [at, isNew] = l.loaded.insert({library, nullptr});
  if (!isNew || connectOnce() != cudaSuccess) return at->second;
  Call c{protocol::Library(library, "")};
  if (!c.send()) return nullptr;
  void *handle = dlopen(std::string(c.reply.text).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fprintf(stderr, "warpgrind: %s\n", dlerror());
    return nullptr;
  }
  reinterpret_cast<decltype(&warpgrind_open)>(dlsym(handle, "warpgrind_open"))(&services);
  return at->second = handle;
}

// What entry points do where there is no library: they return that it is not
// initialized, which is the same number in most of the libraries.
int notInitialized() { return 1; }

} // namespace

// The function of an entry point.
extern "C" __attribute__((visibility("hidden"), used)) void *__wg_library_function(LibraryEntry *e) {
  Libraries &l = libraries();
  std::lock_guard<std::recursive_mutex> lock(l.mutex);
  const CallName named(e->name);
  void *handle = load(e->library);
  void *f = handle ? dlsym(handle, e->name) : nullptr;
  if (void *find = handle && !f ? dlsym(handle, "warpgrind_find") : nullptr) f = reinterpret_cast<decltype(&warpgrind_find)>(find)(e->name);
  if (handle && !f) unsupported(e->name);
  return e->function = f ? f : reinterpret_cast<void *>(notInitialized);
}

} // namespace warpgrind

// __wg_library_resolve gets the address of a LibraryEntry in a register that carries no argument,
// keeps those that do, and jumps to the entry's function: to the caller it is as if it had called that.
#ifdef __aarch64__
#define ENTER(name)                                                                             \
  "adrp x16, __wg_library_" name "\nadd x16, x16, :lo12:__wg_library_" name "\nldr x17, [x16, #16]\n" \
  "cbz x17, 1f\nbr x17\n1: b __wg_library_resolve\n"
__asm__(R"(
.text
.hidden __wg_library_resolve
.globl __wg_library_resolve
.type __wg_library_resolve,%function
__wg_library_resolve:
.cfi_startproc
stp x29, x30, [sp, #-224]!
.cfi_def_cfa_offset 224
.cfi_offset 29, -224
.cfi_offset 30, -216
mov x29, sp
stp x0, x1, [sp, #16]
stp x2, x3, [sp, #32]
stp x4, x5, [sp, #48]
stp x6, x7, [sp, #64]
str x8, [sp, #80]
stp q0, q1, [sp, #96]
stp q2, q3, [sp, #128]
stp q4, q5, [sp, #160]
stp q6, q7, [sp, #192]
mov x0, x16
bl __wg_library_function
mov x16, x0
ldp x0, x1, [sp, #16]
ldp x2, x3, [sp, #32]
ldp x4, x5, [sp, #48]
ldp x6, x7, [sp, #64]
ldr x8, [sp, #80]
ldp q0, q1, [sp, #96]
ldp q2, q3, [sp, #128]
ldp q4, q5, [sp, #160]
ldp q6, q7, [sp, #192]
ldp x29, x30, [sp], #224
.cfi_def_cfa_offset 0
br x16
.cfi_endproc
)");
#else
#define ENTER(name)                                                                                   \
  "leaq __wg_library_" name "(%rip), %r11\nmovq 16(%r11), %r10\ntestq %r10, %r10\nje 1f\njmp *%r10\n" \
  "1: jmp __wg_library_resolve\n"
__asm__(R"(
.text
.hidden __wg_library_resolve
.globl __wg_library_resolve
.type __wg_library_resolve,%function
__wg_library_resolve:
.cfi_startproc
pushq %rbp
.cfi_def_cfa_offset 16
.cfi_offset %rbp, -16
movq %rsp, %rbp
.cfi_def_cfa_register %rbp
subq $192, %rsp
movq %rdi, (%rsp)
movq %rsi, 8(%rsp)
movq %rdx, 16(%rsp)
movq %rcx, 24(%rsp)
movq %r8, 32(%rsp)
movq %r9, 40(%rsp)
movq %rax, 48(%rsp)
movups %xmm0, 64(%rsp)
movups %xmm1, 80(%rsp)
movups %xmm2, 96(%rsp)
movups %xmm3, 112(%rsp)
movups %xmm4, 128(%rsp)
movups %xmm5, 144(%rsp)
movups %xmm6, 160(%rsp)
movups %xmm7, 176(%rsp)
movq %r11, %rdi
call __wg_library_function
movq %rax, %r11
movq (%rsp), %rdi
movq 8(%rsp), %rsi
movq 16(%rsp), %rdx
movq 24(%rsp), %rcx
movq 32(%rsp), %r8
movq 40(%rsp), %r9
movq 48(%rsp), %rax
movups 64(%rsp), %xmm0
movups 80(%rsp), %xmm1
movups 96(%rsp), %xmm2
movups 112(%rsp), %xmm3
movups 128(%rsp), %xmm4
movups 144(%rsp), %xmm5
movups 160(%rsp), %xmm6
movups 176(%rsp), %xmm7
leave
.cfi_def_cfa %rsp, 8
jmp *%r11
.cfi_endproc
)");
#endif

#define SYMBOL_OF(name) #name

// The entry point is weak, so that a program may bring the function itself.
#define LIBRARY(library, name)                                                                              \
  extern "C" {                                                                                              \
  __attribute__((visibility("hidden"), used)) warpgrind::LibraryEntry __wg_library_##name = {#library, #name, nullptr}; \
  }                                                                                                         \
  __asm__(".text\n.weak " #name "\n.type " #name ",%function\n" #name ":\n" ENTER(#name));

#include "api.inc"
