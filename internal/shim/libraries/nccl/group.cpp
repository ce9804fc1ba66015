// Groups of operations, and their wait for the other ranks.
#include "comm.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace nccl {
namespace {

// Where threads meet.
struct Ranks {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::weak_ptr<Team>> teams; // by identifier
};

Ranks &ranks() {
  static auto *r = new Ranks;
  return *r;
}

struct Group {
  int depth = 0;
  std::vector<std::unique_ptr<Operation>> operations;
};
thread_local Group group;

// So long nothing happens in the process before it is certain that no rank will come.
constexpr auto kQuiet = std::chrono::seconds(10);
constexpr auto kTick = std::chrono::milliseconds(100);

// Tells whether the process does anything: calls of CUDA, or work of the host.
class Activity {
public:
  bool quiet() {
    const auto now = std::chrono::steady_clock::now();
    const auto calls = host::services->calls();
    timespec cpu{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    const double used = static_cast<double>(cpu.tv_sec) + static_cast<double>(cpu.tv_nsec) * 1e-9;
    const double since = std::chrono::duration<double>(now - since_).count();
    if (calls.begun != calls.ended || calls.begun != calls_ || used - used_ > 0.02 + 0.05 * since) {
      since_ = now;
      calls_ = calls.begun;
      used_ = used;
    }
    return now - since_ >= kQuiet;
  }

private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  uint64_t calls_ = 0;
  double used_ = 0;
};

bool isPointToPoint(const Operation &o) { return o.kind == Send || o.kind == Recv; }

std::deque<Operation *> &queueOf(Operation &o) {
  Team &t = *o.comm->team;
  if (o.kind == Send) return t.sends[{o.comm->rank, o.peer}];
  if (o.kind == Recv) return t.recvs[{o.peer, o.comm->rank}];
  return t.queues[o.comm->rank];
}

void finish(const std::vector<Operation *> &ops, ncclResult_t result) {
  for (Operation *o : ops) {
    o->done = true;
    o->result = result;
    if (result != ncclSuccess) o->comm->asyncError = result;
  }
}

// Executes operations, or fails each of them in the name of its call.
void run(const std::vector<Operation *> &ops) {
  for (const Operation *o : ops)
    if (o->graph != ops[0]->graph) {
      const host::Resumed as(o->call);
      host::services->unsupported("an operation of NCCL whose ranks are captured into different graphs");
      return finish(ops, ncclInternalError);
    }
  const std::string wrong = disagreement(ops);
  if (wrong.empty()) return finish(ops, execute(ops));
  const host::Resumed as(ops.back()->call);
  fail(RanksDiffer, wrong, ops.back()->comm);
  finish(ops, ncclInvalidUsage);
}

// Runs what has all its ranks.
void match(Team &t) {
  while (std::none_of(t.queues.begin(), t.queues.end(), [](const auto &q) { return q.empty(); })) {
    std::vector<Operation *> ops;
    for (auto &q : t.queues) {
      ops.push_back(q.front());
      q.pop_front();
    }
    run(ops);
  }
  for (auto &[pair, sends] : t.sends) {
    auto &recvs = t.recvs[pair];
    while (!sends.empty() && !recvs.empty()) {
      const std::vector<Operation *> ops = {sends.front(), recvs.front()};
      sends.pop_front();
      recvs.pop_front();
      run(ops);
    }
  }
}

// Why an operation waits: who is missing.
std::string missing(const Operation &o) {
  const Team &t = *o.comm->team;
  std::string out;
  if (isPointToPoint(o)) {
    out = "rank " + std::to_string(o.peer) + (o.kind == Send ? " does not receive from rank " : " does not send to rank ") +
          std::to_string(o.comm->rank);
  } else {
    std::vector<int> absent;
    for (int r = 0; r < t.size; r++)
      if (t.queues[r].empty()) absent.push_back(r);
    out = listOf(absent) + " of " + std::to_string(t.size) + (absent.size() == 1 ? " does" : " do") + " not take part";
  }
  return out + ": the process has done nothing for " + std::to_string(kQuiet.count()) + " s";
}

// Takes back operations that no other rank joins.
void abandon(const std::vector<Operation *> &ops) {
  bool told = false;
  for (Operation *o : ops) {
    if (o->done) continue;
    if (!told) {
      const host::Resumed as(o->call);
      fail(RankMissing, missing(*o), o->comm);
      told = true;
    }
    auto &q = queueOf(*o);
    q.erase(std::remove(q.begin(), q.end(), o), q.end());
    finish({o}, ncclInvalidUsage);
  }
}

// Whether a stream is the same to all threads.
bool isHandle(cudaStream_t s) { return s != nullptr && s != cudaStreamLegacy && s != cudaStreamPerThread; }

// The stream for the operation that is the n-th of its rank in a group: the user's where it is the only one,
// so that reports name that.
cudaError_t chooseStream(Operation &o, size_t n, bool only) {
  if (only && isHandle(o.stream)) {
    o.own = o.stream;
    return cudaSuccess;
  }
  auto &streams = o.comm->streams;
  while (streams.size() <= n) {
    cudaStream_t s;
    if (cudaError_t e = host::services->streamCreate(&s, "NCCL")) return e;
    streams.push_back(s);
  }
  o.own = streams[n];
  return cudaSuccess;
}

cudaError_t fork(const std::vector<std::unique_ptr<Operation>> &ops) {
  std::map<ncclComm_t, size_t> operations, before;
  for (const auto &o : ops) operations[o->comm]++;
  for (const auto &o : ops) {
    if (o->kind <= Split) continue;
    const host::Resumed as(o->call);
    const host::OnDevice device(o->comm->device);
    o->graph = host::services->capture(o->stream);
    if (cudaError_t e = Event::record(&o->begin, o->stream)) return e;
    if (cudaError_t e = chooseStream(*o, before[o->comm]++, operations[o->comm] == 1)) return e;
  }
  return cudaSuccess;
}

cudaError_t rejoin(const std::vector<std::unique_ptr<Operation>> &ops) {
  for (const auto &o : ops) {
    const host::Resumed as(o->call);
    const host::OnDevice device(o->comm->device);
    for (const auto &e : o->end)
      if (cudaError_t error = e->orders(o->stream)) return error;
  }
  return cudaSuccess;
}

// Hands operations to the threads of this process, and waits for these.
void matchAll(const std::vector<Operation *> &ops) {
  Ranks &r = ranks();
  std::unique_lock<std::mutex> lock(r.mutex);
  for (Operation *o : ops) queueOf(*o).push_back(o);
  for (const Operation *o : ops) match(*o->comm->team);
  r.changed.notify_all();
  Activity activity;
  while (std::any_of(ops.begin(), ops.end(), [](const Operation *o) { return !o->done; })) {
    r.changed.wait_for(lock, kTick);
    if (activity.quiet()) abandon(ops);
  }
}

ncclResult_t executeAll(std::vector<std::unique_ptr<Operation>> ops) {
  const bool begun = fork(ops) == cudaSuccess;
  std::vector<Operation *> here, across;
  for (const auto &o : ops) (isAcross(*o) ? across : here).push_back(o.get());
  for (Operation *o : across) {
    o->broken = !begun;
    post(*o);
  }
  if (!begun) finish(here, ncclUnhandledCudaError);
  else if (!here.empty()) matchAll(here);
  bool told = false;
  for (Operation *o : across) finish({o}, meet(*o, &told));
  if (!begun || rejoin(ops) != cudaSuccess) return ncclUnhandledCudaError;
  for (const auto &o : ops)
    if (o->result != ncclSuccess) return o->result;
  return ncclSuccess;
}

// RankProblem of the engine's protocol.
enum Problem { Fits, UnknownID, OtherSize, Taken };

std::string otherSize(int first, int size) { return "another rank gave " + std::to_string(first) + " ranks, this one " + std::to_string(size); }
std::string taken(int rank) { return "rank " + std::to_string(rank) + " is there already"; }

} // namespace

std::string listOf(const std::vector<int> &numbers) {
  std::string out = numbers.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < numbers.size(); i++) {
    if (i > 0) out += i + 1 == numbers.size() ? " and " : ", ";
    out += std::to_string(numbers[i]);
  }
  return out;
}

Event::~Event() {
  if (event_) host::services->eventDestroy(event_);
}

cudaError_t Event::record(std::shared_ptr<Event> *out, cudaStream_t stream) {
  auto e = std::make_shared<Event>();
  cudaError_t error = host::services->eventCreate(&e->event_, cudaEventDisableTiming);
  if (error == cudaSuccess) error = host::services->eventRecord(e->event_, stream);
  *out = std::move(e);
  return error;
}

cudaError_t Event::orders(cudaStream_t stream) const { return host::services->streamWaitEvent(stream, event_, 0); }

void beginGroup() { group.depth++; }

ncclResult_t endGroup() {
  if (group.depth == 0) return fail(ncclInvalidUsage, "there was no ncclGroupStart");
  if (--group.depth > 0) return ncclSuccess;
  return executeAll(std::move(group.operations));
}

ncclResult_t enqueue(std::unique_ptr<Operation> o) {
  o->call = host::services->call();
  o->rank = o->comm->rank;
  if (group.depth > 0) {
    group.operations.push_back(std::move(o));
    return ncclSuccess;
  }
  std::vector<std::unique_ptr<Operation>> alone;
  alone.push_back(std::move(o));
  return executeAll(std::move(alone));
}

std::shared_ptr<Team> teamOf(const ncclUniqueId &id, int size, std::string *error) {
  Ranks &r = ranks();
  std::lock_guard<std::mutex> lock(r.mutex);
  auto &kept = r.teams[std::string(id.internal, sizeof id.internal)];
  auto team = kept.lock();
  if (!team) kept = team = std::make_shared<Team>(size);
  if (team->size == size) return team;
  *error = otherSize(team->size, size);
  return nullptr;
}

ncclComm_t member(const std::shared_ptr<Team> &team, int rank, int device) {
  team->devices[rank] = device;
  auto *comm = new ncclComm;
  comm->team = team;
  comm->rank = rank;
  comm->device = device;
  return comm;
}

ncclComm_t join(const std::shared_ptr<Team> &team, int rank, int device, std::string *error) {
  std::lock_guard<std::mutex> lock(ranks().mutex);
  for (int r = 0; r < team->size; r++)
    if (team->devices[r] == device && r != rank) {
      *error = "ranks " + std::to_string(std::min(r, rank)) + " and " + std::to_string(std::max(r, rank)) + " have the same device, " + std::to_string(device);
      return nullptr;
    }
  if (team->devices[rank] >= 0) {
    *error = taken(rank);
    return nullptr;
  }
  return member(team, rank, device);
}

ncclResult_t joinByID(ncclComm_t *out, const ncclUniqueId &id, int size, int rank, int device) {
  char known[kIdentifier];
  if (!unwrap(id, known)) return fail(ncclInvalidArgument, "the identifier is not one of ncclGetUniqueId");
  std::string error;
  auto team = teamOf(id, size, &error);
  ncclComm_t own = team ? join(team, rank, device, &error) : nullptr;
  if (!own) return fail(ncclInvalidUsage, error);
  uint8_t problem;
  uint32_t number, first;
  const cudaError_t e = host::services->ranks.join(known, static_cast<uint32_t>(size), static_cast<uint32_t>(rank), &problem, &number, &first);
  ncclResult_t result = e == cudaSuccess ? ncclSuccess : ncclSystemError;
  switch (static_cast<Problem>(problem)) {
  case Fits: break;
  case UnknownID:
    host::services->unsupported("NCCL between machines, or between several runs of warpgrind");
    result = ncclSystemError;
    break;
  case OtherSize: result = fail(ncclInvalidUsage, otherSize(static_cast<int>(first), size)); break;
  case Taken: result = fail(ncclInvalidUsage, taken(rank)); break;
  }
  if (result == ncclSuccess) {
    team->registered = true;
    team->number = number;
    *out = own;
    return result;
  }
  std::lock_guard<std::mutex> lock(ranks().mutex);
  team->devices[rank] = -1;
  delete own;
  return result;
}

void abort(ncclComm_t comm) {
  const Team &t = *comm->team;
  if (!t.across) return leave(comm);
  host::services->ranks.leave(t.number, static_cast<uint32_t>(comm->rank)); // another thread may still use it
}

void leave(ncclComm_t comm) {
  const Team &t = *comm->team;
  if (t.registered) host::services->ranks.leave(t.number, static_cast<uint32_t>(comm->rank));
  const host::OnDevice device(comm->device);
  for (cudaStream_t s : comm->streams) host::services->streamDestroy(s);
  delete comm;
}

} // namespace nccl
