// Atomic operations on bytes, beside bytes that others access plainly. The words around
// them are not accessed.
// clean: neighbor shared_neighbor builtin
#include <cuda/atomic>
#include <cstring>

using device_byte = cuda::atomic_ref<unsigned char, cuda::thread_scope_device>;

__global__ void neighbor(unsigned char *b) {
    if (threadIdx.x == 0) device_byte(b[0]).fetch_add(3);
    if (threadIdx.x == 32) b[1] = 7;
    if (threadIdx.x == 40) device_byte(b[2]).store(1);
}
__global__ void shared_neighbor(unsigned char *b) {
    __shared__ unsigned char s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 1) cuda::atomic_ref<unsigned char, cuda::thread_scope_block>(s[1]).fetch_max(threadIdx.x);
    if (threadIdx.x == 2) s[2] = 5;
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x & 3];
}
__global__ void builtin(unsigned char *b) {
    if (threadIdx.x % 32 == 0) __atomic_fetch_add(b, 1, __ATOMIC_RELAXED);
    if (threadIdx.x == 33) b[1] = 7;
}
// The byte itself is another matter.
__global__ void same(unsigned char *b) {
    if (threadIdx.x == 0) device_byte(b[0]).fetch_add(3);
    if (threadIdx.x == 32) b[0] = 7;  // want(same) race
}
__global__ void same_builtin(unsigned char *b) {
    if (threadIdx.x == 0) __atomic_fetch_add(b, 1, __ATOMIC_RELAXED);
    if (threadIdx.x == 33) b[0] = 7;  // want(same_builtin) race
}

int main(int, char **argv) {
    unsigned char *b;
    cudaMalloc(&b, 64);
    cudaMemset(b, 0, 64);
#define CASE(k) if (!strcmp(argv[1], #k)) k<<<1, 64>>>(b)
    CASE(neighbor); CASE(shared_neighbor); CASE(builtin); CASE(same); CASE(same_builtin);
    cudaDeviceSynchronize();
    cudaFree(b);
    return 0;
}
