// Cooperative groups name all dimensions of a block; a kernel that else names one only is
// made for blocks of one dimension.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void oneDimension(const float *in, float *out) {
    __shared__ float s[1024];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    cg::sync(block);
    if (block.thread_rank() < 32) s[t] += s[t + 32 < block.size() ? t + 32 : t];
    if (block.thread_rank() == 0) out[blockIdx.x] = s[0];
}

__global__ void twoDimensions(float *out) {
    __shared__ float s[1024];
    cg::thread_block block = cg::this_thread_block();
    s[threadIdx.x] = threadIdx.y; // want race write-write possible
    cg::sync(block);
    out[block.thread_rank()] = s[threadIdx.x];
}

int main() { return 0; }
