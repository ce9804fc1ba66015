// Arrays that are cut out of one shared array and overlap (section 4.2): the
// second should start after the first one's Values elements, but a line was
// copied and starts it after Others of them.
//
//   warpgrind run overlapping_arrays.cu
//
// reports the races that the common elements have: one side of each uses
// data, the other one ptr. With -D FIXED they lie one after the other.

#include "../check.h"

const int Values = 800, Others = 600, Threads = 256;

extern __shared__ unsigned shared[];

#ifdef FIXED
#define AFTER_DATA Values
#else
#define AFTER_DATA Others
#endif

// Each kernel and helper that uses the shared array names its parts so.
#define SET_SHARED                                                   \
    unsigned *data = &shared[1];                                     \
    int *ptr = reinterpret_cast<int *>(&shared[1 + AFTER_DATA]);

const int SharedBytes = (1 + 2 * Values) * sizeof(int);

// link lets each value point to the place where it is repeated.
__device__ void link(int n) {
    SET_SHARED
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int next = -1;
        for (int j = i + 1; j < n && j < i + 20; j++)
            if (data[j] == data[i]) { // want race
                next = j;
                break;
            }
        ptr[i] = next;
    }
}

__global__ void chains(int *out, const unsigned *in, int n) {
    SET_SHARED
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = in[i];
    if (threadIdx.x == 0) shared[0] = n;
    __syncthreads();
    link(shared[0]);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = ptr[i];
}

int main() {
    const int n = Values;
    std::vector<unsigned> in(n);
    std::vector<int> want(n, -1);
    Random random;
    for (unsigned &v : in) v = 1 + random.below(40);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && j < i + 20 && want[i] < 0; j++)
            if (in[j] == in[i]) want[i] = j;
    unsigned *dIn = toDevice(in);
    int *dOut;
    CHECK(cudaMalloc(&dOut, n * sizeof(int)));
    chains<<<1, Threads, SharedBytes>>>(dOut, dIn, n);
    CHECK_LAUNCH();
    bool ok = same("chains", toHost(dOut, n), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return ok ? 0 : 1;
}
