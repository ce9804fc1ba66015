// Stream compaction: keep the elements that pass a test, in order within a
// warp, with one atomic per warp: a ballot counts, the first lane reserves, a
// shuffle tells the others where.

#include "../check.h"
#include <algorithm>

__host__ __device__ bool keep(int v) { return v % 3 == 0; }

__global__ void compact(const int *in, int *out, int *size, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool passes = i < n && keep(in[i]);
    unsigned votes = __ballot_sync(0xffffffff, passes);
    if (votes == 0) return;
    int start = 0, leader = __ffs(votes) - 1;
    if (lane == leader) start = atomicAdd(size, __popc(votes));
    start = __shfl_sync(0xffffffff, start, leader);
    if (passes) out[start + __popc(votes & ((1u << lane) - 1))] = in[i];
}

int main() {
    const int n = 5000;
    Random random;
    std::vector<int> in(n), want;
    for (int &v : in) {
        v = random.below(1000);
        if (keep(v)) want.push_back(v);
    }
    int *dIn = toDevice(in), *dOut, *dSize, size;
    CHECK(cudaMalloc(&dOut, n * sizeof(int)));
    CHECK(cudaMalloc(&dSize, sizeof(int)));
    CHECK(cudaMemset(dSize, 0, sizeof(int)));
    compact<<<(n + 127) / 128, 128>>>(dIn, dOut, dSize, n);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&size, dSize, sizeof(int), cudaMemcpyDeviceToHost));

    bool ok = same("compact size", std::vector<int>{size}, std::vector<int>{(int)want.size()});
    std::vector<int> got = toHost(dOut, size);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    ok = ok && same("compact", got, want);
    for (int *p : {dIn, dOut, dSize}) CHECK(cudaFree(p));
    return ok ? 0 : 1;
}
