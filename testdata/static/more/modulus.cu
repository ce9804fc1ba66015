// Conditions and indices by moduli other than powers of two: compilers make products of them, and for even ones a
// rotation.
#include <cuda_runtime.h>

__global__ void everySixth(int *a, int *b) {
    int t = threadIdx.x;
    b[t] = a[t + 2]; // want coalesce misaligned
    if (t % 6 == 0) a[t] = 1; // want race read-write, coalesce uncoalesced
}

// The nearest ones that every sixth thread writes are six apart.
__global__ void betweenSixths(int *a) {
    int t = threadIdx.x;
    if (t % 6 == 0) a[t] = a[t + 5]; // want coalesce uncoalesced
}

__global__ void unsignedRest(int *a) {
    unsigned t = threadIdx.x;
    if (t % 12 == 5) a[t] = a[t + 24]; // want race read-write, coalesce uncoalesced
}

__global__ void wideRest(int *a) {
    long long t = threadIdx.x;
    if (t % 10 == 0) a[t / 10] = a[t / 10 + 32]; // want drano
}

__global__ void quotient(int *a) {
    int t = threadIdx.x;
    if (t % 24 == 0) a[t / 12] = a[t / 12 + 1]; // want drano
}

__global__ void sameQuotient(int *a) {
    int t = threadIdx.x;
    if (t % 6 == 0) a[t / 12] = t; // want race write-write, drano
}

int main() {
    int *a, *b;
    cudaMalloc(&a, 1024 * sizeof(int));
    cudaMalloc(&b, 1024 * sizeof(int));
    cudaMemset(a, 0, 1024 * sizeof(int));
    everySixth<<<1, 32>>>(a, b);
    betweenSixths<<<1, 32>>>(a);
    unsignedRest<<<1, 64>>>(a);
    wideRest<<<1, 64>>>(a);
    quotient<<<1, 64>>>(a);
    sameQuotient<<<1, 64>>>(a);
    cudaDeviceSynchronize();
}
