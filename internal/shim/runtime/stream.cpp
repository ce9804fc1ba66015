// Streams and events. The server keeps the handles and the queues; host functions
// run here (hostfunc.h).
#include <atomic>

#include "capture.h"
#include "client.h"
#include "hostfunc.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "the result pointer is null";

cudaError_t createStream(const char *api, cudaStream_t *stream, unsigned flags, int priority) {
  if (!stream) return invalid(api, kNull);
  if (flags > cudaStreamNonBlocking) return invalid(api, "unknown flags");
  Call c(api, protocol::StreamCreate(flags, static_cast<uint32_t>(priority), ""));
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

cudaError_t streamSync(const char *api, cudaStream_t stream, bool wait) {
  if (cudaError_t e = syncInCapture(api, stream)) return e;
  Call c(api, protocol::StreamSync(stream, wait));
  c.send();
  return c.result();
}

struct StreamInfo {
  uint32_t flags;
  int priority, device;
};

cudaError_t info(const char *api, cudaStream_t stream, StreamInfo *out) {
  Call c(api, protocol::StreamInfo(stream));
  if (c.send()) *out = {c.reply.flags, static_cast<int>(c.reply.priority), static_cast<int>(c.reply.device)};
  return c.result();
}

cudaError_t createEvent(const char *api, cudaEvent_t *event, unsigned flags) {
  if (!event) return invalid(api, kNull);
  if (flags > 7) return invalid(api, "unknown flags");
  Call c(api, protocol::EventCreate(flags));
  if (c.send()) *event = c.reply.handle;
  return c.result();
}

template <class Request> cudaError_t eventCall(const char *api, const Request &request) {
  Call c(api, request);
  c.send();
  return c.result();
}

cudaError_t record(const char *api, cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  cudaError_t e;
  if (flags & cudaEventRecordExternal && isCapturing(stream)) return captureExternal(api, stream, event, true);
  if (captureRecord(api, stream, event, &e)) return e;
  return eventCall(api, protocol::EventRecord(event, stream));
}

// Waits for an event, or asks for it.
cudaError_t eventSync(const char *api, cudaEvent_t event, bool wait) {
  if (isCaptured(event))
    return misuse(api, cudaErrorCapturedEvent, "the event was last recorded in a capturing stream");
  Call c(api, protocol::EventSync(event, wait));
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

void __wgPerThreadDefaultStream(void) { perThread = true; }

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return createStream(__func__, stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return createStream(__func__, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return createStream(__func__, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (cudaError_t e = leaveCapture(__func__, stream)) return e;
  Call c(__func__, protocol::StreamDestroy(stream));
  c.send();
  return c.result();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return streamSync(__func__, stream, true); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return streamSync(__func__, stream, false); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  if (!priority) return invalid(__func__, kNull);
  StreamInfo i{};
  cudaError_t e = info(__func__, stream, &i);
  *priority = i.priority;
  return e;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  if (!flags) return invalid(__func__, kNull);
  StreamInfo i{};
  cudaError_t e = info(__func__, stream, &i);
  *flags = i.flags;
  return e;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  if (!id) return invalid(__func__, kNull);
  StreamInfo i{};
  *id = streamNumber(stream);
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  if (!device) return invalid(__func__, kNull);
  StreamInfo i{};
  cudaError_t e = info(__func__, stream, &i);
  *device = i.device;
  return e;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t, unsigned) {
  StreamInfo i{};
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  cudaError_t e;
  if (flags & cudaEventWaitExternal && isCapturing(stream)) return captureExternal(__func__, stream, event, false);
  if (captureWait(__func__, stream, event, &e)) return e;
  return eventCall(__func__, protocol::StreamWait(event, stream));
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return createEvent(__func__, event, 0); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return createEvent(__func__, event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { return eventCall(__func__, protocol::EventDestroy(event)); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record(__func__, event, stream, 0);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags > 1) return invalid(__func__, "unknown flags");
  return record(__func__, event, stream, flags);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return eventSync(__func__, event, false); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return eventSync(__func__, event, true); }

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  if (!ms) return invalid(__func__, kNull);
  Call c(__func__, protocol::EventElapsed(start, end));
  constexpr float resolution = 0.0005f; // milliseconds, as documented
  if (c.send()) {
    *ms = static_cast<float>(static_cast<double>(c.reply.nanoseconds) / 1e6);
    if (start != end && *ms >= 0 && *ms < resolution) *ms = resolution;
  }
  return c.result();
}

} // namespace core
} // namespace warpgrind
