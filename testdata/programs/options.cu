// Option pricing by Monte Carlo: curand device API with stored states, host API, and antithetic paths in a class hierarchy.
#include <curand_kernel.h>
#include <curand.h>
#include <iostream>
#include <iomanip>
#include <vector>
#include <cmath>
#include <chrono>
#define CURAND_CALL(x) do { if ((x) != CURAND_STATUS_SUCCESS) { printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)
class Payoff { public: __device__ Payoff(float k) : strike(k) {
}
__device__ virtual float operator()(float s) const = 0;
__device__ virtual ~Payoff() {
}
protected: float strike;
};
class Call : public Payoff { public: __device__ Call(float k) : Payoff(k) {
}
__device__ float operator()(float s) const override { return fmaxf(s - strike, 0.f);
} };
class Put : public Payoff { public: __device__ Put(float k) : Payoff(k) {
}
__device__ float operator()(float s) const override { return fmaxf(strike - s, 0.f);
} };
__global__ void setup(curandState *st, unsigned long long seed) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, i, 0, &st[i]);
}
__global__ void price(curandState *states, float *sums, float s0, float k, float r, float sigma, float T, int paths, bool call) {
    __shared__ Payoff *pay;
    __shared__ float partial[128];
    if (threadIdx.x == 0) { if (call) pay = new Call(k); else pay = new Put(k); }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState local = states[i];
    float drift = (r - .5f * sigma * sigma) * T, vol = sigma * sqrtf(T), sum = 0;
    for (int p = 0; p < paths; p++) {
        float z = curand_normal(&local);
        sum += .5f * ((*pay)(s0 * expf(drift + vol * z)) + (*pay)(s0 * expf(drift - vol * z)));
    }
    states[i] = local;
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) { sums[blockIdx.x] = partial[0]; delete pay; }
}
__global__ void piKernel(const float *xy, int n, unsigned long long *hits) {
    unsigned c = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float x = xy[2 * i], y = xy[2 * i + 1];
        c += x * x + y * y <= 1.f;
    }
    c = __reduce_add_sync(~0u, c);
    if (threadIdx.x % warpSize == 0) atomicAdd(hits, (unsigned long long)c);
}
static double cnd(double d) { return .5 * erfc(-d / std::sqrt(2.0)); }
int main() {
    const int blocks = 8, threads = 128, paths = 60;
    curandState *states; float *sums;
    cudaMalloc((void **)&states, blocks * threads * sizeof(curandState)); cudaMalloc(&sums, blocks * sizeof(float));
    auto t0 = std::chrono::steady_clock::now();
    setup<<<blocks, threads>>>(states, 1234ULL);
    double s0 = 100, k = 105, r = .03, sigma = .25, T = 1;
    double d1 = (log(s0 / k) + (r + .5 * sigma * sigma) * T) / (sigma * sqrt(T)), d2 = d1 - sigma * sqrt(T);
    double c = s0 * cnd(d1) - k * exp(-r * T) * cnd(d2), p = c - s0 + k * exp(-r * T);
    bool ok = true;
    for (int call = 0; call < 2; call++) {
        price<<<blocks, threads>>>(states, sums, s0, k, r, sigma, T, paths, call);
        std::vector<float> h(blocks);
        cudaMemcpy(h.data(), sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
        double s = 0; for (float x : h) s += x;
        s *= exp(-r * T) / (blocks * threads * paths);
        ok &= std::fabs(s - (call ? c : p)) < .2;
        std::cout << std::fixed << std::setprecision(2) << (call ? "call " : "put ") << s << " exact " << (call ? c : p) << "\n";
    }
    curandGenerator_t gen; const int n = 20000; float *xy; unsigned long long *hits, hh;
    cudaMalloc(&xy, 2 * n * sizeof(float)); cudaMalloc(&hits, 8); cudaMemset(hits, 0, 8);
    CURAND_CALL(curandCreateGenerator(&gen, CURAND_RNG_PSEUDO_DEFAULT));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(gen, 42ULL));
    CURAND_CALL(curandGenerateUniform(gen, xy, 2 * n));
    piKernel<<<4, 256>>>(xy, n, hits);
    cudaMemcpy(&hh, hits, 8, cudaMemcpyDeviceToHost);
    CURAND_CALL(curandDestroyGenerator(gen));
    ok &= std::fabs(4.0 * hh / n - M_PI) < .06;
    auto us = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - t0).count();
    std::cout << (us >= 0 && ok ? "PASS" : "FAIL") << std::endl;
    cudaFree(states); cudaFree(sums); cudaFree(xy); cudaFree(hits);
    return !ok;
}
