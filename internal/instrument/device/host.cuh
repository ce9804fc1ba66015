// ---------------------------------------------------------------- the host

#include <cuda_runtime.h>

struct wgi_site {
  const char *file;
  int line, column;
  const char *kind, *text, *statement, *function, *variable;
};

// What one source has found: the sum of all that was copied from the device.
struct wgi_results {
  wgi_finding *findings;
  int n, room;
  unsigned long long counter[wgi_counters];
  unsigned long long site_count[WGI_SITES + 1][WGI_COUNTS];
  unsigned site_worst[WGI_SITES + 1][2 + 32];
  unsigned extent[WGI_KERNELS + 1][6];
};

// A source of the program, in the list of all sources. It is the same in each of them.
struct wgi_source {
  const wgi_site *sites;
  const char *const *kernels;
  const char *name;
  int n_sites;
  unsigned long long home; // WGI_HOME, once it is known
  void (*flush)();
  void (*text)(FILE *);
  int (*json)(FILE *, int);
  void (*stats)(FILE *);
  unsigned long long (*count)(int);
  const unsigned *(*extent)(int);
  wgi_source *next;
};

__attribute__((weak)) wgi_source *wgi_sources; // of all sources that are linked together

static wgi_results *wgi_host() {
  static wgi_results *all;
  if (!all) all = (wgi_results *)calloc(1, sizeof *all);
  return all;
}

static void wgi_merge(const wgi_finding *f) {
  wgi_results *h = wgi_host();
  for (int i = 0; i < h->n; i++) {
    wgi_finding *g = &h->findings[i];
    if (g->key != f->key) continue;
    g->count += f->count;
    if (f->witness > g->witness) g->witness = f->witness;
    return;
  }
  if (h->n == h->room) {
    int room = h->room ? 2 * h->room : 64;
    wgi_finding *more = (wgi_finding *)realloc(h->findings, (size_t)room * sizeof *more);
    if (!more) return;
    h->findings = more, h->room = room;
  }
  h->findings[h->n++] = *f;
}

// wgi_fetch copies a device variable and fills it with zeros there.
template <class T> static bool wgi_fetch(T *to, T &symbol) {
  cudaError_t e = cudaMemcpyFromSymbol(to, symbol, sizeof(T));
  T *zero = (T *)calloc(1, sizeof(T));
  if (e == cudaSuccess) e = cudaMemcpyToSymbol(symbol, zero, sizeof(T));
  free(zero);
  return e == cudaSuccess;
}

static void wgi_note_extents(const unsigned (*extent)[6]) {
  for (int i = 0; i <= WGI_KERNELS; i++)
    if (extent[i][0]) memcpy(wgi_host()->extent[i], extent[i], sizeof extent[i]);
}

static wgi_mirror *wgi_mirrored; // the host's address of wgi_kept
static int wgi_tried;

// wgi_set_kept tells the device of the mirror, in a stream of its own: another one may be
// capturing.
static bool wgi_set_kept(void *there) {
  cudaStream_t s;
  if (cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess) return false;
  bool ok = cudaMemcpyToSymbolAsync(wgi_kept, &there, sizeof there, 0, cudaMemcpyHostToDevice, s) == cudaSuccess &&
            cudaStreamSynchronize(s) == cudaSuccess;
  cudaStreamDestroy(s);
  return ok;
}

// wgi_mirror_start makes the mirror, before the first launch. An error that the program
// has not asked for yet stays as it is; without a mirror a fault loses what was found.
static void wgi_mirror_start() {
  if (__atomic_load_n(&wgi_tried, __ATOMIC_ACQUIRE) || cudaPeekAtLastError() != cudaSuccess) return;
  if (__atomic_exchange_n(&wgi_tried, 1, __ATOMIC_ACQ_REL)) return;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  void *here = 0, *there = 0;
  if (cudaHostAlloc(&here, sizeof(wgi_mirror), cudaHostAllocMapped | cudaHostAllocPortable) == cudaSuccess) {
    memset(here, 0, sizeof(wgi_mirror));
    if (cudaHostGetDevicePointer(&there, here, 0) == cudaSuccess && wgi_set_kept(there)) wgi_mirrored = (wgi_mirror *)here;
    else cudaFreeHost(here);
  }
  cudaGetLastError();
  cudaThreadExchangeStreamCaptureMode(&mode);
}

// wgi_ready stands around the first operand of a launch and gives it back.
template <class T> static inline T &&wgi_ready(int, T &&grid) {
  wgi_mirror_start();
  return static_cast<T &&>(grid);
}

// wgi_recover takes from the mirror what a fault has left, and returns whether there is
// something.
static bool wgi_recover() {
  wgi_results *h = wgi_host();
  bool any = false;
  for (int i = 0; i < WGI_FINDINGS; i++)
    if (wgi_mirrored->findings[i].key) any = true, wgi_merge(&wgi_mirrored->findings[i]);
  for (int i = 0; i <= WGI_SITES; i++) {
    for (int k = 0; k < WGI_COUNTS; k++) h->site_count[i][k] += wgi_mirrored->site_count[i][k];
    any = any || wgi_mirrored->site_count[i][0];
    if (wgi_mirrored->site_worst[i][0] > h->site_worst[i][0]) memcpy(h->site_worst[i], wgi_mirrored->site_worst[i], sizeof h->site_worst[i]);
  }
  wgi_note_extents(wgi_mirrored->extent);
  return any;
}

// wgi_forget ends the use of a mirror, for a device that is reset next. The memory stays:
// a kernel that is late would write to it.
static void wgi_forget() {
  if (wgi_mirrored) wgi_set_kept(0);
  wgi_mirrored = 0;
  __atomic_store_n(&wgi_tried, 0, __ATOMIC_RELEASE);
}

static wgi_source wgi_this;

// wgi_flush adds what the device has found, and forgets it there.
static void wgi_flush() {
  struct wgi_copy {
    wgi_finding findings[WGI_FINDINGS];
    unsigned long long counter[wgi_counters], site_count[WGI_SITES + 1][WGI_COUNTS];
    unsigned site_worst[WGI_SITES + 1][2 + 32], extent[WGI_KERNELS + 1][6];
  };
  cudaDeviceSynchronize();
#if WGI_RDC
  void *home;
  if (cudaGetSymbolAddress(&home, wgi_findings) == cudaSuccess) wgi_this.home = (unsigned long long)home;
#endif
  wgi_results *h = wgi_host();
  wgi_copy *c = (wgi_copy *)calloc(1, sizeof *c);
  if (wgi_fetch(&c->findings, wgi_findings) && wgi_fetch(&c->counter, wgi_counter) && wgi_fetch(&c->site_count, wgi_site_count) &&
      wgi_fetch(&c->site_worst, wgi_site_worst) && wgi_fetch(&c->extent, wgi_extent)) {
    for (int i = 0; i < WGI_FINDINGS; i++)
      if (c->findings[i].key) wgi_merge(&c->findings[i]);
    for (int i = 0; i < wgi_counters; i++) h->counter[i] += c->counter[i];
    for (int i = 0; i <= WGI_SITES; i++) {
      for (int k = 0; k < WGI_COUNTS; k++) h->site_count[i][k] += c->site_count[i][k];
      if (c->site_worst[i][0] > h->site_worst[i][0]) memcpy(h->site_worst[i], c->site_worst[i], sizeof h->site_worst[i]);
    }
    wgi_note_extents(c->extent);
  } else {
    const char *why = cudaGetErrorString(cudaGetLastError());
    if (!wgi_mirrored) fprintf(stderr, "warpgrind: what the device has found cannot be read: %s\n", why);
    else if (wgi_recover()) fprintf(stderr, "warpgrind: %s: of the findings before that, counts are lower bounds\n", why);
  }
  free(c);
  wgi_forget();
}

static unsigned long long wgi_counted(int k) { return wgi_host()->counter[k]; }

static const char *wgi_hazard(int kind) { return kind == WGI_RAW ? "RAW" : kind == WGI_WAR ? "WAR" : "WAW"; }

// wgi_string writes a JSON string.
static void wgi_string(FILE *f, const char *s) {
  fputc('"', f);
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') fprintf(f, "\\%c", c);
    else if (c < 32) fprintf(f, "\\u%04x", c);
    else fputc(c, f);
  }
  fputc('"', f);
}

// wgi_source_of finds a source by its name on the device.
static const wgi_source *wgi_source_of(unsigned long long home) {
  for (wgi_source *s = wgi_sources; home && s; s = s->next)
    if (s->home == home) return s;
  return &wgi_this;
}

static const wgi_site *wgi_site_at(wgi_spot spot) {
  static const wgi_site none = {"", 0, 0, "access", "", "", "", ""};
  const wgi_source *s = wgi_source_of(spot.home);
  return spot.site < 0 || spot.site >= s->n_sites ? &none : &s->sites[spot.site];
}
static const wgi_site *wgi_site_of(int i) {
  wgi_spot here = {i, 0};
  return wgi_site_at(here);
}

// wgi_heading writes "#line 8" and the statement, as the paper has it; the
// file where it is not the program's only source.
static void wgi_heading(FILE *f, const wgi_site *s) {
  if (strcmp(s->file, wgi_this.name) || wgi_sources->next) fprintf(f, "#line %d \"%s\"\n    %s\n", s->line, s->file, s->statement);
  else fprintf(f, "#line %d\n    %s\n", s->line, s->statement);
}

static int wgi_by_site(const void *x, const void *y) {
  const wgi_finding *a = (const wgi_finding *)x, *b = (const wgi_finding *)y;
  if (a->spot.home != b->spot.home) return a->spot.home < b->spot.home ? -1 : 1;
  if (a->spot.site != b->spot.site) return a->spot.site < b->spot.site ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->other.home != b->other.home) return a->other.home < b->other.home ? -1 : 1;
  if (a->other.site != b->other.site) return a->other.site < b->other.site ? -1 : 1;
  if (a->kernel_home != b->kernel_home) return a->kernel_home < b->kernel_home ? -1 : 1;
  if (a->kernel != b->kernel) return a->kernel < b->kernel ? -1 : 1;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->key < b->key ? -1 : a->key > b->key;
}

static void wgi_write_race(FILE *f, const wgi_finding *r) {
  fprintf(f, "// %s hazard at expression:\n", wgi_hazard(r->kind));
  wgi_heading(f, wgi_site_at(r->spot));
  if (r->other.site < 0) return;
  fprintf(f, "// with:\n");
  wgi_heading(f, wgi_site_at(r->other));
}

static const char *wgi_kernel_of(const wgi_finding *r) { return wgi_source_of(r->kernel_home)->kernels[r->kernel]; }

// wgi_alike: two findings at addresses, of one kind and one kernel.
static bool wgi_alike(const wgi_finding *a, const wgi_finding *b) {
  return a->kind == b->kind && a->kernel == b->kernel && a->kernel_home == b->kernel_home && a->spot.site < 0 && b->spot.site < 0;
}

// wgi_addresses writes the addresses of n findings that are alike, as ranges.
static void wgi_addresses(FILE *f, const wgi_finding *r, int n) {
  long from = -1, next = -1, last = 0;
  const char *before = "";
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 32; k++) {
      long at = (long)r[i].first + (long)k * WGI_GRANULE;
      if (!(r[i].granules >> k & 1)) continue;
      if (at != next) {
        if (from >= 0) fprintf(f, from == last ? "%s%ld" : "%s%ld to %ld", before, from, last), before = ", ";
        from = at;
      }
      last = at + WGI_GRANULE - 1, next = at + WGI_GRANULE;
    }
  }
  if (from >= 0) fprintf(f, from == last ? "%s%ld" : "%s%ld to %ld", before, from, last);
}

// wgi_write_alike writes the findings at addresses that are like the first one in a line,
// and returns how many those are.
static int wgi_write_alike(FILE *f, const wgi_finding *r, const wgi_finding *end) {
  int n = 1;
  while (r + n < end && wgi_alike(r, r + n)) n++;
  fprintf(f, "// %s hazard in kernel %s at bytes ", wgi_hazard(r->kind), wgi_kernel_of(r));
  wgi_addresses(f, r, n);
  fprintf(f, " of shared memory\n");
  return n;
}

#if WGI_WATCH == WGI_GLOBAL
static void wgi_write_site(FILE *f, int i) {
  wgi_results *h = wgi_host();
  double lines = (double)h->site_count[i][2] / (double)h->site_count[i][0];
  fprintf(f, lines > 1 ? "// Uncoalesced access at expression:\n" : "// Coalesced access at expression:\n");
  wgi_heading(f, wgi_site_of(i));
  fprintf(f, "// Lines per access: %.2f\n", lines);
}
#else
static void wgi_write_site(FILE *f, int i) {
  wgi_results *h = wgi_host();
  unsigned *worst = h->site_worst[i];
  fprintf(f, h->site_count[i][1] ? "// Bank conflicts at expression:\n" : "// No bank conflicts at expression:\n");
  wgi_heading(f, wgi_site_of(i));
  if (!h->site_count[i][1]) return;
  int last = 0;
  fprintf(f, "// Bank:    ");
  for (int k = 0; k < WGI_BANKS; k++) {
    fprintf(f, "%3d", k);
    if (worst[2 + k]) last = k;
  }
  fprintf(f, "\n// Accesses:");
  for (int k = 0; k <= last; k++) worst[2 + k] ? (void)fprintf(f, "%3u", worst[2 + k]) : (void)fprintf(f, "   ");
  fprintf(f, "\n");
}
#endif

// wgi_write_text writes the papers' text form.
static void wgi_write_text(FILE *f) {
  wgi_results *h = wgi_host();
  qsort(h->findings, (size_t)h->n, sizeof h->findings[0], wgi_by_site);
  for (int i = 0; i < h->n; i++) {
    const wgi_finding *r = &h->findings[i];
    if (r->spot.site < 0) {
      i += wgi_write_alike(f, r, h->findings + h->n) - 1;
      continue;
    }
    bool again = i && r->spot.site == r[-1].spot.site && r->spot.home == r[-1].spot.home && r->kind == r[-1].kind &&
                 r->other.site == r[-1].other.site && r->other.home == r[-1].other.home; // in another kernel
    if (!again) wgi_write_race(f, r);
  }
  for (int i = 0; i < WGI_SITES; i++)
    if (h->site_count[i][0]) wgi_write_site(f, i);
}

static void wgi_location(FILE *f, const wgi_site *s) {
  fprintf(f, "\"location\":{\"file\":");
  wgi_string(f, s->file);
  fprintf(f, ",\"line\":%d,\"column\":%d,\"function\":", s->line, s->column);
  wgi_string(f, s->function);
  fprintf(f, "}");
}

static void wgi_coordinate(FILE *f, const char *name, unsigned long long i, const unsigned *extent) {
  unsigned long long x = extent[0] ? extent[0] : 1, y = extent[1] ? extent[1] : 1;
  fprintf(f, "\"%s\":{\"x\":%llu,\"y\":%llu,\"z\":%llu}", name, i % x, i / x % y, i / x / y);
}

// wgi_place writes a place with its thread, which may be a warp or unknown.
static void wgi_place(FILE *f, const wgi_finding *r, wgi_spot spot, unsigned thread) {
  const wgi_site *s = wgi_site_at(spot);
  const unsigned *extent = wgi_source_of(r->kernel_home)->extent(r->kernel);
  unsigned long long block = ~r->witness >> 42;
  fprintf(f, "{\"role\":\"%s by\",", strcmp(s->kind, "read") == 0 ? "read" : strcmp(s->kind, "write") == 0 ? "written" : "accessed");
  wgi_location(f, s);
  if (thread != WGI_NO_THREAD) {
    if (thread & WGI_WARP) thread = (thread & 31) * 32;
    fprintf(f, ",\"thread\":{");
    wgi_coordinate(f, "block", block, extent + 3);
    fprintf(f, ",\"block_index\":%llu,", block);
    wgi_coordinate(f, "thread", thread, extent);
    fprintf(f, ",\"warp\":%u,\"lane\":%u}", thread / 32, thread % 32);
  }
  fprintf(f, "}");
}

static void wgi_race_json(FILE *f, const wgi_finding *r) {
  unsigned long long w = ~r->witness, address = w & 0xfffff;
  unsigned thread = (unsigned)(w >> 31) & 0x7ff, other = (unsigned)(w >> 20) & 0x7ff;
  const wgi_site *s = wgi_site_at(r->spot);
  const char *kernel = wgi_kernel_of(r);
  char text[160];
  snprintf(text, sizeof text, "%s hazard on %.100s", wgi_hazard(r->kind), *s->variable ? s->variable : "shared memory");
  fprintf(f, "{\"rule\":\"race\",\"kind\":\"%s\",\"level\":\"error\",\"kernel\":", wgi_hazard(r->kind));
  wgi_string(f, kernel);
  fprintf(f, ",\"kernel_name\":");
  wgi_string(f, kernel);
  fprintf(f, ",\"launches\":{\"count\":0,\"first\":-1,\"last\":-1},\"message\":");
  wgi_string(f, text);
  fprintf(f, ",\"primary\":");
  wgi_place(f, r, r->spot, thread);
  if (r->other.site >= 0) {
    fprintf(f, ",\"related\":[");
    wgi_place(f, r, r->other, other);
    fprintf(f, "]");
  }
  fprintf(f, ",\"count\":%llu,\"unit\":\"reports\",\"details\":{\"space\":\"shared\",\"variable\":", r->count);
  wgi_string(f, s->variable);
  fprintf(f, ",\"index\":-1,\"address\":%llu,\"bytes\":%u", address, r->size);
  if (r->spot.site < 0) {
    fprintf(f, ",\"addresses\":\"");
    wgi_addresses(f, r, 1);
    fprintf(f, "\"");
  }
  fprintf(f, "}}");
}

static void wgi_site_json(FILE *f, int i) {
  wgi_results *h = wgi_host();
  const wgi_site *s = wgi_site_of(i);
  const unsigned long long *n = h->site_count[i];
  const unsigned *worst = h->site_worst[i];
  double average = (double)n[2] / (double)n[0];
  bool global = WGI_WATCH == WGI_GLOBAL;
  fprintf(f, "{\"rule\":\"%s\",\"kind\":\"", global ? "coalesce" : "bank");
  global ? (void)fprintf(f, "uncoalesced") : (void)fprintf(f, "%u-way", worst[0]);
  fprintf(f, "\",\"level\":\"warning\",\"launches\":{\"count\":0,\"first\":-1,\"last\":-1},\"message\":\"");
  if (global) fprintf(f, "uncoalesced access: %.2f lines of 128 bytes on average", average);
  else fprintf(f, "%u-way bank conflict", worst[0]);
  fprintf(f, "\",\"primary\":{");
  wgi_location(f, s);
  fprintf(f, "},\"count\":%llu,\"unit\":\"%s\",\"details\":{", n[1], global ? "accesses" : "requests");
  if (global) {
    fprintf(f, "\"accesses\":%llu,\"lines_per_access\":%.6g,\"worst\":%u}}", n[0], average, worst[0]);
    return;
  }
  fprintf(f, "\"requests\":%llu,\"conflicts\":%llu,\"passes\":%llu,\"ideal\":%llu,\"excess\":%llu,\"worst\":%u,\"banks\":%d,\"histogram\":[", n[0],
          n[1], n[2], n[4], n[2] - n[4], worst[0], WGI_BANKS);
  for (int k = 0; k < WGI_BANKS; k++) fprintf(f, "%s%u", k ? "," : "", worst[2 + k]);
  fprintf(f, "]}}");
}

// wgi_write_json writes the findings, after others if there are some.
static int wgi_write_json(FILE *f, int written) {
  wgi_results *h = wgi_host();
  for (int i = 0; i < h->n; i++) {
    fprintf(f, "%s\n", written++ ? "," : "");
    wgi_race_json(f, &h->findings[i]);
  }
  for (int i = 0; i < WGI_SITES; i++) {
    if (!h->site_count[i][1]) continue;
    fprintf(f, "%s\n", written++ ? "," : "");
    wgi_site_json(f, i);
  }
  return written;
}

// wgi_write_stats writes the numbers of all sites, and the scheme's own.
static void wgi_write_stats(FILE *f) {
  wgi_results *h = wgi_host();
  fprintf(f, "{\"source\":");
  wgi_string(f, wgi_this.name);
#define X(k, name) fprintf(f, ",\"%s\":%llu", name, wgi_counted(k));
  WGI_STATS
#undef X
  fprintf(f, ",\"sites\":[");
  int written = 0;
  for (int i = 0; i < WGI_SITES; i++) {
    const unsigned long long *n = h->site_count[i];
    if (!n[0] && !n[3]) continue;
    fprintf(f, "%s\n{", written++ ? "," : "");
    wgi_location(f, wgi_site_of(i));
    fprintf(f, ",\"kind\":\"%s\",\"%s\":%llu,\"%s\":%llu,\"%s\":%llu,\"worst\":%u,\"executions\":%llu}", wgi_site_of(i)->kind,
            WGI_WATCH == WGI_GLOBAL ? "accesses" : "requests", n[0], WGI_WATCH == WGI_GLOBAL ? "uncoalesced" : "conflicts", n[1],
            WGI_WATCH == WGI_GLOBAL ? "lines" : "passes", n[2], h->site_worst[i][0], n[3]);
  }
  fprintf(f, "]}");
}

static void wgi_report_file(const char *name) {
  FILE *f = fopen(name, "w");
  if (!f) {
    fprintf(stderr, "warpgrind: cannot write %s\n", name);
    return;
  }
  int n = 0, races = 0;
  for (wgi_source *s = wgi_sources; s; s = s->next) races += (int)s->count(-1);
  fprintf(f, "{\"schema\":1,\"version\":\"" WGI_VERSION "\",\"build\":\"instrumented\",\"tools\":[\"" WGI_NAME "\"],\"findings\":[");
  for (wgi_source *s = wgi_sources; s; s = s->next) n = s->json(f, n);
  fprintf(f, "],\n\"summary\":{\"launches\":0,\"instructions\":0,\"accesses\":0,\"errors\":%d,\"warnings\":%d,\"infos\":0},\"exit\":%d,\n", races,
          n - races, races ? 1 : 0);
  fprintf(f, "\"stats\":{\"" WGI_NAME "\":[");
  for (wgi_source *s = wgi_sources; s; s = s->next) s->stats(f), fprintf(f, s->next ? "," : "");
  fprintf(f, "]},\"messages\":[");
  n = 0;
  for (wgi_source *s = wgi_sources; s; s = s->next) {
    if (s->count(wgi_unwatched)) fprintf(f, "%s\"%llu blocks were not watched: no room for their tables\"", n++ ? "," : "", s->count(wgi_unwatched));
    if (s->count(wgi_lost)) fprintf(f, "%s\"%llu reports were lost: too many findings\"", n++ ? "," : "", s->count(wgi_lost));
  }
  fprintf(f, "]}\n");
  fclose(f);
}

// wgi_count_of gives the counters, and under -1 the number of races.
static unsigned long long wgi_count_of(int k) { return k < 0 ? (unsigned long long)wgi_host()->n : wgi_counted(k); }

static const unsigned *wgi_extent_of(int k) { return wgi_host()->extent[k]; }

static void wgi_messages(FILE *f, wgi_source *s) {
  if (s->count(wgi_unwatched))
    fprintf(f, "warpgrind: %llu of %llu blocks were not watched: no room for their tables (compile with -DWGI_POOL_MB=N, now %d)\n",
            s->count(wgi_unwatched), s->count(wgi_unwatched) + s->count(wgi_watched), WGI_POOL_MB);
  if (s->count(wgi_lost)) fprintf(f, "warpgrind: %llu reports were lost: too many findings\n", s->count(wgi_lost));
  if (s->count(wgi_outside)) fprintf(f, "warpgrind: %llu accesses outside the block's shared memory were left out\n", s->count(wgi_outside));
}

__attribute__((weak)) int wgi_reported;

// wgi_at_exit reports for all sources, once.
static void wgi_at_exit() {
  if (wgi_reported) return;
  wgi_reported = 1;
  fflush(stdout);
  for (wgi_source *s = wgi_sources; s; s = s->next) s->flush();
  for (wgi_source *s = wgi_sources; s; s = s->next) s->text(stderr), wgi_messages(stderr, s);
  const char *file = getenv("WARPGRIND_REPORT");
  if (file && *file) wgi_report_file(file);
}

// wgi_start has the report made when the program ends. It is called by main
// and by what launches kernels: the runtime's own end is registered by then,
// and what is registered later comes earlier.
static void wgi_start() {
  static bool done;
  if (!done) done = true, atexit(wgi_at_exit);
}

// The last thing in a source: an object that puts it into the list.
// It is of this source alone, as all that it calls.
namespace {
struct wgi_reporter {
  wgi_reporter(const wgi_site *sites, const char *const *kernels, const char *name) {
    wgi_source s = {sites, kernels, name, WGI_SITES, 0, wgi_flush, wgi_write_text, wgi_write_json, wgi_write_stats,
                    wgi_count_of, wgi_extent_of, wgi_sources};
    wgi_this = s;
    wgi_sources = &wgi_this;
  }
};
} // namespace
