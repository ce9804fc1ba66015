/* Types of the runtime API for libraries, batches, edges of graphs and what
 * programs rarely name. Part of driver_types.h. Reference: "CUDA Runtime API",
 * "Data types used by CUDA Runtime"; values are NVIDIA's. */
#ifndef __WG_RUNTIME_TYPES_H__
#define __WG_RUNTIME_TYPES_H__

typedef struct CUlib_st *cudaLibrary_t;

enum cudaJitOption {
  cudaJitMaxRegisters = 0, cudaJitThreadsPerBlock = 1, cudaJitWallTime = 2, cudaJitInfoLogBuffer = 3,
  cudaJitInfoLogBufferSizeBytes = 4, cudaJitErrorLogBuffer = 5, cudaJitErrorLogBufferSizeBytes = 6,
  cudaJitOptimizationLevel = 7, cudaJitFallbackStrategy = 10, cudaJitGenerateDebugInfo = 11, cudaJitLogVerbose = 12,
  cudaJitGenerateLineInfo = 13, cudaJitCacheMode = 14, cudaJitPositionIndependentCode = 30, cudaJitMinCtaPerSm = 31,
  cudaJitMaxThreadsPerBlock = 32, cudaJitOverrideDirectiveValues = 33
};

enum cudaJit_CacheMode { cudaJitCacheOptionNone = 0, cudaJitCacheOptionCG = 1, cudaJitCacheOptionCA = 2 };

enum cudaJit_Fallback { cudaPreferPtx = 0, cudaPreferBinary = 1 };

enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };

enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };

enum cudaMemcpySrcAccessOrder {
  cudaMemcpySrcAccessOrderInvalid = 0, cudaMemcpySrcAccessOrderStream = 1, cudaMemcpySrcAccessOrderDuringApiCall = 2,
  cudaMemcpySrcAccessOrderAny = 3, cudaMemcpySrcAccessOrderMax = 0x7fffffff
};

enum cudaMemcpy3DOperandType {
  cudaMemcpyOperandTypePointer = 1, cudaMemcpyOperandTypeArray = 2, cudaMemcpyOperandTypeMax = 0x7fffffff
};

enum cudaCGScope { cudaCGScopeInvalid = 0, cudaCGScopeGrid = 1, cudaCGScopeMultiGrid = 2 };

enum cudaDeviceNumaConfig { cudaDeviceNumaConfigNone = 0, cudaDeviceNumaConfigNumaNode = 1 };

enum cudaFlushGPUDirectRDMAWritesOptions {
  cudaFlushGPUDirectRDMAWritesOptionHost = 1, cudaFlushGPUDirectRDMAWritesOptionMemOps = 2
};

enum cudaGPUDirectRDMAWritesOrdering {
  cudaGPUDirectRDMAWritesOrderingNone = 0, cudaGPUDirectRDMAWritesOrderingOwner = 100,
  cudaGPUDirectRDMAWritesOrderingAllDevices = 200
};

enum cudaGraphChildGraphNodeOwnership {
  cudaGraphChildGraphOwnershipClone = 0, cudaGraphChildGraphOwnershipMove = 1
};

enum cudaGraphKernelNodeField {
  cudaGraphKernelNodeFieldInvalid = 0, cudaGraphKernelNodeFieldGridDim = 1, cudaGraphKernelNodeFieldParam = 2,
  cudaGraphKernelNodeFieldEnabled = 3
};

typedef enum cudaGraphDependencyType_enum {
  cudaGraphDependencyTypeDefault = 0, cudaGraphDependencyTypeProgrammatic = 1
} cudaGraphDependencyType;

typedef enum cudaAsyncNotificationType_enum { cudaAsyncNotificationTypeOverBudget = 1 } cudaAsyncNotificationType;

struct cudalibraryHostUniversalFunctionAndDataTable {
  void *functionTable;
  size_t functionWindowSize;
  void *dataTable;
  size_t dataWindowSize;
};

typedef struct cudaMemFabricHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaMemFabricHandle_t;

struct cudaArraySparseProperties {
  struct {
    unsigned int width, height, depth;
  } tileExtent;
  unsigned int miptailFirstLevel;
  unsigned long long miptailSize;
  unsigned int flags;
  unsigned int reserved[4];
};

struct cudaArrayMemoryRequirements {
  size_t size, alignment;
  unsigned int reserved[4];
};

/* Batches of copies */
struct cudaMemcpyAttributes {
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  struct cudaMemLocation srcLocHint, dstLocHint;
  unsigned int flags;
};

struct cudaOffset3D {
  size_t x, y, z;
};

struct cudaMemcpy3DOperand {
  enum cudaMemcpy3DOperandType type;
  union {
    struct {
      void *ptr;
      size_t rowLength, layerHeight;
      struct cudaMemLocation locHint;
    } ptr;
    struct {
      cudaArray_t array;
      struct cudaOffset3D offset;
    } array;
  } op;
};

struct cudaMemcpy3DBatchOp {
  struct cudaMemcpy3DOperand src, dst;
  struct cudaExtent extent;
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
};

/* Graphs */
typedef struct cudaGraphEdgeData_st {
  unsigned char from_port, to_port, type;
  unsigned char reserved[5];
} cudaGraphEdgeData;

struct cudaEventWaitNodeParams {
  cudaEvent_t event;
};

struct cudaEventRecordNodeParams {
  cudaEvent_t event;
};

struct cudaHostNodeParamsV2 {
  cudaHostFn_t fn;
  void *userData;
};

struct cudaMemsetParamsV2 {
  void *dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
};

struct cudaMemAllocNodeParamsV2 {
  struct cudaMemPoolProps poolProps;
  const struct cudaMemAccessDesc *accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void *dptr;
};

struct cudaExternalSemaphoreSignalNodeParams {
  cudaExternalSemaphore_t *extSemArray;
  const struct cudaExternalSemaphoreSignalParams *paramsArray;
  unsigned int numExtSems;
};

struct cudaExternalSemaphoreSignalNodeParamsV2 {
  cudaExternalSemaphore_t *extSemArray;
  const struct cudaExternalSemaphoreSignalParams *paramsArray;
  unsigned int numExtSems;
};

struct cudaExternalSemaphoreWaitNodeParams {
  cudaExternalSemaphore_t *extSemArray;
  const struct cudaExternalSemaphoreWaitParams *paramsArray;
  unsigned int numExtSems;
};

struct cudaExternalSemaphoreWaitNodeParamsV2 {
  cudaExternalSemaphore_t *extSemArray;
  const struct cudaExternalSemaphoreWaitParams *paramsArray;
  unsigned int numExtSems;
};

/* Notifications */
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef struct cudaAsyncNotificationInfo {
  cudaAsyncNotificationType type;
  union {
    struct {
      unsigned long long bytesOverBudget;
    } overBudget;
  } info;
} cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *info, void *userData, cudaAsyncCallbackHandle_t callback);

#endif
