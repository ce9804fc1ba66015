// Reads and writes of single values in the order of a stream ("CUDA Driver
// API", "Stream Memory Operations"), alone, in batches and as nodes of graphs.
#include "driver_handles.h"

#include "capture.h"
#include "memory.h"
#include "memops.h"

namespace warpgrind {
namespace {

static_assert(sizeof(CUstreamBatchMemOpParams) == sizeof(MemOp), "the union is six words");

const CUstreamBatchMemOpParams &params(const MemOp &op) {
  return *reinterpret_cast<const CUstreamBatchMemOpParams *>(op.data());
}

MemOp wordsOf(const CUstreamBatchMemOpParams &p) {
  MemOp op;
  memcpy(op.data(), &p, sizeof op);
  return op;
}

constexpr unsigned kConditions = 3; // the bits of CUstreamWaitValue_flags that choose one

cudaError_t wait(CUstream stream, CUdeviceptr p, uint64_t value, uint8_t bytes, unsigned flags) {
  Call c{protocol::WaitValue(stream, pointer(p), value, bytes, static_cast<ValueCondition>(flags & kConditions))};
  c.send();
  return c.result();
}

cudaError_t write(CUstream stream, CUdeviceptr p, uint64_t value, uint8_t bytes, unsigned flags) {
  Call c{protocol::WriteValue(stream, pointer(p), value, bytes, !(flags & CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER))};
  c.send();
  return c.result();
}

cudaError_t run(CUstream stream, const CUstreamBatchMemOpParams &p) {
  switch (p.operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32: return wait(stream, p.waitValue.address, p.waitValue.value, 4, p.waitValue.flags);
  case CU_STREAM_MEM_OP_WAIT_VALUE_64: return wait(stream, p.waitValue.address, p.waitValue.value64, 8, p.waitValue.flags);
  case CU_STREAM_MEM_OP_WRITE_VALUE_32: return write(stream, p.writeValue.address, p.writeValue.value, 4, p.writeValue.flags);
  case CU_STREAM_MEM_OP_WRITE_VALUE_64: return write(stream, p.writeValue.address, p.writeValue.value64, 8, p.writeValue.flags);
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES: // nothing comes from outside
  case CU_STREAM_MEM_OP_BARRIER: return cudaSuccess; // memory is in order
  default: return invalid("no such memory operation");
  }
}

cudaError_t give(CUstream stream, std::vector<MemOp> ops) {
  for (const MemOp &op : ops) {
    const auto &p = params(op);
    bool wide = p.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || p.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
    bool value = wide || p.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || p.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32;
    if (value && p.waitValue.address % (wide ? 8 : 4)) return invalid("the address is not aligned to the value's size");
  }
  if (isCapturing(stream)) return captureMemOps(stream, std::move(ops));
  return runMemOps(stream, ops);
}

cudaError_t one(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr p, uint64_t value, unsigned flags) {
  CUstreamBatchMemOpParams op{};
  op.waitValue.operation = type; // a write has the same members
  op.waitValue.address = p;
  op.waitValue.value64 = value;
  op.waitValue.flags = flags;
  return give(stream, {wordsOf(op)});
}

cudaError_t listOf(unsigned count, const CUstreamBatchMemOpParams *list, unsigned flags, std::vector<MemOp> *out) {
  if (count > 256 || (count > 0 && !list) || flags != 0)
    return invalid("there are more than 256 operations, none, or flags are not 0");
  for (unsigned i = 0; i < count; i++) out->push_back(wordsOf(list[i]));
  return cudaSuccess;
}

cudaError_t set(Node *n, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  if (!n || n->type != kMemOpNode || !p) return invalid("a pointer is null, or not a node of this type");
  std::vector<MemOp> ops;
  if (cudaError_t e = listOf(p->count, p->paramArray, p->flags, &ops)) return e;
  n->memOps = std::move(ops);
  return cudaSuccess;
}

} // namespace

cudaError_t runMemOps(cudaStream_t stream, const std::vector<MemOp> &ops) {
  for (const MemOp &op : ops)
    if (cudaError_t e = run(stream, params(op))) return e;
  return cudaSuccess;
}

namespace core {

cudaError_t cuStreamWriteValue32(CUstream stream, CUdeviceptr p, unsigned value, unsigned flags) {
  return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, p, value, flags);
}

cudaError_t cuStreamWriteValue64(CUstream stream, CUdeviceptr p, unsigned long long value, unsigned flags) {
  return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, p, value, flags);
}

cudaError_t cuStreamWaitValue32(CUstream stream, CUdeviceptr p, unsigned value, unsigned flags) {
  return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, p, value, flags);
}

cudaError_t cuStreamWaitValue64(CUstream stream, CUdeviceptr p, unsigned long long value, unsigned flags) {
  return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, p, value, flags);
}

cudaError_t cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams *list, unsigned flags) {
  std::vector<MemOp> ops;
  if (cudaError_t e = listOf(count, list, flags, &ops)) return e;
  return give(stream, std::move(ops));
}

cudaError_t cuGraphAddBatchMemOpNode(CUgraphNode *out, CUgraph g, const CUgraphNode *from, size_t count,
                                     const CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  if (!out) return invalid("the result pointer is null");
  cudaError_t e;
  Node *n = addNode(runtime(g), runtime(from), count, kMemOpNode, &e);
  if (!n) return e;
  cudaError_t r = set(n, p);
  if (r == cudaSuccess) *out = reinterpret_cast<CUgraphNode>(n);
  else core::cudaGraphDestroyNode(handle(n));
  return r;
}

cudaError_t cuGraphBatchMemOpNodeGetParams(CUgraphNode h, CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  Node *n = nodeOf(runtime(h));
  if (!n || n->type != kMemOpNode || !p) return invalid("a pointer is null, or not a node of this type");
  auto *list = reinterpret_cast<CUstreamBatchMemOpParams *>(n->memOps.data());
  *p = {reinterpret_cast<CUcontext>(currentContext()), static_cast<unsigned>(n->memOps.size()), list, 0};
  return cudaSuccess;
}

cudaError_t cuGraphBatchMemOpNodeSetParams(CUgraphNode h, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  return set(nodeOf(runtime(h)), p);
}

cudaError_t cuGraphExecBatchMemOpNodeSetParams(CUgraphExec h, CUgraphNode of, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p) {
  GraphExec *e = execOf(runtime(h));
  Node *n = nodeOf(runtime(of));
  return set(e && n ? findClone(*e->graph, n) : nullptr, p);
}

} // namespace core
} // namespace warpgrind
