// Races with the host as a policy has it.
// flags: --race-policy=host=warning
#include <cuda_runtime.h>

__global__ void produce(int *a) { a[threadIdx.x] = threadIdx.x; }
static volatile int sink;

int main() {
    int *a;
    cudaMallocManaged(&a, 256);
    produce<<<1, 64>>>(a);
    sink = a[3]; // want warning RAW host-unordered/host-wait
    cudaFree(a);
}
