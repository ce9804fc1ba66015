// Operations between ranks of several processes.
//
// A rank brings the bytes that others read of it to the engine, in the order of its stream, and waits there until all
// have come. Then it takes those of the others, and writes its result by itself: as they are, or reduced by the same
// kernels as between devices of one process, from memory of the library's. So each process's own memory is accessed by its
// own streams alone.
#include "comm.h"

#include <algorithm>
#include <cstring>

namespace nccl {
namespace {

// RankWay and RankAbsence of the engine's protocol.
enum Way : uint8_t { All, Sends, Receives };
enum Absence : uint8_t { Came, Quiet, Left, Ended };

// What a rank tells the others of its operation.
struct Told {
  uint8_t kind, type, factorOnDevice;
  int32_t op, peer, color, key;
  uint64_t count, factor, from; // from: where what others read lies, which tells a rank's message to itself in place
  char id[kIdentifier]; // of Split: for a communicator of which the rank is the first
  char name[32];
};
static_assert(sizeof(Told) <= sizeof(warpgrind::RankCall), "a rank's call");
static_assert(kMostRanks == warpgrind::kMostRanks, "the most ranks");

constexpr char kMagic[16] = "warpgrind.nccl.";

// So much memory of the library's a reduction uses at most.
constexpr size_t kInbox = size_t(32) << 20;
// Of that, for each rank a factor that its device has.
constexpr size_t kFactor = 16;

const warpgrind::RankServices &engine() { return host::services->ranks; }

size_t times(size_t a, size_t b) {
  size_t product;
  return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

bool isPair(const Operation &o) { return o.kind == Send || o.kind == Recv; }
bool reduces(const Operation &o) { return o.kind == Reduce || o.kind == AllReduce || o.kind == ReduceScatter; }

// How many bytes others read of the rank.
size_t readBytes(const Operation &o) {
  const size_t bytes = times(o.count, sizeOf(o.type));
  switch (o.kind) {
  case Broadcast: return o.rank == o.peer ? bytes : 0;
  case ReduceScatter: return times(bytes, static_cast<size_t>(o.comm->team->size));
  case Reduce:
  case AllReduce:
  case AllGather:
  case Send: return bytes;
  default: return 0;
  }
}

bool hasOwnFactor(const Operation &o) { return reduces(o) && o.op >= ncclNumOps; }

// The operations of all slots as far as they were told; false if one was told by another version of this library.
bool read(const Operation &o, const warpgrind::RankMeeting &m, std::vector<Told> *told, std::vector<Operation> *ops) {
  told->resize(m.count);
  ops->resize(m.count);
  for (uint32_t i = 0; i < m.count; i++) {
    Told &t = (*told)[i];
    memcpy(&t, m.calls[i].bytes, sizeof t);
    t.name[sizeof t.name - 1] = 0;
    if (t.kind > Recv || t.type >= ncclNumTypes || t.op < 0) return false;
    Operation &p = (*ops)[i];
    p.kind = static_cast<Kind>(t.kind);
    p.rank = isPair(o) ? i == (o.kind == Send ? 0u : 1u) ? o.rank : o.peer : static_cast<int>(i);
    p.count = t.count;
    p.type = static_cast<ncclDataType_t>(t.type);
    p.op = t.op;
    p.peer = t.peer;
    p.call.name = t.name;
  }
  return true;
}

// Why ranks do not come.
std::string missing(const Operation &o, const warpgrind::RankMeeting &m) {
  std::vector<int> absent;
  for (uint32_t i = 0; i < m.count; i++)
    if (m.absent >> i & 1) absent.push_back(static_cast<int>(i));
  const bool one = absent.size() == 1 || isPair(o);
  std::string out;
  if (isPair(o))
    out = "rank " + std::to_string(o.peer) + (o.kind == Send ? " does not receive from rank " : " does not send to rank ") +
          std::to_string(o.rank);
  else
    out = listOf(absent) + " of " + std::to_string(o.comm->team->size) + (one ? " does" : " do") + " not take part";
  switch (m.absence) {
  case Ended: return out + (one ? ": its process has ended" : ": their processes have ended");
  case Left: return out + (one ? ": it has left the communicator" : ": they have left the communicator");
  default: return out + ": all processes have done nothing for " + m.quiet + " (--hang)";
  }
}

// What a rank does once all have come.
class Part {
public:
  Part(Operation &o, const std::vector<Told> &told) : o_(o), told_(told), size_(sizeOf(o.type)), bytes_(o.count * size_) {}

  cudaError_t run() {
    switch (o_.kind) {
    case AllReduce: return reduce(0);
    case Reduce: return o_.rank == o_.peer ? reduce(0) : cudaSuccess;
    case ReduceScatter: return reduce(static_cast<size_t>(o_.rank) * o_.count);
    case Broadcast: return copy(o_.peer, o_.recv);
    case Recv: return copy(0, o_.recv);
    case AllGather:
      for (int r = 0; r < o_.comm->team->size; r++)
        if (cudaError_t e = copy(r, at(o_.recv, static_cast<size_t>(r) * bytes_))) return e;
      return cudaSuccess;
    default: return cudaSuccess;
    }
  }

private:
  static char *at(void *p, size_t bytes) { return static_cast<char *>(p) + bytes; }

  cudaError_t take(int slot, size_t offset, size_t bytes, void *to) {
    return engine().take(o_.meeting, static_cast<uint32_t>(slot), offset, bytes, to, o_.own);
  }

  // Takes all that a rank has brought, unless it is there.
  cudaError_t copy(int slot, void *to) {
    const bool own = isPair(o_) ? o_.peer == o_.rank : slot == o_.rank;
    if (own && told_[slot].from == reinterpret_cast<uintptr_t>(to)) return cudaSuccess;
    return take(slot, 0, bytes_, to);
  }

  // Reduces o.count elements of all ranks, from an element on: so many at once as there is room for.
  cudaError_t reduce(size_t from) {
    if (o_.count == 0) return cudaSuccess;
    const size_t ranks = told_.size(), front = ranks * kFactor;
    const size_t most = std::min(o_.count, std::max<size_t>(1, kInbox / (ranks * size_)));
    void *inbox;
    if (cudaError_t e = host::services->allocateInStream(&inbox, front + ranks * most * size_, o_.own)) return e;
    cudaError_t e = reduceIn(static_cast<char *>(inbox), front, most, from);
    const cudaError_t released = host::services->releaseInStream(inbox, o_.own);
    return e == cudaSuccess ? released : e;
  }

  cudaError_t reduceIn(char *inbox, size_t front, size_t most, size_t from) {
    Reduction r{};
    r.ranks = static_cast<int>(told_.size());
    for (int q = 0; q < r.ranks; q++) {
      const Told &t = told_[q];
      r.in[q] = inbox + front + q * most * size_;
      if (!hasOwnFactor(o_)) continue;
      r.factors[q].bits = t.factor;
      if (!t.factorOnDevice) continue;
      char *factor = inbox + q * kFactor;
      if (cudaError_t e = take(q, readBytes(o_), size_, factor)) return e;
      r.factors[q].from = factor;
    }
    for (size_t done = 0; done < o_.count; done += r.count) {
      r.count = std::min<size_t>(most, o_.count - done);
      r.out = at(o_.recv, done * size_);
      for (int q = 0; q < r.ranks; q++)
        if (cudaError_t e = take(q, (from + done) * size_, r.count * size_, inbox + front + q * most * size_)) return e;
      if (cudaError_t e = launch(o_, r)) return e;
    }
    return cudaSuccess;
  }

  Operation &o_;
  const std::vector<Told> &told_;
  const size_t size_, bytes_;
};

// Makes the communicator of the ranks that gave the same color, in the order of their keys.
ncclResult_t split(Operation &o, const warpgrind::RankMeeting &m, const std::vector<Told> &told) {
  *o.out = nullptr;
  if (o.color == NCCL_SPLIT_NOCOLOR) return ncclSuccess;
  std::vector<int> members;
  for (int r = 0; r < static_cast<int>(told.size()); r++)
    if (told[r].color == o.color) members.push_back(r);
  std::stable_sort(members.begin(), members.end(), [&](int a, int b) { return told[a].key < told[b].key; });
  const int rank = static_cast<int>(std::find(members.begin(), members.end(), o.rank) - members.begin());
  ncclComm_t made;
  ncclResult_t result = joinByID(&made, wrapped(told[members[0]].id), static_cast<int>(members.size()), rank, o.comm->device);
  if (result != ncclSuccess) return result;
  if (std::any_of(members.begin(), members.end(), [&](int r) { return m.processes[r] != m.processes[o.rank]; })) made->team->across = true;
  *o.out = made;
  return ncclSuccess;
}

// What a rank does when the meeting is over.
ncclResult_t act(Operation &o, const warpgrind::RankMeeting &m, bool *told) {
  if (m.absence != Came) {
    const ncclResult_t code = m.absence == Ended ? ncclRemoteError : ncclInvalidUsage;
    if (m.absent != 0 && !*told) fail(RankMissing, missing(o, m), o.comm, code);
    *told = true;
    return code;
  }
  if (!o.brought || m.broken) return ncclUnhandledCudaError;
  std::vector<Told> calls;
  std::vector<Operation> all;
  if (!read(o, m, &calls, &all)) return ncclInternalError;
  std::vector<Operation *> ops;
  for (Operation &p : all) ops.push_back(&p);
  if (const std::string wrong = disagreement(ops); !wrong.empty()) {
    // One rank reports it.
    if (o.kind == Recv || (!isPair(o) && o.rank + 1 == o.comm->team->size))
      fail(RanksDiffer, wrong, o.comm);
    else
      o.comm->lastError = wrong;
    return ncclInvalidUsage;
  }
  if (o.kind == Init) {
    const uint64_t own = m.processes[o.rank];
    if (std::any_of(m.processes, m.processes + m.count, [&](uint64_t p) { return p != own; })) o.comm->team->across = true;
    return ncclSuccess;
  }
  if (o.kind == Split) return split(o, m, calls);
  std::shared_ptr<Event> done;
  cudaError_t e = Part(o, calls).run();
  if (e == cudaSuccess) e = Event::record(&done, o.own);
  if (e != cudaSuccess) return ncclUnhandledCudaError;
  o.end = {done};
  return ncclSuccess;
}

} // namespace

ncclUniqueId wrapped(const char *id) {
  ncclUniqueId out{};
  memcpy(out.internal, kMagic, sizeof kMagic);
  memcpy(out.internal + sizeof kMagic, id, kIdentifier);
  return out;
}

bool unwrap(const ncclUniqueId &id, char *out) {
  memcpy(out, id.internal + sizeof kMagic, kIdentifier);
  return memcmp(id.internal, kMagic, sizeof kMagic) == 0;
}

bool isAcross(const Operation &o) { return o.kind == Init || o.comm->team->across; }

void post(Operation &o) {
  const host::Resumed as(o.call);
  const host::OnDevice device(o.comm->device);
  if (o.graph) {
    host::services->unsupported("an operation of NCCL between processes that is captured into a graph");
    return;
  }
  Told t{};
  t.kind = static_cast<uint8_t>(o.kind);
  t.type = static_cast<uint8_t>(o.type);
  t.op = o.op;
  t.peer = o.peer;
  t.color = o.color;
  t.key = o.key;
  t.count = o.count;
  t.factor = o.factor.bits;
  t.from = reinterpret_cast<uintptr_t>(o.send);
  t.factorOnDevice = hasOwnFactor(o) && o.factor.from;
  strncpy(t.name, o.call.name, sizeof t.name - 1);
  if (o.kind == Split && engine().identifier(t.id) != cudaSuccess) return;
  warpgrind::RankCall call{};
  memcpy(call.bytes, &t, sizeof t);
  const warpgrind::RankReads reads[2] = {{o.send, readBytes(o)}, {o.factor.from, t.factorOnDevice ? sizeOf(o.type) : 0}};
  const Way way = o.kind == Send ? Sends : o.kind == Recv ? Receives : All;
  if (!o.broken && o.begin) o.broken = o.begin->orders(o.own) != cudaSuccess;
  const cudaError_t e = engine().post(o.comm->team->number, static_cast<uint32_t>(o.rank), way, isPair(o) ? static_cast<uint32_t>(o.peer) : 0, &call,
                                      o.own, reads, !reduces(o), o.broken, &o.meeting);
  o.brought = !o.broken && e == cudaSuccess;
}

ncclResult_t meet(Operation &o, bool *told) {
  if (o.meeting == 0) return ncclUnhandledCudaError;
  const host::Resumed as(o.call);
  const host::OnDevice device(o.comm->device);
  const auto m = std::make_unique<warpgrind::RankMeeting>();
  if (engine().await(o.meeting, m.get()) != cudaSuccess) return ncclSystemError;
  const ncclResult_t result = act(o, *m, told);
  engine().done(o.meeting);
  return result;
}

} // namespace nccl
