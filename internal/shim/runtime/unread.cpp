// Errors of API calls that the program does not read. Host code that was compiled so
// (internal/clang/passes/unread.go) reports each result that it discards; one that is an error
// of the runtime API may still be read by cudaGetLastError, until another call fails or
// the thread ends.
#include "client.h"
#include "driver.h"
#include "unread.h"

#include <string>

namespace warpgrind {
namespace {

// The values of internal/clang/passes/unread.go.
enum Kind { kRuntime, kDriver, kGet, kPeek, kLaunch };

struct Unread {
  int code = 0; // 0: none
  int kind = 0;
  std::string name;
  Site site;
};

void report(const Unread &u, bool cleared) {
  if (u.code == 0) return;
  const char *error = cudaGetErrorName(static_cast<cudaError_t>(u.code));
  if (u.kind == kDriver) core::cuGetErrorName(static_cast<CUresult>(u.code), &error);
  const CallName name(u.name.c_str());
  const AtSite at(u.site);
  Call(protocol::Unread(u.kind == kLaunch, cleared, error ? error : "an unknown error")).send();
}

// What this thread has not read yet, and what its last cudaGetLastError was about.
struct Pending {
  Unread now, taken;
  ~Pending() { report(now, false); }
};

thread_local Pending pending;

} // namespace

void unreadOverwritten() {
  report(pending.now, false);
  pending.now.code = 0;
}

void unreadTaken() {
  pending.taken = pending.now;
  pending.now.code = 0;
}

} // namespace warpgrind

using namespace warpgrind;

extern "C" void __warpgrind_unread(int code, int kind, const char *name) {
  if (kind == kGet || kind == kPeek) {
    if (kind == kPeek) pending.now = pending.taken;
    else report(pending.taken, true);
    pending.taken.code = 0;
    return;
  }
  if (code == cudaSuccess || code == cudaErrorNotReady || isSticky(code)) return;
  const Unread u{code, kind, name, callSite()};
  if (kind == kDriver) report(u, false);
  else pending.now = u;
}
