// Batches of copies, which are done one after the other ("CUDA Runtime API",
// "cudaMemcpyBatchAsync").
#include "array.h"
#include "client.h"
#include "memory.h"

namespace warpgrind {
namespace {

// The error of a stream that batches may not be given to.
cudaError_t checkStream(cudaStream_t stream) {
  if (streamNumber(stream) > 1) return cudaSuccess;
  return invalid("the stream may not be the legacy default stream");
}

cudaError_t failure(cudaError_t e, size_t index, size_t *failed) {
  if (failed) *failed = index;
  return e;
}

// One side of a copy of a batch.
bool fill(const cudaMemcpy3DOperand &o, const cudaExtent &extent, cudaArray_t *array, cudaPos *pos,
          cudaPitchedPtr *ptr) {
  if (o.type == cudaMemcpyOperandTypeArray) {
    *array = o.op.array.array;
    *pos = {o.op.array.offset.x, o.op.array.offset.y, o.op.array.offset.z};
    return *array != nullptr;
  }
  if (o.type != cudaMemcpyOperandTypePointer) return false;
  const auto &p = o.op.ptr; // rows packed tightly where no length is given
  *ptr = {p.ptr, p.rowLength ? p.rowLength : extent.width, extent.width, p.layerHeight ? p.layerHeight : extent.height};
  return true;
}

cudaError_t one(const cudaMemcpy3DBatchOp &op, cudaStream_t stream) {
  cudaMemcpy3DParms p{};
  p.extent = op.extent;
  p.kind = cudaMemcpyDefault;
  if (!fill(op.src, op.extent, &p.srcArray, &p.srcPos, &p.srcPtr) ||
      !fill(op.dst, op.extent, &p.dstArray, &p.dstPos, &p.dstPtr))
    return invalid("an operand is neither memory nor an array");
  return copyParms(&p, true, stream);
}

} // namespace

namespace core {

cudaError_t cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count, cudaMemcpyAttributes *attributes,
                                 size_t *indexes, size_t n, size_t *failed, cudaStream_t stream) {
  if (failed) *failed = SIZE_MAX; // no copy in particular
  if (!dsts || !srcs || !sizes || count == 0) return invalid("a list is null or empty");
  if (!attributes || !indexes || n == 0 || n > count || indexes[0] != 0)
    return invalid("the attributes must begin with those of the first copy");
  for (size_t i = 1; i < n; i++)
    if (indexes[i] <= indexes[i - 1] || indexes[i] >= count)
      return invalid("the indexes of the attributes must rise");
  if (cudaError_t e = checkStream(stream)) return e;
  for (size_t i = 0; i < count; i++) {
    cudaError_t e = copyBytes(dsts[i], srcs[i], sizes[i], cudaMemcpyDefault, true, stream);
    if (e != cudaSuccess) return failure(e, i, failed);
  }
  return cudaSuccess;
}

cudaError_t cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                                  CUmemcpyAttributes *attributes, size_t *indexes, size_t n, CUstream stream) {
  return core::cudaMemcpyBatchAsync(reinterpret_cast<void **>(dsts), reinterpret_cast<void **>(srcs), sizes, count,
                                    reinterpret_cast<cudaMemcpyAttributes *>(attributes), indexes, n, nullptr, stream);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *list, size_t *failed, unsigned long long flags,
                                   cudaStream_t stream) {
  if (failed) *failed = SIZE_MAX;
  if (!list || count == 0 || flags != 0)
    return invalid("the list is null or empty, or flags are not 0");
  if (cudaError_t e = checkStream(stream)) return e;
  for (size_t i = 0; i < count; i++)
    if (cudaError_t e = one(list[i], stream)) return failure(e, i, failed);
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
