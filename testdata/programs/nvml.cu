// Asks NVML for the devices, as tools and frameworks do before they call CUDA: the answers are those of the runtime API. What is not
// measured has its own code.
#include <nvml.h>

#include <cstdio>
#include <cstring>

#define OK(call) \
  if (nvmlReturn_t r = (call)) return printf("FAIL %s: %s\n", #call, nvmlErrorString(r)), 1

__global__ void touch(int *p) { p[threadIdx.x] = threadIdx.x; }

static bool refused(nvmlReturn_t got, nvmlReturn_t want) { return got == want; }

int main() {
  OK(nvmlInit_v2());
  unsigned n = 0;
  OK(nvmlDeviceGetCount_v2(&n));
  int count = 0, version = 0, driver = 0;
  cudaGetDeviceCount(&count);
  cudaDriverGetVersion(&driver);
  OK(nvmlSystemGetCudaDriverVersion(&version));
  char driverText[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE], text[NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE];
  OK(nvmlSystemGetDriverVersion(driverText, sizeof driverText));
  OK(nvmlSystemGetNVMLVersion(text, sizeof text));
  bool good = static_cast<int>(n) == count && version == driver && strstr(text, driverText);

  for (unsigned i = 0; i < n; i++) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, static_cast<int>(i));
    nvmlDevice_t d, same;
    OK(nvmlDeviceGetHandleByIndex_v2(i, &d));
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE];
    OK(nvmlDeviceGetName(d, name, sizeof name));
    OK(nvmlDeviceGetUUID(d, uuid, sizeof uuid));
    OK(nvmlDeviceGetHandleByUUID(uuid, &same));
    good = good && same == d && strcmp(name, p.name) == 0 && strlen(uuid) == 40;
    nvmlPciInfo_t pci;
    OK(nvmlDeviceGetPciInfo_v3(d, &pci));
    OK(nvmlDeviceGetHandleByPciBusId_v2(pci.busId, &same));
    good = good && same == d && static_cast<int>(pci.bus) == p.pciBusID;
    nvmlMemory_t memory;
    OK(nvmlDeviceGetMemoryInfo(d, &memory));
    int major, minor;
    OK(nvmlDeviceGetCudaComputeCapability(d, &major, &minor));
    unsigned index, number, lanes;
    OK(nvmlDeviceGetIndex(d, &index));
    OK(nvmlDeviceGetMinorNumber(d, &number));
    OK(nvmlDeviceGetMaxPcieLinkWidth(d, &lanes));
    nvmlComputeMode_t mode;
    OK(nvmlDeviceGetComputeMode(d, &mode));
    good = good && memory.total == p.totalGlobalMem && major == p.major && minor == p.minor && index == i && number == i && lanes == 16 &&
           mode == NVML_COMPUTEMODE_DEFAULT;
    unsigned watts;
    good = good && refused(nvmlDeviceGetPowerUsage(d, &watts), NVML_ERROR_NOT_SUPPORTED) &&
           refused(nvmlDeviceGetApplicationsClock(d, NVML_CLOCK_SM, &watts), NVML_ERROR_NOT_SUPPORTED) &&
           refused(nvmlDeviceGetName(d, name, 2), NVML_ERROR_INSUFFICIENT_SIZE);
  }
  nvmlDevice_t first, none;
  OK(nvmlDeviceGetHandleByIndex_v2(0, &first));
  unsigned degrees, samples = 4;
  unsigned long long reasons = nvmlClocksThrottleReasonSwPowerCap | nvmlClocksThrottleReasonHwThermalSlowdown;
  nvmlSample_t buffer[4];
  nvmlValueType_t type;
  nvmlViolationTime_t time;
  good = good && (reasons & nvmlClocksThrottleReasonAll) == reasons &&
         refused(nvmlDeviceGetTemperatureThreshold(first, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, &degrees), NVML_ERROR_NOT_SUPPORTED) &&
         refused(nvmlDeviceGetCurrentClocksThrottleReasons(first, &reasons), NVML_ERROR_NOT_SUPPORTED) &&
         refused(nvmlDeviceGetSamples(first, NVML_GPU_UTILIZATION_SAMPLES, 0, &type, &samples, buffer), NVML_ERROR_NOT_SUPPORTED) &&
         refused(nvmlDeviceGetViolationStatus(first, NVML_PERF_POLICY_POWER, &time), NVML_ERROR_NOT_SUPPORTED);
  good = good && refused(nvmlDeviceGetHandleByIndex_v2(n, &none), NVML_ERROR_INVALID_ARGUMENT) &&
         refused(nvmlDeviceGetHandleByUUID("GPU-0", &none), NVML_ERROR_NOT_FOUND);
  OK(nvmlShutdown());

  int *p;
  cudaMalloc(&p, 32 * sizeof(int));
  touch<<<1, 32>>>(p);
  good = good && cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(p);
  printf(good ? "PASS\n" : "FAIL\n");
}
