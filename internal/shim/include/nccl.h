/* NCCL: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef __WG_NCCL_H__
#define __WG_NCCL_H__

#include "cuda_runtime_api.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 19
#define NCCL_VERSION_CODE 21900
#define NCCL_UNIQUE_ID_BYTES 128

typedef struct ncclComm *ncclComm_t;
typedef struct { char internal[NCCL_UNIQUE_ID_BYTES]; } ncclUniqueId;
typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
} ncclResult_t;
typedef enum { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 } ncclRedOp_t;
typedef enum {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9
} ncclDataType_t;

static __inline__ const char *ncclGetErrorString(ncclResult_t r) { return r == ncclSuccess ? "no error" : "internal error"; }

#ifdef __cplusplus
#define WG_API(name) extern "C" ncclResult_t name(...);
#else
#define WG_API(name) ncclResult_t name();
#endif
WG_API(ncclGetVersion)
WG_API(ncclGetUniqueId)
WG_API(ncclCommInitRank)
WG_API(ncclCommInitAll)
WG_API(ncclCommDestroy)
WG_API(ncclCommFinalize)
WG_API(ncclCommAbort)
WG_API(ncclCommCount)
WG_API(ncclCommCuDevice)
WG_API(ncclCommUserRank)
WG_API(ncclCommGetAsyncError)
WG_API(ncclGroupStart)
WG_API(ncclGroupEnd)
WG_API(ncclReduce)
WG_API(ncclBcast)
WG_API(ncclBroadcast)
WG_API(ncclAllReduce)
WG_API(ncclReduceScatter)
WG_API(ncclAllGather)
WG_API(ncclSend)
WG_API(ncclRecv)
WG_API(ncclMemAlloc)
WG_API(ncclMemFree)
#undef WG_API

#endif
