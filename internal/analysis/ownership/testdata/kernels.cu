// Kernels whose accesses to global memory are safe, or have to be watched.
//
// Each kernel names the launches that are examined: the shape and the arguments,
// where A:1024+16 is an address 16 bytes after the start of allocation A of 1024
// bytes, and "meets" if blocks are known to share bytes that they write. A line that
// accesses global memory says for each launch whether it is safe (s) or watched (w).
//
// kernels.ptx is made from it by: warpgrind cc -ptx -o kernels.ptx kernels.cu

// launch: <<<4, 64>>> A:1024 B:1024 200
// launch: <<<4, 64>>> A:1024 B:1024 256
// launch: <<<4, 64>>> A:1024 A:1024 256
// launch: <<<4, 64>>> A:1024 B:1024 300
// launch: <<<5, 64>>> A:1024 B:1024 256
__global__ void copy(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i]; // sssss
}

// launch: <<<4, 64>>> A:1024 B:1024
// launch: <<<5, 64>>> A:1024 B:1024
__global__ void unguarded(float *a, const float *b) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = // sw
      b[threadIdx.x];                        // ss
}

// launch: <<<4, 64>>> A:2048 256
// launch: <<<4, 64>>> A:2048 200
__global__ void inPlace(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 2 * a[i] + 1; // ss
}

// launch: <<<4, 64>>> A:2048 255 meets
__global__ void neighbor(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i + 1]; // w
}

// launch: <<<(3, 3), (16, 16)>>> A:10000 B:10000 50
// launch: <<<(4, 4), (16, 16)>>> A:10000 B:10000 50
// launch: <<<(4, 4), (16, 16)>>> A:9999 B:10000 50
__global__ void tiles(float *a, const float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) a[y * n + x] = b[x * n + y]; // ssw sss
}

// launch: <<<(4, 4), (16, 16)>>> A:16384 64
// launch: <<<(4, 4), (16, 16)>>> A:16384 63 meets
__global__ void rows(float *a, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * pitch + x] = 1; // sw
}

// launch: <<<2, 32>>> A:4000 1000
// launch: <<<2, 32>>> A:4000 64
// launch: <<<2, 32>>> A:4000 0
__global__ void gridStride(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += 1; // sss
}

// launch: <<<2, 32>>> A:2048 8
// launch: <<<2, 32>>> A:2048 9 meets
__global__ void chunks(float *a, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) a[t * 8 + k] += 1; // sw
}

// launch: <<<8, 64>>> A:32 B:2048
__global__ void leader(float *a, const float *b) {
  if (threadIdx.x == 0) a[blockIdx.x] = b[blockIdx.x]; // s s
}

// launch: <<<8, 64>>> A:32
// launch: <<<8, 1>>> A:32
__global__ void everyone(float *a) {
  a[blockIdx.x] = 1; // ws
}

// launch: <<<4, 64>>> A:1024 256
// launch: <<<4, 64>>> A:1024 200
__global__ void backwards(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[n - 1 - i] = i; // ss
}

// launch: <<<4, 64>>> A:4096
__global__ void wide(float4 *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = make_float4(1, 2, 3, 4); // s
}

// launch: <<<4, 64>>> A:4096 meets
__global__ void overlapping(char *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *(double *)(a + 4 * i) = 1; // w
}

// launch: <<<1, 64>>> A:2048 A:2048+256 64
// launch: <<<1, 64>>> A:2048 A:2048+4 64
// launch: <<<1, 64>>> A:2048 B:2048+4 64
__global__ void views(float *a, float *b, int n) {
  if (threadIdx.x < n) {
    a[threadIdx.x] = 1; // wws
    b[threadIdx.x] = 2; // wws
  }
}

// launch: <<<4, 64>>> A:1024 B:1024 C:1024 256
__global__ void scatter(float *a, const int *index, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[index[i]] = b[i]; // w s s
}

// launch: <<<4, 64>>> A:1024 B:4
__global__ void counted(float *a, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 1;            // s
  atomicAdd(count, 1); // w
}

// launch: <<<4, 64>>> A:1024 B:8 0
__global__ void anywhere(float *a, float **list, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 1;    // w
  *list[k] = 2; // w
}

__device__ __noinline__ int place(int i, int stride) { return i * stride; }

// launch: <<<4, 64>>> A:4096 4
// launch: <<<4, 64>>> A:4096 0 meets
__global__ void called(float *a, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[place(i, stride)] = 1; // sw
}

// launch: <<<4, 64>>> A:1024 65536 meets
__global__ void wrapped(float *a, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[(i * k * k) & 255] = 1; // w
}

struct View {
  float *data;
  int n;
};

// launch: <<<4, 64>>> {A:1024 256}
__global__ void byValue(View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.n) v.data[i] = 1; // s
}

// launch: <<<4, 64>>> A:1024
__global__ void halves(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i / 2 * 2 + i % 2] = 1; // s
}

// launch: <<<4, 64>>> A:1024
__global__ void pairs(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i / 2] = 1; // w
}

__device__ float table[256];
__device__ int hits;

// launch: <<<4, 64>>> A:1024
__global__ void globals(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = a[i];               // s s
  if (a[i] > 1) atomicAdd(&hits, 1); // s w
}

// A table into which blocks insert: the compiler moves a pointer through it.
// launch: <<<4, 64>>> A:1024 256 meets
__global__ void insert(unsigned *table, unsigned size) {
  unsigned key = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u | 1;
  unsigned at = key % size;
  while (table[at] != key)               // w
    if (table[at] == 0) table[at] = key; // w
    else at = (at + 1) % size;
}

// A pointer to one of two arrays: both are written, so that neither is private.
// launch: <<<4, 64>>> A:1024 B:1024 C:1024 3
// launch: <<<4, 64>>> A:1024 A:1024 C:1024 3
__global__ void oneOfTwo(unsigned *a, unsigned *b, const unsigned *c, unsigned n) {
  unsigned *to = threadIdx.x % n ? a : b, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < n; k++) to += c[k]; // ss
  to[i] = 1;                                    // ww
}
