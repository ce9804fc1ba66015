// Relocatable device code: the modules of one image (the program, a shared
// library) are linked to one when the first of them is needed.

#include <dlfcn.h>

#include "client.h"
#include "registry.h"

namespace warpgrind {

int countModules(const char *p, const char *end) {
  int n = 0;
  while (static_cast<size_t>(end - p) >= sizeof(Blob)) {
    Blob b;
    memcpy(&b, p, sizeof b);
    bool found = memcmp(b.magic, "WARPGRND", 8) == 0;
    n += found;
    p += found ? sizeof b + b.jsonBytes + b.ptxBytes : 1;
  }
  return n;
}

const void *homeOf(const void *address) {
  Dl_info info{};
  return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

cudaError_t loadLinked(const std::vector<Module *> &all, Module &wanted, const std::vector<const char *> &managed) {
  std::vector<Module *> group;
  for (Module *m : all)
    if (m->linked && m->home == wanted.home && !m->loaded.count(currentDevice()) && isOurs(m->data)) group.push_back(m);
  protocol::Batch<protocol::Part> parts;
  for (Module *m : group) parts.add(partOf(*m));
  Call c{protocol::LoadLinked(parts, protocol::Batch<std::string_view>().addAll(managed))};
  bool ok = c.send();
  uint32_t id = c.reply.first;
  cudaError_t error = c.result();
  for (Module *m : group) {
    m->loaded[currentDevice()] = {error, id};
    if (ok) id++;
  }
  return error;
}

std::string symbolName(const Module &m, const char *deviceName) {
  std::string name = deviceName;
  // clang makes names of internal linkage unique on the host's side.
  if (m.linked)
    for (const char *mark : {"__static__", "__intern__"})
      if (size_t i = name.find(mark); i != std::string::npos) name.resize(i);
  return name;
}

} // namespace warpgrind
