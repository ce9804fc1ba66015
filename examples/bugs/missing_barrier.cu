// A tree reduction whose loop lacks its barrier. One warp may read partial
// sums that another has not written yet.

#include "../check.h"

__global__ void sum(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride]; // want race
    }
    if (t == 0) out[0] = s[0];
}

int main() {
    std::vector<int> in(256, 1);
    int *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, sizeof(int)));
    sum<<<1, 256>>>(dIn, dOut);
    CHECK_LAUNCH();
    printf("missing_barrier: sum %d of 256\n", toHost(dOut, 1)[0]);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return 0;
}
