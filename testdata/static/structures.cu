// Arrays of structures, chunks for each thread, wide elements.
#include <cuda_runtime.h>

struct Particle { float x, y, z, mass; };
struct Odd { char tag; double value; int next; };

__global__ void arrayOfStructures(Particle *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i].x += p[i].mass; // want coalesce uncoalesced, drano
}

__global__ void structureOfArrays(float *x, const float *mass) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += mass[i];
}

// A whole structure as one access of 16 bytes: as much as is needed.
__global__ void whole(const float4 *in, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i]; // want drano
}

__global__ void odd(const Odd *in, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].value; // want coalesce uncoalesced, drano
}

// 8-byte elements, one after the other.
__global__ void doubles(double *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= 2; // want drano
}

__global__ void bytes(unsigned char *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] ^= 255;
}

const int CHUNK = 16;

__global__ void chunks(float *a) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < CHUNK; i++)
        a[t * CHUNK + i] += 1; // want coalesce uncoalesced, drano
}

// The same work, dealt out in turn.
__global__ void inTurn(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] += 1; // want drano
}

__global__ void everyOther(float *a) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    a[2 * t] += 1; // want coalesce uncoalesced, drano
}

__global__ void backwards(float *a, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    a[n - 1 - t] += 1;
}

int main() {
    char *d;
    cudaMalloc(&d, 1 << 16), cudaMemset(d, 0, 1 << 16);
    arrayOfStructures<<<4, 64>>>((Particle *)d);
    structureOfArrays<<<4, 64>>>((float *)d, (float *)d + 1024);
    whole<<<4, 64>>>((float4 *)d, (float4 *)d + 1024);
    odd<<<4, 64>>>((Odd *)d, (double *)d + 4096);
    doubles<<<4, 64>>>((double *)d);
    bytes<<<4, 64>>>((unsigned char *)d);
    chunks<<<4, 64>>>((float *)d);
    inTurn<<<4, 64>>>((float *)d, 4096);
    everyOther<<<4, 64>>>((float *)d);
    backwards<<<4, 64>>>((float *)d, 256);
    return cudaDeviceSynchronize() != cudaSuccess;
}
