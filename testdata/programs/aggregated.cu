// flags: --build optimized
// One lane of a warp makes room for what all append: the others hand a variable
// to the shuffle that nothing has set.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void multiples(const int *in, int n, int *count, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool wanted = i < n && in[i] % 3 == 0;
    unsigned who = __ballot_sync(0xffffffffu, wanted);
    if (!wanted) return;
    int leader = __ffs(who) - 1, place;
    if (lane == leader) place = atomicAdd(count, __popc(who));
    place = __shfl_sync(who, place, leader);
    out[place + __popc(who & ((1u << lane) - 1))] = in[i];
}

int main() {
    const int n = 1000;
    std::vector<int> in(n), want;
    for (int i = 0; i < n; i++) {
        in[i] = i * 7919 % 1009;
        if (in[i] % 3 == 0) want.push_back(in[i]);
    }
    int *data, *count, *out, found = 0;
    cudaMalloc(&data, n * sizeof(int)), cudaMalloc(&count, sizeof(int)), cudaMalloc(&out, n * sizeof(int));
    cudaMemcpy(data, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof(int));
    multiples<<<(n + 127) / 128, 128>>>(data, n, count, out);
    cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> got(std::min(found, n));
    cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(got.begin(), got.end()), std::sort(want.begin(), want.end());
    printf(got == want ? "PASS\n" : "FAIL: %d of %zu\n", found, want.size());
    cudaFree(data), cudaFree(count), cudaFree(out);
    return got != want;
}
