// Host functions and callbacks of streams ("CUDA Runtime API", "Stream Management"): one
// thread runs them in the order of the streams.
#include "hostfunc.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "capture.h"
#include "client.h"
#include "hostwatch.h"

namespace warpgrind {
namespace {

// How long the giver waits for its function: most are short, and programs
// then behave in the same way on each run.
constexpr std::chrono::milliseconds kPatience(50);

struct Work {
  uint64_t stream;
  std::function<void()> run;
};

// Never destroyed: its thread may outlive main.
struct Queue {
  std::mutex mutex;
  std::condition_variable given, done;
  std::deque<Work> work;
  std::map<uint64_t, int> waiting; // by stream, the running one included
  bool started = false;
};

Queue &queue() {
  static auto *q = new Queue;
  return *q;
}

thread_local bool inside = false;

void serve() {
  Queue &q = queue();
  inside = true;
  std::unique_lock<std::mutex> lock(q.mutex);
  for (;;) {
    q.given.wait(lock, [&] { return !q.work.empty(); });
    Work w = std::move(q.work.front());
    q.work.pop_front();
    lock.unlock();
    beginFunction(w.stream);
    w.run();
    const Touches touches = takeFunctionTouches();
    if (!touches.empty()) tellHostWork(w.stream, touches);
    lock.lock();
    if (--q.waiting[w.stream] == 0) q.waiting.erase(w.stream);
    q.done.notify_all();
  }
}

// The legacy default stream (0, 1) waits for all and all wait for it.
bool waits(const Queue &q, uint64_t stream) {
  return stream <= 1 ? !q.waiting.empty() : q.waiting.count(stream) + q.waiting.count(0) + q.waiting.count(1) > 0;
}

} // namespace

// Gives a function whose turn it is to the thread. Returns when it has run, or after a
// while unless it is to be awaited.
static void run(uint64_t stream, std::function<void()> f, bool await) {
  Queue &q = queue();
  std::unique_lock<std::mutex> lock(q.mutex);
  if (!q.started) std::thread(serve).detach();
  q.started = true;
  q.work.push_back({stream, std::move(f)});
  q.waiting[stream]++;
  q.given.notify_one();
  auto done = [&] { return !waits(q, stream); };
  if (await) q.done.wait(lock, done);
  else q.done.wait_for(lock, kPatience, done);
}

// Waits for the turn of a function that other work is before.
static void runInTurn(uint64_t id, uint64_t stream, const std::function<void()> &f) {
  Call turn("", protocol::HostTurn(id));
  if (!turn.send() || !turn.reply.run) return;
  run(stream, f, true);
  Call("", protocol::HostEnd(id)).send();
}

void runHostFunction(uint64_t number, std::function<void()> f) { run(number, std::move(f), false); }

cudaError_t enqueueHostFunction(const char *api, cudaStream_t stream, uint64_t number, std::function<void()> f) {
  Call c(api, protocol::HostFunction(stream));
  if (!c.send()) return c.result();
  if (c.reply.due) run(number, std::move(f), false);
  else std::thread(runInTurn, c.reply.id, number, std::move(f)).detach();
  return cudaSuccess;
}

bool hostFunctionsWait(uint64_t stream) {
  Queue &q = queue();
  std::lock_guard<std::mutex> lock(q.mutex);
  return waits(q, stream);
}

bool inHostFunction() { return inside; }

void awaitHostFunctions(uint64_t stream) {
  Queue &q = queue();
  std::unique_lock<std::mutex> lock(q.mutex);
  if (inside) return; // the call is refused
  q.done.wait(lock, [&] { return !waits(q, stream); });
}

namespace core {

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned flags) {
  if (!callback) return invalid(__func__, "the callback is null");
  if (flags != 0) return invalid(__func__, "flags must be 0");
  if (isCapturing(stream))
    return misuse(__func__, cudaErrorStreamCaptureUnsupported, "a callback cannot be captured; use cudaLaunchHostFunc");
  const uint64_t number = streamNumber(stream);
  cudaError_t e = enqueueHostFunction(__func__, stream, number, [=] { callback(stream, cudaSuccess, userData); });
  if (isSticky(e)) runHostFunction(number, [=] { callback(stream, e, userData); });
  return e;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  if (!fn) return invalid(__func__, "the function is null");
  if (isCapturing(stream)) return captureHost(__func__, stream, fn, userData);
  return enqueueHostFunction(__func__, stream, streamNumber(stream), [=] { fn(userData); });
}

} // namespace core
} // namespace warpgrind
