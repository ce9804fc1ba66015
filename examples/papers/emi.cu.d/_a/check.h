#line 1 "../check.h"
// What every example needs on the host: errors that are not overlooked, data
// that is the same on each run, and a comparison with the expected result.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// CHECK ends the program when a CUDA call did not succeed.
#define CHECK(call)                                                         \
    do {                                                                    \
        cudaError_t status_ = (call);                                       \
        if (status_ != cudaSuccess) {                                       \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,   \
                    cudaGetErrorString(status_));                           \
            exit(2);                                                        \
        }                                                                   \
    } while (0)

// CHECK_LAUNCH waits for the kernel just launched and reports its errors.
#define CHECK_LAUNCH()                  \
    do {                                \
        CHECK(cudaGetLastError());      \
        CHECK(cudaDeviceSynchronize()); \
    } while (0)

// Random is a small linear congruential generator: the same numbers everywhere.
struct Random {
    unsigned state;
    explicit Random(unsigned seed = 1) : state(seed) {}
    unsigned next() {
        state = state * 1664525u + 1013904223u;
        return state >> 8;
    }
    int below(int n) { return static_cast<int>(next() % static_cast<unsigned>(n)); }
    float uniform() { return static_cast<float>(next()) / 16777216.0f; }
};

// toDevice allocates device memory and fills it from the vector.
template <typename T>
T *toDevice(const std::vector<T> &host) {
    T *device = nullptr;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

// toHost copies n elements back.
template <typename T>
std::vector<T> toHost(const T *device, size_t n) {
    std::vector<T> host(n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

// same compares element by element; for floats within a relative tolerance.
template <typename T>
bool same(const char *what, const std::vector<T> &got, const std::vector<T> &want,
          double tolerance = 0) {
    for (size_t i = 0; i < want.size(); i++) {
        double g = static_cast<double>(got[i]), w = static_cast<double>(want[i]);
        if (!(std::fabs(g - w) <= tolerance * (1 + std::fabs(w)))) {
            printf("%s: FAIL at %zu: got %g, want %g\n", what, i, g, w);
            return false;
        }
    }
    printf("%s: PASS\n", what);
    return true;
}
