// NVML: which devices there are and what they are called. Programs ask it before the first call
// of CUDA (XLA for its devices, PyTorch for their number). The answers are those of the driver
// API. What a GPU measures an emulated one does not: NVML_ERROR_NOT_SUPPORTED, as of a real GPU
// without the sensor.
#include "nvml.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "client.h"
#include "device.h"
#include "unsupported.h"

using namespace warpgrind;

namespace {

// A device as a handle, which is not null.
nvmlDevice_t handleOf(int device) { return reinterpret_cast<nvmlDevice_t>(static_cast<intptr_t>(device) + 1); }

int deviceOf(nvmlDevice_t handle) { return static_cast<int>(reinterpret_cast<intptr_t>(handle)) - 1; }

nvmlReturn_t nvml(cudaError_t e) {
  if (e == cudaSuccess) return NVML_SUCCESS;
  return e == cudaErrorInvalidDevice || e == cudaErrorInvalidValue ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_UNKNOWN;
}

nvmlReturn_t write(const std::string &text, char *out, unsigned length) {
  if (!out) return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  memcpy(out, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

// The driver of the release that is imitated ("CUDA Toolkit Release Notes", table 3).
const char *driverVersion() { return CUDART_VERSION >= 13000 ? "580.65.06" : CUDART_VERSION >= 12000 ? "575.51.03" : "520.61.05"; }

// NVML has all devices, also those that CUDA_VISIBLE_DEVICES hides from the process.
nvmlReturn_t countOf(unsigned *count) {
  if (!count) return NVML_ERROR_INVALID_ARGUMENT;
  const cudaError_t e = connectOnce();
  *count = connected() ? static_cast<unsigned>(caps().devices) : 0;
  return connected() ? NVML_SUCCESS : nvml(e);
}

nvmlReturn_t propertiesOf(nvmlDevice_t handle, cudaDeviceProp *p) {
  unsigned n = 0;
  nvmlReturn_t r = countOf(&n);
  if (r != NVML_SUCCESS) return r;
  if (deviceOf(handle) < 0 || deviceOf(handle) >= static_cast<int>(n)) return NVML_ERROR_INVALID_ARGUMENT;
  *p = warpgrind::propertiesOf(deviceOf(handle));
  return NVML_SUCCESS;
}

nvmlReturn_t constant(nvmlDevice_t device, unsigned value, unsigned *out) {
  cudaDeviceProp p;
  nvmlReturn_t r = propertiesOf(device, &p);
  if (r == NVML_SUCCESS && !out) return NVML_ERROR_INVALID_ARGUMENT;
  if (r == NVML_SUCCESS) *out = value;
  return r;
}

} // namespace

#define RESULT(code, text) \
  case code: return text;

extern "C" {

const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    RESULT(NVML_SUCCESS, "Success")
    RESULT(NVML_ERROR_UNINITIALIZED, "Uninitialized")
    RESULT(NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument")
    RESULT(NVML_ERROR_NOT_SUPPORTED, "Not Supported")
    RESULT(NVML_ERROR_NO_PERMISSION, "Insufficient Permissions")
    RESULT(NVML_ERROR_ALREADY_INITIALIZED, "Already Initialized")
    RESULT(NVML_ERROR_NOT_FOUND, "Not Found")
    RESULT(NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size")
    RESULT(NVML_ERROR_INSUFFICIENT_POWER, "Insufficient External Power")
    RESULT(NVML_ERROR_DRIVER_NOT_LOADED, "Driver Not Loaded")
    RESULT(NVML_ERROR_TIMEOUT, "Timeout")
    RESULT(NVML_ERROR_IRQ_ISSUE, "Interrupt Request Issue")
    RESULT(NVML_ERROR_LIBRARY_NOT_FOUND, "NVML Shared Library Not Found")
    RESULT(NVML_ERROR_FUNCTION_NOT_FOUND, "Function Not Found")
    RESULT(NVML_ERROR_CORRUPTED_INFOROM, "Corrupted infoROM")
    RESULT(NVML_ERROR_GPU_IS_LOST, "GPU is lost")
    RESULT(NVML_ERROR_UNKNOWN, "Unknown Error")
  }
  return "Unknown Error";
}

nvmlReturn_t nvmlInit_v2(void) { return NVML_SUCCESS; }
nvmlReturn_t nvmlInit(void) { return nvmlInit_v2(); }
nvmlReturn_t nvmlInitWithFlags(unsigned) { return nvmlInit_v2(); }
nvmlReturn_t nvmlShutdown(void) { return NVML_SUCCESS; }

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length) { return write(driverVersion(), version, length); }

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length) {
  return write(std::to_string(NVML_API_VERSION) + "." + driverVersion(), version, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) { return nvml(core::cudaDriverGetVersion(version)); }
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) { return nvmlSystemGetCudaDriverVersion(version); }

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) { return countOf(count); }
nvmlReturn_t nvmlDeviceGetCount(unsigned *count) { return countOf(count); }

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device) {
  unsigned n = 0;
  nvmlReturn_t r = countOf(&n);
  if (r != NVML_SUCCESS) return r;
  if (!device || index >= n) return NVML_ERROR_INVALID_ARGUMENT;
  *device = handleOf(static_cast<int>(index));
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device) { return nvmlDeviceGetHandleByIndex_v2(index, device); }

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device) {
  unsigned n = 0, domain = 0, bus = 0;
  if (!id || !device) return NVML_ERROR_INVALID_ARGUMENT;
  nvmlReturn_t r = countOf(&n);
  if (r != NVML_SUCCESS) return r;
  if (sscanf(id, "%x:%x:", &domain, &bus) < 2 || bus < 1 || bus > n) return NVML_ERROR_NOT_FOUND;
  *device = handleOf(static_cast<int>(bus) - 1);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device) { return nvmlDeviceGetHandleByPciBusId_v2(id, device); }

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  unsigned n = 0;
  nvmlReturn_t r = countOf(&n);
  if (r != NVML_SUCCESS) return r;
  if (!uuid || !device) return NVML_ERROR_INVALID_ARGUMENT;
  for (unsigned i = 0; i < n; i++) {
    if (identifierOf(static_cast<int>(i)) != uuid) continue;
    *device = handleOf(static_cast<int>(i));
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index) {
  return constant(device, static_cast<unsigned>(deviceOf(device)), index);
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *number) { return nvmlDeviceGetIndex(device, number); }

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length) {
  cudaDeviceProp p;
  nvmlReturn_t r = propertiesOf(device, &p);
  return r == NVML_SUCCESS ? write(p.name, name, length) : r;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length) {
  cudaDeviceProp p;
  nvmlReturn_t r = propertiesOf(device, &p);
  return r == NVML_SUCCESS ? write(identifierOf(deviceOf(device)), uuid, length) : r;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *info) {
  cudaDeviceProp p;
  nvmlReturn_t r = propertiesOf(device, &p);
  if (r != NVML_SUCCESS) return r;
  if (!info) return NVML_ERROR_INVALID_ARGUMENT;
  *info = {};
  info->domain = static_cast<unsigned>(p.pciDomainID);
  info->bus = static_cast<unsigned>(p.pciBusID);
  info->device = static_cast<unsigned>(p.pciDeviceID);
  snprintf(info->busIdLegacy, sizeof info->busIdLegacy, "%04x:%02x:%02x.0", info->domain & 0xffff, info->bus & 0xff, info->device & 0xff);
  snprintf(info->busId, sizeof info->busId, "%08x:%02x:%02x.0", info->domain, info->bus & 0xff, info->device & 0xff);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *info) { return nvmlDeviceGetPciInfo_v3(device, info); }

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  cudaDeviceProp p;
  nvmlReturn_t r = propertiesOf(device, &p);
  if (r == NVML_SUCCESS && !memory) return NVML_ERROR_INVALID_ARGUMENT;
  if (r == NVML_SUCCESS) *memory = {p.totalGlobalMem, p.totalGlobalMem, 0};
  return r;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  nvmlMemory_t m{};
  nvmlReturn_t r = nvmlDeviceGetMemoryInfo(device, &m);
  if (r == NVML_SUCCESS && !memory) return NVML_ERROR_INVALID_ARGUMENT;
  if (r == NVML_SUCCESS) *memory = {memory->version, m.total, 0, m.free, m.used};
  return r;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  cudaDeviceProp p;
  nvmlReturn_t r = propertiesOf(device, &p);
  if (r == NVML_SUCCESS && (!major || !minor)) return NVML_ERROR_INVALID_ARGUMENT;
  if (r == NVML_SUCCESS) *major = p.major, *minor = p.minor;
  return r;
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode) {
  cudaDeviceProp p;
  nvmlReturn_t r = propertiesOf(device, &p);
  if (r == NVML_SUCCESS && !mode) return NVML_ERROR_INVALID_ARGUMENT;
  if (r == NVML_SUCCESS) *mode = NVML_COMPUTEMODE_DEFAULT;
  return r;
}

// The bus of the first cards of sm_80: PCI Express 4.0 with 16 lanes.
nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned *generation) { return constant(device, 4, generation); }
nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned *width) { return constant(device, 16, width); }
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned *generation) { return constant(device, 4, generation); }
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned *width) { return constant(device, 16, width); }

} // extern "C"

#define NOT_MEASURED(name) UNSUPPORTED_BY(name, NVML_ERROR_NOT_SUPPORTED)
NOT_MEASURED(nvmlDeviceGetUtilizationRates)
NOT_MEASURED(nvmlDeviceGetPowerUsage)
NOT_MEASURED(nvmlDeviceGetTotalEnergyConsumption)
NOT_MEASURED(nvmlDeviceGetPowerManagementLimit)
NOT_MEASURED(nvmlDeviceGetTemperature)
NOT_MEASURED(nvmlDeviceGetFanSpeed)
NOT_MEASURED(nvmlDeviceGetClockInfo)
NOT_MEASURED(nvmlDeviceGetMaxClockInfo)
NOT_MEASURED(nvmlDeviceSetApplicationsClocks)
NOT_MEASURED(nvmlDeviceGetApplicationsClock)
NOT_MEASURED(nvmlDeviceGetDefaultApplicationsClock)
NOT_MEASURED(nvmlDeviceResetApplicationsClocks)
NOT_MEASURED(nvmlDeviceGetSupportedMemoryClocks)
NOT_MEASURED(nvmlDeviceGetSupportedGraphicsClocks)
NOT_MEASURED(nvmlDeviceGetPersistenceMode)
NOT_MEASURED(nvmlDeviceSetPersistenceMode)
NOT_MEASURED(nvmlDeviceGetPerformanceState)
NOT_MEASURED(nvmlDeviceGetEnforcedPowerLimit)
NOT_MEASURED(nvmlDeviceGetPowerManagementLimitConstraints)
NOT_MEASURED(nvmlDeviceSetPowerManagementLimit)
NOT_MEASURED(nvmlDeviceGetSerial)
NOT_MEASURED(nvmlDeviceGetAPIRestriction)
NOT_MEASURED(nvmlDeviceGetComputeRunningProcesses)
NOT_MEASURED(nvmlDeviceGetCpuAffinity)
NOT_MEASURED(nvmlDeviceSetCpuAffinity)
NOT_MEASURED(nvmlDeviceGetNvLinkState)
NOT_MEASURED(nvmlDeviceGetMigMode)
NOT_MEASURED(nvmlDeviceGetPcieSpeed)
NOT_MEASURED(nvmlDeviceGetTemperatureThreshold)
NOT_MEASURED(nvmlDeviceGetClock)
NOT_MEASURED(nvmlDeviceGetCurrentClocksEventReasons)
NOT_MEASURED(nvmlDeviceGetCurrentClocksThrottleReasons)
NOT_MEASURED(nvmlDeviceGetSupportedClocksEventReasons)
NOT_MEASURED(nvmlDeviceGetSupportedClocksThrottleReasons)
NOT_MEASURED(nvmlDeviceGetSamples)
NOT_MEASURED(nvmlDeviceGetViolationStatus)
#include "nvml_names.inc"
