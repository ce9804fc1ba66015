// ---------------------------------------------------------------- the host

#include <cuda_runtime.h>

struct wgi_site {
  const char *file;
  int line, column;
  const char *kind, *text, *statement, *function, *variable;
};

// What one source has found: the sum of all that was copied from the device.
struct wgi_results {
  wgi_finding findings[WGI_FINDINGS];
  int n;
  unsigned long long counter[wgi_counters];
  unsigned long long site_count[WGI_SITES + 1][WGI_COUNTS];
  unsigned site_worst[WGI_SITES + 1][2 + 32];
  unsigned extent[WGI_KERNELS + 1][6];
};

// A source of the program, in the list of all sources.
struct wgi_source {
  const wgi_site *sites;
  const char *const *kernels;
  const char *name;
  void (*flush)();
  void (*text)(FILE *);
  int (*json)(FILE *, int);
  void (*stats)(FILE *);
  unsigned long long (*count)(int);
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
  if (h->n < WGI_FINDINGS) h->findings[h->n++] = *f;
}

// wgi_fetch copies a device variable and fills it with zeros there.
template <class T> static bool wgi_fetch(T *to, T &symbol) {
  cudaError_t e = cudaMemcpyFromSymbol(to, symbol, sizeof(T));
  T *zero = (T *)calloc(1, sizeof(T));
  if (e == cudaSuccess) e = cudaMemcpyToSymbol(symbol, zero, sizeof(T));
  free(zero);
  return e == cudaSuccess;
}

// wgi_flush adds what the device has found, and forgets it there.
static void wgi_flush() {
  struct wgi_copy {
    wgi_finding findings[WGI_FINDINGS];
    unsigned long long counter[wgi_counters], site_count[WGI_SITES + 1][WGI_COUNTS];
    unsigned site_worst[WGI_SITES + 1][2 + 32], extent[WGI_KERNELS + 1][6];
  };
  cudaDeviceSynchronize();
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
    for (int i = 0; i <= WGI_KERNELS; i++)
      if (c->extent[i][0]) memcpy(h->extent[i], c->extent[i], sizeof h->extent[i]);
  } else {
    fprintf(stderr, "warpgrind: what the device has found cannot be read: %s\n", cudaGetErrorString(cudaGetLastError()));
  }
  free(c);
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

static wgi_source wgi_this;

static const wgi_site *wgi_site_of(int i) {
  static const wgi_site none = {"", 0, 0, "access", "", "", "", ""};
  return i < 0 || i >= WGI_SITES ? &none : &wgi_this.sites[i];
}

// wgi_heading writes "#line 8" and the statement, as the paper has it; the
// file where it is not the source itself.
static void wgi_heading(FILE *f, const wgi_site *s) {
  if (strcmp(s->file, wgi_this.name)) fprintf(f, "#line %d \"%s\"\n    %s\n", s->line, s->file, s->statement);
  else fprintf(f, "#line %d\n    %s\n", s->line, s->statement);
}

static int wgi_by_site(const void *x, const void *y) {
  const wgi_finding *a = (const wgi_finding *)x, *b = (const wgi_finding *)y;
  if (a->site != b->site) return a->site < b->site ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->other != b->other) return a->other < b->other ? -1 : 1;
  return a->key < b->key ? -1 : a->key > b->key;
}

static void wgi_write_race(FILE *f, const wgi_finding *r) {
  unsigned long long w = ~r->witness;
  if (r->site < 0) {
    fprintf(f, "// %s hazard at address %llu of shared memory\n", wgi_hazard(r->kind), w & 0xfffff);
    return;
  }
  fprintf(f, "// %s hazard at expression:\n", wgi_hazard(r->kind));
  wgi_heading(f, wgi_site_of(r->site));
  if (r->other < 0) return;
  fprintf(f, "// with:\n");
  wgi_heading(f, wgi_site_of(r->other));
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
    if (i && r->site >= 0 && r->site == r[-1].site && r->kind == r[-1].kind && r->other == r[-1].other) continue; // in another kernel
    wgi_write_race(f, r);
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
static void wgi_place(FILE *f, const wgi_finding *r, int site, unsigned thread) {
  const wgi_site *s = wgi_site_of(site);
  const unsigned *extent = wgi_host()->extent[r->kernel];
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
  const wgi_site *s = wgi_site_of(r->site);
  const char *kernel = wgi_this.kernels[r->kernel];
  char text[160];
  snprintf(text, sizeof text, "%s hazard on %.100s", wgi_hazard(r->kind), *s->variable ? s->variable : "shared memory");
  fprintf(f, "{\"rule\":\"race\",\"kind\":\"%s\",\"level\":\"error\",\"kernel\":", wgi_hazard(r->kind));
  wgi_string(f, kernel);
  fprintf(f, ",\"kernel_name\":");
  wgi_string(f, kernel);
  fprintf(f, ",\"launches\":{\"count\":0,\"first\":-1,\"last\":-1},\"message\":");
  wgi_string(f, text);
  fprintf(f, ",\"primary\":");
  wgi_place(f, r, r->site, thread);
  if (r->other >= 0) {
    fprintf(f, ",\"related\":[");
    wgi_place(f, r, r->other, other);
    fprintf(f, "]");
  }
  fprintf(f, ",\"count\":%llu,\"unit\":\"reports\",\"details\":{\"space\":\"shared\",\"variable\":", r->count);
  wgi_string(f, s->variable);
  fprintf(f, ",\"index\":-1,\"address\":%llu,\"bytes\":%u}}", address, r->size);
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
  for (wgi_source *s = wgi_sources; s; s = s->next) s->flush(), s->text(stderr), wgi_messages(stderr, s);
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
struct wgi_reporter {
  wgi_reporter(const wgi_site *sites, const char *const *kernels, const char *name) {
    wgi_source s = {sites, kernels, name, wgi_flush, wgi_write_text, wgi_write_json, wgi_write_stats, wgi_count_of, wgi_sources};
    wgi_this = s;
    wgi_sources = &wgi_this;
  }
};
