// Threads that a helper counts on and that do not come (section 4.1): save
// gives each value a place in the block's table and needs all threads for it,
// but it is called from a branch that only some of them take.
//
//   warpgrind run missing_threads.cu
//
// says which barriers were reached by a part of the block, who came and who is
// missing, and what follows from it. With -D FIXED every thread calls the helper
// and says whether it has something.

#include "../check.h"

const int Threads = 128;

// save appends the values of those threads that have one to out, in the order
// of the threads; it returns how many there are. All threads of the block have
// to call it.
__device__ int save(int *out, int value, bool have) {
    __shared__ int place[Threads];
    int id = threadIdx.x;
    place[id] = have ? 1 : 0;
    for (int step = 1; step < Threads; step *= 2) {
        __syncthreads(); // want sync
        int add = id >= step ? place[id - step] : 0; // want init
        __syncthreads(); // want sync
        place[id] += add;
    }
    __syncthreads(); // want sync
    if (have) out[place[id] - 1] = value; // want race
    return place[Threads - 1];
}

// collect keeps the multiples of three.
__global__ void collect(int *out, int *count, const int *data) {
    int id = threadIdx.x;
    int value = data[id];
    bool keep = value % 3 == 0;
#ifdef FIXED
    int n = save(out, value, keep);
    if (id == 0) *count = n;
#else
    if (keep) *count = save(out, value, true);
#endif
}

int main() {
    std::vector<int> data(Threads), want;
    Random random;
    for (int &d : data) {
        d = 1 + random.below(1000);
        if (d % 3 == 0) want.push_back(d);
    }
    int *dData = toDevice(data), *dOut, *dCount;
    CHECK(cudaMalloc(&dOut, Threads * sizeof(int)));
    CHECK(cudaMalloc(&dCount, sizeof(int)));
    CHECK(cudaMemset(dOut, 0, Threads * sizeof(int)));
    CHECK(cudaMemset(dCount, 0, sizeof(int)));
    collect<<<1, Threads>>>(dOut, dCount, dData);
    CHECK_LAUNCH();
    bool ok = same("count", toHost(dCount, 1), std::vector<int>{static_cast<int>(want.size())}) &&
              same("collect", toHost(dOut, want.size()), want);
    CHECK(cudaFree(dData));
    CHECK(cudaFree(dOut));
    CHECK(cudaFree(dCount));
    return ok ? 0 : 1;
}
