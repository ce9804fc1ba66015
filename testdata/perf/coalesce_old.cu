// flags: --tool coalesce --arch sm_10
// flags: --tool coalesce --arch sm_13
// Half-warps. What lies in one aligned segment in another order is good from
// sm_12 on only, see the table of the package's tests; here is what both say.
#include <cuda_runtime.h>
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void copy(const float *in, float *out) { out[ID] = in[ID]; }
__global__ void copy8(const double *in, double *out) { out[ID] = in[ID]; }
__global__ void copy16(const float4 *in, float4 *out) { out[ID] = in[ID]; }
__global__ void shiftedByHalfWarp(const float *in, float *out) { out[ID] = in[ID + 16]; }
__global__ void everyOther(const float *in, float *out) { if (threadIdx.x % 2) out[ID] = in[ID]; }
__global__ void shifted1(const float *in, float *out) {
    out[ID] = in[ID + 1]; // want coalesce uncoalesced warning: begins 4 bytes after
}
__global__ void stride32(const float *in, float *out) {
    out[ID] = in[32 * ID]; // want coalesce uncoalesced warning
}
__global__ void stride33(const float *in, float *out) {
    out[ID] = in[33 * ID]; // want coalesce uncoalesced warning
}
__global__ void structures(const float4 *in, float *out) {
    out[ID] = in[2 * ID].x; // want coalesce uncoalesced warning
}

int main() {
    char *a, *b;
    cudaMalloc(&a, 1 << 17);
    cudaMalloc(&b, 1 << 17);
    cudaMemset(a, 0, 1 << 17);
    float *f = (float *)a, *g = (float *)b;
    copy<<<2, 256>>>(f, g);
    copy8<<<2, 256>>>((double *)a, (double *)b);
    copy16<<<2, 256>>>((float4 *)a, (float4 *)b);
    shiftedByHalfWarp<<<2, 256>>>(f, g);
    everyOther<<<2, 256>>>(f, g);
    shifted1<<<2, 256>>>(f, g);
    stride32<<<2, 256>>>(f, g);
    stride33<<<2, 256>>>(f, g);
    structures<<<2, 256>>>((float4 *)a, g);
    return cudaDeviceSynchronize() != cudaSuccess;
}
