// Stream-ordered allocation ("CUDA Runtime API", "Stream Ordered Memory
// Allocator"). Work is done in order, so a pool is bookkeeping.
#include <map>
#include <mutex>
#include <set>

#include "capture.h"
#include "client.h"
#include "context.h"
#include "lasting.h"
#include "memory.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "the result pointer is null";
constexpr size_t kMaxAttribute = 9;

struct Pool {
  int device = 0;
  bool standard = false; // a device's default pool
  uint64_t values[kMaxAttribute] = {0, 1, 1, 1, 0, 0, 0, 0, 0};
  std::map<int, cudaMemAccessFlags> access;
};

struct Pools {
  std::mutex mutex;
  std::set<Pool *> all;
  std::map<int, Pool *> standard, current;    // by device
  std::map<void *, std::pair<Pool *, size_t>> memory;
};

Pools &pools() {
  static Lasting<Pools> p;
  return p.get();
}

// A device's default pool. The mutex is held.
Pool *standardPool(int device) {
  Pool *&p = pools().standard[device];
  if (!p) {
    p = new Pool;
    p->device = device;
    p->standard = true;
    pools().all.insert(p);
  }
  return p;
}

Pool *currentPool(int device) {
  Pool *&p = pools().current[device];
  return p ? p : p = standardPool(device);
}

// Checks a handle and locks the pools.
Pool *lockPool(cudaMemPool_t handle, std::unique_lock<std::mutex> &lock, cudaError_t *error) {
  lock = std::unique_lock<std::mutex>(pools().mutex);
  auto *p = reinterpret_cast<Pool *>(handle);
  if (pools().all.count(p)) return p;
  lock.unlock();
  *error = invalid("not a memory pool");
  return nullptr;
}

void count(Pool &p, uint64_t bytes) {
  auto raise = [&](int current) {
    p.values[current] += bytes;
    if (p.values[current] > p.values[current + 1]) p.values[current + 1] = p.values[current];
  };
  raise(cudaMemPoolAttrUsedMemCurrent);
  if (p.values[cudaMemPoolAttrUsedMemCurrent] > p.values[cudaMemPoolAttrReservedMemCurrent]) {
    p.values[cudaMemPoolAttrReservedMemCurrent] = p.values[cudaMemPoolAttrUsedMemCurrent];
    if (p.values[cudaMemPoolAttrReservedMemCurrent] > p.values[cudaMemPoolAttrReservedMemHigh])
      p.values[cudaMemPoolAttrReservedMemHigh] = p.values[cudaMemPoolAttrReservedMemCurrent];
  }
}

// Gives back unused memory down to a number of bytes.
void trim(Pool &p, uint64_t keep) {
  uint64_t used = p.values[cudaMemPoolAttrUsedMemCurrent];
  uint64_t &reserved = p.values[cudaMemPoolAttrReservedMemCurrent];
  uint64_t floor = used > keep ? used : keep;
  if (reserved > floor) reserved = floor;
}

cudaError_t allocateFrom(Pool *p, void **out, size_t size, cudaStream_t stream) {
  if (!out) return invalid(kNull);
  if (isCapturing(stream)) return captureAlloc(stream, out, size);
  const InStream in{stream};
  cudaError_t e = allocate(kDevice, out, size, &in);
  if (e != cudaSuccess || size == 0) return e;
  std::lock_guard<std::mutex> lock(pools().mutex);
  pools().memory[*out] = {p, size};
  count(*p, size);
  return e;
}

} // namespace

namespace core {

cudaError_t cudaMallocAsync(void **out, size_t size, cudaStream_t stream) {
  cudaError_t e = connectOnce();
  if (e != cudaSuccess) return e;
  Pool *p;
  {
    std::lock_guard<std::mutex> lock(pools().mutex);
    p = currentPool(currentDevice());
  }
  return allocateFrom(p, out, size, stream);
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  std::unique_lock<std::mutex> lock;
  cudaError_t e;
  Pool *p = lockPool(pool, lock, &e);
  if (!p) return e;
  lock.unlock();
  return allocateFrom(p, out, size, stream);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
  if (isCapturing(stream)) return captureFree(stream, p);
  const InStream in{stream};
  cudaError_t e = release(p, false, &in);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(pools().mutex);
  auto it = pools().memory.find(p);
  if (it == pools().memory.end()) return e;
  Pool *pool = it->second.first;
  if (pools().all.count(pool)) pool->values[cudaMemPoolAttrUsedMemCurrent] -= it->second.second;
  pools().memory.erase(it);
  return e;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  if (!pool) return invalid(kNull);
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(pools().mutex);
  *pool = reinterpret_cast<cudaMemPool_t>(standardPool(device));
  return e;
}

cudaError_t cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
  if (!pool || !location) return invalid(kNull);
  if (type != CU_MEM_ALLOCATION_TYPE_PINNED || location->type != CU_MEM_LOCATION_TYPE_DEVICE)
    return cudaErrorNotSupported;
  return core::cudaDeviceGetDefaultMemPool(reinterpret_cast<cudaMemPool_t *>(pool), location->id);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  if (!pool) return invalid(kNull);
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(pools().mutex);
  *pool = reinterpret_cast<cudaMemPool_t>(currentPool(device));
  return e;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  std::unique_lock<std::mutex> lock;
  Pool *p = lockPool(pool, lock, &e);
  if (p) pools().current[device] = p;
  return e;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *props) {
  if (!pool || !props) return invalid("a pointer is null");
  if (props->allocType != cudaMemAllocationTypePinned)
    return invalid("the allocation type must be cudaMemAllocationTypePinned");
  int device = props->location.type == cudaMemLocationTypeDevice ? props->location.id : 0;
  cudaError_t e = checkDevice(device);
  if (e != cudaSuccess) return e;
  auto *p = new Pool;
  p->device = device;
  std::lock_guard<std::mutex> lock(pools().mutex);
  pools().all.insert(p);
  *pool = reinterpret_cast<cudaMemPool_t>(p);
  return e;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  std::unique_lock<std::mutex> lock;
  cudaError_t e = cudaSuccess;
  Pool *p = lockPool(pool, lock, &e);
  if (!p) return e;
  if (p->standard) {
    lock.unlock();
    return invalid("a default memory pool cannot be destroyed");
  }
  pools().all.erase(p);
  for (auto &c : pools().current)
    if (c.second == p) c.second = nullptr;
  return e; // its memory lives until it is freed
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
  std::unique_lock<std::mutex> lock;
  cudaError_t e = cudaSuccess;
  if (Pool *p = lockPool(pool, lock, &e)) trim(*p, keep);
  return e;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attr, void *value) {
  if (!value || attr < 1 || attr >= static_cast<int>(kMaxAttribute))
    return invalid("no such attribute, or a null pointer");
  std::unique_lock<std::mutex> lock;
  cudaError_t e = cudaSuccess;
  Pool *p = lockPool(pool, lock, &e);
  if (!p) return e;
  if (attr < cudaMemPoolAttrReleaseThreshold) {
    p->values[attr] = *static_cast<int *>(value) != 0;
  } else if (attr == cudaMemPoolAttrReleaseThreshold) {
    p->values[attr] = *static_cast<uint64_t *>(value);
  } else if (attr == cudaMemPoolAttrReservedMemHigh || attr == cudaMemPoolAttrUsedMemHigh) {
    p->values[attr] = p->values[attr - 1]; // can only be reset
  } else {
    lock.unlock();
    return invalid("the attribute cannot be set");
  }
  return e;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attr, void *value) {
  if (!value || attr < 1 || attr >= static_cast<int>(kMaxAttribute))
    return invalid("no such attribute, or a null pointer");
  std::unique_lock<std::mutex> lock;
  cudaError_t e = cudaSuccess;
  Pool *p = lockPool(pool, lock, &e);
  if (!p) return e;
  trim(*p, p->values[cudaMemPoolAttrReleaseThreshold]);
  if (attr < cudaMemPoolAttrReleaseThreshold) *static_cast<int *>(value) = static_cast<int>(p->values[attr]);
  else *static_cast<uint64_t *>(value) = p->values[attr];
  return e;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *list, size_t count) {
  if (!list && count) return invalid("the list is null");
  std::unique_lock<std::mutex> lock;
  cudaError_t e = cudaSuccess;
  Pool *p = lockPool(pool, lock, &e);
  for (size_t i = 0; p && i < count; i++) p->access[list[i].location.id] = list[i].flags;
  return e;
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool, cudaMemLocation *location) {
  if (!flags || !location) return invalid(kNull);
  std::unique_lock<std::mutex> lock;
  cudaError_t e = cudaSuccess;
  Pool *p = lockPool(pool, lock, &e);
  if (!p) return e;
  auto it = p->access.find(location->id);
  *flags = it != p->access.end()         ? it->second
           : location->id == p->device   ? cudaMemAccessFlagsProtReadWrite
                                         : cudaMemAccessFlagsProtNone;
  return e;
}

} // namespace core
} // namespace warpgrind
