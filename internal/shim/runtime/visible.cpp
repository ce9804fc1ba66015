// Reads CUDA_VISIBLE_DEVICES and translates the numbers of devices.
#include "visible.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "device.h"
#include "lasting.h"

namespace warpgrind {
namespace {

// The numbers of the visible devices among all.
std::vector<int> &visible() {
  static Lasting<std::vector<int>> v;
  return v.get();
}

// A number or the first characters of an identifier, as one device of several; -1 for none.
int deviceNamed(const std::string &name, int devices) {
  if (name.compare(0, 4, "GPU-") != 0) {
    char *end = nullptr;
    const long n = strtol(name.c_str(), &end, 10);
    return end == name.c_str() || n < 0 || n >= devices ? -1 : static_cast<int>(n);
  }
  int found = -1;
  for (int d = 0; d < devices; d++) {
    if (identifierOf(d).compare(0, name.size(), name) != 0) continue;
    if (found >= 0) return -1;
    found = d;
  }
  return found;
}

// The first name that is not a device's ends the list. A device that is named twice makes it empty.
std::vector<int> parse(const std::string &text, int devices) {
  std::vector<int> list;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    size_t from = text.find_first_not_of(' ', at), to = comma;
    from = std::min(from, to);
    while (to > from && text[to - 1] == ' ') to--;
    const int d = deviceNamed(text.substr(from, to - from), devices);
    if (d < 0) break;
    if (std::find(list.begin(), list.end(), d) != list.end()) return {};
    list.push_back(d);
    at = comma + 1;
  }
  return list;
}

} // namespace

void chooseVisible(int devices) {
  std::vector<int> &v = visible();
  const char *text = getenv("CUDA_VISIBLE_DEVICES");
  if (!text) {
    for (int d = 0; d < devices; d++) v.push_back(d);
    return;
  }
  v = parse(text, devices);
  if (v.empty() && *text && strcmp(text, "-1") != 0)
    fprintf(stderr, "warpgrind: CUDA_VISIBLE_DEVICES=%s hides all devices (of %d, from 0; see --devices)\n", text, devices);
}

int visibleDevices() { return static_cast<int>(visible().size()); }

int emulatedDevice(int d) { return d >= 0 && d < visibleDevices() ? visible()[static_cast<size_t>(d)] : d; }

int visibleDevice(int emulated) {
  auto it = std::find(visible().begin(), visible().end(), emulated);
  return it == visible().end() ? emulated : static_cast<int>(it - visible().begin());
}

} // namespace warpgrind
