// flags: --tool coalesce --arch sm_20
// flags: --tool coalesce --arch sm_35
// Loads by lines of 128 bytes, stores by sectors of 32.
#include <cuda_runtime.h>
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void copy(const float *in, float *out) { out[ID] = in[ID]; }
__global__ void copy8(const double *in, double *out) { out[ID] = in[ID]; }
__global__ void copy16(const float4 *in, float4 *out) { out[ID] = in[ID]; }
__global__ void permuted(const float *in, float *out) { out[ID] = in[ID ^ 31]; }
__global__ void loadNextSector(const float *in, float *out) {
    out[ID] = in[ID + 8]; // want coalesce uncoalesced warning: begins 32 bytes after
}
__global__ void storeNextSector(const float *in, float *out) { out[ID + 8] = in[ID]; }
__global__ void quarters(const float *in, float *out) {
    out[ID] = in[ID / 8 * 32 + ID % 8]; // want coalesce uncoalesced info
}
__global__ void storeQuarters(const float *in, float *out) { out[ID / 8 * 32 + ID % 8] = in[ID]; }
__global__ void column(const float *in, float *out) {
    out[ID] = in[ID * 32]; // want coalesce uncoalesced warning
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
    permuted<<<2, 256>>>(f, g);
    loadNextSector<<<2, 256>>>(f, g);
    storeNextSector<<<2, 256>>>(f, g);
    quarters<<<2, 256>>>(f, g);
    storeQuarters<<<2, 256>>>(f, g);
    column<<<2, 256>>>(f, g);
    return cudaDeviceSynchronize() != cudaSuccess;
}
