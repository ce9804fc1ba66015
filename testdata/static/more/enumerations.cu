// Values of enumerations: without a fixed underlying type only those of the bits that the enumerators need.
#include <cuda_runtime.h>

const int B = 128;

enum Mode { NEAREST, LINEAR, CUBIC };
enum Sign { DOWN = -3, UP = 4 };
enum Flags { READ = 1, WRITE = 2, RUN = 4 };
enum class Scoped { A, B };
enum Fixed : int { FIRST, SECOND };
struct Options {
    int n;
    Mode mode;
};

__global__ void parameter(float *y, Mode mode) {
    int i = threadIdx.x;
    if (i % 4 == 0) y[i + mode] = y[i]; // want coalesce uncoalesced
}

__global__ void tooFewApart(float *y, Mode mode) {
    int i = threadIdx.x;
    if (i % 2 == 0) y[i + mode] = y[i]; // want coalesce uncoalesced, race read-write possible
}

__global__ void negative(float *y, Sign sign) {
    int i = threadIdx.x;
    if (i % 16 == 0) y[8 + i + sign] = y[8 + i]; // want drano
}

__global__ void flags(float *y, Flags flags) {
    int i = threadIdx.x;
    if (i % 8 == 0) y[i + flags] = y[i]; // want coalesce uncoalesced
}

__global__ void member(float *y, Options o) {
    int i = threadIdx.x;
    if (i % 4 == 0) y[i + o.mode] = y[i]; // want coalesce uncoalesced
}

__device__ int offset(const Mode &mode) { return mode; }

__global__ void helper(float *y, Mode mode) {
    int i = threadIdx.x;
    if (i % 4 == 0) y[i + offset(mode)] = y[i]; // want coalesce uncoalesced
}

template <typename T>
__global__ void scoped(float *y, T mode) {
    int i = threadIdx.x;
    if (i % 4 == 0) y[i + (int)mode] = y[i]; // want coalesce uncoalesced, race read-write possible
}

int main(int argc, char **) {
    float *y;
    cudaMalloc(&y, 4 * B * sizeof *y);
    cudaMemset(y, 0, 4 * B * sizeof *y);
    parameter<<<1, B>>>(y, Mode(argc));
    tooFewApart<<<1, B>>>(y, Mode(argc));
    negative<<<1, B>>>(y, Sign(argc));
    flags<<<1, B>>>(y, Flags(argc));
    member<<<1, B>>>(y, Options{argc, Mode(argc)});
    helper<<<1, B>>>(y, Mode(argc));
    scoped<<<1, B>>>(y, Mode(argc));
    scoped<<<1, B>>>(y, Scoped(argc));
    scoped<<<1, B>>>(y, Fixed(argc));
    return cudaDeviceSynchronize();
}
