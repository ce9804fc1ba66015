// Errors of the runtime API: their names and texts, and the last error of each thread
// ("CUDA Runtime API", "Error Handling").
#include "client.h"
#include "unread.h"

namespace warpgrind {
namespace {

thread_local cudaError_t lastError = cudaSuccess;

// A sticky error stays the last error.
cudaError_t peekLastError() {
  int sticky = stickyError();
  return sticky != 0 ? static_cast<cudaError_t>(sticky) : lastError;
}

} // namespace

cudaError_t recordError(cudaError_t code) {
  if (code == cudaSuccess || code == cudaErrorNotReady) return code;
  unreadOverwritten();
  lastError = code;
  return code;
}

} // namespace warpgrind

using namespace warpgrind;

extern "C" {

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define RUNTIME_ERROR(e, text) \
  case e: return #e;
#include "errors.inc"
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define RUNTIME_ERROR(e, text) \
  case e: return text;
#include "errors.inc"
  }
  return "unrecognized error code";
}

cudaError_t cudaGetLastError(void) {
  unreadTaken();
  cudaError_t e = peekLastError();
  lastError = cudaSuccess;
  return e;
}

cudaError_t cudaPeekAtLastError(void) {
  unreadTaken();
  return peekLastError();
}

} // extern "C"
