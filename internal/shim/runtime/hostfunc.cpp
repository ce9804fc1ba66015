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

using namespace warpgrind;

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

namespace warpgrind {

void enqueueHostFunction(uint64_t stream, std::function<void()> f) {
  Queue &q = queue();
  std::unique_lock<std::mutex> lock(q.mutex);
  if (!q.started) std::thread(serve).detach();
  q.started = true;
  q.work.push_back({stream, std::move(f)});
  q.waiting[stream]++;
  q.given.notify_one();
  q.done.wait_for(lock, kPatience, [&] { return !waits(q, stream); });
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

} // namespace warpgrind

namespace {

// Asks whether the stream exists and is in order.
cudaError_t streamState(const char *api, cudaStream_t stream) {
  Call c(api, protocol::StreamSync(stream, false));
  c.send();
  return c.result();
}

} // namespace

extern "C" {

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned flags) {
  if (!callback) return misuse(__func__, cudaErrorInvalidValue, "the callback is null");
  if (flags != 0) return misuse(__func__, cudaErrorInvalidValue, "flags must be 0");
  if (isCapturing(stream))
    return misuse(__func__, cudaErrorStreamCaptureUnsupported, "a callback cannot be captured; use cudaLaunchHostFunc");
  cudaError_t e = streamState(__func__, stream);
  if (e == cudaErrorInvalidResourceHandle) return e;
  enqueueHostFunction(streamNumber(stream), [=] { callback(stream, e, userData); });
  return e;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  if (!fn) return misuse(__func__, cudaErrorInvalidValue, "the function is null");
  if (isCapturing(stream)) return captureHost(__func__, stream, fn, userData);
  cudaError_t e = streamState(__func__, stream);
  if (e == cudaSuccess) enqueueHostFunction(streamNumber(stream), [=] { fn(userData); });
  return e;
}

} // extern "C"
