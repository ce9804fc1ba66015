// A ring between two warps in two volatile arrays, one of the elements and one of the flags: one missing order, one finding.
#include <cstdio>
constexpr int parts = 4, size = 32, total = 8 * size;
__global__ void pass(const int *in, int *out) {
    __shared__ volatile int len[parts], val[parts * size];
    int t = threadIdx.x, lane = t & 31, b = 0;
    if (t < parts) len[t] = 0;
    __syncthreads();
    if (t < 32) {
        for (int pos = 0; pos < total; pos += size) {
            val[b * size + lane] = in[pos + lane];
            if (lane == 0) {
                len[b] = size;
                b = (b + 1) % parts;
                while (len[b] != 0) {}
            }
            b = __shfl_sync(~0u, b, 0);
        }
        if (lane == 0) len[b] = -1;
    } else {
        for (;;) {
            int n = 0;
            if (lane == 0)
                while ((n = len[b]) == 0) {}
            n = __shfl_sync(~0u, n, 0);
            if (n <= 0) break;
            out[lane] = val[b * size + lane]; // help: add __threadfence_block() before line 13, before line 19, before line 30, after line 15 and after line 24 // help: RAW on len, line 13:24 and line 24:29 // not: relaxed // not: __syncthreads
            out += n;
            __syncwarp();
            if (lane == 0) len[b] = 0;
            b = (b + 1) % parts;
        }
    }
}
int main() {
    int h[total], *in, *out;
    for (int i = 0; i < total; i++) h[i] = i * 7;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    pass<<<1, 64>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[9]);
    cudaFree(in);
    cudaFree(out);
}
