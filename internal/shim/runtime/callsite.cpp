// Where an API call was made. Unwinding the stack takes longer than all else
// that a launch needs, so what it found is kept together with the places on the
// stack where the return addresses lay. As long as they lie there again, the
// chain of calls is the same.
#include "callsite.h"

#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>

namespace warpgrind {
namespace {

constexpr int kDepth = kMaxFrames + 4;
constexpr int kKept = 64;            // a power of two
constexpr uintptr_t kReach = 1 << 16; // bytes of stack that are searched

struct Kept {
  const void *frame = nullptr; // the place on the stack that it is for; null: none
  int n = 0;
  void *addresses[kDepth];
  const uintptr_t *slots[kDepth];
};

struct Stack {
  uintptr_t begin = 0, end = 0; // 0 where it is unknown
  Kept kept[kKept];

  Stack() {
    pthread_attr_t attr;
    void *base;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attr) != 0) return;
    if (pthread_attr_getstack(&attr, &base, &size) == 0) {
      begin = reinterpret_cast<uintptr_t>(base);
      end = begin + size;
    }
    pthread_attr_destroy(&attr);
  }
};

bool valid(const Kept &k) {
  for (int i = 0; i < k.n; i++)
    if (*k.slots[i] != reinterpret_cast<uintptr_t>(k.addresses[i])) return false;
  return true;
}

// Finds where the return addresses lie, each above the one before.
bool locate(Kept &k, const uintptr_t *from, uintptr_t end) {
  const uintptr_t *p = from;
  const auto *last = reinterpret_cast<const uintptr_t *>(
      end - reinterpret_cast<uintptr_t>(from) > kReach ? reinterpret_cast<uintptr_t>(from) + kReach : end);
  for (int i = 0; i < k.n; i++) {
    while (p < last && *p != reinterpret_cast<uintptr_t>(k.addresses[i])) p++;
    if (p >= last) return false;
    k.slots[i] = p++;
  }
  return true;
}

} // namespace

int returnAddresses(void **out, int most) {
  static thread_local Stack stack; // without a destructor: calls may come late
  const void *frame = __builtin_frame_address(0);
  auto at = reinterpret_cast<uintptr_t>(frame);
  Kept &k = stack.kept[(at >> 4) % kKept];
  if (k.frame != frame || !valid(k)) {
    k.frame = nullptr;
    void *raw[kDepth + 1];
    int n = backtrace(raw, kDepth + 1);
    k.n = n > 0 ? n - 1 : 0; // without this function itself
    for (int i = 0; i < k.n; i++) k.addresses[i] = raw[i + 1];
    bool here = stack.begin <= at && at < stack.end; // not that of a coroutine
    if (here && locate(k, static_cast<const uintptr_t *>(frame), stack.end)) k.frame = frame;
  }
  int n = k.n < most ? k.n : most;
  for (int i = 0; i < n; i++) out[i] = k.addresses[i];
  return n;
}

std::string callersFile() {
  Dl_info own{}, at{};
  dladdr(reinterpret_cast<void *>(returnAddresses), &own);
  void *frames[kDepth];
  int n = returnAddresses(frames, kDepth);
  for (int i = 0; i < n; i++) {
    if (!dladdr(frames[i], &at) || at.dli_fbase == own.dli_fbase || !at.dli_fname) continue;
    const char *slash = strrchr(at.dli_fname, '/');
    return slash ? slash + 1 : at.dli_fname;
  }
  return "";
}

} // namespace warpgrind
