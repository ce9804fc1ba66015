// Kernels whose blocks are alike, or not.
//
// Each kernel names the launches that are examined: the shape, the arguments
// (P is a pointer), and which blocks are alike: all, those but the last in each
// dimension (first), those but both ends (inner), or none. "straight" means that
// lanes run together in the same way too, "reads" that this relies on read-only
// memory.
//
// kernels.ptx is made from it by: warpgrind cc -ptx -o kernels.ptx kernels.cu

#define T threadIdx.x
#define I (blockIdx.x * blockDim.x + threadIdx.x)

__constant__ int rounds = 3;

// launch: <<<4, 64>>> P: all straight
// launch: <<<2, 64>>> P: all straight
// launch: <<<1, 64>>> P: none
// launch: <<<(2, 3), 64>>> P: all straight
__global__ void tile(int *a) {
  __shared__ int s[64];
  s[T] = a[I];
  __syncthreads();
  a[I] = s[63 - T];
}

// launch: <<<4, 64>>> P 256: all straight
// launch: <<<4, 64>>> P 250: first straight
__global__ void guardedElements(int *a, int n) {
  __shared__ int s[64];
  int x = 0;
  if (I < n) x = a[I];
  s[T] = x;
  __syncthreads();
  if (I < n) a[I] = s[63 - T];
}

// launch: <<<4, 64>>> P 256: all straight
// launch: <<<4, 64>>> P 250: all
__global__ void guardedGlobal(int *a, int n) {
  __shared__ int s[64];
  int x = 0;
  if (I < n) x = a[I];
  s[T] = x;
  __syncthreads();
  x = s[63 - T];
  if (I < n) a[I] = x;
}

// launch: <<<4, 64>>> P 256: all straight
// launch: <<<4, 64>>> P 250: first straight
// launch: <<<2, 64>>> P 120: none
__global__ void earlyReturn(int *a, int n) {
  __shared__ int s[64];
  if (I >= n) return;
  s[T] = a[I];
  __syncthreads();
  a[I] = s[63 - T];
}

// launch: <<<5, 64>>> P: inner straight
// launch: <<<3, 64>>> P: none
__global__ void ends(int *a) {
  __shared__ int s[128];
  s[T] = a[I];
  if (blockIdx.x == 0 || blockIdx.x == gridDim.x - 1) s[T + 64] = 0;
  __syncthreads();
  a[I] = s[63 - T];
}

// launch: <<<4, 64>>> P: none
__global__ void byBlock(int *a) {
  __shared__ int s[64];
  s[(T + blockIdx.x) & 63] = a[I];
}

// launch: <<<4, 64>>> P: all straight
__global__ void canceled(int *a) {
  __shared__ int s[64];
  int i = I;
  s[i - blockIdx.x * 64] = a[i];
}

// launch: <<<4, 64>>> P: none
__global__ void byData(int *a) {
  __shared__ int s[64];
  s[a[I] & 63] = 1;
}

// launch: <<<4, 64>>> P: none
__global__ void bySharedData(int *a) {
  __shared__ int s[64];
  s[T] = a[I];
  __syncthreads();
  a[I] = s[s[T] & 63];
}

// launch: <<<4, 64>>> P: none
__global__ void underData(int *a) {
  __shared__ int s[64];
  if (a[I] > 0) s[T] = 1;
}

// launch: <<<4, 64>>> P: all
__global__ void besideData(int *a) {
  __shared__ int s[64];
  s[T] = 1;
  if (a[I] > 0) a[I] = 2;
  __syncthreads();
  a[I] += s[63 - T];
}

// launch: <<<4, 64>>> P: none
__global__ void chosenByData(int *a) {
  __shared__ int s[128];
  int at = T;
  if (a[I] > 0) at += 64;
  s[at] = 1;
}

// launch: <<<4, 64>>> P 3: all straight
__global__ void loop(int *a, int n) {
  __shared__ int s[64];
  for (int k = 0; k < n; k++) {
    s[(T + k) & 63] = a[I];
    __syncthreads();
  }
}

// launch: <<<4, 64>>> P: none
__global__ void loopByBlock(int *a) {
  __shared__ int s[64];
  for (int k = 0; k < blockIdx.x; k++) {
    s[T] = a[I];
    __syncthreads();
  }
}

// A loop over the block's own part of something: all have the same number of rounds.
// launch: <<<4, 64>>> P 96: all straight
// launch: <<<4, 64>>> P 16777216: all straight
// launch: <<<4, 64>>> P 1073741824: none
__global__ void loopOverPart(int *a, int n) {
  __shared__ int s[64];
  int first = n * blockIdx.x, last = first + n - 1;
  for (int at = first, k = 0; at <= last; at += 64, k++) {
    if (k > 3) return;
    s[(T + k) & 63] = a[I];
    __syncthreads();
  }
}

// launch: <<<4, 64>>> P 96: all straight
__global__ void loopOverPartBackwards(int *a, int n) {
  __shared__ int s[64];
  unsigned first = n * blockIdx.x;
  for (unsigned at = first + n; at > first; at -= 32) {
    s[T] = a[I];
    __syncthreads();
  }
}

// launch: <<<4, 64>>> P: all straight
__global__ void loopOverPartByPointer(int *a) {
  __shared__ int s[64];
  for (int *p = a + blockIdx.x * 64; p != a + blockIdx.x * 64 + 16; p += 4) {
    s[T] = *p;
    __syncthreads();
  }
}

// The last block's part is shorter.
// launch: <<<4, 64>>> P 250: first straight
// launch: <<<4, 64>>> P 256: all straight
__global__ void loopOverCutPart(int *a, int n) {
  __shared__ int s[64];
  int first = 64 * blockIdx.x, last = min(first + 64, n);
  for (int at = first; at < last; at += 8) {
    s[T] = a[I];
    __syncthreads();
  }
}

// launch: <<<4, 64>>> P: none
__global__ void loopOverLongerParts(int *a) {
  __shared__ int s[64];
  int first = 64 * blockIdx.x, last = first + 16 * blockIdx.x;
  for (int at = first; at < last; at += 8) {
    s[T] = a[I];
    __syncthreads();
  }
}

// launch: <<<4, 64>>> P: none
__global__ void loopByData(int *a) {
  __shared__ int s[64];
  for (int k = 0; k < (a[blockIdx.x] & 3); k++) s[T] = k;
}

// launch: <<<4, 64>>> P: none
__global__ void leftByData(int *a) {
  __shared__ int s[64];
  int k = 0;
  while (k < 64 && a[blockIdx.x * 64 + k] != 0) k++;
  s[k & 63] = 1;
}

// launch: <<<4, 64>>> P: all straight reads
__global__ void loopByConstant(int *a) {
  __shared__ int s[64];
  for (int k = 0; k < rounds; k++) {
    s[(T + k) & 63] = a[I];
    __syncthreads();
  }
}

// launch: <<<4, 64>>> P: all straight
__global__ void counted(int *a) {
  __shared__ int s[8];
  if (T < 8) s[T] = 0;
  __syncthreads();
  atomicAdd(&s[T & 7], a[I]);
  __syncthreads();
  if (T < 8) a[I] = s[T];
}

// launch: <<<4, 64>>> P: none
__global__ void drawn(int *a) {
  __shared__ int n, s[64];
  if (T == 0) n = 0;
  __syncthreads();
  s[atomicAdd(&n, 1) & 63] = a[I];
}

// launch: <<<4, 64>>> P: none
__global__ void barrierByData(int *a) {
  __shared__ int s[64];
  s[T] = 1;
  if (a[blockIdx.x] > 0) __syncthreads();
  a[I] = s[63 - T];
}

// launch: <<<4, 64>>> P: none
__global__ void warpsByData(int *a) {
  __shared__ int s[64];
  s[T] = 1;
  __syncwarp(a[blockIdx.x] > 0 ? 0xffffffff : 0xffffffff >> (T & 1));
  a[I] = s[T ^ 1];
}

// launch: <<<4, 64>>> P: all straight
__global__ void warps(int *a) {
  __shared__ int s[64];
  s[T] = a[I];
  __syncwarp();
  a[I] = s[T ^ 1];
}

// launch: <<<4, 64>>> P: none
__global__ void exchangedData(int *a) {
  __shared__ int s[64];
  s[__shfl_sync(0xffffffff, a[I], 0) & 63] = 1;
}

// launch: <<<4, 64>>> P: all straight
__global__ void exchanged(int *a) {
  __shared__ int s[64];
  s[__shfl_xor_sync(0xffffffff, T, 1)] = a[I];
}

// launch: <<<4, 64>>> P: all straight
__global__ void trapped(int *a) {
  __shared__ int s[64];
  if (a[I] < 0) __trap();
  s[T] = 1;
  __syncthreads();
  a[I] = s[63 - T];
}

// launch: <<<4, 64>>> P: none
__global__ void timed(int *a) {
  __shared__ int s[64];
  s[clock() & 63] = a[I];
}

// launch: <<<4, 64>>> P: none
__global__ void polled(int *a) {
  __shared__ volatile int s[64];
  s[T] = a[I];
  while (s[0] != 0) {}
}

int main() {
  int *a;
  cudaMalloc(&a, 6 * 64 * sizeof(int));
  cudaMemset(a, 0, 6 * 64 * sizeof(int));
  tile<<<4, 64>>>(a);
  tile<<<dim3(2, 3), 64>>>(a);
  guardedElements<<<4, 64>>>(a, 256);
  guardedElements<<<4, 64>>>(a, 250);
  guardedGlobal<<<4, 64>>>(a, 250);
  earlyReturn<<<4, 64>>>(a, 256);
  earlyReturn<<<4, 64>>>(a, 250);
  ends<<<5, 64>>>(a);
  byBlock<<<4, 64>>>(a);
  canceled<<<4, 64>>>(a);
  byData<<<4, 64>>>(a);
  bySharedData<<<4, 64>>>(a);
  underData<<<4, 64>>>(a);
  besideData<<<4, 64>>>(a);
  chosenByData<<<4, 64>>>(a);
  loop<<<4, 64>>>(a, 3);
  loopByBlock<<<4, 64>>>(a);
  loopOverPart<<<4, 64>>>(a, 96);
  loopOverPartBackwards<<<4, 64>>>(a, 96);
  loopOverPartByPointer<<<4, 64>>>(a);
  loopOverCutPart<<<4, 64>>>(a, 250);
  loopOverLongerParts<<<4, 64>>>(a);
  loopByData<<<4, 64>>>(a);
  leftByData<<<4, 64>>>(a);
  loopByConstant<<<4, 64>>>(a);
  counted<<<4, 64>>>(a);
  drawn<<<4, 64>>>(a);
  barrierByData<<<4, 64>>>(a);
  warpsByData<<<4, 64>>>(a);
  warps<<<4, 64>>>(a);
  exchangedData<<<4, 64>>>(a);
  exchanged<<<4, 64>>>(a);
  timed<<<4, 64>>>(a);
  cudaMemset(a, 0, 6 * 64 * sizeof(int));
  trapped<<<4, 64>>>(a);
  cudaMemset(a, 0, 6 * 64 * sizeof(int));
  polled<<<4, 64>>>(a);
  return cudaDeviceSynchronize() != cudaSuccess;
}
