// A ring between two warps: the elements are volatile, and so is the flag that tells how many there are. No barrier can stand there.
#include <cstdio>
constexpr int parts = 4, size = 32, total = 8 * size;
struct Ring {
    int len[parts], val[parts * size];
};
__global__ void pass(const int *in, int *out) {
    __shared__ volatile Ring q;
    int t = threadIdx.x, lane = t & 31, b = 0;
    if (t < parts) q.len[t] = 0;
    __syncthreads();
    if (t < 32) {
        for (int pos = 0; pos < total; pos += size) {
            q.val[b * size + lane] = in[pos + lane];
            if (lane == 0) {
                q.len[b] = size;
                b = (b + 1) % parts;
                while (q.len[b] != 0) {}
            }
            b = __shfl_sync(~0u, b, 0);
        }
        if (lane == 0) q.len[b] = -1;
    } else {
        for (;;) {
            int n = 0;
            if (lane == 0)
                while ((n = q.len[b]) == 0) {}
            n = __shfl_sync(~0u, n, 0);
            if (n <= 0) break;
            out[lane] = q.val[b * size + lane]; // help: add __threadfence_block() before line 16, before line 22, before line 33, after line 18 and after line 27 // help: RAW on q, line 16:26 and line 27:29 // not: relaxed // not: __syncthreads
            out += n;
            __syncwarp();
            if (lane == 0) q.len[b] = 0;
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
