// An error reported by the device (section 2.6): Error() keeps a block's first
// error in shared memory, the kernel stops and leaves it in device memory, and
// the host looks there. The paper knows that the blocks race for that one word,
// and that what the host reads need not be the first error.
//
//   warpgrind run --watch status[2] error_function.cu
//
// reports every thread that writes the word, with the values, in the order of
// execution, and that nothing orders them. With -D FIXED atomics keep the first.

#include "../../examples/check.h"

const int Limit = 1000;

__device__ int status[3];

#ifdef FIXED
__device__ void Error(int *first, int error, int aux) { atomicCAS(first, 0, error | (aux & 0xffff)); }
__device__ bool stopped(int *first) { return atomicAdd(first, 0) != 0; }
__device__ void leave(int *first) { atomicCAS(&status[2], 0, atomicAdd(first, 0)); }
#else
__device__ void Error(int *first, int error, int aux) {
    if (*first == 0) *first = error | (aux & 0xffff);
}
__device__ bool stopped(int *first) { return *first != 0; } // want race
__device__ void leave(int *first) { status[2] = *first; } // want race
#endif

// decode squares numbers below Limit.
__global__ void decode(int *out, const int *in, int n) {
    __shared__ int first;
    if (threadIdx.x == 0) first = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int v = in[i];
        if (v < 0 || v >= Limit) Error(&first, 0x50000, i);
        if (stopped(&first)) {
            leave(&first);
            break;
        }
        out[i] = v * v;
    }
}

int main() {
    const int n = 4096;
    Random random;
    std::vector<int> in(n);
    for (int &v : in) v = random.below(Limit);
    in[700] = in[2900] = -5; // what another program left there
    int *dIn = toDevice(in), *dOut = toDevice(std::vector<int>(n));
    decode<<<8, 128>>>(dOut, dIn, n);
    CHECK_LAUNCH();
    int found[3];
    CHECK(cudaMemcpyFromSymbol(found, status, sizeof found));
    printf("decode: error 0x%x\n", found[2]);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return found[2] != 0 ? 0 : 1; // the error is there to be found
}
