// Copies to and from __device__, __constant__ and __managed__ variables.
#include "client.h"
#include "memory.h"
#include "registry.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "the result pointer is null";

cudaError_t toSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                     cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return misuse(cudaErrorInvalidMemcpyDirection, "a copy to a symbol goes to the device");
  cudaError_t e;
  char *dst = symbolRange(symbol, count, offset, &e);
  return dst ? copyBytes(dst, src, count, kind, async, stream) : e;
}

cudaError_t fromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                       cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return misuse(cudaErrorInvalidMemcpyDirection, "a copy from a symbol comes from the device");
  cudaError_t e;
  char *src = symbolRange(symbol, count, offset, &e);
  // Managed memory counts as the host's in a copy that names directions.
  return src ? copyBytes(dst, src, count, kind, async, stream) : e;
}

} // namespace

char *symbolRange(const void *symbol, size_t count, size_t offset, cudaError_t *error) {
  Variable *v = findVariable(symbol, error);
  if (!v) return nullptr;
  const Placed &at = v->placed();
  if (offset > at.size || count > at.size - offset) {
    std::string detail = "copy of " + std::to_string(count) + " bytes at offset " + std::to_string(offset) +
                         " of variable " + v->name + ", which has " + std::to_string(at.size) + " bytes";
    *error = misuse(cudaErrorInvalidValue, detail.c_str(), MisuseKind::Variable);
    return nullptr;
  }
  return static_cast<char *>(at.address) + offset;
}

namespace core {

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return toSymbol(symbol, src, count, offset, kind, false, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return toSymbol(symbol, src, count, offset, kind, true, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return fromSymbol(dst, symbol, count, offset, kind, false, nullptr);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return fromSymbol(dst, symbol, count, offset, kind, true, stream);
}

cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) {
  if (!p) return invalid(kNull);
  cudaError_t e;
  Variable *v = findVariable(symbol, &e);
  if (v) *p = v->mirror ? v->mirror : v->placed().address;
  return e;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  if (!size) return invalid(kNull);
  cudaError_t e;
  Variable *v = findVariable(symbol, &e);
  if (v) *size = v->placed().size;
  return e;
}

} // namespace core
} // namespace warpgrind
