// Host functions and callbacks of streams ("CUDA Runtime API", "Stream Management"): one
// thread runs them in the order of the streams.
#include "hostfunc.h"
#include "lasting.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "capture.h"
#include "client.h"
#include "hostwatch.h"

namespace warpgrind {
namespace {

// How long the giver waits for its function: most are short, and programs
// then behave in the same way on each run.
constexpr long kPatience = 50000000; // nanoseconds

struct Work {
  uint64_t stream, id; // no id: the server does not know of it
  std::function<void()> run;
};

struct Queue {
  std::mutex mutex;
  std::condition_variable given, done;
  std::deque<Work> work;
  uint64_t begun = 0, ended = 0; // how many
  bool started = false;
};

Queue &queue() {
  static Lasting<Queue> q;
  return q.get();
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
    if (w.id) endHostFunction(w.id, touches);
    lock.lock();
    q.ended++;
    q.done.notify_all();
  }
}

// Gives a function whose turn it is to the thread. Returns when it has run, or after a while.
void run(Work w) {
  Queue &q = queue();
  std::unique_lock<std::mutex> lock(q.mutex);
  if (!q.started) std::thread(serve).detach();
  q.started = true;
  q.work.push_back(std::move(w));
  const uint64_t number = ++q.begun;
  q.given.notify_one();
  timespec until; // a program may have a clock_gettime of its own
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &until);
  until.tv_nsec += kPatience;
  if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
  while (q.ended < number && pthread_cond_timedwait(q.done.native_handle(), q.mutex.native_handle(), &until) == 0) {
  }
}

// Waits for the turn of a function that other work is before.
void runInTurn(Work w) {
  Call turn{protocol::HostTurn(w.id)};
  if (turn.send() && turn.reply.run) run(std::move(w));
}

} // namespace

cudaError_t enqueueHostFunction(cudaStream_t stream, std::function<void()> f) {
  Call c{protocol::HostFunction(stream)};
  if (!c.send()) return c.result();
  Work w{streamNumber(stream), c.reply.id, std::move(f)};
  if (c.reply.due) run(std::move(w));
  else std::thread(runInTurn, std::move(w)).detach();
  return cudaSuccess;
}

bool inHostFunction() { return inside; }

namespace core {

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned flags) {
  if (!callback) return invalid("the callback is null");
  if (flags != 0) return invalid("flags must be 0");
  if (isCapturing(stream))
    return misuse(cudaErrorStreamCaptureUnsupported, "a callback cannot be captured; use cudaLaunchHostFunc");
  cudaError_t e = enqueueHostFunction(stream, [=] { callback(stream, cudaSuccess, userData); });
  if (isSticky(e)) run({streamNumber(stream), 0, [=] { callback(stream, e, userData); }});
  return e;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  if (!fn) return invalid("the function is null");
  if (isCapturing(stream)) return captureHost(stream, fn, userData);
  return enqueueHostFunction(stream, [=] { fn(userData); });
}

} // namespace core
} // namespace warpgrind
