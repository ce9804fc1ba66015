// NCCL's functions ("NCCL", "API").
#include "comm.h"

#include <cstring>

using namespace nccl;

namespace {

struct Code {
  const char *name, *text;
};
const Code kCodes[] = {
    {"ncclSuccess", "no error"},
    {"ncclUnhandledCudaError", "unhandled cuda error"},
    {"ncclSystemError", "unhandled system error"},
    {"ncclInternalError", "internal error"},
    {"ncclInvalidArgument", "invalid argument"},
    {"ncclInvalidUsage", "invalid usage"},
    {"ncclRemoteError", "remote process exited or there was a network error"},
    {"ncclInProgress", "NCCL operation in progress"},
};

thread_local std::string lastError;

// The start of an entry point.
#define NCCL_CALL(name) const host::Named named(name)
#define NCCL_REQUIRE(condition, reason) \
  if (!(condition)) return fail(ncclInvalidArgument, reason)
#define NCCL_TRY(call) \
  if (ncclResult_t result_ = call) return result_

ncclResult_t initialize(ncclComm_t *comm, int size, const ncclUniqueId &id, int rank) {
  NCCL_REQUIRE(comm, "the result pointer is null");
  NCCL_REQUIRE(size > 0 && rank >= 0 && rank < size, "the rank is not one of the communicator");
  int device = 0;
  if (host::services->getDevice(&device) != cudaSuccess) return ncclUnhandledCudaError;
  if (size > kMostRanks) {
    host::services->unsupported("a communicator of NCCL with more than 64 ranks");
    return ncclSystemError;
  }
  ncclComm_t own;
  NCCL_TRY(joinByID(&own, id, size, rank, device));
  *comm = own;
  auto o = std::make_unique<Operation>();
  o->comm = own;
  return enqueue(std::move(o));
}

// An operation of a rank on its elements.
ncclResult_t operate(Kind kind, const void *send, void *recv, size_t count, ncclDataType_t type, int op, int peer, ncclComm_t comm,
                     cudaStream_t stream) {
  NCCL_REQUIRE(comm, "the communicator is null");
  NCCL_REQUIRE(type >= 0 && type < ncclNumTypes, "unknown datatype");
  const auto made = comm->factors.find(op);
  NCCL_REQUIRE((op >= 0 && op < ncclNumOps) || made != comm->factors.end(), "the operator does not belong to this communicator");
  const bool rooted = kind == Reduce || kind == Broadcast, pair = kind == Send || kind == Recv;
  if (rooted) NCCL_REQUIRE(peer >= 0 && peer < comm->team->size, "the root is not a rank of the communicator");
  if (pair) NCCL_REQUIRE(peer >= 0 && peer < comm->team->size, "the other side is not a rank of the communicator");
  const bool sends = kind != Recv && (kind != Broadcast || comm->rank == peer);
  const bool receives = kind != Send && (kind != Reduce || comm->rank == peer);
  NCCL_REQUIRE(!sends || send || count == 0, "the buffer to send is null");
  NCCL_REQUIRE(!receives || recv || count == 0, "the buffer to receive is null");
  auto o = std::make_unique<Operation>();
  o->kind = kind;
  o->comm = comm;
  o->send = send;
  o->recv = recv;
  o->count = count;
  o->type = type;
  o->op = op;
  if (made != comm->factors.end()) o->factor = made->second;
  o->peer = peer;
  o->stream = stream;
  return enqueue(std::move(o));
}

// The elements for or from a rank in a buffer for all.
const void *part(const void *all, int rank, size_t count, ncclDataType_t type) {
  return static_cast<const char *>(all) + static_cast<size_t>(rank) * count * nccl::sizeOf(type);
}
void *part(void *all, int rank, size_t count, ncclDataType_t type) { return const_cast<void *>(part(static_cast<const void *>(all), rank, count, type)); }

// What calls that consist of sends and receives have in common.
ncclResult_t checkPairs(bool buffers, size_t count, ncclDataType_t type, int root, ncclComm_t comm) {
  NCCL_REQUIRE(comm, "the communicator is null");
  NCCL_REQUIRE(type >= 0 && type < ncclNumTypes, "unknown datatype");
  NCCL_REQUIRE(root >= 0 && root < comm->team->size, "the root is not a rank of the communicator");
  NCCL_REQUIRE(buffers || count == 0, "a buffer is null");
  return ncclSuccess;
}

// Sends to a rank and receives from it, unless the elements are the rank's own and in their place.
ncclResult_t both(const void *from, void *to, size_t count, ncclDataType_t type, int rank, ncclComm_t comm, cudaStream_t stream) {
  if (rank == comm->rank && from == to) return ncclSuccess;
  NCCL_TRY(operate(Send, from, nullptr, count, type, ncclSum, rank, comm, stream));
  return operate(Recv, nullptr, to, count, type, ncclSum, rank, comm, stream);
}

// Does f for each rank, in a group.
template <class F> ncclResult_t together(int ranks, F f) {
  beginGroup();
  ncclResult_t result = ncclSuccess;
  for (int r = 0; r < ranks && result == ncclSuccess; r++) result = f(r);
  const ncclResult_t ended = endGroup();
  return result == ncclSuccess ? ended : result;
}

} // namespace

namespace nccl {

void fail(CollectiveFault fault, const std::string &reason, ncclComm_t comm, ncclResult_t code) {
  host::services->failedCollective(fault, code, kCodes[code].name, reason.c_str());
  comm->lastError = reason;
}

ncclResult_t fail(ncclResult_t code, const std::string &reason, ncclComm_t comm) {
  host::services->failed(code, kCodes[code].name, reason.c_str());
  lastError = reason;
  if (comm) comm->lastError = reason;
  return code;
}

} // namespace nccl

extern "C" {

ncclResult_t ncclGetVersion(int *version) {
  NCCL_CALL("ncclGetVersion");
  NCCL_REQUIRE(version, "the result pointer is null");
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  NCCL_CALL("ncclGetUniqueId");
  NCCL_REQUIRE(id, "the result pointer is null");
  char made[kIdentifier];
  if (host::services->ranks.identifier(made) != cudaSuccess) return fail(ncclSystemError, "there is no device");
  *id = wrapped(made);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int size, ncclUniqueId id, int rank) {
  NCCL_CALL("ncclCommInitRank");
  return initialize(comm, size, id, rank);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int size, ncclUniqueId id, int rank, ncclConfig_t *) {
  NCCL_CALL("ncclCommInitRankConfig");
  return initialize(comm, size, id, rank);
}

ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int size, int rank, int n, ncclUniqueId *ids, ncclConfig_t *) {
  NCCL_CALL("ncclCommInitRankScalable");
  NCCL_REQUIRE(ids && n > 0, "there is no identifier");
  return initialize(comm, size, ids[0], rank);
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int size, const int *devices) {
  NCCL_CALL("ncclCommInitAll");
  NCCL_REQUIRE(comms, "the result pointer is null");
  int count = 0;
  if (host::services->getDeviceCount(&count) != cudaSuccess) return ncclUnhandledCudaError;
  if (size < 1 || size > count) return fail(ncclInvalidArgument, "there are " + std::to_string(count) + " devices, not " + std::to_string(size));
  auto team = std::make_shared<Team>(size);
  for (int r = 0; r < size; r++) {
    const int device = devices ? devices[r] : r;
    std::string error = "there is no device " + std::to_string(device);
    comms[r] = device < 0 || device >= count ? nullptr : join(team, r, device, &error);
    if (comms[r]) continue;
    while (r-- > 0) leave(comms[r]);
    return fail(ncclInvalidUsage, error);
  }
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  NCCL_CALL("ncclCommFinalize");
  NCCL_REQUIRE(comm, "the communicator is null");
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  NCCL_CALL("ncclCommDestroy");
  if (comm) leave(comm);
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  NCCL_CALL("ncclCommAbort");
  if (comm) abort(comm);
  return ncclSuccess;
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *out, ncclConfig_t *) {
  NCCL_CALL("ncclCommSplit");
  NCCL_REQUIRE(comm, "the communicator is null");
  NCCL_REQUIRE(out, "the result pointer is null");
  NCCL_REQUIRE(color >= 0 || color == NCCL_SPLIT_NOCOLOR, "the color is negative");
  auto o = std::make_unique<Operation>();
  o->kind = Split;
  o->comm = comm;
  o->color = color;
  o->key = key;
  o->out = out;
  return enqueue(std::move(o));
}

const char *ncclGetErrorString(ncclResult_t code) {
  return code >= 0 && code < ncclNumResults ? kCodes[code].text : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t comm) { return comm ? comm->lastError.c_str() : lastError.c_str(); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  NCCL_CALL("ncclCommGetAsyncError");
  NCCL_REQUIRE(comm, "the communicator is null");
  NCCL_REQUIRE(error, "the result pointer is null");
  *error = comm->asyncError;
  return ncclSuccess;
}

// A property of a communicator.
#define PROPERTY(name, value)                                    \
  ncclResult_t name(const ncclComm_t comm, int *out) {           \
    NCCL_CALL(#name);                                            \
    NCCL_REQUIRE(comm, "the communicator is null");              \
    NCCL_REQUIRE(out, "the result pointer is null");             \
    *out = value;                                                \
    return ncclSuccess;                                          \
  }
PROPERTY(ncclCommCount, comm->team->size)
PROPERTY(ncclCommCuDevice, comm->device)
PROPERTY(ncclCommUserRank, comm->rank)

ncclResult_t ncclMemAlloc(void **out, size_t bytes) {
  NCCL_CALL("ncclMemAlloc");
  NCCL_REQUIRE(out, "the result pointer is null");
  return host::services->allocate(out, bytes) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t ncclMemFree(void *memory) {
  NCCL_CALL("ncclMemFree");
  return host::services->release(memory) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

// Buffers are accessed where they are, registered or not.
ncclResult_t ncclCommRegister(const ncclComm_t comm, void *buffer, size_t, void **handle) {
  NCCL_CALL("ncclCommRegister");
  NCCL_REQUIRE(comm, "the communicator is null");
  NCCL_REQUIRE(buffer && handle, "a pointer is null");
  *handle = buffer;
  return ncclSuccess;
}

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *) {
  NCCL_CALL("ncclCommDeregister");
  NCCL_REQUIRE(comm, "the communicator is null");
  return ncclSuccess;
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type, ncclScalarResidence_t residence,
                                      ncclComm_t comm) {
  NCCL_CALL("ncclRedOpCreatePreMulSum");
  NCCL_REQUIRE(comm, "the communicator is null");
  NCCL_REQUIRE(op && scalar, "a pointer is null");
  NCCL_REQUIRE(type >= 0 && type < ncclNumTypes, "unknown datatype");
  Factor f{};
  if (residence == ncclScalarHostImmediate)
    memcpy(&f.bits, scalar, nccl::sizeOf(type));
  else
    f.from = scalar;
  comm->factors[comm->nextOperator] = f;
  *op = static_cast<ncclRedOp_t>(comm->nextOperator++);
  return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  NCCL_CALL("ncclRedOpDestroy");
  NCCL_REQUIRE(comm, "the communicator is null");
  NCCL_REQUIRE(comm->factors.erase(op), "the operator does not belong to this communicator");
  return ncclSuccess;
}

ncclResult_t ncclReduce(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm,
                        cudaStream_t stream) {
  NCCL_CALL("ncclReduce");
  return operate(Reduce, send, recv, count, type, op, root, comm, stream);
}

ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream) {
  NCCL_CALL("ncclBcast");
  return operate(Broadcast, buffer, buffer, count, type, ncclSum, root, comm, stream);
}

ncclResult_t ncclBroadcast(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream) {
  NCCL_CALL("ncclBroadcast");
  return operate(Broadcast, send, recv, count, type, ncclSum, root, comm, stream);
}

ncclResult_t ncclAllReduce(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t stream) {
  NCCL_CALL("ncclAllReduce");
  return operate(AllReduce, send, recv, count, type, op, 0, comm, stream);
}

ncclResult_t ncclReduceScatter(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream) {
  NCCL_CALL("ncclReduceScatter");
  return operate(ReduceScatter, send, recv, count, type, op, 0, comm, stream);
}

ncclResult_t ncclAllGather(const void *send, void *recv, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream) {
  NCCL_CALL("ncclAllGather");
  return operate(AllGather, send, recv, count, type, ncclSum, 0, comm, stream);
}

ncclResult_t ncclAlltoAll(const void *send, void *recv, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream) {
  NCCL_CALL("ncclAlltoAll");
  NCCL_TRY(checkPairs(send && recv, count, type, 0, comm));
  return together(comm->team->size, [&](int r) {
    return both(part(send, r, count, type), part(recv, r, count, type), count, type, r, comm, stream);
  });
}

ncclResult_t ncclGather(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream) {
  NCCL_CALL("ncclGather");
  NCCL_TRY(checkPairs(send && (recv || (comm && comm->rank != root)), count, type, root, comm));
  if (comm->rank != root) return operate(Send, send, nullptr, count, type, ncclSum, root, comm, stream);
  return together(comm->team->size, [&](int r) {
    void *to = part(recv, r, count, type);
    return r == root ? both(send, to, count, type, r, comm, stream) : operate(Recv, nullptr, to, count, type, ncclSum, r, comm, stream);
  });
}

ncclResult_t ncclScatter(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream) {
  NCCL_CALL("ncclScatter");
  NCCL_TRY(checkPairs(recv && (send || (comm && comm->rank != root)), count, type, root, comm));
  if (comm->rank != root) return operate(Recv, nullptr, recv, count, type, ncclSum, root, comm, stream);
  return together(comm->team->size, [&](int r) {
    const void *from = part(send, r, count, type);
    return r == root ? both(from, recv, count, type, r, comm, stream) : operate(Send, from, nullptr, count, type, ncclSum, r, comm, stream);
  });
}

ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream) {
  NCCL_CALL("ncclSend");
  return operate(Send, send, nullptr, count, type, ncclSum, peer, comm, stream);
}

ncclResult_t ncclRecv(void *recv, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream) {
  NCCL_CALL("ncclRecv");
  return operate(Recv, nullptr, recv, count, type, ncclSum, peer, comm, stream);
}

ncclResult_t ncclGroupStart() {
  NCCL_CALL("ncclGroupStart");
  beginGroup();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  NCCL_CALL("ncclGroupEnd");
  return endGroup();
}

} // extern "C"
