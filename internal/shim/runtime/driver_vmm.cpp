// Virtual memory management ("CUDA Driver API", "Virtual Memory Management").
// A handle's content is kept aside while it is mapped nowhere, without the pages that nothing has touched: it may be larger
// than the machine's memory.
#include "driver.h"
#include "lasting.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "memory.h"

namespace warpgrind {
namespace {

constexpr size_t kGranularity = 2 << 20;

struct Physical {
  size_t size;
  CUmemAllocationProp prop;
  bool released = false;
  CUdeviceptr at = 0;                         // where it is mapped
  bool kept = false;                          // it was mapped before, and content has its bytes other than zero, by offset
  std::map<size_t, std::vector<char>> content{};
};

struct Mapping {
  size_t size;
  Physical *physical;
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
};

struct Space {
  std::mutex mutex;
  std::map<CUdeviceptr, size_t> reserved;
  std::map<CUdeviceptr, Mapping> mapped;
  std::map<CUmemGenericAllocationHandle, Physical *> handles;
  CUmemGenericAllocationHandle next = 1;
};

Space &space() {
  static Lasting<Space> s;
  return s.get();
}

// The range that holds [p, p+n) wholly, or end.
template <class Map, class Size> typename Map::iterator within(Map &m, CUdeviceptr p, size_t n, Size size) {
  auto it = m.upper_bound(p);
  if (it == m.begin()) return m.end();
  --it;
  size_t have = size(it->second), offset = p - it->first;
  return offset <= have && n <= have - offset ? it : m.end();
}

std::map<CUdeviceptr, size_t>::iterator reservation(CUdeviceptr p, size_t n) {
  return within(space().reserved, p, n, [](size_t s) { return s; });
}

bool rounded(size_t n) { return n > 0 && n % kGranularity == 0; }

// The bytes that are left for handles: those that are mapped nowhere count too.
size_t room() {
  Call c{protocol::MemInfo()};
  size_t left = c.send() ? c.reply.free : 0;
  for (auto &h : space().handles)
    if (!h.second->at) left -= std::min(left, h.second->size);
  return left;
}

// Keeps the content of a mapping. The program copies nothing: all work has been done, and the bytes are taken as they are.
void keep(CUdeviceptr p, const Mapping &m) {
  Call c{protocol::Contents(p, m.size)};
  if (!c.send()) return;
  const char *from = static_cast<const char *>(accessible(pointer(p)));
  m.physical->kept = true;
  m.physical->content.clear();
  for (size_t i = 0; i + 1 < c.reply.ranges.size(); i += 2) {
    const char *at = from + c.reply.ranges[i];
    m.physical->content[c.reply.ranges[i]].assign(at, at + c.reply.ranges[i + 1]);
  }
}

// Writes what was kept into a new mapping.
cudaError_t restore(CUdeviceptr p, const Physical &ph) {
  if (!ph.kept) return cudaSuccess;
  if (cudaError_t e = fillArea({pointer(p), ph.size, 1, 1, ph.size, ph.size, 0, 1}, false, nullptr)) return e;
  for (auto &part : ph.content)
    if (cudaError_t e = copyBytes(pointer(p + part.first), part.second.data(), part.second.size(), cudaMemcpyHostToDevice)) return e;
  return cudaSuccess;
}

void unmap(CUdeviceptr p, Mapping &m) {
  if (!m.physical->released) keep(p, m);
  m.physical->at = 0;
  if (m.physical->released) delete m.physical;
  Call c{protocol::Unmap(p, m.size)};
  c.send();
}

} // namespace

namespace core {

cudaError_t cuMemGetAllocationGranularity(size_t *out, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags) {
  if (!out || !prop) return invalid("a pointer is null");
  *out = kGranularity;
  return cudaSuccess;
}

cudaError_t cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr, unsigned long long flags) {
  if (!out || flags != 0 || !rounded(bytes) || (alignment & (alignment - 1)) != 0)
    return invalid("the size is not a multiple of the granularity, or flags are not 0");
  Call c{protocol::Reserve(bytes, alignment > kGranularity ? alignment : kGranularity)};
  if (!c.send()) return c.result();
  std::lock_guard<std::mutex> lock(space().mutex);
  space().reserved[*out = c.reply.address.value()] = bytes;
  return cudaSuccess;
}

cudaError_t cuMemAddressFree(CUdeviceptr p, size_t bytes) {
  std::lock_guard<std::mutex> lock(space().mutex);
  auto it = space().reserved.find(p);
  if (it == space().reserved.end() || it->second != bytes) return invalid("not a reserved range");
  for (auto &m : space().mapped)
    if (m.first >= p && m.first < p + bytes) return invalid("memory is mapped in the range");
  space().reserved.erase(it);
  Call c{protocol::Unreserve(p)};
  c.send();
  return c.result();
}

cudaError_t cuMemCreate(CUmemGenericAllocationHandle *out, size_t bytes, const CUmemAllocationProp *prop,
                        unsigned long long flags) {
  if (!out || !prop || flags != 0 || !rounded(bytes))
    return invalid("the size is not a multiple of the granularity, or a pointer is null");
  if (prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) return invalid("the type must be pinned");
  if (prop->location.type == CU_MEM_LOCATION_TYPE_DEVICE)
    if (cudaError_t e = checkDevice(prop->location.id)) return e;
  std::lock_guard<std::mutex> lock(space().mutex);
  if (bytes > room()) return misuse(cudaErrorMemoryAllocation, "more than the device has left");
  *out = space().next++;
  space().handles[*out] = new Physical{bytes, *prop};
  return cudaSuccess;
}

cudaError_t cuMemRelease(CUmemGenericAllocationHandle handle) {
  std::lock_guard<std::mutex> lock(space().mutex);
  auto it = space().handles.find(handle);
  if (it == space().handles.end()) return invalid("not a handle");
  Physical *p = it->second;
  space().handles.erase(it);
  p->released = true;
  if (!p->at) delete p;
  return cudaSuccess;
}

cudaError_t cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                     unsigned long long flags) {
  std::unique_lock<std::mutex> lock(space().mutex);
  auto h = space().handles.find(handle);
  if (h == space().handles.end() || flags != 0) return invalid("not a handle");
  Physical &ph = *h->second;
  if (offset != 0 || bytes != ph.size) return invalid("the whole of the handle must be mapped");
  if (reservation(p, bytes) == space().reserved.end()) return invalid("not within a reserved range");
  for (auto &m : space().mapped)
    if (m.first < p + bytes && p < m.first + m.second.size) return invalid("memory is mapped there already");
  if (ph.at) return unsupported("cuMemMap of one handle at two addresses");
  Call c{protocol::Map(p, bytes)};
  if (!c.send()) return c.result();
  ph.at = p;
  space().mapped[p] = {bytes, &ph};
  return restore(p, ph);
}

cudaError_t cuMemUnmap(CUdeviceptr p, size_t bytes) {
  std::lock_guard<std::mutex> lock(space().mutex);
  auto first = space().mapped.find(p);
  auto it = first;
  CUdeviceptr end = p;
  while (it != space().mapped.end() && it->first == end && end < p + bytes) end += (it++)->second.size;
  if (first == it || end != p + bytes) return invalid("not the range of one or more mappings");
  for (auto m = first; m != it; ++m) unmap(m->first, m->second);
  space().mapped.erase(first, it);
  return cudaSuccess;
}

cudaError_t cuMemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *desc, size_t count) {
  if (!desc || count == 0) return invalid("there are no descriptions");
  std::lock_guard<std::mutex> lock(space().mutex);
  CUdeviceptr end = p;
  for (auto it = space().mapped.find(p); it != space().mapped.end() && it->first == end && end < p + bytes; ++it) {
    it->second.access = desc[0].flags;
    end += it->second.size;
  }
  return end == p + bytes ? cudaSuccess : invalid("not the range of one or more mappings");
}

cudaError_t cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr p) {
  std::lock_guard<std::mutex> lock(space().mutex);
  auto it = within(space().mapped, p, 1, [](const Mapping &m) { return m.size; });
  if (!flags || !location || it == space().mapped.end()) return invalid("nothing is mapped there");
  *flags = it->second.access;
  return cudaSuccess;
}

cudaError_t cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle) {
  std::lock_guard<std::mutex> lock(space().mutex);
  auto it = space().handles.find(handle);
  if (!prop || it == space().handles.end()) return invalid("not a handle");
  *prop = it->second->prop;
  return cudaSuccess;
}

cudaError_t cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *p) {
  std::lock_guard<std::mutex> lock(space().mutex);
  auto it = within(space().mapped, address(p), 1, [](const Mapping &m) { return m.size; });
  if (!out || it == space().mapped.end()) return invalid("nothing is mapped there");
  it->second.physical->released = false;
  *out = space().next++;
  space().handles[*out] = it->second.physical;
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
