// Devices, limits and versions. All devices are alike.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

#include "device.h"

#include "capture.h"
#include "client.h"
#include "context.h"
#include "lasting.h"
#include "memory.h"
#include "registry.h"

namespace warpgrind {
namespace {

constexpr int kClockKHz = 1410000, kMemoryClockKHz = 1215000, kBusBits = 5120;
constexpr size_t kMaxPitch = 0x7fffffff;

// The limits as CUDA has them at the start; by device those that were set.
struct Limits {
  size_t of[cudaLimitPersistingL2CacheSize + 1] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
};

struct Settings {
  std::mutex mutex;
  std::map<int, Limits> limits;
  std::map<int, unsigned> flags;
  std::map<int, cudaFuncCache> cache;
  std::map<int, cudaSharedMemConfig> banks;
  std::set<std::pair<int, int>> peers; // device, peer: access is enabled
  std::set<std::pair<int, cudaAsyncCallbackHandle_t>> notified; // device, registered callback
};

Settings &settings() {
  static Lasting<Settings> s;
  return s.get();
}

void fillLimits(cudaDeviceProp &p, const protocol::Caps &c) {
  p.totalGlobalMem = c.totalMem;
  p.sharedMemPerBlock = c.sharedPerBlock;
  p.sharedMemPerBlockOptin = c.sharedOptin;
  p.sharedMemPerMultiprocessor = c.sharedPerSM;
  p.reservedSharedMemPerBlock = c.sm >= 80 ? 1024 : 0;
  p.regsPerBlock = static_cast<int>(std::min<uint64_t>(c.regsPerSM, 65536));
  p.regsPerMultiprocessor = static_cast<int>(c.regsPerSM);
  p.warpSize = 32;
  p.memPitch = kMaxPitch;
  p.maxThreadsPerBlock = static_cast<int>(c.maxThreads);
  p.maxThreadsPerMultiProcessor = static_cast<int>(c.threadsPerSM);
  p.maxBlocksPerMultiProcessor = static_cast<int>(c.blocksPerSM);
  for (int i = 0; i < 3; i++) {
    p.maxThreadsDim[i] = static_cast<int>(c.maxBlock[i]);
    p.maxGridSize[i] = static_cast<int>(c.maxGrid[i]);
  }
  p.totalConstMem = 65536;
  p.major = static_cast<int>(c.sm / 10);
  p.minor = static_cast<int>(c.sm % 10);
  p.multiProcessorCount = static_cast<int>(c.multiprocessors);
  p.l2CacheSize = c.sm >= 80 ? 40 << 20 : 4 << 20;
}

void fillTextures(cudaDeviceProp &p) {
  auto set = [](int *to, int a, int b, int c = 0) {
    to[0] = a, to[1] = b;
    if (c) to[2] = c;
  };
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.maxTexture1D = p.maxSurface1D = 131072;
  p.maxTexture1DMipmap = p.maxTextureCubemap = p.maxSurfaceCubemap = 32768;
  p.maxTexture1DLinear = 1 << 28;
  set(p.maxTexture2D, 131072, 65536);
  set(p.maxTexture2DMipmap, 32768, 32768);
  set(p.maxTexture2DLinear, 131072, 65000, 2097120);
  set(p.maxTexture2DGather, 32768, 32768);
  set(p.maxTexture3D, 16384, 16384, 16384);
  set(p.maxTexture3DAlt, 8192, 8192, 32768);
  set(p.maxTexture1DLayered, 32768, 2048);
  set(p.maxTexture2DLayered, 32768, 32768, 2048);
  set(p.maxTextureCubemapLayered, 32768, 2046);
  set(p.maxSurface2D, 131072, 65536);
  set(p.maxSurface3D, 16384, 16384, 16384);
  set(p.maxSurface1DLayered, 32768, 2048);
  set(p.maxSurface2DLayered, 32768, 32768, 2048);
  set(p.maxSurfaceCubemapLayered, 32768, 2046);
}


// Attributes that are a field of cudaDeviceProp; -1 for others.
long long attributeOf(const cudaDeviceProp &p, cudaDeviceAttr attr) {
  switch (attr) {
  case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
  case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
  case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
  case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
  case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
  case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
  case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(p.sharedMemPerBlock);
  case cudaDevAttrTotalConstantMemory: return static_cast<int>(p.totalConstMem);
  case cudaDevAttrWarpSize: return p.warpSize;
  case cudaDevAttrMaxPitch: return static_cast<int>(p.memPitch);
  case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
  case cudaDevAttrClockRate: return p.clockRate;
  case cudaDevAttrTextureAlignment: return static_cast<int>(p.textureAlignment);
  case cudaDevAttrGpuOverlap: return p.deviceOverlap;
  case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
  case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
  case cudaDevAttrMaxTexture1DWidth: return p.maxTexture1D;
  case cudaDevAttrMaxTexture2DWidth: return p.maxTexture2D[0];
  case cudaDevAttrMaxTexture2DHeight: return p.maxTexture2D[1];
  case cudaDevAttrMaxTexture3DWidth: return p.maxTexture3D[0];
  case cudaDevAttrMaxTexture3DHeight: return p.maxTexture3D[1];
  case cudaDevAttrMaxTexture3DDepth: return p.maxTexture3D[2];
  case cudaDevAttrMaxTexture2DLayeredWidth: return p.maxTexture2DLayered[0];
  case cudaDevAttrMaxTexture2DLayeredHeight: return p.maxTexture2DLayered[1];
  case cudaDevAttrMaxTexture2DLayeredLayers: return p.maxTexture2DLayered[2];
  case cudaDevAttrSurfaceAlignment: return static_cast<int>(p.surfaceAlignment);
  case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
  case cudaDevAttrPciBusId: return p.pciBusID;
  case cudaDevAttrMemoryClockRate: return p.memoryClockRate;
  case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
  case cudaDevAttrL2CacheSize: return p.l2CacheSize;
  case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
  case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
  case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
  case cudaDevAttrMaxTexture1DLayeredWidth: return p.maxTexture1DLayered[0];
  case cudaDevAttrMaxTexture1DLayeredLayers: return p.maxTexture1DLayered[1];
  case cudaDevAttrMaxTexture2DGatherWidth: return p.maxTexture2DGather[0];
  case cudaDevAttrMaxTexture2DGatherHeight: return p.maxTexture2DGather[1];
  case cudaDevAttrTexturePitchAlignment: return static_cast<int>(p.texturePitchAlignment);
  case cudaDevAttrMaxTexture1DLinearWidth: return p.maxTexture1DLinear;
  case cudaDevAttrMaxTexture2DLinearWidth: return p.maxTexture2DLinear[0];
  case cudaDevAttrMaxTexture2DLinearHeight: return p.maxTexture2DLinear[1];
  case cudaDevAttrMaxTexture2DLinearPitch: return p.maxTexture2DLinear[2];
  case cudaDevAttrComputeCapabilityMajor: return p.major;
  case cudaDevAttrComputeCapabilityMinor: return p.minor;
  case cudaDevAttrStreamPrioritiesSupported: return p.streamPrioritiesSupported;
  case cudaDevAttrGlobalL1CacheSupported: return p.globalL1CacheSupported;
  case cudaDevAttrLocalL1CacheSupported: return p.localL1CacheSupported;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(p.sharedMemPerMultiprocessor);
  case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
  case cudaDevAttrManagedMemory: return p.managedMemory;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio: return p.singleToDoublePrecisionPerfRatio;
  case cudaDevAttrConcurrentManagedAccess: return p.concurrentManagedAccess;
  case cudaDevAttrComputePreemptionSupported: return p.computePreemptionSupported;
  case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(p.sharedMemPerBlockOptin);
  case cudaDevAttrHostRegisterSupported: return p.hostRegisterSupported;
  case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
  case cudaDevAttrReservedSharedMemoryPerBlock: return static_cast<int>(p.reservedSharedMemPerBlock);
  case cudaDevAttrMemoryPoolsSupported: return p.memoryPoolsSupported;
  case cudaDevAttrHostNumaId: return -1;
  case cudaDevAttrMaxTexture3DWidthAlt: return p.maxTexture3DAlt[0];
  case cudaDevAttrMaxTexture3DHeightAlt: return p.maxTexture3DAlt[1];
  case cudaDevAttrMaxTexture3DDepthAlt: return p.maxTexture3DAlt[2];
  case cudaDevAttrMaxTextureCubemapWidth: return p.maxTextureCubemap;
  case cudaDevAttrMaxTextureCubemapLayeredWidth: return p.maxTextureCubemapLayered[0];
  case cudaDevAttrMaxTextureCubemapLayeredLayers: return p.maxTextureCubemapLayered[1];
  case cudaDevAttrMaxSurface1DWidth: return p.maxSurface1D;
  case cudaDevAttrMaxSurface2DWidth: return p.maxSurface2D[0];
  case cudaDevAttrMaxSurface2DHeight: return p.maxSurface2D[1];
  case cudaDevAttrMaxSurface3DWidth: return p.maxSurface3D[0];
  case cudaDevAttrMaxSurface3DHeight: return p.maxSurface3D[1];
  case cudaDevAttrMaxSurface3DDepth: return p.maxSurface3D[2];
  case cudaDevAttrMaxSurface1DLayeredWidth: return p.maxSurface1DLayered[0];
  case cudaDevAttrMaxSurface1DLayeredLayers: return p.maxSurface1DLayered[1];
  case cudaDevAttrMaxSurface2DLayeredWidth: return p.maxSurface2DLayered[0];
  case cudaDevAttrMaxSurface2DLayeredHeight: return p.maxSurface2DLayered[1];
  case cudaDevAttrMaxSurface2DLayeredLayers: return p.maxSurface2DLayered[2];
  case cudaDevAttrMaxSurfaceCubemapWidth: return p.maxSurfaceCubemap;
  case cudaDevAttrMaxSurfaceCubemapLayeredWidth: return p.maxSurfaceCubemapLayered[0];
  case cudaDevAttrMaxSurfaceCubemapLayeredLayers: return p.maxSurfaceCubemapLayered[1];
  case cudaDevAttrMaxTexture2DMipmappedWidth: return p.maxTexture2DMipmap[0];
  case cudaDevAttrMaxTexture2DMipmappedHeight: return p.maxTexture2DMipmap[1];
  case cudaDevAttrMaxTexture1DMipmappedWidth: return p.maxTexture1DMipmap;
  case cudaDevAttrCanUseHostPointerForRegisteredMem: return p.canUseHostPointerForRegisteredMem;
  case cudaDevAttrVirtualMemoryManagementSupported: return 1;
  default: return attr > 0 && attr < cudaDevAttrMax ? 0 : -2;
  }
}

cudaError_t sync() {
  if (cudaError_t e = syncInCapture(nullptr)) return e;
  Call c{protocol::DeviceSync()};
  c.send();
  return c.result();
}

} // namespace

cudaDeviceProp propertiesOf(int device) {
  const protocol::Caps &c = caps();
  cudaDeviceProp p{};
  snprintf(p.name, sizeof p.name, "warpgrind emulated GPU (sm_%d)", static_cast<int>(c.sm));
  memcpy(p.uuid.bytes, "warpgrind-gpu-00", sizeof p.uuid.bytes);
  fillLimits(p, c);
  fillTextures(p);
  p.clockRate = kClockKHz;
  p.memoryClockRate = kMemoryClockKHz;
  p.memoryBusWidth = kBusBits;
  p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
  p.asyncEngineCount = 2;
  p.uuid.bytes[15] = static_cast<char>('0' + device % 10);
  p.uuid.bytes[14] = static_cast<char>('0' + device / 10);
  p.pciBusID = device + 1;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.managedMemory = c.sm >= 30;
  p.concurrentManagedAccess = p.computePreemptionSupported = p.cooperativeLaunch = c.sm >= 60;
  p.hostRegisterSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.hostNativeAtomicSupported = 0;
  p.clusterLaunch = c.sm >= 90;
  p.memoryPoolsSupported = 1;
  p.unifiedFunctionPointers = 1;
  return p;
}

std::string identifierOf(int device) {
  const cudaDeviceProp p = propertiesOf(device);
  std::string out = "GPU";
  for (int i = 0; i < 16; i++) {
    char digits[4];
    snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(p.uuid.bytes[i]));
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += digits;
  }
  return out;
}

namespace core {

cudaError_t cudaGetDeviceCount(int *count) {
  cudaError_t e = connectOnce();
  if (!count) return invalid("the result pointer is null");
  *count = e == cudaSuccess ? visibleDevices() : 0;
  return e;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  if (!prop) return invalid("the result pointer is null");
  *prop = propertiesOf(emulatedDevice(device));
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device) {
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  if (!value) return invalid("the result pointer is null");
  long long v = attributeOf(propertiesOf(emulatedDevice(device)), attr);
  if (v < -1) return invalid("no such device attribute");
  *value = static_cast<int>(v);
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  cudaError_t e = checkDevice(device);
  if (e == cudaSuccess) setContext(primaryContext(device));
  return e;
}

cudaError_t cudaGetDevice(int *device) {
  cudaError_t e = connectOnce();
  if (e == cudaSuccess && device) *device = currentDevice();
  return e != cudaSuccess || device ? e : cudaErrorInvalidValue;
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { return core::cudaGetDevice(device); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return checkDevice(device); }

cudaError_t cudaSetValidDevices(int *devices, int len) {
  return len > 0 && devices ? checkDevice(devices[0]) : checkDevice(0);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (flags & ~static_cast<unsigned>(cudaDeviceMask)) return invalid("unknown flags");
  std::lock_guard<std::mutex> lock(settings().mutex);
  settings().flags[currentDevice()] = flags;
  return checkDevice(0);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags) return invalid("the result pointer is null");
  std::lock_guard<std::mutex> lock(settings().mutex);
  *flags = settings().flags[currentDevice()] | cudaDeviceMapHost;
  return checkDevice(0);
}

cudaError_t cudaDeviceSynchronize(void) { return sync(); }
cudaError_t cudaThreadSynchronize(void) { return sync(); }

cudaError_t cudaDeviceReset(void) {
  Call c{protocol::Reset()};
  if (c.send()) {
    const int device = currentDevice();
    forgetModules(device);
    forgetRegistered(device);
    std::lock_guard<std::mutex> lock(settings().mutex);
    settings().limits.erase(device);
    auto &peers = settings().peers;
    for (auto it = peers.begin(); it != peers.end();) it = it->first == device ? peers.erase(it) : std::next(it);
  }
  return c.result();
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
    return invalid("no such limit");
  Call c{protocol::SetLimit(static_cast<uint32_t>(limit), value)};
  if (c.send()) {
    std::lock_guard<std::mutex> lock(settings().mutex);
    settings().limits[currentDevice()].of[limit] = value;
  }
  return c.result();
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  if (!value) return invalid("the result pointer is null");
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
    return invalid("no such limit");
  std::lock_guard<std::mutex> lock(settings().mutex);
  *value = settings().limits[currentDevice()].of[limit];
  return checkDevice(0);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  if (!config) return invalid("the result pointer is null");
  std::lock_guard<std::mutex> lock(settings().mutex);
  *config = settings().cache[currentDevice()];
  return checkDevice(0);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  std::lock_guard<std::mutex> lock(settings().mutex);
  settings().cache[currentDevice()] = config;
  return checkDevice(0);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  if (!config) return invalid("the result pointer is null");
  std::lock_guard<std::mutex> lock(settings().mutex);
  auto it = settings().banks.find(currentDevice());
  *config = it == settings().banks.end() ? cudaSharedMemBankSizeFourByte : it->second;
  return checkDevice(0);
}

// Only devices of capability 3.x have another size than four bytes.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  cudaError_t e = checkDevice(0);
  if (e != cudaSuccess || caps().sm / 10 != 3) return e;
  std::lock_guard<std::mutex> lock(settings().mutex);
  settings().banks[currentDevice()] = config == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : config;
  return e;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return checkDevice(0);
}

cudaError_t cudaDeviceGetPCIBusId(char *busId, int len, int device) {
  if (!busId || len < 13) return invalid("the buffer is too small");
  cudaError_t e = checkDevice(device);
  if (e == cudaSuccess) snprintf(busId, static_cast<size_t>(len), "0000:%02X:00.0", emulatedDevice(device) + 1);
  return e;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *busId) {
  if (!device || !busId) return invalid("a pointer is null");
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  bool ok = sscanf(busId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) >= 3 ||
            sscanf(busId, "%x:%x.%x", &bus, &slot, &function) >= 2;
  if (!ok) return invalid("not a PCI address");
  cudaError_t e = connectOnce();
  const int d = visibleDevice(static_cast<int>(bus) - 1);
  if (e == cudaSuccess && emulatedDevice(d) != static_cast<int>(bus) - 1) e = misuse(cudaErrorInvalidDevice, "no such device");
  if (e == cudaSuccess) e = checkDevice(d);
  if (e == cudaSuccess) *device = d;
  return e;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can) return invalid("the result pointer is null");
  cudaError_t e = checkDevice(device);
  if (e == cudaSuccess) e = checkDevice(peer);
  *can = e == cudaSuccess && device != peer;
  return e;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags != 0) return invalid("flags must be 0");
  cudaError_t e = checkDevice(peer);
  if (e != cudaSuccess) return e;
  if (peer == currentDevice()) return misuse(cudaErrorInvalidDevice, "a device is not its own peer");
  std::lock_guard<std::mutex> lock(settings().mutex);
  if (settings().peers.insert({currentDevice(), peer}).second) return cudaSuccess;
  return cudaErrorPeerAccessAlreadyEnabled;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  cudaError_t e = checkDevice(peer);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(settings().mutex);
  if (settings().peers.erase({currentDevice(), peer})) return cudaSuccess;
  return misuse(cudaErrorPeerAccessNotEnabled, "peer access was not enabled");
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attr, int src, int dst) {
  if (!value) return invalid("the result pointer is null");
  cudaError_t e = checkDevice(src);
  if (e == cudaSuccess) e = checkDevice(dst);
  if (e != cudaSuccess) return e;
  if (src == dst) return misuse(cudaErrorInvalidDevice, "a device is not its own peer");
  *value = attr != cudaDevP2PAttrPerformanceRank;
  return e;
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget, cudaFlushGPUDirectRDMAWritesScope) {
  return checkDevice(0);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const cudaChannelFormatDesc *desc, int device) {
  if (!width || !desc) return invalid("a pointer is null");
  cudaError_t e = checkDevice(device);
  if (e == cudaSuccess) *width = static_cast<size_t>(propertiesOf(emulatedDevice(device)).maxTexture1DLinear);
  return e;
}

// The only notification reports that the process exceeds its budget of device memory, which
// only the driver of a shared GPU sets: the callback is never called.
cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callback, void *,
                                                cudaAsyncCallbackHandle_t *handle) {
  if (!callback || !handle) return invalid("a pointer is null");
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  static uintptr_t last;
  std::lock_guard<std::mutex> lock(settings().mutex);
  *handle = reinterpret_cast<cudaAsyncCallbackHandle_t>(++last);
  settings().notified.insert({device, *handle});
  return cudaSuccess;
}

cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t handle) {
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(settings().mutex);
  return settings().notified.erase({device, handle}) ? cudaSuccess : invalid("the callback is not registered on this device");
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return checkDevice(0); }

// The driver is the last one of its CUDA version, as it takes the PTX of each release: a program that finds an older one
// than its compiler makes machine code, which this one cannot run.
cudaError_t cudaDriverGetVersion(int *version) {
  constexpr int kMajor = CUDART_VERSION / 1000, kLastMinor = 9;
  if (!version) return cudaErrorInvalidValue;
  *version = kMajor * 1000 + kLastMinor * 10;
  return cudaSuccess;
}

cudaError_t cudaProfilerStart(void) { return checkDevice(0); }
cudaError_t cudaProfilerStop(void) { return checkDevice(0); }

} // namespace core
} // namespace warpgrind
