// Sorts, scans and transforms: places that follow from bits of the index.
#include <cuda_runtime.h>

const int B = 64;

__device__ int pad(int i) { return i + (i >> 5); }

// Work-efficient, with a gap after each 32 elements: no bank conflicts.
__global__ void blelloch(const int *in, int *out) {
    __shared__ int s[2 * B + 2 * B / 32];
    int t = threadIdx.x, d = 1;
    s[pad(2 * t)] = in[2 * t]; // want drano, coalesce uncoalesced
    s[pad(2 * t + 1)] = in[2 * t + 1]; // want drano, coalesce uncoalesced
    for (int n = B; n > 0; n >>= 1) {
        __syncthreads();
        if (t < n) s[pad(d * (2 * t + 2) - 1)] += s[pad(d * (2 * t + 1) - 1)];
        d *= 2;
    }
    if (t == 0) s[pad(2 * B - 1)] = 0;
    for (int n = 1; n < 2 * B; n *= 2) {
        d >>= 1;
        __syncthreads();
        if (t < n) {
            int i = pad(d * (2 * t + 1) - 1), j = pad(d * (2 * t + 2) - 1), x = s[i];
            s[i] = s[j];
            s[j] += x;
        }
    }
    __syncthreads();
    out[t] = s[pad(t)];
    out[t + B] = s[pad(t + B)];
}

__global__ void bitonicXor(int *data) {
    __shared__ int s[B];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (unsigned k = 2; k <= B; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned o = t ^ j;
            if (o > t) {
                int a = s[t], b = s[o];
                bool up = (t & k) == 0;
                if (up ? a > b : a < b) s[t] = b, s[o] = a;
            }
            __syncthreads();
        }
    data[t] = s[t];
}

// There is no barrier between the rounds.
__global__ void bitonicXorOpen(int *data) {
    __shared__ int s[B];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (unsigned k = 2; k <= B; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned o = t ^ j;
            if (o > t) {
                int a = s[t], b = s[o]; // want race read-write
                s[t] = min(a, b); // want race read-write, race write-write possible
                s[o] = max(a, b); // want race write-write possible
            }
        }
    __syncthreads();
    data[t] = s[t];
}

__global__ void oddEven(int *data) {
    __shared__ int s[2 * B];
    int t = threadIdx.x;
    s[t] = data[t];
    s[t + B] = data[t + B];
    for (int phase = 0; phase < 2 * B; phase++) {
        __syncthreads();
        int i = 2 * t + (phase & 1);
        if (i + 1 < 2 * B && s[i] > s[i + 1]) { // want bank conflict
            int x = s[i]; // want bank conflict
            s[i] = s[i + 1]; // want bank conflict
            s[i + 1] = x; // want bank conflict
        }
    }
    __syncthreads();
    data[t] = s[t];
    data[t + B] = s[t + B];
}

__global__ void butterflies(float *out) {
    __shared__ float s[2 * B];
    int t = threadIdx.x;
    s[t] = t;
    s[t + B] = -t;
    for (int h = 1; h <= B; h *= 2) {
        __syncthreads();
        int i = t / h * 2 * h + t % h;
        float a = s[i], b = s[i + h]; // want bank conflict
        s[i] = a + b; // want bank conflict
        s[i + h] = a - b; // want bank conflict
    }
    __syncthreads();
    out[t] = s[t] + s[t + B];
}

// There is no barrier between the stages.
__global__ void butterfliesOpen(float *out) {
    __shared__ float s[2 * B];
    int t = threadIdx.x;
    s[t] = t;
    s[t + B] = -t;
    __syncthreads();
    for (int h = 1; h <= B; h *= 2) {
        int i = t / h * 2 * h + t % h;
        float a = s[i], b = s[i + h]; // want bank conflict, race read-write
        s[i] = a + b; // want bank conflict, race write-write possible
        s[i + h] = a - b; // want bank conflict, race write-write possible
    }
    __syncthreads();
    out[t] = s[t] + s[t + B];
}

// Gray's code and reversed bits are permutations.
__global__ void gray(int *out) {
    __shared__ int s[B], r[B];
    unsigned t = threadIdx.x;
    s[t ^ (t >> 1)] = t;
    r[__brev(t) >> 26] = t; // want bank conflict
    __syncthreads();
    out[t] = s[t] + r[t];
}

// A rotation in each three.
__global__ void triples(int *out) {
    __shared__ int s[63];
    int t = threadIdx.x;
    s[t / 3 * 3 + (t + 1) % 3] = t; // want bank conflict
    __syncthreads();
    out[t] = s[t];
}

int main() {
    int *d, *e;
    cudaMalloc(&d, 1 << 12), cudaMemset(d, 0, 1 << 12);
    cudaMalloc(&e, 1 << 12);
    blelloch<<<1, B>>>(d, e);
    bitonicXor<<<1, B>>>(d);
    bitonicXorOpen<<<1, B>>>(d);
    oddEven<<<1, B>>>(d);
    butterflies<<<1, B>>>((float *)e);
    butterfliesOpen<<<1, B>>>((float *)e);
    gray<<<1, B>>>(e);
    triples<<<1, 63>>>(e);
    return cudaDeviceSynchronize() != cudaSuccess;
}
