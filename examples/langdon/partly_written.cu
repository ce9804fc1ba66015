// A buffer of which a part is never written (section 2.4): copyOut spreads a
// record over all threads of the block, but it is called from a loop over the
// records that the threads leave one by one. In the last round some are gone,
// and their elements stay as they were.
//
//   warpgrind run partly_written.cu
//
// reports that records nothing wrote are read (and copied to the host). The
// habit of the paper, to write buffers to files and compare those of two
// versions, finds it as well:
//
//   warpgrind run --dump-buffers old -D FIXED partly_written.cu
//   warpgrind run --dump-buffers new partly_written.cu
//   warpgrind diff old new
//
// With -D FIXED each record has a thread block of its own.

#include "../check.h"

const int Width = 48; // values of a record

// copyOut writes the record of item t; all threads of the block have to call it.
__device__ void copyOut(float *out, const float *in, int t) {
    for (int i = threadIdx.x; i < Width; i += blockDim.x) out[t * Width + i] = 2 * in[t * Width + i];
}

__global__ void records(float *out, const float *in, int items) {
#ifdef FIXED
    for (int t = blockIdx.x; t < items; t += gridDim.x) copyOut(out, in, t);
#else
    for (int first = threadIdx.x; first < items; first += blockDim.x) {
        int round = first / blockDim.x * blockDim.x;
        for (int t = round; t < round + static_cast<int>(blockDim.x) && t < items; t++) copyOut(out, in, t);
    }
#endif
}

// totals adds up the values of each record.
__global__ void totals(float *sums, const float *records, int items) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= items) return;
    float sum = 0;
    for (int i = 0; i < Width; i++) sum += records[t * Width + i]; // want init
    sums[t] = sum;
}

int main() {
    const int items = 80, threads = 64;
    std::vector<float> in(items * Width), want(items);
    Random random;
    for (int i = 0; i < items * Width; i++) {
        in[i] = random.below(10);
        want[i / Width] += 2 * in[i];
    }
    float *dIn = toDevice(in), *dOut, *dSums;
    CHECK(cudaMalloc(&dOut, items * Width * sizeof(float)));
    CHECK(cudaMalloc(&dSums, items * sizeof(float)));
#ifdef FIXED
    records<<<items, threads>>>(dOut, dIn, items);
#else
    records<<<1, threads>>>(dOut, dIn, items);
#endif
    CHECK_LAUNCH();
    totals<<<(items + threads - 1) / threads, threads>>>(dSums, dOut, items);
    CHECK_LAUNCH();
    bool ok = same("records", toHost(dSums, items), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    CHECK(cudaFree(dSums));
    return ok ? 0 : 1;
}
