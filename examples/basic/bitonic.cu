// Bitonic sort: stages whose partners lie in one block's part run in shared
// memory, the others straight in global memory, one launch per step.

#include "../check.h"
#include <algorithm>

const int PART = 512; // elements per block, two for each thread

__device__ void order(unsigned &a, unsigned &b, bool ascending) {
    if ((a > b) == ascending) {
        unsigned t = a;
        a = b;
        b = t;
    }
}

// sortShared does all steps of the stages from size `from` to `to` whose
// stride fits a part.
__global__ void sortShared(unsigned *keys, unsigned from, unsigned to) {
    __shared__ unsigned s[PART];
    unsigned t = threadIdx.x, base = blockIdx.x * PART;
    s[t] = keys[base + t];
    s[t + PART / 2] = keys[base + t + PART / 2];
    for (unsigned size = from; size <= to; size *= 2) {
        for (unsigned stride = min(size, (unsigned)PART) / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned at = 2 * t - (t & (stride - 1));
            order(s[at], s[at + stride], ((base + at) & size) == 0);
        }
    }
    __syncthreads();
    keys[base + t] = s[t];
    keys[base + t + PART / 2] = s[t + PART / 2];
}

__global__ void sortGlobal(unsigned *keys, unsigned size, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = 2 * t - (t & (stride - 1));
    order(keys[at], keys[at + stride], (at & size) == 0);
}

int main() {
    const unsigned n = 4096;
    Random random;
    std::vector<unsigned> keys(n);
    for (unsigned &k : keys) k = random.next();
    unsigned *dKeys = toDevice(keys);

    sortShared<<<n / PART, PART / 2>>>(dKeys, 2, PART);
    for (unsigned size = 2 * PART; size <= n; size *= 2) {
        for (unsigned stride = size / 2; stride >= PART; stride /= 2)
            sortGlobal<<<n / PART, PART / 2>>>(dKeys, size, stride);
        sortShared<<<n / PART, PART / 2>>>(dKeys, size, size);
    }
    CHECK_LAUNCH();

    std::sort(keys.begin(), keys.end());
    bool ok = same("bitonic", toHost(dKeys, n), keys);
    CHECK(cudaFree(dKeys));
    return ok ? 0 : 1;
}
