// The entry points of the runtime API and the driver API: thin faces over the core, made
// from the table of the API (internal/shim/api.txt).
#include <cstring>
#include <type_traits>

#include "alias.h"
#include "client.h"
#include "context.h"
#include "core.h"
#include "memory.h"
#include "unsupported.h"

namespace warpgrind {
namespace {

thread_local const Entry *current = nullptr;

// What an entry point needs before the core is called.
enum class Needs {
  Nothing,
  Init,    // a successful cuInit
  Context, // a current context
  Primary, // the device's primary context, which becomes current
};

// The error of a call whose needs are not met.
cudaError_t missing(Needs needs) {
  if (needs == Needs::Nothing) return cudaSuccess;
  if (needs == Needs::Primary) {
    cudaError_t e = connectOnce();
    if (e == cudaSuccess) useRuntime();
    return e;
  }
  if (!connected()) return cudaErrorInitializationError;
  if (needs == Needs::Init) return cudaSuccess;
  return currentContext() && isContext(currentContext()) ? cudaSuccess : cudaErrorDeviceUninitialized;
}

// The driver's number for a code: most are the same in both APIs.
CUresult translate(cudaError_t code) {
  switch (code) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorInvalidChannelDescriptor:
  case cudaErrorInvalidFilterSetting:
  case cudaErrorInvalidNormSetting: return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
  case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_NOT_FOUND;
  default: return static_cast<CUresult>(code);
  }
}

// Whether an error is an answer to a question rather than a failure: what queries return,
// and peer access that is as it should be ("Compute Sanitizer", "Excluded Errors").
bool isAnswer(cudaError_t code) {
  return code == cudaErrorNotReady || code == cudaErrorPeerAccessAlreadyEnabled || code == cudaErrorPeerAccessNotEnabled;
}

// Reports a call that returns an error to the program.
void reportFailure(Entry::Api api, cudaError_t code) {
  if (isAnswer(code) || !connected() || inHostFunction()) return;
  const char *error = cudaGetErrorName(code), *text = cudaGetErrorString(code);
  int number = code;
  if (api == Entry::Driver) {
    number = translate(code);
    core::cuGetErrorName(translate(code), &error);
    core::cuGetErrorString(translate(code), &text);
  }
  const FailedAllocation &a = failedAllocation;
  Call(protocol::Failed(number, isSticky(code), 0, error ? error : "", text ? text : "", a.size > 0, a.kept, a.size)).send();
}

void finish(cudaError_t code, cudaError_t *out) { *out = recordError(code); }
void finish(cudaError_t code, CUresult *out) { *out = translate(code); }

// The size of a type, or 0 where it is not complete.
template <class T, class = void> constexpr size_t sizeOf = 0;
template <class T> constexpr size_t sizeOf<T, std::enable_if_t<!std::is_void_v<T>, std::void_t<decltype(sizeof(T))>>> = sizeof(T);

// A parameter as the other API has it. Handles, enumerations and structures of the two
// are the same in memory; addresses are numbers in the driver API.
template <class To, class From> To convert(From v) {
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (std::is_pointer_v<To> && std::is_pointer_v<From>) {
    constexpr size_t to = sizeOf<std::remove_pointer_t<To>>, from = sizeOf<std::remove_pointer_t<From>>;
    static_assert(to == from || to == 0 || from == 0, "the structures differ");
    return reinterpret_cast<To>(v);
  } else if constexpr (std::is_pointer_v<To>) {
    return reinterpret_cast<To>(static_cast<uintptr_t>(v));
  } else if constexpr (std::is_class_v<To>) {
    static_assert(sizeof(To) == sizeof(From), "the structures differ");
    To to;
    memcpy(&to, &v, sizeof to);
    return to;
  } else {
    return static_cast<To>(v);
  }
}

template <class R, class... P, class... A>
R enter(Entry::Api api, Needs needs, const char *name, cudaError_t (*f)(P...), A... a) {
  const Entry entry(api, name);
  if (!entry.isNested()) failedAllocation = {};
  cudaError_t code = missing(needs);
  if (code == cudaSuccess) code = f(convert<P>(a)...);
  if (code != cudaSuccess && !entry.isNested()) reportFailure(api, code);
  R result;
  finish(code, &result);
  return result;
}

} // namespace

Entry::Entry(Api api, const char *name) : before_(current), api_(api), name_(name) { current = this; }

Entry::~Entry() { current = before_; }

bool Entry::isRuntime() { return current && current->api_ == Runtime; }

// An entry point of the type that the header declares. The name may be a macro that
// stands for a newer version.
#define SYMBOL(name) SYMBOL_OF(name)
#define SYMBOL_OF(name) #name
#define FACE(api, needs, name, carrier)                                           \
  template <class F> struct face_##name;                                          \
  template <class R, class... A> struct face_##name<R(A...)> {                    \
    __attribute__((used)) static R call(A... a) __asm__(SYMBOL(name));            \
  };                                                                              \
  template <class R, class... A> R face_##name<R(A...)>::call(A... a) {           \
    return enter<R>(Entry::api, Needs::needs, SYMBOL(name), core::carrier, a...); \
  }                                                                               \
  template struct face_##name<decltype(::name)>;
#define CORE(api, needs, name) FACE(api, needs, name, name)
#define TWIN(api, needs, name, carrier) FACE(api, needs, name, carrier)

// Calls that are not supported.
#define NONE(api, name) NONE_##api(name)
#define NONE_Runtime(name) UNSUPPORTED_BY(name, recordError(static_cast<cudaError_t>(unsupportedCall(#name, cudaErrorNotSupported))))
#define NONE_Driver(name) UNSUPPORTED(name, CUDA_ERROR_NOT_SUPPORTED)
#define NONE_Cublas(name) UNSUPPORTED(name, 15 /* CUBLAS_STATUS_NOT_SUPPORTED */)
#define NONE_Cufft(name) UNSUPPORTED(name, 16 /* CUFFT_NOT_SUPPORTED */)
#define NONE_Cusparse(name) UNSUPPORTED(name, 10 /* CUSPARSE_STATUS_NOT_SUPPORTED */)
#define NONE_Cusolver(name) UNSUPPORTED(name, 9 /* CUSOLVER_STATUS_NOT_SUPPORTED */)
#define NONE_Nccl(name) UNSUPPORTED(name, 3 /* ncclInternalError */)
#define NONE_Curand(name) UNSUPPORTED(name, 103 /* CURAND_STATUS_TYPE_ERROR */)

// An entry point whose default stream is the calling thread's ("CUDA Runtime API", "API
// synchronization behavior": _ptsz and _ptds).
#define PER_THREAD(name, target)                                        \
  template <class F> struct face_##name;                                \
  template <class R, class... A> struct face_##name<R(A...)> {          \
    __attribute__((used)) static R call(A... a) __asm__(#name);         \
  };                                                                    \
  template <class R, class... A> R face_##name<R(A...)>::call(A... a) { \
    const PerThreadDefault scope;                                       \
    return ::target(a...);                                              \
  }                                                                     \
  template struct face_##name<decltype(::target)>;

#define ALIAS(name, target) JUMP_TO(name, target)

#include "api.inc"

} // namespace warpgrind
