// What needs unusual values of blocks or parameters is left to the run. The launches are
// not known here.
#include <cuda_runtime.h>

__global__ void tile(const float *a, float *b, int w) {
    __shared__ float s[16][16];
    s[threadIdx.y][threadIdx.x] = a[threadIdx.y * w + threadIdx.x]; // want coalesce uncoalesced possible
    __syncthreads();
    b[threadIdx.y * w + threadIdx.x] = s[threadIdx.x][threadIdx.y]; // want bank conflict possible, coalesce uncoalesced possible
}

__global__ void beyondAlways(float *b) {
    __shared__ float s[32];
    s[threadIdx.x] = 1; // want memory out-of-bounds possible
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x & 31];
}

__global__ void halves(int *out, unsigned size) {
    __shared__ int s[512];
    int t = threadIdx.x & 255;
    unsigned at = 2 * t - (t & (size - 1)); // size is a power of two
    if (size > 256 || threadIdx.x > 255) return;
    s[at] = t;
    out[t] = s[at];
}

int main() { return 0; }
