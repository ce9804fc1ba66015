// The driver API: linking of PTX texts to one.
#include "driver.h"

#include <algorithm>
#include <set>

#include "device_runtime.h"
#include "jit.h"

namespace warpgrind {
namespace {

// A link in progress: the PTX of its inputs, one after the other, and whether the
// device runtime is among them.
struct Link {
  Logs logs;
  std::string ptx;
  bool deviceRuntime;
};

// The directives that open a PTX module; only the first input's are kept.
bool isHeading(const std::string &line) {
  for (const char *d : {".version", ".target", ".address_size"})
    if (line.compare(0, strlen(d), d) == 0) return true;
  return false;
}

// The name that a declaration or definition on a line is of, or "": what comes
// before the first bracket, semicolon or equals sign, after a function's
// result in brackets.
std::string nameIn(std::string line) {
  size_t f = line.find(".func");
  if (f != std::string::npos) {
    size_t from = line.find_first_not_of(" \t", f + strlen(".func"));
    if (from != std::string::npos && line[from] == '(') from = line.find(')', from);
    if (from == std::string::npos) return "";
    line = line.substr(line[from] == ')' ? from + 1 : from);
  }
  line = line.substr(0, line.find_first_of("([;="));
  size_t last = line.find_last_not_of(" \t\r");
  if (last == std::string::npos) return "";
  size_t first = line.find_last_of(" \t", last);
  return line.substr(first + 1, last - first);
}

void append(Link &link, const std::string &text) {
  size_t at = 0;
  bool first = link.ptx.empty();
  while (at < text.size()) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(at, end - at);
    size_t start = line.find_first_not_of(" \t\r");
    if (first || start == std::string::npos || !isHeading(line.substr(start))) link.ptx += line;
    link.ptx += '\n';
    at = end + 1;
  }
}

// Takes .extern declarations away whose names the text defines. Each ends
// with a semicolon.
std::string withoutResolved(const std::string &text) {
  std::set<std::string> defined;
  size_t at = 0;
  auto lineAt = [&](size_t i) { return text.substr(i, std::min(text.find('\n', i), text.size()) - i); };
  for (at = 0; at < text.size(); at += lineAt(at).size() + 1) {
    std::string line = lineAt(at);
    if (line.compare(0, 8, ".visible") == 0 || line.compare(0, 5, ".weak") == 0) defined.insert(nameIn(line));
  }
  std::string out;
  for (at = 0; at < text.size();) {
    std::string line = lineAt(at);
    if (line.compare(0, 7, ".extern") == 0 && defined.count(nameIn(line))) {
      size_t end = text.find(';', at);
      if (end == std::string::npos) break;
      for (size_t i = at; i < end; i++)
        if (text[i] == '\n') out += '\n'; // the numbers of lines stay
      at = end + 1;
      continue;
    }
    out += line + "\n";
    at += line.size() + 1;
  }
  return out;
}

// Whether a library is that of the device runtime.
bool isDeviceRuntime(const void *data, size_t size) {
  static const char archive[] = "!<arch>\n", member[] = "cuda_device_runtime";
  return size >= sizeof archive && memcmp(data, archive, sizeof archive - 1) == 0 &&
         memmem(data, size, member, sizeof member - 1);
}

Link *link(CUlinkState s) { return reinterpret_cast<Link *>(s); }

} // namespace

namespace core {

cudaError_t cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *out) {
  if (!out) return invalid("the result pointer is null");
  *out = reinterpret_cast<CUlinkState>(new Link{Logs(count, options, values), "", false});
  return cudaSuccess;
}

cudaError_t cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *, unsigned,
                          CUjit_option *, void **) {
  if (!state || !data) return invalid("a pointer is null");
  if (type == CU_JIT_INPUT_LIBRARY && isDeviceRuntime(data, size)) {
    link(state)->deviceRuntime = true;
    return cudaSuccess;
  }
  if (type != CU_JIT_INPUT_PTX) return unsupported("cuLinkAddData of anything but PTX");
  std::string text(static_cast<char *>(data), size);
  append(*link(state), text.substr(0, text.find('\0')));
  return cudaSuccess;
}

cudaError_t cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned, CUjit_option *, void **) {
  if (!state || !path) return invalid("a pointer is null");
  if (type == CU_JIT_INPUT_LIBRARY && strstr(path, "cudadevrt")) {
    link(state)->deviceRuntime = true;
    return cudaSuccess;
  }
  if (type != CU_JIT_INPUT_PTX) return unsupported("cuLinkAddFile of anything but PTX");
  const char *text = content(path);
  if (!text) return misuse(cudaErrorFileNotFound, path);
  append(*link(state), text);
  return cudaSuccess;
}

// The "cubin" is the linked PTX, which cuModuleLoadData takes.
cudaError_t cuLinkComplete(CUlinkState state, void **cubin, size_t *size) {
  if (!state || !cubin) return invalid("a pointer is null");
  Link &l = *link(state);
  if (l.deviceRuntime) l.ptx += deviceRuntime;
  l.ptx = withoutResolved(l.ptx);
  l.logs.write("");
  *cubin = &l.ptx[0];
  if (size) *size = l.ptx.size() + 1;
  return cudaSuccess;
}

cudaError_t cuLinkDestroy(CUlinkState state) {
  delete link(state);
  return cudaSuccess;
}

} // namespace core
} // namespace warpgrind
