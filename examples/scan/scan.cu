// Prefix sums of one block in three ways, after Blelloch (1990) and the
// kernels that GPU programmers know from the SDK sample of that name:
//
//   scanNaive       Hillis and Steele with a double buffer, n threads
//   scanEfficient   Blelloch's up-sweep and down-sweep, n/2 threads
//   scanPadded      the same, with padding against bank conflicts
//
// Flags to try:
//
//   -D NO_BARRIER=1       leaves out the barrier of the up-sweep loop; 2 that
//                         of the down-sweep loop; 3 the one after the loops.
//                         Each leaves data races in scanPadded; in
//                         scanEfficient the third is not needed, since each
//                         thread stores what it computed itself.
//   -D ZERO_BANK_CONFLICTS  uses the offset that should avoid all conflicts.
//                         As written, `+` binds tighter than `>>`: it is
//                         index >> (LOG_NUM_BANKS + index) >> ..., which is
//                         always 0, so that all padding is gone and the
//                         conflicts get worse. `--tool bank --arch sm_13`
//                         shows it.

#include "../check.h"

#define LOG_NUM_BANKS 4

#ifdef ZERO_BANK_CONFLICTS
#define CONFLICT_FREE_OFFSET(index) ((index) >> LOG_NUM_BANKS + (index) >> (2 * LOG_NUM_BANKS))
#else
#define CONFLICT_FREE_OFFSET(index) ((index) >> LOG_NUM_BANKS)
#endif

#ifndef N
#define N 512 // elements, a power of two
#endif

#ifndef NO_BARRIER
#define NO_BARRIER 0
#endif

#if NO_BARRIER == 1
#define UP_SWEEP_BARRIER()
#else
#define UP_SWEEP_BARRIER() __syncthreads()
#endif
#if NO_BARRIER == 2
#define DOWN_SWEEP_BARRIER()
#else
#define DOWN_SWEEP_BARRIER() __syncthreads()
#endif
#if NO_BARRIER == 3
#define FINAL_BARRIER()
#else
#define FINAL_BARRIER() __syncthreads()
#endif

// scanNaive writes the exclusive prefix sums of n floats; blockDim.x == n and
// 2n floats of shared memory.
__global__ void scanNaive(float *out, const float *in, int n) {
    extern __shared__ float temp[];
    int id = threadIdx.x;
    int to = 0, from = n;

    temp[to + id] = id > 0 ? in[id - 1] : 0.0f;
    for (int offset = 1; offset < n; offset *= 2) {
        int swap = to;
        to = from;
        from = swap;
        __syncthreads();
        temp[to + id] = temp[from + id];
        if (id >= offset)
            temp[to + id] += temp[from + id - offset];
    }
    out[id] = temp[to + id];
}

// scanEfficient does the same with blockDim.x == n/2 and n floats of shared
// memory; n is a power of two.
__global__ void scanEfficient(float *out, const float *in, int n) {
    extern __shared__ float temp[];
    int id = threadIdx.x;
    int offset = 1;

    temp[2 * id] = in[2 * id];
    temp[2 * id + 1] = in[2 * id + 1];

    for (int d = n / 2; d > 0; d /= 2) {
        UP_SWEEP_BARRIER();
        if (id < d) {
            int ai = offset * (2 * id + 1) - 1;
            int bi = offset * (2 * id + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }

    if (id == 0)
        temp[n - 1] = 0;

    for (int d = 1; d < n; d *= 2) {
        offset /= 2;
        DOWN_SWEEP_BARRIER();
        if (id < d) {
            int ai = offset * (2 * id + 1) - 1;
            int bi = offset * (2 * id + 2) - 1;
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }

    FINAL_BARRIER();
    out[2 * id] = temp[2 * id];
    out[2 * id + 1] = temp[2 * id + 1];
}

// scanPadded is scanEfficient with each index moved by its offset; shared
// memory for n floats and as many more as the largest offset.
__global__ void scanPadded(float *out, const float *in, int n) {
    extern __shared__ float temp[];
    int id = threadIdx.x;
    int offset = 1;

    int first = id;
    int second = id + n / 2;
    int firstPad = CONFLICT_FREE_OFFSET(first);
    int secondPad = CONFLICT_FREE_OFFSET(second);

    temp[first + firstPad] = in[first];
    temp[second + secondPad] = in[second];

    for (int d = n / 2; d > 0; d /= 2) {
        UP_SWEEP_BARRIER();
        if (id < d) {
            int ai = offset * (2 * id + 1) - 1;
            int bi = offset * (2 * id + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }

    if (id == 0) {
        int last = n - 1;
        last += CONFLICT_FREE_OFFSET(last);
        temp[last] = 0;
    }

    for (int d = 1; d < n; d *= 2) {
        offset /= 2;
        DOWN_SWEEP_BARRIER();
        if (id < d) {
            int ai = offset * (2 * id + 1) - 1;
            int bi = offset * (2 * id + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }

    FINAL_BARRIER();
    out[first] = temp[first + firstPad];
    out[second] = temp[second + secondPad];
}

int main() {
    const int n = N;
    Random random;
    std::vector<float> in(n), want(n);
    float sum = 0;
    for (int i = 0; i < n; i++) {
        in[i] = random.below(100); // whole numbers: the sums are exact
        want[i] = sum;
        sum += in[i];
    }

    float *dIn = toDevice(in), *dOut;
    CHECK(cudaMalloc(&dOut, n * sizeof(float)));
    bool ok = true;

#ifndef ROUNDS
#define ROUNDS 1 // launches of each kernel, to measure what they cost
#endif
    for (int round = 0; round < ROUNDS; round++) scanNaive<<<1, n, 2 * n * sizeof(float)>>>(dOut, dIn, n);
    CHECK_LAUNCH();
    ok &= same("scan naive", toHost(dOut, n), want);

    for (int round = 0; round < ROUNDS; round++) scanEfficient<<<1, n / 2, n * sizeof(float)>>>(dOut, dIn, n);
    CHECK_LAUNCH();
    ok &= same("scan work-efficient", toHost(dOut, n), want);

    int padded = n + (n >> LOG_NUM_BANKS);
    for (int round = 0; round < ROUNDS; round++) scanPadded<<<1, n / 2, padded * sizeof(float)>>>(dOut, dIn, n);
    CHECK_LAUNCH();
    ok &= same("scan padded", toHost(dOut, n), want);

    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
