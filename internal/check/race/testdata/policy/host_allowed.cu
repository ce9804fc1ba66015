// Races with the host allowed.
// flags: --race-policy=host=allow
#include <cuda_runtime.h>

__global__ void produce(int *a) { a[threadIdx.x] = threadIdx.x; }
static volatile int sink;

int main() {
    int *a;
    cudaMallocManaged(&a, 256);
    produce<<<1, 64>>>(a);
    sink = a[3];
    cudaFree(a);
}
