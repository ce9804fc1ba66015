// Lanes that leave an inlined function early, out of a scope with variables of its own,
// are together with the others again behind the call: the mask of active lanes that a
// warp has there is that of all.
#include <cstdio>

__device__ __forceinline__ void visit(int *counter, const int *limit, unsigned *seen) {
    if (limit) {
        const volatile int *most = limit;
        if (*most == 0 || *seen == *most) return;
        *seen = *most;
    }
    atomicAdd(counter, 1);
}

__global__ void k(int *counter, const int *limit, unsigned *masks, int n) {
    unsigned seen = 0, all = ~0u;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x % 3 == 0) visit(counter, limit, &seen);
        all &= __activemask();
    }
    masks[threadIdx.x] = all;
}

int main() {
    int *counter, *limit, h[2] = {0, 5};
    unsigned *masks, got[64];
    cudaMalloc(&counter, sizeof h), cudaMalloc(&masks, sizeof got);
    cudaMemcpy(counter, h, sizeof h, cudaMemcpyHostToDevice);
    limit = counter + 1;
    k<<<1, 64>>>(counter, limit, masks, 40);
    cudaMemcpy(h, counter, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(got, masks, sizeof got, cudaMemcpyDeviceToHost);
    bool ok = h[0] == 22;
    for (unsigned m : got) ok &= m == ~0u;
    puts(ok ? "PASS" : "FAIL");
    cudaFree(counter), cudaFree(masks);
    return !ok;
}
