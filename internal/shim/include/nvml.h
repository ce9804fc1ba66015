/* NVML: its types and the names of its functions, so that programs compile
 * and link. The library is not included: a call is not supported. */
#ifndef __WG_NVML_H__
#define __WG_NVML_H__

#include "cuda_runtime_api.h"

typedef enum nvmlReturn_enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NO_PERMISSION = 4,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
  NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct {
  char busIdLegacy[16];
  unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
} nvmlPciInfo_t;
typedef struct {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;
typedef enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
typedef enum { NVML_CLOCK_GRAPHICS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_CLOCK_VIDEO = 3 } nvmlClockType_t;
typedef enum { NVML_FEATURE_DISABLED = 0, NVML_FEATURE_ENABLED = 1 } nvmlEnableState_t;
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80

static __inline__ const char *nvmlErrorString(nvmlReturn_t r) { return r == NVML_SUCCESS ? "Success" : "Not Supported"; }

#define __WG_RESULT nvmlReturn_t
#include "warpgrind/library_calls.h"
__WG_C_API(nvmlInit)
__WG_C_API(nvmlInit_v2)
__WG_C_API(nvmlShutdown)
__WG_C_API(nvmlDeviceGetCount)
__WG_C_API(nvmlDeviceGetCount_v2)
__WG_C_API(nvmlDeviceGetHandleByIndex)
__WG_C_API(nvmlDeviceGetHandleByIndex_v2)
__WG_C_API(nvmlDeviceGetHandleByPciBusId)
__WG_C_API(nvmlDeviceGetHandleByUUID)
__WG_C_API(nvmlDeviceGetName)
__WG_C_API(nvmlDeviceGetUUID)
__WG_C_API(nvmlDeviceGetMemoryInfo)
__WG_C_API(nvmlDeviceGetUtilizationRates)
__WG_C_API(nvmlDeviceGetPowerUsage)
__WG_C_API(nvmlDeviceGetTotalEnergyConsumption)
__WG_C_API(nvmlDeviceGetTemperature)
__WG_C_API(nvmlDeviceGetClockInfo)
__WG_C_API(nvmlDeviceGetMaxClockInfo)
__WG_C_API(nvmlDeviceGetPciInfo)
__WG_C_API(nvmlDeviceGetFanSpeed)
__WG_C_API(nvmlDeviceSetApplicationsClocks)
__WG_C_API(nvmlDeviceGetComputeRunningProcesses)
__WG_C_API(nvmlSystemGetDriverVersion)
__WG_C_API(nvmlDeviceGetCpuAffinity)
__WG_C_API(nvmlDeviceSetCpuAffinity)
__WG_C_API(nvmlDeviceGetIndex)
__WG_C_API(nvmlDeviceGetPowerManagementLimit)
__WG_C_API(nvmlDeviceGetNvLinkState)
#undef __WG_C_API
#undef __WG_RESULT

#endif
