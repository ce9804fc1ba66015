// Repeats recorded launches on a GPU and lists what differs: replay CASES OUT [WORKERS]. See ../main.go.
//
// OUT.0, OUT.1, ... get a line for each launch, separated by tabs: its number, the test's name, and "same";
// "differ" with the first words that do; "fail" with the step and CUDA's error; or "hang". Each worker is a
// process with a context of its own, which is started again where a launch has broken it.
//
// Memory is mapped at the address that it had in the engine where that is free; else pointers are moved.
// Tensor maps are recognized by their mark, and made again by the driver: NVIDIA does not publish their layout.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
typedef uint32_t u32;

// The driver's functions, by their types in cuda.h, which need not be there.
static int (*cuInit)(u32), (*cuDeviceGet)(int *, int), (*cuDevicePrimaryCtxRetain)(void **, int), (*cuCtxSetCurrent)(void *);
static int (*cuCtxSetLimit)(int, size_t), (*cuModuleLoadData)(void **, const void *), (*cuModuleUnload)(void *);
static int (*cuModuleGetFunction)(void **, void *, const char *), (*cuFuncSetAttribute)(void *, int, int);
static int (*cuLaunchKernelEx)(void *, void *, void **, void **), (*cuStreamQuery)(void *);
static int (*cuMemAlloc)(u64 *, size_t), (*cuMemcpyHtoD)(u64, const void *, size_t), (*cuMemcpyDtoH)(void *, u64, size_t);
static int (*cuMemAddressReserve)(u64 *, size_t, size_t, u64, u64), (*cuMemCreate)(u64 *, size_t, const void *, u64);
static int (*cuMemMap)(u64, size_t, size_t, u64, u64), (*cuMemSetAccess)(u64, size_t, const void *, size_t);
static int (*cuTensorMapEncodeTiled)(void *, int, u32, void *, const u64 *, const u64 *, const u32 *, const u32 *, int, int, int, int);
static int (*cuTensorMapEncodeIm2col)(void *, int, u32, void *, const u64 *, const u64 *, const int *, const int *, u32, u32,
                                      const u32 *, int, int, int, int);

static void load(void) {
  void *lib = dlopen("libcuda.so.1", RTLD_NOW);
  struct { void *to; const char *name; } all[] = {
      {&cuInit, "cuInit"}, {&cuDeviceGet, "cuDeviceGet"}, {&cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain"},
      {&cuCtxSetCurrent, "cuCtxSetCurrent"}, {&cuCtxSetLimit, "cuCtxSetLimit"}, {&cuModuleLoadData, "cuModuleLoadData"},
      {&cuModuleUnload, "cuModuleUnload"}, {&cuModuleGetFunction, "cuModuleGetFunction"}, {&cuFuncSetAttribute, "cuFuncSetAttribute"},
      {&cuLaunchKernelEx, "cuLaunchKernelEx"}, {&cuStreamQuery, "cuStreamQuery"}, {&cuMemAlloc, "cuMemAlloc_v2"},
      {&cuMemcpyHtoD, "cuMemcpyHtoD_v2"}, {&cuMemcpyDtoH, "cuMemcpyDtoH_v2"}, {&cuMemAddressReserve, "cuMemAddressReserve"},
      {&cuMemCreate, "cuMemCreate"}, {&cuMemMap, "cuMemMap"}, {&cuMemSetAccess, "cuMemSetAccess"},
      {&cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled"}, {&cuTensorMapEncodeIm2col, "cuTensorMapEncodeIm2col"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    void *f = lib ? dlsym(lib, all[i].name) : NULL;
    if (!f) {
      fprintf(stderr, "libcuda.so.1 or %s is not there\n", all[i].name);
      _exit(3);
    }
    memcpy(all[i].to, &f, sizeof f);
  }
}

static const u64 arena = 0x110000000000, arenaSize = 1 << 30; // mem.ArenaBase, and the tests' size
static u64 base;                                              // where the arena lies on the GPU
static const u32 mark = 0x4d544757;                           // tensormap.Magic

// start makes a context and maps the arena's memory.
static int start(void) {
  int device;
  void *context;
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
  cuCtxSetLimit(0 /* stack size */, 16 << 10);
  struct { int type, handles, where, id; void *none; unsigned char flags[8]; } properties = {1, 0, 1, 0, NULL, {0}};
  struct { int where, id, flags; } access = {1, 0, 3};
  u64 memory;
  if (!cuMemAddressReserve(&base, arenaSize, 0, arena, 0) && !cuMemCreate(&memory, arenaSize, &properties, 0) &&
      !cuMemMap(base, arenaSize, 0, memory, 0) && !cuMemSetAccess(base, arenaSize, &access, 1))
    return 0;
  return cuMemAlloc(&base, arenaSize);
}

struct text { const unsigned char *at; u32 n; };
enum { grid, blockX, blockY, blockZ, cluster, shared, fault, numbers, maxBuffers = 256, maxParams = 256 };
struct launch {
  struct text name, code, kernel, params, offsets;
  u32 number[numbers], buffers;
  struct { u64 address; struct text before, after; } buffer[maxBuffers];
};

static const unsigned char *next; // where the file is read

static u32 word(void) {
  u32 v;
  memcpy(&v, next, 4);
  next += 4;
  return v;
}

static struct text text(void) {
  struct text t = {NULL, word()};
  t.at = next;
  next += t.n;
  return t;
}

static void readLaunch(struct launch *l) {
  l->name = text(), l->code = text(), l->kernel = text();
  for (int i = 0; i < numbers; i++) l->number[i] = word();
  l->params = text(), l->offsets = text(), l->buffers = word();
  if (l->buffers > maxBuffers) {
    fprintf(stderr, "%u buffers\n", l->buffers);
    exit(3);
  }
  for (u32 i = 0; i < l->buffers; i++) {
    memcpy(&l->buffer[i].address, next, 8), next += 8;
    l->buffer[i].before = l->buffer[i].after = text();
    u32 same;
    memcpy(&same, next, 4);
    if (same == ~0u) next += 4;
    else l->buffer[i].after = text();
  }
}

// moved changes the pointers among the words of some memory from one place of the arena to the other.
static void moved(unsigned char *p, u32 n, u64 from, u64 to) {
  for (u32 i = 0; from != to && i + 8 <= n; i += 8) {
    u64 v;
    memcpy(&v, p + i, 8);
    if (v >= from && v < from + arenaSize) v += to - from, memcpy(p + i, &v, 8);
  }
}

// encode replaces a tensor map of ours (see internal/tensormap) by the driver's.
static int encode(unsigned char *m) {
  static const int types[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12, 13, 14, 15}; // CUtensorMapDataType
  u64 address, stride[4], dim[5];
  u32 box[5], step[5];
  int lower[3], upper[3], swizzle = m[8] == 3 && m[9] ? 3 + m[9] : m[8];
  unsigned short v[2];
  memcpy(&address, m + 16, 8), memcpy(stride, m + 24, 32), moved((unsigned char *)&address, 8, arena, base);
  for (int i = 0; i < 5; i++) {
    u32 less1;
    memcpy(&less1, m + 56 + 4 * i, 4), memcpy(v, m + 76 + 2 * i, 2);
    dim[i] = (u64)less1 + 1, box[i] = v[0], step[i] = m[86 + i];
  }
  for (int i = 0; i < 3; i++) {
    short corner[2];
    memcpy(corner, m + 92 + 2 * i, 2), memcpy(corner + 1, m + 98 + 2 * i, 2);
    lower[i] = corner[0], upper[i] = corner[1];
  }
  memcpy(v, m + 104, 4);
  unsigned char out[128] __attribute__((aligned(64)));
  int e = m[5] == 0 ? cuTensorMapEncodeTiled(out, types[m[6]], m[4], (void *)address, dim, stride, box, step, m[7], swizzle, 0, m[10])
                    : cuTensorMapEncodeIm2col(out, types[m[6]], m[4], (void *)address, dim, stride, lower, upper, v[0], v[1], step, m[7],
                                              swizzle, 0, m[10]);
  if (!e) memcpy(m, out, 128);
  return e;
}

static int isMap(const unsigned char *p, u32 left) { return left >= 128 && !memcmp(p, &mark, 4); }

static int encodeAll(unsigned char *p, u32 n) {
  int e = 0;
  for (u32 i = 0; !e && i < n; i += 64)
    if (isMap(p + i, n - i)) e = encode(p + i);
  return e;
}

static FILE *out;
static struct launch *now;

static void line(int index, const char *what) {
  fprintf(out, "%d\t%.*s\t%s", index, (int)now->name.n, now->name.at, what);
}

// run brings memory to the GPU and launches. step says what failed.
static int run(struct launch *l, void *module, const char **step) {
  char kernel[256];
  snprintf(kernel, sizeof kernel, "%.*s", (int)l->kernel.n, l->kernel.at);
  void *function;
  int e;
  *step = "function";
  if ((e = cuModuleGetFunction(&function, module, kernel))) return e;
  if (l->number[shared] > 48 << 10) cuFuncSetAttribute(function, 8 /* most dynamic shared memory */, l->number[shared]);
  if (l->number[cluster] > 8) cuFuncSetAttribute(function, 14 /* cluster of a size that is not portable */, 1);
  for (u32 i = 0; i < l->buffers; i++) {
    struct text t = l->buffer[i].before;
    unsigned char *copy = memcpy(aligned_alloc(64, (t.n + 127) & ~63u), t.at, t.n);
    moved(copy, t.n, arena, base);
    *step = "tensor map";
    if (!(e = encodeAll(copy, t.n))) *step = "copy", e = cuMemcpyHtoD(l->buffer[i].address - arena + base, copy, t.n);
    free(copy);
    if (e) return e;
  }
  static unsigned char params[1 << 16] __attribute__((aligned(64)));
  void *each[maxParams];
  memcpy(params, l->params.at, l->params.n < sizeof params ? l->params.n : sizeof params);
  moved(params, l->params.n, arena, base);
  *step = "tensor map";
  if ((e = encodeAll(params, l->params.n))) return e;
  for (u32 i = 0; i < l->offsets.n / 4 && i < maxParams; i++) {
    u32 at;
    memcpy(&at, l->offsets.at + 4 * i, 4);
    each[i] = params + at;
  }
  struct { u32 id, pad, value[16]; } attribute = {4 /* cluster's dimensions */, 0, {l->number[cluster], 1, 1}};
  struct { u32 grid[3], block[3], shared; void *stream, *attributes; u32 n; } config = {
      {l->number[grid], 1, 1}, {l->number[blockX], l->number[blockY], l->number[blockZ]}, l->number[shared], NULL, &attribute,
      l->number[cluster] > 0};
  *step = "launch";
  if ((e = cuLaunchKernelEx(&config, function, each, NULL))) return e;
  *step = "run";
  time_t began = time(NULL);
  while ((e = cuStreamQuery(NULL)) == 600 /* not ready */)
    if (time(NULL) - began > 4) return -1;
  return e;
}

static void compare(struct launch *l, int index) {
  int bad = 0, shown = 0;
  for (u32 i = 0; i < l->buffers; i++) {
    struct text want = l->buffer[i].after;
    unsigned char *got = malloc(want.n + 1);
    if (cuMemcpyDtoH(got, l->buffer[i].address - arena + base, want.n)) bad = 1;
    moved(got, want.n, base, arena);
    for (u32 k = 0; k < want.n; k += 64)
      if (isMap(l->buffer[i].before.at + k, want.n - k)) memcpy(got + k, want.at + k, 128);
    for (u32 k = 0; k + 4 <= want.n; k += 4) {
      u32 a, b;
      memcpy(&a, got + k, 4), memcpy(&b, want.at + k, 4);
      if (a == b) continue;
      if (!bad++) line(index, "differ");
      if (shown++ < 24) fprintf(out, "\t%u+%u: %08x, not %08x", i, k, a, b);
    }
    free(got);
  }
  if (!bad) line(index, "same");
  fprintf(out, "\n");
}

static void repeat(struct launch *l, int index) {
  void *module = NULL;
  const char *step = "module";
  int e = cuModuleLoadData(&module, l->code.at);
  now = l;
  if (!e) e = run(l, module, &step);
  if (!e) compare(l, index);
  else if (e < 0) line(index, "hang\n");
  else line(index, "fail"), fprintf(out, "\t%s %d\n", step, e);
  fflush(out);
  if (e < 0 || (!strcmp(step, "run") && e)) kill(getpid(), SIGKILL); // nothing else runs in this context
  cuModuleUnload(module);
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: replay CASES OUT [WORKERS]\n"), 2;
  int fd = open(argv[1], O_RDONLY), workers = argc > 3 ? atoi(argv[3]) : 4;
  struct stat st;
  if (fd < 0 || fstat(fd, &st)) return perror(argv[1]), 2;
  const unsigned char *file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  size_t n = 0, room = 1 << 20;
  const unsigned char **at = malloc(room * sizeof *at);
  struct launch *l = malloc(sizeof *l);
  for (next = file; next < file + st.st_size && n < room;) at[n++] = next, readLaunch(l);
  // Where each worker is: the next one of the same number goes on after a launch that has ended it.
  int *place = mmap(NULL, workers * sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int w = 0; w < workers; w++) {
    place[w] = w;
    if (fork()) continue;
    for (int status = SIGKILL; WIFSIGNALED(status) && place[w] < (int)n;) {
      if (!fork()) {
        char name[4096];
        snprintf(name, sizeof name, "%s.%d", argv[2], w);
        if (!(out = fopen(name, "a"))) return perror(name), 2;
        load();
        if (start()) _exit(0);
        while (place[w] < (int)n) {
          int k = place[w];
          place[w] += workers, next = at[k];
          readLaunch(l), repeat(l, k);
        }
        _exit(0);
      }
      wait(&status);
    }
    _exit(0);
  }
  while (wait(NULL) > 0) {}
  printf("%zu launches\n", n);
  return 0;
}
