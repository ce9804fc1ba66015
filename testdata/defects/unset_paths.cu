// Variables that are set on some paths only.
// clean: same_condition same_sum each_turn
#include <cstring>
#include <cuda_runtime.h>

__global__ void guarded(const float *in, float *out, int n, int m, int again) {
    int t = threadIdx.x;
    float x;
    if (t < n) x = in[t];
    __syncthreads();
    if (t < m) out[t] = x;
    if (again) out[t + 64] = t < n ? x + 1 : 0;
}
// One condition, made anew for each turn of the loop.
__global__ void turns(const float *in, float *out, int n) {
    int t = threadIdx.x;
    for (int active = n; active > 0; active /= 2) {
        float x;
        if (t < active) x = in[t + active];
        __syncthreads();
        if (t < active) out[t] += x;
        __syncthreads();
    }
}
__global__ void same(const float *in, float *out, int n) {
    int t = threadIdx.x;
    float x, y;
    if (t < n) x = in[t], y = in[t + 64];
    __syncthreads();
    if (t < n) out[t] = x + y;
}
// The variable outlives the turn in which it is set.
__global__ void keeps(const float *in, float *out, int n) {
    int t = threadIdx.x;
    float x;  // want(kept) init local
    for (int i = 0; i < 4; i++) {
        if (t + i > n) x = in[t];
        if (t + i >= n) out[t] = x + 1;
    }
}
__global__ void other(const float *in, float *out, int n, int m) {
    int t = threadIdx.x;
    float x;  // want(other_condition) init local
    if (t < n) x = in[t];
    __syncthreads();
    if (t < m) out[t] = x + 1;
}

// The read is reported where the variable is declared, although its value is needed in a loop.
__global__ void within(const float *in, float *out, int n, int m) {
    int t = threadIdx.x;
    if (t < n) {
        for (int k = 0; k < m; k++) {
            float factor = in[t] * 2;
            float x;  // want(within) init local
            for (int i = 0; i < n; i++) x = x + in[i] * factor;
            float y = x + 1;
            if (y > 0) out[t] = y;
        }
    }
}
int main(int argc, char **argv) {
    float *in, *out;
    cudaMalloc(&in, 1024), cudaMalloc(&out, 1024);
    cudaMemset(in, 0, 1024), cudaMemset(out, 0, 1024);
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    if (is("same_condition")) guarded<<<1, 64>>>(in, out, 40, 40, 1);
    if (is("same_sum")) same<<<1, 64>>>(in, out, 40);
    if (is("each_turn")) turns<<<1, 64>>>(in, out, 64);
    if (is("kept")) keeps<<<1, 64>>>(in, out, 40);
    if (is("within")) within<<<1, 64>>>(in, out, 40, 3);
    if (is("other_condition")) other<<<1, 64>>>(in, out, 40, 41);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in), cudaFree(out);
    return bad;
}
