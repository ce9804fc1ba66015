// Variables that are set on some paths only.
// clean: same_condition same_sum each_turn counted_same guarded_same
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

// Beside an array in local memory, of which an element is chosen by data.
__global__ void counted(const float *in, float *out, int n, int bad) {
    int t = threadIdx.x, counts[8];
    float x;  // want(counted_always) init local
    for (int i = bad > 1; i < 8; i++) counts[i] = 0;
    if (t < n) {
        x = in[t];
        counts[((int)x & 1) + 2] = 1;
    }
    __syncthreads();
    if (t < n || bad == 1) out[t] = x;
    out[t + 64] = counts[(int)in[t] & 7];  // want(counted_element) init local
}
__global__ void counted_guarded(const float *in, float *out, int n, int first) {
    int t = threadIdx.x, counts[8];
    float x;
    for (int i = first; i < 8; i++) counts[i] = 0;
    if (t < n) {
        x = in[t];
        counts[((int)x & 1) + 2] = 1;
    }
    __syncthreads();
    if (t < n) out[t] = x;
    out[t + 64] = counts[(int)in[t] & 7];  // want(guarded_element) init local
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
    if (is("counted_same")) counted<<<1, 64>>>(in, out, 40, 0);
    if (is("counted_always")) counted<<<1, 64>>>(in, out, 40, 1);
    if (is("counted_element")) counted<<<1, 64>>>(in, out, 40, 2);
    if (is("guarded_same")) counted_guarded<<<1, 64>>>(in, out, 40, 0);
    if (is("guarded_element")) counted_guarded<<<1, 64>>>(in, out, 40, 1);
    if (is("within")) within<<<1, 64>>>(in, out, 40, 3);
    if (is("other_condition")) other<<<1, 64>>>(in, out, 40, 41);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in), cudaFree(out);
    return bad;
}
