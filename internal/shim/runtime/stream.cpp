// Streams and events. The server keeps the handles and the queues; host functions
// run here (hostfunc.h).
#include <atomic>

#include "capture.h"
#include "client.h"
#include "hostfunc.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "the result pointer is null";

cudaError_t createStream(cudaStream_t *stream, unsigned flags, int priority) {
  if (!stream) return invalid(kNull);
  if (flags > cudaStreamNonBlocking) return invalid("unknown flags");
  Call c{protocol::StreamCreate(flags, static_cast<uint32_t>(priority), "", "")};
  if (c.send()) *stream = c.reply.handle;
  return c.result();
}

std::atomic<bool> perThread{false}; // in the whole program
thread_local bool perThreadHere = false;
std::atomic<uint64_t> threads{0};

// The calling thread's number, from 1.
uint64_t threadNumber() {
  thread_local uint64_t number = ++threads;
  return number;
}

cudaError_t streamSync(cudaStream_t stream, bool wait) {
  if (cudaError_t e = syncInCapture(stream)) return e;
  Call c{protocol::StreamSync(stream, wait)};
  c.send();
  return c.result();
}

struct StreamInfo {
  uint32_t flags;
  int priority, device;
};

cudaError_t info(cudaStream_t stream, StreamInfo *out) {
  Call c{protocol::StreamInfo(stream)};
  if (c.send()) *out = {c.reply.flags, static_cast<int>(c.reply.priority), visibleDevice(static_cast<int>(c.reply.device))};
  return c.result();
}

cudaError_t createEvent(cudaEvent_t *event, unsigned flags) {
  if (!event) return invalid(kNull);
  if (flags > 7) return invalid("unknown flags");
  Call c{protocol::EventCreate(flags)};
  if (c.send()) *event = c.reply.handle;
  return c.result();
}

template <class Request> cudaError_t eventCall(const Request &request) {
  Call c(request);
  c.send();
  return c.result();
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  cudaError_t e;
  if (flags & cudaEventRecordExternal && isCapturing(stream)) return captureExternal(stream, event, true);
  if (captureRecord(stream, event, &e)) return e;
  return eventCall(protocol::EventRecord(event, stream));
}

// Waits for an event, or asks for it.
cudaError_t eventSync(cudaEvent_t event, bool wait) {
  if (isCaptured(event))
    return misuse(cudaErrorCapturedEvent, "the event was last recorded in a capturing stream");
  Call c{protocol::EventSync(event, wait)};
  c.send();
  return c.result();
}

} // namespace

PerThreadDefault::PerThreadDefault() : before_(perThreadHere) { perThreadHere = true; }
PerThreadDefault::~PerThreadDefault() { perThreadHere = before_; }
bool usesPerThreadDefault() { return perThread || perThreadHere; }

uint64_t streamNumber(cudaStream_t stream) {
  auto s = reinterpret_cast<uintptr_t>(stream);
  if (s != 2 && (s != 0 || !usesPerThreadDefault())) return s;
  return threadNumber() << 8 | 2;
}

namespace core {

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return createStream(stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return createStream(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return createStream(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (cudaError_t e = leaveCapture(stream)) return e;
  Call c{protocol::StreamDestroy(stream)};
  c.send();
  return c.result();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return streamSync(stream, true); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return streamSync(stream, false); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  if (!priority) return invalid(kNull);
  StreamInfo i{};
  cudaError_t e = info(stream, &i);
  *priority = i.priority;
  return e;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  if (!flags) return invalid(kNull);
  StreamInfo i{};
  cudaError_t e = info(stream, &i);
  *flags = i.flags;
  return e;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  if (!id) return invalid(kNull);
  StreamInfo i{};
  *id = streamNumber(stream);
  return info(stream, &i);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  if (!device) return invalid(kNull);
  StreamInfo i{};
  cudaError_t e = info(stream, &i);
  *device = i.device;
  return e;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t, unsigned) {
  StreamInfo i{};
  return info(stream, &i);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  cudaError_t e;
  if (flags & cudaEventWaitExternal && isCapturing(stream)) return captureExternal(stream, event, false);
  if (captureWait(stream, event, &e)) return e;
  return eventCall(protocol::StreamWait(event, stream));
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return createEvent(event, 0); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return createEvent(event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { return eventCall(protocol::EventDestroy(event)); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record(event, stream, 0);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags > 1) return invalid("unknown flags");
  return record(event, stream, flags);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return eventSync(event, false); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return eventSync(event, true); }

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  if (!ms) return invalid(kNull);
  Call c{protocol::EventElapsed(start, end)};
  constexpr float resolution = 0.0005f; // milliseconds, as documented
  if (c.send()) {
    *ms = static_cast<float>(static_cast<double>(c.reply.nanoseconds) / 1e6);
    if (start != end && *ms >= 0 && *ms < resolution) *ms = resolution;
  }
  return c.result();
}

} // namespace core
} // namespace warpgrind

// Programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM call it before main.
extern "C" void __wgPerThreadDefaultStream(void) { warpgrind::perThread = true; }
