// Copies and kernels that overlap: a long signal goes through the device in
// chunks. One stream copies to the device, one computes, one copies back; two
// buffers of each kind take turns, and events say when a buffer has been filled
// and when it is free again.
//
// With -D BUG the copying stream does not wait until a buffer has been worked
// on before it fills it again.

#include <algorithm>

#include "../check.h"

const int CHUNK = 1024, TAPS = 9, BUFFERS = 2, THREADS = 128;

__constant__ float taps[TAPS];

// filter reads TAPS-1 elements before the chunk's first.
__global__ void __launch_bounds__(THREADS) filter(const float *in, float *out, int n) {
    __shared__ float s[THREADS + TAPS - 1];
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (int k = threadIdx.x; k < THREADS + TAPS - 1; k += THREADS) {
        int at = blockIdx.x * THREADS + k;
        s[k] = at < n + TAPS - 1 ? in[at] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int t = 0; t < TAPS; t++) sum += taps[t] * s[threadIdx.x + t];
    out[i] = sum;
}

// energy adds up the squares of a chunk.
__global__ void __launch_bounds__(THREADS) energy(const float *out, int n, float *result) {
    float sum = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) sum += out[i] * out[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}

// Buffer is what a chunk needs on the device, and its state.
struct Buffer {
    float *in, *out;
    cudaEvent_t filled, computed, drained;

    void make() {
        CHECK(cudaMalloc(&in, (CHUNK + TAPS - 1) * sizeof(float)));
        CHECK(cudaMalloc(&out, CHUNK * sizeof(float)));
        for (cudaEvent_t *e : {&filled, &computed, &drained}) CHECK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
    }
    void end() {
        CHECK(cudaFree(in));
        CHECK(cudaFree(out));
        for (cudaEvent_t e : {filled, computed, drained}) CHECK(cudaEventDestroy(e));
    }
};

class Pipeline {
  public:
    Pipeline() {
        for (cudaStream_t *s : {&up_, &compute_, &down_}) CHECK(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
        for (Buffer &b : buffers_) b.make();
        CHECK(cudaMalloc(&energy_, sizeof(float)));
        CHECK(cudaMemset(energy_, 0, sizeof(float)));
        CHECK(cudaDeviceSynchronize()); // the fill is in the default stream
    }

    ~Pipeline() {
        for (Buffer &b : buffers_) b.end();
        for (cudaStream_t s : {up_, compute_, down_}) CHECK(cudaStreamDestroy(s));
        CHECK(cudaFree(energy_));
    }

    // run filters n samples; in has TAPS-1 more before them. Both are pinned.
    void run(const float *in, float *out, int n) {
        for (int c = 0; c * CHUNK < n; c++) {
            Buffer &b = buffers_[c % BUFFERS];
            fill(b, in + c * CHUNK, size(n, c), c >= BUFFERS);
            work(b, size(n, c), c >= BUFFERS);
            drain(b, out + c * CHUNK, size(n, c));
        }
    }

    float energy() {
        float e;
        CHECK(cudaMemcpyAsync(&e, energy_, sizeof e, cudaMemcpyDeviceToHost, compute_));
        CHECK(cudaStreamSynchronize(compute_));
        return e;
    }

    void wait() { CHECK(cudaStreamSynchronize(down_)); }

  private:
    static int size(int n, int chunk) { return std::min(CHUNK, n - chunk * CHUNK); }

    void fill(Buffer &b, const float *from, int n, bool again) {
#ifndef BUG
        if (again) CHECK(cudaStreamWaitEvent(up_, b.computed, 0));
#endif
        (void)again;
        CHECK(cudaMemcpyAsync(b.in, from, (n + TAPS - 1) * sizeof(float), cudaMemcpyHostToDevice, up_)); // want race WAR
        CHECK(cudaEventRecord(b.filled, up_));
    }

    void work(Buffer &b, int n, bool again) {
        CHECK(cudaStreamWaitEvent(compute_, b.filled, 0));
        if (again) CHECK(cudaStreamWaitEvent(compute_, b.drained, 0));
        filter<<<(n + THREADS - 1) / THREADS, THREADS, 0, compute_>>>(b.in, b.out, n);
        CHECK(cudaEventRecord(b.computed, compute_));
        ::energy<<<2, THREADS, 0, compute_>>>(b.out, n, energy_);
        CHECK(cudaGetLastError());
    }

    void drain(Buffer &b, float *to, int n) {
        CHECK(cudaStreamWaitEvent(down_, b.computed, 0));
        CHECK(cudaMemcpyAsync(to, b.out, n * sizeof(float), cudaMemcpyDeviceToHost, down_));
        CHECK(cudaEventRecord(b.drained, down_));
    }

    cudaStream_t up_, compute_, down_;
    Buffer buffers_[BUFFERS];
    float *energy_;
};

bool run(int n) {
    float weights[TAPS], *in, *out;
    for (int t = 0; t < TAPS; t++) weights[t] = 1.0f / (1 + std::abs(t - TAPS / 2));
    CHECK(cudaMemcpyToSymbol(taps, weights, sizeof weights));
    CHECK(cudaMallocHost(&in, (n + TAPS - 1) * sizeof(float)));
    CHECK(cudaMallocHost(&out, n * sizeof(float)));
    Random random(n);
    for (int i = 0; i < n + TAPS - 1; i++) in[i] = random.uniform() - 0.5f;
    std::vector<float> want(n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int t = 0; t < TAPS; t++) want[i] += weights[t] * in[i + t];
        sum += static_cast<double>(want[i]) * want[i];
    }
    bool ok;
    {
        Pipeline p;
        p.run(in, out, n);
        p.wait();
        ok = same("signal", std::vector<float>(out, out + n), want, 1e-5);
        ok = same("energy", std::vector<float>{p.energy()}, std::vector<float>{static_cast<float>(sum)}, 1e-3) && ok;
    }
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return ok;
}

int main() {
    bool ok = run(7 * CHUNK + 100);
    ok = run(CHUNK / 2) && ok;
    return ok ? 0 : 1;
}
