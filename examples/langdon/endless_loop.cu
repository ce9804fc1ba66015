// A kernel that never ends (section 2.1.1): a thread's stride through the data
// was changed so that some blocks could do another part of the work, and came
// out as zero.
//
//   warpgrind run --max-steps 1000000 --log-launches endless_loop.cu
//
// names the loop; the last line of the log is the launch that hangs. --timeout
// stops it by the clock instead. With -D FIXED the stride is the number of
// threads that share the work.

#include "../check.h"

// scale doubles in[0, n) with the first `workers` blocks of the grid; the
// others leave.
__global__ void scale(float *out, const float *in, int n, int workers) {
    if (static_cast<int>(blockIdx.x) >= workers) return;
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
#ifdef FIXED
    int threadN = blockDim.x * workers;
#else
    int threadN = blockDim.x * (workers - gridDim.x / 2); // meant for the other half
#endif
    for (int i = tid; i < n; i += threadN) out[i] = 2 * in[i]; // want hang
}

int main() {
    const int n = 1000, blocks = 4, workers = 2;
    std::vector<float> in(n), want(n);
    for (int i = 0; i < n; i++) {
        in[i] = i % 17;
        want[i] = 2 * in[i];
    }

    float *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, n * sizeof(float)));
    scale<<<blocks, 64>>>(dOut, dIn, n, workers);
    CHECK_LAUNCH();
    bool ok = same("scale", toHost(dOut, n), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
