// The facts about addresses. Each kernel names the shape of its block; each
// line with an access to global or shared memory says what the second warp's
// addresses look like:
//
//   step N      each lane is N bytes from the one before
//   exact A B.. the distances of lanes 1, 2, ... from lane 0 are known and
//               begin like this
//   needs X Y   the distances depend on parameters (by number), registers or
//               data, "loaded" or "round" (of a loop)
//   align N+R   the first lane's address is R modulo N (up to 128)
//   lanes MASK  only lanes in the mask can run the line
//   assumed     that takes for granted that no 32-bit sum wraps
//
// addresses.ptx is made from it by: warpgrind cc -ptx -o addresses.ptx addresses.cu

// block 64
__global__ void columns(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 1;           // step 4, align 128+0, assumed
  a[i * n] = 1;       // needs 1, assumed
  a[n * 64 + i] = 1;  // step 4, align 128+0, assumed
  a[n * 3 + i] = 1;   // step 4, align 4+0, assumed
  a[i + 1] = 1;       // step 4, align 128+4, assumed
  a[63 - threadIdx.x] = 1; // step -4, align 128+124
  a[2 * i] = 1;       // step 8, align 128+0, assumed
  a[blockIdx.x] = 1;  // step 0, align 4+0
}

struct Body {
  float x, y, z;
};

// block 64
__global__ void structures(Body *b, float4 *v, double *d) {
  int i = threadIdx.x;
  b[i].y = 1;                     // step 12, align 128+4
  v[i] = make_float4(0, 0, 0, 0); // step 16, align 128+0
  d[i] = 0;                       // step 8, align 128+0
}

// block 64
__global__ void chunks(float *a, int n) {
  for (int k = 0; k < 8; k++) a[threadIdx.x * 8 + k] = 1; // step 32, align 4+0
  for (int k = 0; k < n; k++) a[k * 64 + threadIdx.x] = 1; // step 4, align 128+0, assumed
  for (int k = 0; k < n; k++) a[threadIdx.x * n + k] = 1; // needs 1, assumed
}

// block 64
__global__ void divisions(float *a) {
  int i = threadIdx.x, s = (int)threadIdx.x - 3;
  a[i / 4 * 4] = 1;     // exact 0 0 0 16 16, align 128+0
  a[i / 3 * 3] = 1;     // exact 12 12 12 24
  a[i % 3] = 1;         // exact -8 -4 0 -8
  a[i % 32] = 1;        // step 4, align 128+0
  a[i / 32] = 1;        // step 0
  a[(i & 15) * 2] = 1;  // exact 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 0
  a[i >> 1] = 1;        // exact 0 4 4 8
  a[s / 2 + 8] = 1;     // exact 4 4 8
  a[i ^ 1] = 1;         // exact -4 8 4 16
  a[__mul24(i, 2)] = 1; // step 8
  a[i * 100 / 100] = 1; // step 4, align 128+0
}

__device__ __noinline__ int row(int i, int pitch) { return i * pitch; }

// block 64
__global__ void helpers(float *a, int k, int flag) {
  int i = threadIdx.x, j;
  a[row(i, 8)] = 1; // step 32, align 128+0
  if (i < 40) j = i; else j = i + 1;
  a[j] = 1;         // exact 4 8 12 16 20 24 28 36 40
  a[flag ? i : i + 32] = 1; // step 4, align 128+0
  a[flag ? i : 2 * i] = 1;  // needs 2
  a[max(i, 34)] = 1;        // exact 0 0 4 8
  a[min(i, k)] = 1;         // needs 1
}

// block 8, 4, 2
__global__ void dimensions(float *a, int n, int pitch) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  a[x] = 1;                    // exact 4 8 12 16 20 24 28 0 4
  a[(z * 4 + y) * 8 + x] = 1;  // step 4, align 128+0
  a[y * n + x] = 1;            // needs 1, assumed
  a[(x * 4 + y) * 2 + z] = 1;  // exact 32 64 96 128 160 192 224 8 40
  a[x * 8 + y] = 1;            // exact 32 64 96 128 160 192 224 4 36
}

// block 64
__global__ void indirect(float *a, const int *__restrict__ index, const int *start) {
  int i = threadIdx.x;
  a[index[i]] = 1;      // step 4, align 128+0; needs 1 loaded
  a[start[0] + i] = 1;  // step 0, align 128+0; step 4, align 4+0, assumed
  a[start[i / 32]] = 1; // step 0; step 0
}

// block 64
__global__ void guards(float *a, int n) {
  int i = threadIdx.x;
  if (i == 40) a[i] = 1;            // step 0, lanes 100
  if (i < 36) a[i] = 1;             // step 4, lanes f
  if (i < n) a[i] = 1;              // step 4
  if (i >= 34 && i < 38) a[i] = 1;  // step 4, lanes 3c
  if (i % 2 == 0) a[i] = 1;         // step 4, lanes 55555555
  if (i < 20) a[i] = 1;             // lanes 0
}

// block 32, 8
__global__ void tiles(float *a) {
  __shared__ float s[32][32], t[32][33], w[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = a[y * 32 + x]; // step 4, align 4+0; step 4, align 128+0
  __syncthreads();
  t[x][y] = s[x][y];       // step 132, align 4+0; step 128, align 4+0
  w[x][y ^ (x & 7)] = 0;   // exact 124 264 388
  __syncthreads();
  a[y * 32 + x] = t[y][x] + w[y][x]; // step 4; step 4; step 4
}

// block 256
__global__ void reduction(float *a) {
  __shared__ float s[256];
  int i = threadIdx.x;
  s[i] = a[i]; // step 4; step 4
  __syncthreads();
  for (int h = 128; h > 0; h /= 2) {
    if (i < h) s[i] += s[i + h]; // step 4; step 4; step 4
    __syncthreads();
  }
  for (int d = 1; d < 256; d *= 2) {
    if (i * 2 * d < 256) s[i * 2 * d] = 0; // needs round
    __syncthreads();
  }
}

// block 64
__global__ void lanes(unsigned *a) {
  unsigned below, upto, lane, beyond;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(upto));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(beyond));
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  a[below & 255] = 1;  // exact 4 12 28 60 124
  a[upto & 255] = 1;   // exact 8 24 56 120
  a[beyond & 3] = 1;   // exact -4 -12 -12
  a[lane] = 1;         // step 4, align 128+0
}

// block 64
__global__ void loops(float *a, const int *b, int n) {
  int i = threadIdx.x, last = 0;
  for (int k = i; k < n; k += blockDim.x) last = k; // first lanes leave later
  a[last] = 1; // needs 2 round
  int found = 0;
  while (b[found] > i) found++; // step 0
  a[found] = 1; // needs round
  int total = 0;
  for (int k = 0; k < n; k++) total += b[k]; // step 0
  a[total + i] = 1; // step 4, assumed
}
