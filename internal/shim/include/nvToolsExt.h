/* NVTX, the annotations for NVIDIA's profilers, after its reference. Names of
 * streams and of memory show in reports; ranges only count their depth, as
 * their results tell. */
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_INLINE_STATIC static __inline__ __attribute__((unused))
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

/* Resources that a program names. */
#define NVTX_RESOURCE_MAKE_TYPE(CLASS, INDEX) \
  ((((uint32_t)(NVTX_RESOURCE_CLASS_##CLASS)) << 16) | ((uint32_t)(INDEX)))
#define NVTX_RESOURCE_CLASS_GENERIC 1
#define NVTX_RESOURCE_CLASS_CUDA 4
#define NVTX_RESOURCE_CLASS_CUDART 5
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_t))

typedef enum nvtxResourceGenericType_t {
  NVTX_RESOURCE_TYPE_UNKNOWN = 0,
  NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
  NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4)
} nvtxResourceGenericType_t;

typedef enum nvtxResourceCUDAType_t {
  NVTX_RESOURCE_TYPE_CUDA_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDA, 1),
  NVTX_RESOURCE_TYPE_CUDA_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 2),
  NVTX_RESOURCE_TYPE_CUDA_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDA, 3),
  NVTX_RESOURCE_TYPE_CUDA_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 4)
} nvtxResourceCUDAType_t;

typedef enum nvtxResourceCUDARTType_t {
  NVTX_RESOURCE_TYPE_CUDART_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDART, 0),
  NVTX_RESOURCE_TYPE_CUDART_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDART, 1),
  NVTX_RESOURCE_TYPE_CUDART_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDART, 2)
} nvtxResourceCUDARTType_t;

typedef struct nvtxResourceAttributes_v0 {
  uint16_t version, size;
  int32_t identifierType;
  union identifier_t {
    const void *pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_t;

/* The runtime's names for what a report reports; a program may be linked
 * without it. */
void __wgNameStream(const void *stream, const char *name) __attribute__((weak));
void __wgNameMemory(const void *pointer, const char *name) __attribute__((weak));

/* The depth of nested ranges of this translation unit and thread. */
NVTX_INLINE_STATIC int *wgNvtxDepth(void) {
  static __thread int depth = 0;
  return &depth;
}
NVTX_INLINE_STATIC int wgNvtxPush(void) { return (*wgNvtxDepth())++; }
NVTX_INLINE_STATIC int wgNvtxPop(void) { return *wgNvtxDepth() > 0 ? --*wgNvtxDepth() : -1; }

NVTX_INLINE_STATIC void nvtxInitialize(const void *reserved) { (void)reserved; }
NVTX_INLINE_STATIC void nvtxMarkEx(const nvtxEventAttributes_t *a) { (void)a; }
NVTX_INLINE_STATIC void nvtxMarkA(const char *m) { (void)m; }
NVTX_INLINE_STATIC void nvtxMarkW(const wchar_t *m) { (void)m; }
NVTX_INLINE_STATIC nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *a) { return (void)a, 1; }
NVTX_INLINE_STATIC nvtxRangeId_t nvtxRangeStartA(const char *m) { return (void)m, 1; }
NVTX_INLINE_STATIC nvtxRangeId_t nvtxRangeStartW(const wchar_t *m) { return (void)m, 1; }
NVTX_INLINE_STATIC void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
NVTX_INLINE_STATIC int nvtxRangePushEx(const nvtxEventAttributes_t *a) { return (void)a, wgNvtxPush(); }
NVTX_INLINE_STATIC int nvtxRangePushA(const char *m) { return (void)m, wgNvtxPush(); }
NVTX_INLINE_STATIC int nvtxRangePushW(const wchar_t *m) { return (void)m, wgNvtxPush(); }
NVTX_INLINE_STATIC int nvtxRangePop(void) { return wgNvtxPop(); }
NVTX_INLINE_STATIC void nvtxNameCategoryA(uint32_t c, const char *n) { (void)c, (void)n; }
NVTX_INLINE_STATIC void nvtxNameCategoryW(uint32_t c, const wchar_t *n) { (void)c, (void)n; }
NVTX_INLINE_STATIC void nvtxNameOsThreadA(uint32_t t, const char *n) { (void)t, (void)n; }
NVTX_INLINE_STATIC void nvtxNameOsThreadW(uint32_t t, const wchar_t *n) { (void)t, (void)n; }
NVTX_INLINE_STATIC nvtxDomainHandle_t nvtxDomainCreateA(const char *n) { return (void)n, (nvtxDomainHandle_t)1; }
NVTX_INLINE_STATIC nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *n) { return (void)n, (nvtxDomainHandle_t)1; }
NVTX_INLINE_STATIC void nvtxDomainDestroy(nvtxDomainHandle_t d) { (void)d; }
NVTX_INLINE_STATIC nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t d, const char *s) {
  return (void)d, (nvtxStringHandle_t)(void *)s;
}
NVTX_INLINE_STATIC nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t d, const wchar_t *s) {
  return (void)d, (void)s, (nvtxStringHandle_t)(void *)""; /* has no name in a report */
}
NVTX_INLINE_STATIC void nvtxDomainMarkEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a) { (void)d, (void)a; }
NVTX_INLINE_STATIC nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a) {
  return (void)d, (void)a, 1;
}
NVTX_INLINE_STATIC void nvtxDomainRangeEnd(nvtxDomainHandle_t d, nvtxRangeId_t id) { (void)d, (void)id; }
NVTX_INLINE_STATIC int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a) {
  return (void)d, (void)a, wgNvtxPush();
}
NVTX_INLINE_STATIC int nvtxDomainRangePop(nvtxDomainHandle_t d) { return (void)d, wgNvtxPop(); }
NVTX_INLINE_STATIC void nvtxDomainNameCategoryA(nvtxDomainHandle_t d, uint32_t c, const char *n) {
  (void)d, (void)c, (void)n;
}

NVTX_INLINE_STATIC void wgNvtxNameStream(const void *stream, const char *name) {
  if (__wgNameStream && name) __wgNameStream(stream, name);
}
NVTX_INLINE_STATIC nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t d, nvtxResourceAttributes_t *a) {
  const char *name = (const char *)0;
  (void)d;
  if (!a) return (nvtxResourceHandle_t)0;
  if (a->messageType == NVTX_MESSAGE_TYPE_ASCII) name = a->message.ascii;
  if (a->messageType == NVTX_MESSAGE_TYPE_REGISTERED) name = (const char *)(const void *)a->message.registered;
  if (a->identifierType == (int32_t)NVTX_RESOURCE_TYPE_CUDART_STREAM ||
      a->identifierType == (int32_t)NVTX_RESOURCE_TYPE_CUDA_STREAM)
    wgNvtxNameStream(a->identifier.pValue, name);
  if (a->identifierType == (int32_t)NVTX_RESOURCE_TYPE_GENERIC_POINTER && __wgNameMemory && name)
    __wgNameMemory(a->identifier.pValue, name);
  return (nvtxResourceHandle_t)1;
}
NVTX_INLINE_STATIC void nvtxDomainResourceDestroy(nvtxResourceHandle_t r) { (void)r; }

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif

#ifdef __cplusplus
}
#endif

#endif
