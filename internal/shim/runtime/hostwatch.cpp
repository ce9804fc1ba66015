// Notes accesses of host code to memory that kernels can access, by place, until the next
// request tells the server; see hostwatch.h.
#include "hostwatch.h"
#include "lasting.h"

#include <algorithm>
#include <mutex>
#include <pthread.h>
#include <set>
#include <unordered_map>
#include <vector>

#include "callsite.h"
#include "client.h"
#include "ownmemory.h"

namespace warpgrind {

Gate gate;

namespace {

std::atomic<bool> watched{false};

// Count pieces of memory, the first from lo to before hi, each step bytes after the one before.
struct Run {
  uintptr_t lo, hi;
  uint64_t step, count;

  uint64_t size() const { return hi - lo; }
  uintptr_t end() const { return hi + step * (count - 1); }
};

// The accesses of one place. Strong reads part the records, since what comes
// after one may know more: each begins an epoch.
struct Record {
  Kind kind;
  bool strong, full;
  uint64_t epoch;
  Site site;
  OwnVector<Run> bytes;
  size_t limit;

  bool acquires() const { return strong && kind != kWrite; }
};

struct View {
  uintptr_t lo, hi;
  uint64_t arena;
};

constexpr size_t kFirstLimit = 1024, kFewPieces = 1 << 14, kMostExtents = 1 << 16, kMostFlags = 256, kMostRecords = 1 << 14;

// What one thread did. Logs are never freed: another thread takes over that of
// one that has ended.
struct Log {
  std::mutex mutex;
  OwnVector<Record> records;
  OwnMap<uintptr_t, size_t> index; // of the records of epoch
  uint64_t epoch = 0, viewed = 0;
  OwnVector<View> views; // as all().views when they were number viewed
  bool full = false;
  std::atomic<bool> functions{false}; // it is that of host functions
};

struct All {
  std::mutex mutex;
  OwnVector<Log *> logs, idle;
  OwnSet<uintptr_t> flags; // what strong reads have read
  OwnVector<View> views;
  OwnSet<uint64_t> pending; // streams with work that may not be waited for
  std::atomic<uint64_t> epoch{0}, viewed{0};
  pthread_key_t ended;
};

All &all() {
  static Lasting<All> a;
  return a.get();
}

thread_local Log *mine = nullptr;
thread_local volatile bool inside = false;

// While it lives, what a signal handler of this thread does is not noted: it
// would wait forever for a mutex of this file.
class Quiet {
public:
  Quiet() : before_(inside) { inside = true; }
  ~Quiet() { inside = before_; }
  Quiet(const Quiet &) = delete;

private:
  bool before_;
};

// A log's mutex is locked before that of all.
struct Locked : private Quiet, private std::lock_guard<std::mutex> {
  explicit Locked(std::mutex &m) : std::lock_guard<std::mutex>(m) {}
};

void releaseLog(void *log) {
  All &a = all();
  Locked lock(a.mutex);
  a.idle.push_back(static_cast<Log *>(log));
  mine = nullptr;
}

Log *acquireLog() {
  All &a = all();
  Locked lock(a.mutex);
  if (a.idle.empty()) {
    mine = new (OwnMemory::take(sizeof(Log))) Log;
    a.logs.push_back(mine);
  } else {
    mine = a.idle.back();
    a.idle.pop_back();
  }
  pthread_setspecific(a.ended, mine);
  return mine;
}

// Sorts pieces and joins those that touch.
void settle(OwnVector<Run> &v) {
  std::sort(v.begin(), v.end(), [](const Run &a, const Run &b) { return a.lo < b.lo; });
  size_t n = 0;
  for (const Run &x : v) {
    if (n > 0 && x.count == 1 && v[n - 1].count == 1 && x.lo <= v[n - 1].hi)
      v[n - 1].hi = std::max(v[n - 1].hi, x.hi);
    else
      v[n++] = x;
  }
  v.resize(n);
}

// Makes a piece a part of the run before it.
bool extend(Run &last, uintptr_t lo, uintptr_t hi) {
  if (last.count == 1 && lo <= last.hi && hi >= last.lo) {
    last.lo = std::min(last.lo, lo), last.hi = std::max(last.hi, hi);
    return true;
  }
  if (hi - lo != last.size() || lo <= last.lo) return false;
  if (last.count == 1) last.step = lo - last.lo;
  else if (lo != last.lo + last.step * last.count) return false;
  last.count++;
  return true;
}

void add(Record &r, uintptr_t lo, uintptr_t hi) {
  if (r.full || (!r.bytes.empty() && extend(r.bytes.back(), lo, hi))) return;
  if (r.bytes.size() >= r.limit) {
    settle(r.bytes);
    r.limit = 2 * r.bytes.size() + kFirstLimit;
    if (r.bytes.size() >= kMostExtents) {
      r.full = true;
      return;
    }
  }
  r.bytes.push_back({lo, hi, 0, 1});
}

// The place of an access, from the return address of its call on.
Site siteOf(uintptr_t counter) {
  void *stack[kMaxFrames + 8];
  int n = returnAddresses(stack, kMaxFrames + 8), from = 0;
  while (from < n && reinterpret_cast<uintptr_t>(stack[from]) != counter) from++;
  Site s;
  if (from == n) return addFrame(s, counter), s;
  for (int i = from; i < n && s.count < kMaxFrames; i++) addFrame(s, reinterpret_cast<uintptr_t>(stack[i]));
  return s;
}

// The record of a place; null where there are too many.
Record *recordOf(Log &l, uintptr_t counter, Kind kind, bool strong) {
  auto found = l.index.emplace(counter << 2 | kind, l.records.size());
  if (!found.second) return &l.records[found.first->second];
  if (l.records.size() >= kMostRecords) {
    l.index.erase(found.first);
    l.full = true;
    return nullptr;
  }
  l.records.push_back({kind, strong, false, l.epoch, siteOf(counter), {}, kFirstLimit});
  return &l.records.back();
}

// Begins an epoch with the first strong read of a flag. The log's mutex is held.
void enterEpoch(Log &l, uintptr_t a, bool acquires) {
  All &s = all();
  if (acquires) {
    Locked lock(s.mutex);
    if (s.flags.size() < kMostFlags && s.flags.insert(a).second) s.epoch++;
  }
  if (l.epoch == s.epoch) return;
  l.epoch = s.epoch;
  l.index.clear();
}

// Translates an address of the program's own memory to the device's; 0 for one
// that the device does not see. n is cut to what it does.
uintptr_t seen(Log &l, uintptr_t a, size_t &n) {
  All &s = all();
  if (l.viewed != s.viewed) {
    Locked lock(s.mutex);
    l.views = s.views;
    l.viewed = s.viewed;
  }
  for (const View &v : l.views)
    if (a < v.hi && a + n > v.lo) {
      uintptr_t lo = std::max(a, v.lo), hi = std::min(a + n, v.hi);
      n = hi - lo;
      return v.arena + (lo - v.lo);
    }
  return 0;
}

void close() { gate.reach = 0; }

// Looks at the device's memory that the host sees. The mutex of all is held.
void openGate(const All &s) {
  const uintptr_t arena = caps().hostBase, end = caps().arenaBase + caps().arenaSize;
  uintptr_t lo = UINTPTR_MAX, hi = 0;
  for (const View &v : s.views) lo = std::min(lo, v.lo), hi = std::max(hi, v.hi);
  gate.arena = arena, gate.span = end - arena;
  gate.own = lo, gate.extent = hi > lo ? hi - lo : 0;
  gate.low = std::min(lo, arena);
  gate.reach = std::max(hi, end) - std::min(lo, arena);
}

// Joins runs that lie between each other, as those of a loop that was unrolled do: the places then have one
// record, the first's. Where there are few pieces, each keeps its place. All are of one kind and epoch.
void interleave(const std::vector<Record *> &records) {
  std::vector<Run *> runs;
  uint64_t pieces = 0;
  for (Record *r : records)
    for (Run &x : r->bytes)
      if (x.count > 1) runs.push_back(&x), pieces += x.count;
  if (pieces <= kFewPieces) return;
  std::sort(runs.begin(), runs.end(), [](const Run *x, const Run *y) {
    return x->step != y->step ? x->step < y->step : x->count != y->count ? x->count < y->count : x->lo < y->lo;
  });
  for (size_t i = 0, j; i < runs.size(); i = j) {
    Run &first = *runs[i];
    for (j = i + 1; j < runs.size(); j++) {
      Run &next = *runs[j];
      if (next.step != first.step || next.count != first.count || next.lo > first.hi || first.size() >= first.step) break;
      first.hi = std::max(first.hi, next.hi);
      next.count = 0;
    }
    if (first.size() >= first.step) first.hi = first.end(), first.step = 0, first.count = 1;
  }
}

protocol::Touch touchOf(Record &r) {
  OwnVector<Run> pieces;
  for (const Run &x : r.bytes)
    for (uint64_t i = 0; i < x.count; i++) {
      if (pieces.size() >= kMostExtents) {
        r.full = true;
        break;
      }
      pieces.push_back({x.lo + i * x.step, x.hi + i * x.step, 0, 1});
    }
  settle(pieces);
  protocol::Batch<protocol::Extent> bytes;
  for (const Run &x : pieces) bytes.add({x.lo, x.hi});
  return {r.kind, r.strong, r.full, {r.site.frames, r.site.count}, bytes};
}

// Moves what a thread did to out.
void takeLog(Log &l, std::vector<Record> &out) {
  Locked lock(l.mutex);
  if (l.full && !l.records.empty()) l.records.back().full = true;
  for (Record &r : l.records) out.push_back(std::move(r));
  l.records.clear();
  l.index.clear();
  l.full = false;
}

} // namespace

void note(uintptr_t a, size_t n, Kind kind, bool strong, uintptr_t counter) {
  if (inside || n == 0) return;
  Quiet quiet;
  Log *l = mine ? mine : acquireLog();
  Locked lock(l->mutex);
  if (a - gate.arena >= gate.span) a = seen(*l, a, n);
  if (a == 0) return;
  enterEpoch(*l, a, strong && kind != kWrite);
  if (Record *r = recordOf(*l, counter, kind, strong)) add(*r, a, a + n);
}

void watchHost() {
  if (watched.exchange(true)) return;
  pthread_key_create(&all().ended, releaseLog);
  pthread_atfork(nullptr, nullptr, close); // a child has no device
}

bool hostIsWatched() { return watched; }

bool isNoting() { return inside; }

void stopWatchingHost() {
  watched = false;
  close();
}

void noteWork(Op op, uint64_t stream) {
  if (!watched) return;
  All &s = all();
  Locked lock(s.mutex);
  switch (op) {
  case Op::Launch:
  case Op::Copy:
  case Op::Set:
  case Op::RanksPost:
  case Op::RanksTake:
    s.pending.insert(stream);
    openGate(s);
    return;
  case Op::StreamSync:
    s.pending.erase(stream);
    if (s.pending.empty()) close();
    return;
  default: return;
  }
}

void noteDone(uint64_t stream) {
  if (!watched) return;
  Locked lock(all().mutex);
  all().pending.erase(stream);
  if (all().pending.empty()) close();
}

void noteAllDone() {
  if (!watched || caps().devices > 1) return; // streams are not told apart by device
  Locked lock(all().mutex);
  all().pending.clear();
  close();
}

void watchRange(const void *begin, size_t size, uint64_t arena) {
  All &s = all();
  Locked lock(s.mutex);
  auto lo = reinterpret_cast<uintptr_t>(begin);
  s.views.push_back({lo, lo + size, arena});
  s.viewed++;
  if (!s.pending.empty()) openGate(s);
}

void forgetRange(const void *begin) {
  All &s = all();
  Locked lock(s.mutex);
  auto lo = reinterpret_cast<uintptr_t>(begin);
  auto gone = std::remove_if(s.views.begin(), s.views.end(), [=](const View &v) { return v.lo == lo; });
  s.views.erase(gone, s.views.end());
  s.viewed++;
  if (!s.pending.empty()) openGate(s);
}

static Touches touchesOf(std::vector<Record> &records) {
  std::vector<Record *> order;
  for (Record &r : records) order.push_back(&r);
  std::sort(order.begin(), order.end(), [](const Record *a, const Record *b) {
    if (a->epoch != b->epoch) return a->epoch < b->epoch;
    return a->acquires() != b->acquires() ? a->acquires() : a < b;
  });
  for (size_t i = 0, j; i < order.size(); i = j) {
    std::vector<Record *> alike[3];
    for (j = i; j < order.size() && order[j]->epoch == order[i]->epoch; j++)
      if (!order[j]->strong) alike[order[j]->kind].push_back(order[j]);
    for (auto &records : alike) interleave(records);
  }
  Touches all;
  for (Record *r : order)
    if (std::any_of(r->bytes.begin(), r->bytes.end(), [](const Run &x) { return x.count > 0; })) all.add(touchOf(*r));
  return all;
}

Touches takeTouches() {
  Quiet quiet;
  std::vector<Record> records;
  OwnVector<Log *> logs;
  {
    Locked lock(all().mutex);
    logs = all().logs;
    all().flags.clear();
  }
  for (Log *l : logs)
    if (!l->functions) takeLog(*l, records);
  return touchesOf(records);
}

void beginFunction(uint64_t stream) {
  if (!watched) return;
  Quiet quiet;
  (mine ? mine : acquireLog())->functions = true;
  All &s = all();
  Locked lock(s.mutex);
  s.pending.insert(stream);
  openGate(s);
}

Touches takeFunctionTouches() {
  Quiet quiet;
  std::vector<Record> records;
  if (mine) takeLog(*mine, records);
  return touchesOf(records);
}

} // namespace warpgrind
