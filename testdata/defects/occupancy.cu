// Launches that leave most warps of a multiprocessor unused.
// flags: --tool occupancy
// clean: full single odd few
#include <cstring>

__global__ void small(int *q) { q[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void big(int *q) {
    __shared__ int s[10 * 1024];
    s[threadIdx.x] = 1;
    __syncthreads();
    q[blockIdx.x * blockDim.x + threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
}
extern __shared__ int d[];
__global__ void dynamic(int *q) {
    d[threadIdx.x] = 1;
    q[blockIdx.x * blockDim.x + threadIdx.x] = d[threadIdx.x];
}

int main(int, char **argv) {
    const char *name = argv[1];
    auto is = [&](const char *k) { return !strcmp(name, k); };
    int *q;
    cudaMalloc(&q, 1 << 20);
    cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
    if (is("lanes")) small<<<64, 8>>>(q);                   // want(lanes) occupancy low info
    if (is("static")) big<<<64, 128>>>(q);                  // want(static) occupancy low warning
    if (is("dynamic")) dynamic<<<64, 256, 80 << 10>>>(q);   // want(dynamic) occupancy low warning
    if (is("grown"))                                        // the lowest of several launches is shown
        for (int kb = 20; kb <= 100; kb += 40)
            dynamic<<<64, 128, kb << 10>>>(q);              // want(grown) occupancy low warning
    if (is("alone")) big<<<1, 128>>>(q);                    // want(alone) occupancy low info
    // Near misses.
    if (is("full")) small<<<64, 256>>>(q);
    if (is("single")) small<<<1, 1024>>>(q);
    if (is("odd")) small<<<64, 768>>>(q);
    if (is("few")) dynamic<<<64, 512, 50 << 10>>>(q);
    cudaDeviceSynchronize();
}
