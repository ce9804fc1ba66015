extern __shared__ int mem[];
#include "flag.h"
__global__ void k(int *out, int iters) {
    int min, stride, max, i, j;
    int id = threadIdx.x;
    int num_banks = 16;
    char cause_bank_conflicts = CAUSE_BANK_CONFLICTS;

    if (cause_bank_conflicts) {
        min = id * num_banks;
        stride = 1;
        max = (id + 1) * num_banks;
    } else {
        min = id;
        stride = num_banks;
        max = (stride * (num_banks - 1))
            + min + 1;
    }

    for (j = min; j < max; j += stride)
        mem[j] = 0;
    for (i = 0; i < iters; i++)
        for (j = min; j < max; j += stride)
            mem[j]++;
    for (j = min; j < max; j += stride)
        out[j] = mem[j];
}

// Lines 1 to 27 are Figure 2 of Boyer, Skadron and Weimer, "Automated Dynamic
// Analysis of CUDA Programs" (2008), with the flag taken from the command line:
//
//   warpgrind run --tool bank --arch sm_13 -D CAUSE_BANK_CONFLICTS=1 fig2.cu
//
// With 16 banks each statement then puts all 16 threads of the half-warp on
// one bank; without the flag, each thread has a bank of its own. -D ITERS=...
// sets how often all is incremented.

#include "../check.h"

#ifndef ITERS
#define ITERS 2
#endif

int main() {
    const int threads = 16, n = 256, iters = ITERS;
    int *out;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    k<<<1, threads, n * sizeof(int)>>>(out, iters);
    CHECK_LAUNCH();
    bool ok = same("fig2", toHost(out, n), std::vector<int>(n, iters));
    CHECK(cudaFree(out));
    return ok ? 0 : 1;
}
