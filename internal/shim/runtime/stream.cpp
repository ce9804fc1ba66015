// Streams, events and host callbacks. All work is done at the call, in order,
// so every stream is always idle; the server keeps the handles.
#include "client.h"

using namespace warpgrind;

namespace {

constexpr const char *kNull = "the result pointer is null";

cudaError_t createStream(const char *api, cudaStream_t *stream, unsigned flags, int priority) {
  if (!stream) return misuse(api, cudaErrorInvalidValue, kNull);
  if (flags > cudaStreamNonBlocking) return misuse(api, cudaErrorInvalidValue, "unknown flags");
  Call c(api, Op::StreamCreate);
  c.u32(flags).u32(static_cast<uint32_t>(priority));
  if (c.send()) *stream = static_cast<cudaStream_t>(c.getPtr());
  return c.result();
}

cudaError_t streamSync(const char *api, cudaStream_t stream, bool wait) {
  Call c(api, Op::StreamSync);
  c.ptr(stream).u8(wait);
  c.send();
  return c.result();
}

struct StreamInfo {
  uint32_t flags;
  int priority;
};

cudaError_t info(const char *api, cudaStream_t stream, StreamInfo *out) {
  Call c(api, Op::StreamInfo);
  c.ptr(stream);
  if (c.send()) {
    out->flags = c.getU32();
    out->priority = static_cast<int>(c.getU32());
  }
  return c.result();
}

cudaError_t createEvent(const char *api, cudaEvent_t *event, unsigned flags) {
  if (!event) return misuse(api, cudaErrorInvalidValue, kNull);
  if (flags > 7) return misuse(api, cudaErrorInvalidValue, "unknown flags");
  Call c(api, Op::EventCreate);
  c.u32(flags);
  if (c.send()) *event = static_cast<cudaEvent_t>(c.getPtr());
  return c.result();
}

cudaError_t eventCall(const char *api, Op op, cudaEvent_t event, const void *stream, bool wait = false) {
  Call c(api, op);
  c.ptr(event).ptr(stream).u8(wait);
  c.send();
  return c.result();
}

} // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return createStream(__func__, stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return createStream(__func__, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return createStream(__func__, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Call c(__func__, Op::StreamDestroy);
  c.ptr(stream);
  c.send();
  return c.result();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return streamSync(__func__, stream, true); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return streamSync(__func__, stream, false); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  if (!priority) return misuse(__func__, cudaErrorInvalidValue, kNull);
  StreamInfo i{};
  cudaError_t e = info(__func__, stream, &i);
  *priority = i.priority;
  return e;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  if (!flags) return misuse(__func__, cudaErrorInvalidValue, kNull);
  StreamInfo i{};
  cudaError_t e = info(__func__, stream, &i);
  *flags = i.flags;
  return e;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  if (!id) return misuse(__func__, cudaErrorInvalidValue, kNull);
  StreamInfo i{};
  *id = reinterpret_cast<uintptr_t>(stream);
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  if (!device) return misuse(__func__, cudaErrorInvalidValue, kNull);
  StreamInfo i{};
  *device = 0;
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  StreamInfo i{};
  cudaError_t e = info(__func__, dst, &i);
  return e != cudaSuccess ? e : info(__func__, src, &i);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID, cudaLaunchAttributeValue *value) {
  if (!value) return misuse(__func__, cudaErrorInvalidValue, kNull);
  StreamInfo i{};
  memset(value, 0, sizeof *value);
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID, const cudaLaunchAttributeValue *) {
  StreamInfo i{};
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t, unsigned) {
  StreamInfo i{};
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return eventCall(__func__, Op::StreamWait, event, stream);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  if (!status) return misuse(__func__, cudaErrorInvalidValue, kNull);
  *status = cudaStreamCaptureStatusNone;
  StreamInfo i{};
  return info(__func__, stream, &i);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned) {
  if (!callback) return misuse(__func__, cudaErrorInvalidValue, "the callback is null");
  cudaError_t e = streamSync(__func__, stream, false);
  if (e == cudaErrorInvalidResourceHandle) return e;
  callback(stream, e, userData);
  return e;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  if (!fn) return misuse(__func__, cudaErrorInvalidValue, "the function is null");
  cudaError_t e = streamSync(__func__, stream, false);
  if (e == cudaSuccess) fn(userData);
  return e;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return createEvent(__func__, event, 0); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return createEvent(__func__, event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { return eventCall(__func__, Op::EventDestroy, event, nullptr); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return eventCall(__func__, Op::EventRecord, event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return eventCall(__func__, Op::EventRecord, event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return eventCall(__func__, Op::EventSync, event, nullptr); }

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return eventCall(__func__, Op::EventSync, event, nullptr, true);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  if (!ms) return misuse(__func__, cudaErrorInvalidValue, kNull);
  Call c(__func__, Op::EventElapsed);
  c.ptr(start).ptr(end);
  if (c.send()) *ms = static_cast<float>(static_cast<double>(static_cast<int64_t>(c.getU64())) / 1e6);
  return c.result();
}

} // extern "C"
