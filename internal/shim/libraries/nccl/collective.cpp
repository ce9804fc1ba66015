// What the operations do, once all ranks are there.
//
// A reduction over all ranks is that of a part of the elements on each device, which the others then copy, so that
// a result may lie where the rank's own elements do.
#include "comm.h"

#include <algorithm>
#include <cstring>

namespace nccl {
namespace {

host::Kernels kernels("nccl");

constexpr unsigned kThreads = 256, kMostBlocks = 64;

const char *const kTypes[] = {"ncclInt8",    "ncclUint8",   "ncclInt32",   "ncclUint32",   "ncclInt64",      "ncclUint64",
                              "ncclFloat16", "ncclFloat32", "ncclFloat64", "ncclBfloat16", "ncclFloat8e4m3", "ncclFloat8e5m2"};
const size_t kSizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
const char *const kOperators[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin", "ncclAvg"};

using Events = std::vector<std::shared_ptr<Event>>;

const char *at(const void *p, size_t bytes) { return static_cast<const char *>(p) + bytes; }
char *at(void *p, size_t bytes) { return static_cast<char *>(p) + bytes; }

// The operations of one collective call by rank, while they are executed.
class Collective {
public:
  explicit Collective(const std::vector<Operation *> &ops) : ops_(ops), first_(*ops[0]), size_(sizeOf(first_.type)) {}

  cudaError_t run() {
    Events begun;
    for (const Operation *o : ops_) begun.push_back(o->begin);
    Events done;
    switch (first_.kind) {
    case Reduce: return reduceToRoot(begun);
    case Broadcast: return broadcast(begun);
    case AllReduce: return allReduce(begun);
    case ReduceScatter: return eachAfter(begun, &done, [&](Operation &o) {
      return reduce(o, static_cast<size_t>(o.comm->rank) * o.count, o.recv, o.count);
    });
    case AllGather: return eachAfter(begun, &done, [&](Operation &o) { return gather(o, o.count, o.count * ops_.size(), true); });
    default: return cudaSuccess;
    }
  }

private:
  // Does the same for each rank after all the events, on its own stream; its stream continues after all of them.
  template <class F> cudaError_t eachAfter(const Events &before, Events *done, F f) {
    for (Operation *o : ops_) {
      if (cudaError_t e = after(*o, before, f)) return e;
      done->push_back(o->end.back());
    }
    for (Operation *o : ops_) o->end = *done;
    return cudaSuccess;
  }

  // Does f for a rank after the events; its stream continues after that.
  template <class F> static cudaError_t after(Operation &o, const Events &before, F f) {
    const host::Resumed as(o.call);
    const host::OnDevice device(o.comm->device);
    for (const auto &b : before)
      if (cudaError_t e = b->orders(o.own)) return e;
    if (cudaError_t e = f(o)) return e;
    std::shared_ptr<Event> done;
    cudaError_t e = Event::record(&done, o.own);
    o.end.push_back(std::move(done));
    return e;
  }

  cudaError_t reduceToRoot(const Events &begun) {
    Operation &root = *ops_[first_.peer];
    cudaError_t e = after(root, begun, [&](Operation &o) { return reduce(o, 0, o.recv, o.count); });
    for (Operation *o : ops_)
      if (o != &root) o->end = root.end;
    return e;
  }

  cudaError_t broadcast(const Events &begun) {
    Operation &root = *ops_[first_.peer];
    for (Operation *o : ops_) {
      const Events before = {begun[o->comm->rank], root.begin};
      cudaError_t e = after(*o, before, [&](Operation &o) { return copy(o, o.recv, root.send, o.count); });
      if (e != cudaSuccess) return e;
      if (o != &root) root.end.push_back(o->end.back());
    }
    return cudaSuccess;
  }

  cudaError_t allReduce(const Events &begun) {
    const size_t part = (first_.count + ops_.size() - 1) / ops_.size();
    Events reduced, done;
    cudaError_t e = eachAfter(begun, &reduced, [&](Operation &o) {
      const size_t from = std::min(first_.count, part * o.comm->rank), to = std::min(first_.count, from + part);
      return reduce(o, from, at(o.recv, from * size_), to - from);
    });
    if (e != cudaSuccess) return e;
    return eachAfter(reduced, &done, [&](Operation &o) { return gather(o, part, o.count, false); });
  }

  // Reduces count elements of all ranks, from an element on, to out.
  cudaError_t reduce(const Operation &o, size_t from, void *out, size_t count) {
    if (count == 0) return cudaSuccess;
    Reduction r{};
    for (const Operation *q : ops_) {
      const int rank = q->comm->rank;
      r.in[rank] = at(q->send, from * size_);
      r.factors[rank] = q->factor;
    }
    r.out = out;
    r.count = count;
    r.ranks = static_cast<int>(ops_.size());
    return launch(o, r);
  }

  // Copies the part of each rank to the same place of o's buffer, out of what the ranks send or have received.
  cudaError_t gather(const Operation &o, size_t part, size_t count, bool sent) {
    for (const Operation *q : ops_) {
      const size_t from = std::min(count, part * q->comm->rank), to = std::min(count, from + part);
      const void *source = sent ? q->send : at(q->recv, from * size_);
      if (cudaError_t e = copy(o, at(o.recv, from * size_), source, to - from)) return e;
    }
    return cudaSuccess;
  }

  cudaError_t copy(const Operation &o, void *to, const void *from, size_t count) {
    if (to == from || count == 0) return cudaSuccess;
    return host::services->copy(to, from, count * size_, o.own);
  }

  const std::vector<Operation *> &ops_;
  const Operation &first_;
  const size_t size_;
};

// Copies from a sender to a receiver, on the receiver's stream.
cudaError_t transfer(Operation &send, Operation &recv) {
  const host::Resumed as(recv.call);
  const host::OnDevice device(recv.comm->device);
  std::shared_ptr<Event> done;
  cudaError_t e = send.begin->orders(recv.own);
  if (e == cudaSuccess) e = recv.begin->orders(recv.own);
  if (e == cudaSuccess && recv.count > 0) e = host::services->copy(recv.recv, send.send, recv.count * sizeOf(recv.type), recv.own);
  if (e == cudaSuccess) e = Event::record(&done, recv.own);
  send.end = recv.end = {done};
  return e;
}

// Makes the communicators of the ranks that gave the same color, in the order of their keys.
ncclResult_t split(const std::vector<Operation *> &ops) {
  std::map<int, std::vector<Operation *>> colors;
  for (Operation *o : ops) {
    *o->out = nullptr;
    if (o->color != NCCL_SPLIT_NOCOLOR) colors[o->color].push_back(o);
  }
  for (auto &[color, members] : colors) {
    std::stable_sort(members.begin(), members.end(), [](const Operation *a, const Operation *b) { return a->key < b->key; });
    auto team = std::make_shared<Team>(static_cast<int>(members.size()));
    for (size_t r = 0; r < members.size(); r++) *members[r]->out = member(team, static_cast<int>(r), members[r]->comm->device);
  }
  return ncclSuccess;
}

std::string text(const Operation &o) { return std::to_string(o.count) + " elements of " + nameOf(o.type); }
std::string rankOf(const Operation &o) { return "rank " + std::to_string(o.rank); }

std::string operatorOf(const Operation &o) { return o.op < ncclNumOps ? kOperators[o.op] : "an operator of ncclRedOpCreatePreMulSum"; }

} // namespace

size_t sizeOf(ncclDataType_t type) { return kSizes[type]; }
const char *nameOf(ncclDataType_t type) { return kTypes[type]; }

std::string disagreement(const std::vector<Operation *> &ops) {
  const Operation &a = *ops[0];
  if (a.kind == Send) {
    const Operation &b = *ops[1];
    if (a.count * sizeOf(a.type) == b.count * sizeOf(b.type)) return "";
    return rankOf(a) + " sends " + text(a) + ", " + rankOf(b) + " receives " + text(b);
  }
  const bool rooted = a.kind == Reduce || a.kind == Broadcast, reduces = a.kind == Reduce || a.kind == AllReduce || a.kind == ReduceScatter;
  for (const Operation *o : ops) {
    if (o->kind != a.kind) return rankOf(a) + " calls " + a.call.name + ", " + rankOf(*o) + " calls " + o->call.name;
    if (o->count != a.count || o->type != a.type) return rankOf(a) + " gives " + text(a) + ", " + rankOf(*o) + " gives " + text(*o);
    if (rooted && o->peer != a.peer)
      return "the root of " + rankOf(a) + " is " + std::to_string(a.peer) + ", that of " + rankOf(*o) + " is " + std::to_string(o->peer);
    if (reduces && std::min<int>(o->op, ncclNumOps) != std::min<int>(a.op, ncclNumOps))
      return rankOf(a) + " gives " + operatorOf(a) + ", " + rankOf(*o) + " gives " + operatorOf(*o);
  }
  return "";
}

cudaError_t launch(const Operation &o, Reduction &r) {
  r.op = o.op >= ncclNumOps ? PreMulSum : static_cast<Operator>(o.op);
  return kernels.launch("reduce", std::string("reduce_") + nameOf(o.type), host::blocks(static_cast<int64_t>(r.count), kThreads, kMostBlocks),
                        kThreads, o.own, r);
}

ncclResult_t execute(const std::vector<Operation *> &ops) {
  switch (ops[0]->kind) {
  case Init: return ncclSuccess;
  case Split: return split(ops);
  case Send: return transfer(*ops[0], *ops[1]) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
  default: return Collective(ops).run() == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
  }
}

} // namespace nccl
