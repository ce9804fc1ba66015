// Batched 256-point Stockham FFT in shared memory, radix 4, complex template; inverse brings the input back.
#include <cuComplex.h>
#include <cstdio>
#include <complex>
#include <vector>
constexpr int N = 256, R = 4, T = N / R;
__device__ inline float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline float2 operator*(float2 a, float2 b) { return cuCmulf(a, b); }
template <int DIR> __device__ inline float2 twiddle(int k, int n) {
    float s, c;
    sincospif(-2.f * DIR * k / n, &s, &c);
    return make_float2(c, s);
}
template <int DIR> __device__ inline void radix4(float2 *v) {
    float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
    float2 jd = DIR > 0 ? make_float2(d.y, -d.x) : make_float2(-d.y, d.x);
    v[0] = a + c; v[1] = b + jd; v[2] = a - c; v[3] = b - jd;
}
template <int DIR> __global__ void fft(const float2 *in, float2 *out) {
    __shared__ float2 sm[N];
    int t = threadIdx.x; in += blockIdx.x * N; out += blockIdx.x * N;
    float2 v[R];
#pragma unroll
    for (int r = 0; r < R; r++) v[r] = in[t + r * T];
#pragma unroll
    for (int ns = 1; ns < N; ns *= R) {
        int k = t % ns;
#pragma unroll
        for (int r = 1; r < R; r++) v[r] = v[r] * twiddle<DIR>(k * r, ns * R);
        radix4<DIR>(v);
        int d = (t / ns) * ns * R + k;
        __syncthreads();
#pragma unroll
        for (int r = 0; r < R; r++) sm[d + r * ns] = v[r];
        __syncthreads();
#pragma unroll
        for (int r = 0; r < R; r++) v[r] = sm[t + r * T];
    }
#pragma unroll
    for (int r = 0; r < R; r++) { float2 o = v[r]; if (DIR < 0) { o.x /= N; o.y /= N; } out[t + r * T] = o; }
}
int main() {
    const int batch = 16; std::vector<float2> h(N * batch), f(N * batch), b(N * batch);
    for (int i = 0; i < N * batch; i++) h[i] = make_float2(sinf(i * .05f), (i % 17) * .1f);
    float2 *d, *e; cudaMalloc(&d, sizeof(float2) * N * batch); cudaMalloc(&e, sizeof(float2) * N * batch);
    cudaMemcpy(d, h.data(), sizeof(float2) * N * batch, cudaMemcpyHostToDevice);
    fft<1><<<batch, T>>>(d, e);
    cudaMemcpy(f.data(), e, sizeof(float2) * N * batch, cudaMemcpyDeviceToHost);
    fft<-1><<<batch, T>>>(e, d);
    cudaMemcpy(b.data(), d, sizeof(float2) * N * batch, cudaMemcpyDeviceToHost);
    double err = 0;
    for (int k = 0; k < N; k += 7) {
        std::complex<double> s = 0;
        for (int i = 0; i < N; i++) s += std::complex<double>(h[N + i].x, h[N + i].y) * std::polar(1., -2 * M_PI * i * k / N);
        err = fmax(err, abs(s - std::complex<double>(f[N + k].x, f[N + k].y)));
    }
    for (int i = 0; i < N * batch; i++) err = fmax(err, fabs(h[i].x - b[i].x) + fabs(h[i].y - b[i].y));
    printf("%s %g\n", err < 1e-2 ? "PASS" : "FAIL", err);
    return err >= 1e-2;
}
