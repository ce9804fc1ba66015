// The stack of contexts of each thread, and the contexts of the process.
#include "context.h"
#include "lasting.h"

#include <mutex>
#include <set>
#include <vector>

#include "client.h"

namespace warpgrind {
namespace {

thread_local std::vector<Context *> &stack = *new std::vector<Context *>;
// The device that cudaSetDevice chose and that the runtime uses where the
// stack is empty.
thread_local int chosen = 0;

struct Contexts {
  std::mutex mutex;
  std::vector<Context *> primary;
  std::set<const Context *> made;
};

Contexts &contexts() {
  static Lasting<Contexts> c;
  return c.get();
}

} // namespace

int currentDevice() { return stack.empty() ? chosen : stack.back()->device; }

Context *currentContext() { return stack.empty() ? nullptr : stack.back(); }

void setContext(Context *c) {
  if (!stack.empty()) stack.pop_back();
  if (c) stack.push_back(c), chosen = c->device;
}

void pushContext(Context *c) {
  stack.push_back(c);
  chosen = c->device;
}

Context *popContext() {
  Context *c = currentContext();
  if (c) stack.pop_back();
  return c;
}

Context *primaryContext(int device) {
  Contexts &all = contexts();
  std::lock_guard<std::mutex> lock(all.mutex);
  while (static_cast<int>(all.primary.size()) <= device)
    all.primary.push_back(new Context{static_cast<int>(all.primary.size()), true});
  return all.primary[static_cast<size_t>(device)];
}

void useRuntime() {
  if (stack.empty()) stack.push_back(primaryContext(chosen));
}

Context *newContext(int device, unsigned flags) {
  auto *c = new Context{device, false, flags};
  std::lock_guard<std::mutex> lock(contexts().mutex);
  contexts().made.insert(c);
  return c;
}

bool isContext(const Context *c) {
  Contexts &all = contexts();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const Context *p : all.primary)
    if (p == c) return true;
  return all.made.count(c) > 0;
}

bool destroyContext(Context *c) {
  if (currentContext() == c) popContext();
  Contexts &all = contexts();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.made.erase(c);
  for (const Context *other : all.made)
    if (other->device == c->device) return false;
  size_t d = static_cast<size_t>(c->device);
  return d >= all.primary.size() || all.primary[d]->retained == 0;
}

cudaError_t checkDevice(int device) {
  cudaError_t e = connectOnce();
  if (e != cudaSuccess) return e;
  int n = visibleDevices();
  if (device >= 0 && device < n) return cudaSuccess;
  std::string text = n == 1 ? "there is one device, number 0" : "there are " + std::to_string(n) + " devices";
  return misuse(cudaErrorInvalidDevice, text.c_str());
}

} // namespace warpgrind
