// Page-locked host memory, managed memory and what can be asked about
// pointers.
#include <cerrno>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

#include "client.h"
#include "hostwatch.h"
#include "lasting.h"
#include "memory.h"
#include "registry.h"

namespace warpgrind {
namespace {

constexpr const char *kNull = "the result pointer is null";
constexpr const char *kNotManaged = "not managed memory";

// Host memory that the program registered. Its pages are replaced by pages of
// the arena with the same content, so that both sides see the same bytes.
struct Registered {
  size_t size;
  unsigned flags;
  char *pages; // the first page, and the bytes in all
  size_t length;
  uint64_t arena; // where the device sees pages
  int device;     // that was current
};

struct Table {
  std::mutex mutex;
  std::map<char *, Registered> ranges;
};

Table &table() {
  static Lasting<Table> t;
  return t.get();
}

// The range that overlaps [p, p+n), or end. The mutex is held.
std::map<char *, Registered>::iterator overlapping(char *p, size_t n) {
  auto &m = table().ranges;
  auto it = m.lower_bound(p + n);
  if (it == m.begin()) return m.end();
  --it;
  return it->first + it->second.size > p ? it : m.end();
}

// Whether a page is shared with another registered range.
bool sharesPages(char *pages, size_t length) {
  for (auto &r : table().ranges)
    if (r.second.pages < pages + length && pages < r.second.pages + r.second.length) return true;
  return false;
}

// Puts the pages at shared, or anonymous ones for null, in the place of pages, with
// their content. Shared pages then have two places (mremap(2), old_size 0).
bool replacePages(char *pages, size_t length, void *shared) {
  void *fresh = shared ? mremap(shared, 0, length, MREMAP_MAYMOVE)
                       : mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) return false;
  memcpy(fresh, pages, length);
  return mremap(fresh, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, pages) == pages;
}

// Gives the range's pages an arena of their own; false where that cannot be.
cudaError_t share(char *p, Registered &r) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  uintptr_t first = reinterpret_cast<uintptr_t>(p) / page * page;
  r.pages = reinterpret_cast<char *>(first);
  r.length = (reinterpret_cast<uintptr_t>(p) + r.size - first + page - 1) / page * page;
  unsigned char resident; // only memory of this process can be registered
  for (size_t i = 0; i < r.length; i += page)
    if (mincore(r.pages + i, page, &resident) != 0) return invalid("not host memory");
  if (sharesPages(r.pages, r.length)) return cudaSuccess; // without a view of its own
  void *at = nullptr;
  cudaError_t e = allocate(kPinned, &at, r.length);
  if (e != cudaSuccess) return e;
  r.arena = reinterpret_cast<uintptr_t>(at);
  if (replacePages(r.pages, r.length, at)) return cudaSuccess;
  release(at, true);
  r.arena = 0;
  return invalid("the pages cannot be shared");
}

cudaError_t hostMemory(void *p, unsigned *flags) {
  unsigned registered = 0;
  if (isRegistered(p, &registered)) {
    *flags = registered | cudaHostAllocMapped;
    return cudaSuccess;
  }
  PointerInfo i{};
  cudaError_t e = pointerInfo(p, &i);
  *flags = cudaHostAllocMapped;
  if (e != cudaSuccess || i.type == cudaMemoryTypeHost) return e;
  return invalid("not page-locked host memory");
}

cudaError_t checkManaged(const void *p, size_t count) {
  PointerInfo i{};
  cudaError_t e = pointerInfo(p, &i);
  if (e != cudaSuccess) return e;
  if (i.type != cudaMemoryTypeManaged) return invalid(kNotManaged);
  uint64_t offset = deviceView(reinterpret_cast<uintptr_t>(p)) - i.base;
  return count <= i.size - offset ? cudaSuccess : invalid("beyond the end of the allocation");
}

// Whether a location can be named: a device or the host.
cudaError_t checkLocation(int device) {
  return device == cudaCpuDeviceId ? cudaSuccess : cudaSuccess != connectOnce() || device < 0 ||
                 device >= visibleDevices()
             ? misuse(cudaErrorInvalidDevice, "no such device")
             : cudaSuccess;
}

// Advice on managed memory: what was last said about a range, by its start.
struct Advice {
  size_t size;
  int readMostly = 0, preferred = cudaInvalidDeviceId, prefetched = cudaInvalidDeviceId;
  std::map<int, bool> accessedBy;
};

struct Advised {
  std::mutex mutex;
  std::map<uint64_t, Advice> ranges;
};

Advised &advised() {
  static Lasting<Advised> a;
  return a.get();
}

// The advice on exactly [p, p+n), made where there is none. The mutex is held.
Advice &adviceOn(const void *p, size_t n) {
  auto &ranges = advised().ranges;
  auto it = ranges.upper_bound(reinterpret_cast<uintptr_t>(p));
  if (it != ranges.begin()) {
    --it;
    uint64_t offset = reinterpret_cast<uintptr_t>(p) - it->first;
    if (offset < it->second.size && n <= it->second.size - offset) return it->second;
  }
  Advice &a = ranges[reinterpret_cast<uintptr_t>(p)];
  a.size = n;
  return a;
}

cudaError_t advise(const void *p, size_t n, cudaMemoryAdvise advice, int device) {
  cudaError_t e = checkManaged(p, n);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(advised().mutex);
  Advice &a = adviceOn(p, n);
  switch (advice) {
  case cudaMemAdviseSetReadMostly: a.readMostly = 1; return cudaSuccess;
  case cudaMemAdviseUnsetReadMostly: a.readMostly = 0; return cudaSuccess;
  case cudaMemAdviseUnsetPreferredLocation: a.preferred = cudaInvalidDeviceId; return cudaSuccess;
  default: break;
  }
  if ((e = checkLocation(device)) != cudaSuccess) return e;
  switch (advice) {
  case cudaMemAdviseSetPreferredLocation: a.preferred = device; return cudaSuccess;
  case cudaMemAdviseSetAccessedBy: a.accessedBy[device] = true; return cudaSuccess;
  case cudaMemAdviseUnsetAccessedBy: a.accessedBy.erase(device); return cudaSuccess;
  default: return invalid("no such advice");
  }
}

cudaError_t prefetch(const void *p, size_t n, int device) {
  cudaError_t e = checkManaged(p, n);
  if (e == cudaSuccess) e = checkLocation(device);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(advised().mutex);
  adviceOn(p, n).prefetched = device;
  return cudaSuccess;
}

int locationOf(const cudaMemLocation &l) { return l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId; }

// Fills in one attribute; size is the room at data in bytes.
cudaError_t rangeAttribute(void *data, size_t size, cudaMemRangeAttribute attribute, const void *p, size_t n) {
  if (!data || size < sizeof(int) || size % sizeof(int))
    return invalid("the result has no room");
  cudaError_t e = checkManaged(p, n);
  if (e != cudaSuccess) return e;
  std::lock_guard<std::mutex> lock(advised().mutex);
  const Advice &a = adviceOn(p, n);
  auto typeOf = [](int device) {
    return device == cudaInvalidDeviceId ? cudaMemLocationTypeInvalid
           : device == cudaCpuDeviceId   ? cudaMemLocationTypeHost
                                         : cudaMemLocationTypeDevice;
  };
  int *out = static_cast<int *>(data);
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly: *out = a.readMostly; break;
  case cudaMemRangeAttributePreferredLocation:
  case cudaMemRangeAttributePreferredLocationId: *out = a.preferred; break;
  case cudaMemRangeAttributeLastPrefetchLocation:
  case cudaMemRangeAttributeLastPrefetchLocationId: *out = a.prefetched; break;
  case cudaMemRangeAttributePreferredLocationType: *out = typeOf(a.preferred); break;
  case cudaMemRangeAttributeLastPrefetchLocationType: *out = typeOf(a.prefetched); break;
  case cudaMemRangeAttributeAccessedBy: {
    auto it = a.accessedBy.begin();
    for (size_t i = 0; i < size / sizeof(int); i++)
      out[i] = it == a.accessedBy.end() ? cudaInvalidDeviceId : (it++)->first;
    break;
  }
  default: return invalid("no such attribute");
  }
  return cudaSuccess;
}

} // namespace

uint64_t deviceView(uint64_t address) {
  if (connectOnce() != cudaSuccess || address - caps().arenaBase < caps().arenaSize) return address;
  uint64_t a = deviceAddress(address);
  if (a != address) return a;
  std::lock_guard<std::mutex> lock(table().mutex);
  if (table().ranges.empty()) return address;
  auto it = overlapping(reinterpret_cast<char *>(address), 1);
  if (it == table().ranges.end() || !it->second.arena) return address;
  return it->second.arena + (address - reinterpret_cast<uintptr_t>(it->second.pages));
}

bool hasViews() {
  if (hasMirrors()) return true;
  std::lock_guard<std::mutex> lock(table().mutex);
  return !table().ranges.empty();
}

bool isRegistered(const void *p, unsigned *flags) {
  std::lock_guard<std::mutex> lock(table().mutex);
  auto it = overlapping(static_cast<char *>(const_cast<void *>(p)), 1);
  if (it == table().ranges.end()) return false;
  *flags = it->second.flags;
  return true;
}

void forgetRegistered(int device) {
  std::lock_guard<std::mutex> lock(table().mutex);
  auto &ranges = table().ranges;
  for (auto it = ranges.begin(); it != ranges.end();) {
    if (it->second.device != device) {
      ++it;
      continue;
    }
    if (it->second.arena) {
      forgetRange(it->first);
      replacePages(it->second.pages, it->second.length, nullptr);
    }
    it = ranges.erase(it);
  }
}

namespace core {

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p) {
  if (!a) return invalid(kNull);
  PointerInfo i{};
  cudaError_t e = pointerInfo(p, &i);
  if (e != cudaSuccess) return e;
  void *q = const_cast<void *>(p);
  void *device = reinterpret_cast<void *>(deviceView(reinterpret_cast<uintptr_t>(p)));
  *a = {static_cast<cudaMemoryType>(i.type), i.device, device, q};
  if (i.type == cudaMemoryTypeDevice) a->hostPointer = nullptr;
  if (i.type == cudaMemoryTypeManaged) a->devicePointer = q;
  if (i.type == cudaMemoryTypeUnregistered) *a = {cudaMemoryTypeUnregistered, -2, nullptr, q};
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  if (!device) return invalid(kNull);
  if (flags != 0) return invalid("flags must be 0");
  unsigned found;
  cudaError_t e = hostMemory(host, &found);
  if (e == cudaSuccess) *device = reinterpret_cast<void *>(deviceView(reinterpret_cast<uintptr_t>(host)));
  return e;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  if (!flags) return invalid(kNull);
  return hostMemory(host, flags);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned flags) {
  cudaError_t e = connectOnce();
  if (e != cudaSuccess) return e;
  if (!ptr || size == 0) return invalid("the range is empty");
  char *p = static_cast<char *>(ptr);
  if (reinterpret_cast<uintptr_t>(p) - caps().arenaBase < caps().arenaSize)
    return misuse(cudaErrorHostMemoryAlreadyRegistered, "the memory came from CUDA");
  std::lock_guard<std::mutex> lock(table().mutex);
  if (overlapping(p, size) != table().ranges.end())
    return misuse(cudaErrorHostMemoryAlreadyRegistered, "a part of the range is registered already");
  Registered r{size, flags, nullptr, 0, 0, currentDevice()};
  if ((e = share(p, r)) != cudaSuccess) return e;
  table().ranges[p] = r;
  if (r.arena) watchRange(p, size, r.arena + static_cast<uint64_t>(p - r.pages));
  return e;
}

cudaError_t cudaHostUnregister(void *ptr) {
  std::lock_guard<std::mutex> lock(table().mutex);
  auto it = table().ranges.find(static_cast<char *>(ptr));
  if (it == table().ranges.end())
    return misuse(cudaErrorHostMemoryNotRegistered, "not the start of a registered range");
  Registered r = it->second;
  table().ranges.erase(it);
  forgetRange(ptr);
  if (!r.arena) return cudaSuccess;
  replacePages(r.pages, r.length, nullptr);
  return release(reinterpret_cast<void *>(r.arena), true);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t) {
  return prefetch(p, n, device);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *p, size_t n, cudaMemLocation location, unsigned, cudaStream_t) {
  return prefetch(p, n, locationOf(location));
}

cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice, int device) {
  return advise(p, n, advice, device);
}

cudaError_t cudaMemAdvise_v2(const void *p, size_t n, cudaMemoryAdvise advice, cudaMemLocation location) {
  return advise(p, n, advice, locationOf(location));
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, cudaMemRangeAttribute attribute, const void *p,
                                     size_t n) {
  return rangeAttribute(data, size, attribute, p, n);
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, cudaMemRangeAttribute *attributes, size_t count,
                                      const void *p, size_t n) {
  if (!data || !sizes || !attributes || count == 0) return invalid("a pointer is null");
  cudaError_t e = cudaSuccess;
  for (size_t i = 0; i < count && e == cudaSuccess; i++)
    e = rangeAttribute(data[i], sizes[i], attributes[i], p, n);
  return e;
}

} // namespace core
} // namespace warpgrind
