// Pieces in the style of a GPT-2 trainer: encoder, layernorm forward/backward, fused softmax cross entropy, gelu, adamw.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
void cuda_check(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) {
        printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}
#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))

__global__ void encoder_forward_kernel(float *out, const int *inp, const float *wte, const float *wpe, int B, int T, int C) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x, C4 = C / 4, N = B * T * C4;
    if (idx < N) {
        int bt = idx / C4, b = bt / T, t = bt % T, c4 = idx % C4;
        const float4 *e = (const float4 *)wte + inp[b * T + t] * C4 + c4, *p = (const float4 *)wpe + t * C4 + c4;
        float4 x = __ldg(e), y = __ldg(p);
        ((float4 *)out)[idx] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
}
__global__ void layernorm_forward_kernel(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, const float *__restrict__ inp, const float *w, const float *bias, int N, int C) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N) return;
    const float *x = inp + idx * C;
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) sum += x[i];
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float m = sum / C;
    if (warp.thread_rank() == 0 && mean != nullptr) __stcs(mean + idx, m);
    sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) { float d = x[i] - m; sum += d * d; }
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float s = rsqrtf(sum / C + 1e-5f);
    if (warp.thread_rank() == 0 && rstd != nullptr) __stcs(rstd + idx, s);
    float *o = out + idx * C;
    for (int c = warp.thread_rank(); c < C; c += warp.size()) __stcs(o + c, s * (__ldcs(x + c) - m) * w[c] + bias[c]);
}
__global__ void layernorm_backward_kernel(float *dinp, float *dweight, float *dbias, const float *dout, const float *inp, const float *weight, const float *mean, const float *rstd, int N, int C) {
    extern __shared__ float shared[];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    float *dbias_shared = shared, *dweight_shared = shared + C;
    for (int i = threadIdx.x; i < C; i += blockDim.x) { dbias_shared[i] = 0.0f; dweight_shared[i] = 0.0f; }
    __syncthreads();
    for (int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank(); idx < N; idx += gridDim.x * warp.meta_group_size()) {
        const float *dob = dout + idx * C, *xb = inp + idx * C; float *dib = dinp + idx * C;
        float mb = mean[idx], rb = rstd[idx], dn = 0, dnn = 0;
        for (int i = warp.thread_rank(); i < C; i += 32) {
            float norm = (xb[i] - mb) * rb, d = weight[i] * dob[i];
            dn += d;
            dnn += d * norm;
        }
        dn = cg::reduce(warp, dn, cg::plus<float>{}) / C; dnn = cg::reduce(warp, dnn, cg::plus<float>{}) / C;
        for (int i = warp.thread_rank(); i < C; i += 32) {
            float norm = (xb[i] - mb) * rb, d = weight[i] * dob[i];
            atomicAdd(&dbias_shared[i], dob[i]);
            atomicAdd(&dweight_shared[i], norm * dob[i]);
            dib[i] += (d - dn - norm * dnn) * rb;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < C; i += blockDim.x) {
        atomicAdd(&dbias[i], dbias_shared[i]);
        atomicAdd(&dweight[i], dweight_shared[i]);
    }
}
struct SoftmaxParams { float Scale; float Offset; };
__device__ SoftmaxParams prepare_softmax(cg::thread_block_tile<32, cg::thread_block> &warp, int idx, const float *inp, int V, int P) {
    const float *x = inp + idx * P;
    float mx = -INFINITY, sum = 0;
    for (int i = warp.thread_rank(); i < V; i += 32) {
        float v = x[i], old = mx;
        mx = fmaxf(mx, v);
        sum *= expf(old - mx);
        sum += expf(v - mx);
    }
    float g = cg::reduce(warp, mx, cg::greater<float>{});
    sum *= expf(mx - g);
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    return SoftmaxParams{1.f / sum, g};
}
__global__ void fused_classifier_kernel(float *logits, float *losses, const int *targets, int N, int V, int P) {
    namespace c = cooperative_groups;
    auto block = c::this_thread_block();
    auto warp = c::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N) return;
    SoftmaxParams sp = prepare_softmax(warp, idx, logits, V, P);
    int ix = targets[idx];
    if (warp.thread_rank() == 0) { float p = expf(logits[idx * P + ix] - sp.Offset) * sp.Scale; losses[idx] = -logf(p); }
    warp.sync();
    for (int i = warp.thread_rank(); i < V; i += 32) {
        float p = expf(logits[idx * P + i] - sp.Offset) * sp.Scale;
        logits[idx * P + i] = (p - (i == ix ? 1.0f : 0.0f)) / N;
    }
}
__global__ void gelu_forward(float *out, const float *inp, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float x = inp[i], c = 0.044715f * x * x * x;
        out[i] = 0.5f * x * (1.0f + tanhf(sqrtf(2.0f / (float)M_PI) * (x + c)));
    }
}
__device__ inline float lerpf(float s, float e, float w) { return fma(w, e, fma(-w, s, s)); }
__global__ void adamw(float *p, const float *g, float *m, float *v, long n, float lr, float b1, float b2, float c1, float c2, float eps, float wd) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float gr = g[i];
    m[i] = lerpf(gr, m[i], b1); v[i] = lerpf(gr * gr, v[i], b2);
    p[i] -= lr * ((m[i] / c1) / (sqrtf(v[i] / c2) + eps) + wd * p[i]);
}
int main() {
    int B = 2, T = 16, C = 64, V = 100, P = 128, N = B * T;
    int *inp; float *wte, *wpe, *x, *ln, *mean, *rstd, *w, *b, *dw, *db, *dx, *logits, *loss, *am, *av, *ge; int *tgt;
    float *hx = (float *)malloc(N * C * 4), *hl = (float *)malloc(N * P * 4); int ht[64], hi[64];
    for (int i = 0; i < N; i++) { hi[i] = (i * 7) % V; ht[i] = (i * 3 + 1) % V; }
    for (int i = 0; i < N * P; i++) hl[i] = sinf(i * 1.3f) * 2;
    float *hw = (float *)malloc(V * C * 4); for (int i = 0; i < V * C; i++) hw[i] = cosf(i * .7f);
    cudaCheck(cudaMalloc(&inp, N * 4));
    cudaCheck(cudaMalloc(&tgt, N * 4));
    cudaCheck(cudaMalloc(&wte, V * C * 4));
    cudaCheck(cudaMalloc(&wpe, T * C * 4));
    cudaCheck(cudaMalloc(&x, N * C * 4));
    cudaCheck(cudaMalloc(&ln, N * C * 4));
    cudaCheck(cudaMalloc(&ge, N * C * 4));
    cudaCheck(cudaMalloc(&mean, N * 4));
    cudaCheck(cudaMalloc(&rstd, N * 4));
    cudaCheck(cudaMalloc(&w, C * 4));
    cudaCheck(cudaMalloc(&b, C * 4));
    cudaCheck(cudaMalloc(&dw, C * 4));
    cudaCheck(cudaMalloc(&db, C * 4));
    cudaCheck(cudaMalloc(&dx, N * C * 4));
    cudaCheck(cudaMalloc(&logits, N * P * 4));
    cudaCheck(cudaMalloc(&loss, N * 4));
    cudaCheck(cudaMalloc(&am, C * 4));
    cudaCheck(cudaMalloc(&av, C * 4));
    cudaCheck(cudaMemcpy(inp, hi, N * 4, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(tgt, ht, N * 4, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(wte, hw, V * C * 4, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(wpe, hw + 5, T * C * 4, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(w, hw + 9, C * 4, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(b, hw + 3, C * 4, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(logits, hl, N * P * 4, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemset(dw, 0, C * 4)); cudaCheck(cudaMemset(db, 0, C * 4)); cudaCheck(cudaMemset(dx, 0, N * C * 4));
    cudaCheck(cudaMemset(am, 0, C * 4)); cudaCheck(cudaMemset(av, 0, C * 4));
    encoder_forward_kernel<<<CEIL_DIV(N * C / 4, 256), 256>>>(x, inp, wte, wpe, B, T, C); cudaCheck(cudaGetLastError());
    layernorm_forward_kernel<<<CEIL_DIV(N, 4), 128>>>(ln, mean, rstd, x, w, b, N, C); cudaCheck(cudaGetLastError());
    gelu_forward<<<CEIL_DIV(N * C, 128), 128>>>(ge, ln, N * C);
    layernorm_backward_kernel<<<2, 256, 2 * C * sizeof(float)>>>(dx, dw, db, ge, x, w, mean, rstd, N, C);
    cudaCheck(cudaGetLastError());
    fused_classifier_kernel<<<CEIL_DIV(N, 4), 128>>>(logits, loss, tgt, N, V, P); cudaCheck(cudaGetLastError());
    adamw<<<CEIL_DIV(C, 96), 96>>>(w, dw, am, av, C, 1e-3f, .9f, .95f, .1f, .05f, 1e-8f, 0.1f);
    cudaCheck(cudaGetLastError());
    float *gl = (float *)malloc(N * 4), *gw = (float *)malloc(C * 4), *gdb = (float *)malloc(C * 4), *gge = (float *)malloc(N * C * 4);
    cudaCheck(cudaMemcpy(gl, loss, N * 4, cudaMemcpyDeviceToHost));
    cudaCheck(cudaMemcpy(gw, w, C * 4, cudaMemcpyDeviceToHost));
    cudaCheck(cudaMemcpy(gdb, db, C * 4, cudaMemcpyDeviceToHost));
    cudaCheck(cudaMemcpy(gge, ge, N * C * 4, cudaMemcpyDeviceToHost));
    double err = 0;
    for (int i = 0; i < N; i++) {
        double mx = -1e9, s = 0;
        for (int j = 0; j < V; j++) mx = fmax(mx, hl[i * P + j]);
        for (int j = 0; j < V; j++) s += exp(hl[i * P + j] - mx);
        err = fmax(err, fabs(gl[i] - (-(hl[i * P + ht[i]] - mx) + log(s))));
    }
    for (int c = 0; c < C; c++) {
        double s = 0;
        for (int i = 0; i < N; i++) s += gge[i * C + c];
        err = fmax(err, fabs(s - gdb[c]) * .1);
    }
    printf("%s %g\n", err < 1e-3 ? "PASS" : "FAIL", err);
    return err >= 1e-3;
}
