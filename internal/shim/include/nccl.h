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

#define __WG_RESULT ncclResult_t
#include "warpgrind/library_calls.h"
__WG_C_API(ncclGetVersion)
__WG_C_API(ncclGetUniqueId)
__WG_C_API(ncclCommInitRank)
__WG_C_API(ncclCommInitAll)
__WG_C_API(ncclCommDestroy)
__WG_C_API(ncclCommFinalize)
__WG_C_API(ncclCommAbort)
__WG_C_API(ncclCommCount)
__WG_C_API(ncclCommCuDevice)
__WG_C_API(ncclCommUserRank)
__WG_C_API(ncclCommGetAsyncError)
__WG_C_API(ncclGroupStart)
__WG_C_API(ncclGroupEnd)
__WG_C_API(ncclReduce)
__WG_C_API(ncclBcast)
__WG_C_API(ncclBroadcast)
__WG_C_API(ncclAllReduce)
__WG_C_API(ncclReduceScatter)
__WG_C_API(ncclAllGather)
__WG_C_API(ncclSend)
__WG_C_API(ncclRecv)
__WG_C_API(ncclMemAlloc)
__WG_C_API(ncclMemFree)
#undef __WG_C_API
#undef __WG_RESULT

#endif
