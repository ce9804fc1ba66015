// flags: --tool bank
// flags: --tool bank --arch sm_60
// 32 banks of 4 bytes. The arrays are written row by row, without conflicts.
#include <cuda_runtime.h>
#define T threadIdx.x

struct Vec4 { float x, y, z, w; };
struct Vec3 { float x, y, z; };

#define FILL(s) \
    for (int k = T; k < sizeof(s) / 4; k += blockDim.x * blockDim.y) ((float *)s)[k] = k; \
    __syncthreads();

__global__ void linear(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[T]; }
__global__ void backwards(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[255 - T]; }
__global__ void one(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[7]; }
__global__ void stride3(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[3 * T]; }
__global__ void shifted(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[T + 1]; }
__global__ void padded(float *out) { __shared__ float s[32][33]; FILL(s) out[T] = s[T % 32][5]; }
__global__ void twoWords(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[T % 2]; }
__global__ void structure3(float *out) { __shared__ Vec3 s[256]; FILL(s) out[T] = s[T].y; }
__global__ void doubles(double *out) { __shared__ double s[256]; FILL(s) out[T] = s[T]; }
__global__ void vectors(float4 *out) { __shared__ float4 s[256]; FILL(s) out[T] = s[T]; }
__global__ void fewLanes(float *out) { __shared__ float s[1024]; FILL(s) if (T % 32 == 0) out[T] = s[T * 2]; }
__global__ void chars(char *out) { __shared__ char s[256]; s[T] = T; __syncthreads(); out[T] = s[T]; }

__global__ void stride2(float *out) {
    __shared__ float s[1024];
    FILL(s)
    out[T] = s[2 * T]; // want bank 2-way warning
}
__global__ void column(float *out) {
    __shared__ float s[32][32];
    FILL(s)
    out[T] = s[T % 32][5]; // want bank 32-way warning: from 32 to 33
}
// A row of 33 words would misalign the vectors.
__global__ void vectorRows(float *out) {
    __shared__ __align__(16) float s[64][32];
    for (int k = T; k < 512; k += blockDim.x) ((float4 *)s)[k] = ((float4 *)out)[k];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; k++) sum += s[T % 64][k]; // want bank 32-way warning: adjacent elements
    out[T] = sum;
}
__global__ void narrowColumn(float *out) {
    __shared__ float s[64][16];
    FILL(s)
    out[T] = s[T % 64][5]; // want bank 16-way warning: index / 32
}
__global__ void transposed(float *out) {
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = y; k < 32; k += 8) tile[k][x] = out[k * 32 + x];
    __syncthreads();
    for (int k = y; k < 32; k += 8)
        out[k * 32 + x] = tile[x][k]; // want bank 32-way warning: from 32 to 33
}
__global__ void transposedPadded(float *out) {
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = y; k < 32; k += 8) tile[k][x] = out[k * 32 + x];
    __syncthreads();
    for (int k = y; k < 32; k += 8) out[k * 32 + x] = tile[x][k];
}
__global__ void structures(float *out) {
    __shared__ Vec4 s[256];
    FILL(s)
    out[T] = s[T].z; // want bank 4-way warning
}
__global__ void chunks(float *out) {
    __shared__ float s[2048];
    FILL(s)
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += s[T * 8 + k]; // want bank 8-way warning
    out[T] = sum;
}
__global__ void doubleColumn(double *out) {
    __shared__ double s[32][16];
    FILL(s)
    out[T] = s[T % 32][3]; // want bank 16-way warning: from 32 to 34
}
__global__ void sweep(float *out) { // the up-sweep of a scan
    __shared__ float s[512];
    FILL(s)
    for (int d = 1; d < 512; d *= 2) {
        __syncthreads();
        int i = 2 * d * (T + 1) - 1;
        if (i < 512) {
            float v = s[i - d]; // want bank 16-way warning: index + index / 32
            s[i] += v;          // want bank 16-way warning
        }
    }
    __syncthreads();
    out[T] = s[T];
}
__global__ void histogram(int *out) {
    __shared__ int bins[256];
    bins[T] = 0;
    __syncthreads();
    unsigned v = T * 2654435761u;
    for (int k = 0; k < 16; k++) {
        v = v * 1664525u + 1013904223u;
        atomicAdd(&bins[v >> 24], 1); // want bank 4-way info
    }
    __syncthreads();
    out[T] = bins[T];
}

// One word for all lanes of a warp, or for half of them.
__global__ void sumInOne(int *out) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++)
        atomicAdd(&sum, k); // want bank contention warning: combine the values of the warp first
    __syncthreads();
    out[T] = sum;
}
__global__ void twoSums(int *out) {
    __shared__ int sums[2];
    if (T < 2) sums[T] = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++)
        atomicAdd(&sums[T % 2], k); // want bank contention warning: combine the values of the warp first
    __syncthreads();
    out[T] = sums[T % 2];
}
// Each lane has its own word, one lane adds for its warp, or one of them wins.
__global__ void sumsOfLanes(int *out) {
    __shared__ int sums[256];
    sums[T] = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) atomicAdd(&sums[T], k);
    out[T] = sums[T];
}
__global__ void sumsOfWarps(int *out) {
    __shared__ int sum;
    if (T == 0) sum = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++)
        if (T % 32 == 0) atomicAdd(&sum, k);
    __syncthreads();
    out[T] = sum;
}
__global__ void oneWins(int *out) {
    __shared__ int owner;
    if (T == 0) owner = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) atomicCAS(&owner, 0, T + 1);
    __syncthreads();
    out[T] = owner;
}

int main() {
    char *d;
    cudaMalloc(&d, 1 << 16);
    cudaMemset(d, 0, 1 << 16);
    float *f = (float *)d;
    linear<<<1, 256>>>(f); backwards<<<1, 256>>>(f); one<<<1, 256>>>(f); stride3<<<1, 256>>>(f);
    shifted<<<1, 256>>>(f); padded<<<1, 256>>>(f); twoWords<<<1, 256>>>(f); structure3<<<1, 256>>>(f);
    doubles<<<1, 256>>>((double *)d); vectors<<<1, 256>>>((float4 *)d); fewLanes<<<1, 256>>>(f);
    chars<<<1, 256>>>(d); stride2<<<1, 256>>>(f); column<<<1, 256>>>(f); vectorRows<<<1, 256>>>(f); narrowColumn<<<1, 256>>>(f);
    transposed<<<1, dim3(32, 8)>>>(f); transposedPadded<<<1, dim3(32, 8)>>>(f);
    structures<<<1, 256>>>(f); chunks<<<1, 256>>>(f); doubleColumn<<<1, 256>>>((double *)d);
    sweep<<<1, 256>>>(f); histogram<<<1, 256>>>((int *)d);
    int *n = (int *)d;
    sumInOne<<<1, 256>>>(n); twoSums<<<1, 256>>>(n); sumsOfLanes<<<1, 256>>>(n); sumsOfWarps<<<1, 256>>>(n); oneWins<<<1, 256>>>(n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
