extern __shared__ int s[];

__global__ void kernel(int *out) {
    int id = threadIdx.x;
    int nt = blockDim.x;

    s[id] = id;
    out[id] = s[(id + 1) % nt];
}

// Lines 1 to 9 are Figure 1 of Boyer, Skadron and Weimer, "Automated Dynamic
// Analysis of CUDA Programs" (2008): each thread reads what its neighbor
// writes, and no barrier lies between the two. The data race is on line 8.
// fig1_fixed.cu is the same program with the barrier.

#include "../check.h"

int main() {
    const int n = 64;
    int *out;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    kernel<<<1, n, n * sizeof(int)>>>(out);
    CHECK_LAUNCH();

    // Which values arrive depends on the schedule: count, do not judge.
    std::vector<int> got = toHost(out, n);
    int fresh = 0;
    for (int i = 0; i < n; i++) fresh += got[i] == (i + 1) % n;
    printf("fig1: %d of %d threads saw their neighbor's value\n", fresh, n);
    CHECK(cudaFree(out));
    return 0;
}
