// load MODE N: N small launches, N allocations and frees, or N launches and
// copies from each of eight threads with a stream each.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define CHECK(call)                                                     \
    do {                                                                \
        cudaError_t status_ = (call);                                   \
        if (status_ != cudaSuccess) {                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(status_)); \
            exit(2);                                                    \
        }                                                               \
    } while (0)

__global__ void count(int *p) {
    if (threadIdx.x == 0) *p += 1;
}

static int launches(int n) {
    int *p, sum = 0;
    CHECK(cudaMalloc(&p, sizeof(int)));
    CHECK(cudaMemset(p, 0, sizeof(int)));
    for (int i = 0; i < n; i++) count<<<1, 32>>>(p);
    CHECK(cudaMemcpy(&sum, p, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    return sum;
}

// Keeps up to 100 allocations at a time.
static int allocations(int n) {
    std::vector<void *> live(100);
    for (int i = 0; i < n; i++) {
        void *&p = live[i % live.size()];
        CHECK(cudaFree(p));
        CHECK(cudaMalloc(&p, 1 + i % 5000));
    }
    for (void *p : live) CHECK(cudaFree(p));
    return launches(1) * n;
}

static void worker(int n, int *sum) {
    cudaStream_t s;
    int *p;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaMallocAsync(&p, sizeof(int), s));
    CHECK(cudaMemsetAsync(p, 0, sizeof(int), s));
    for (int i = 0; i < n; i++) {
        count<<<1, 32, 0, s>>>(p);
        CHECK(cudaMemcpyAsync(sum, p, sizeof(int), cudaMemcpyDeviceToHost, s));
    }
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaFreeAsync(p, s));
    CHECK(cudaStreamDestroy(s));
}

static int threads(int n) {
    int sums[8] = {};
    std::vector<std::thread> all;
    for (int &s : sums) all.emplace_back(worker, n, &s);
    for (auto &t : all) t.join();
    for (int s : sums)
        if (s != n) return s;
    return n;
}

int main(int argc, char **argv) {
    int n = argc > 2 ? atoi(argv[2]) : 1000;
    const char *mode = argc > 1 ? argv[1] : "launch";
    auto start = std::chrono::steady_clock::now();
    int got = !strcmp(mode, "alloc") ? allocations(n) : !strcmp(mode, "threads") ? threads(n) : launches(n);
    double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    printf("%s: %d, %.1f us each\n", mode, got, us / n);
    return got == n ? 0 : 1;
}
