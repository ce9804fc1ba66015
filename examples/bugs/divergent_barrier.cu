// A barrier inside a condition that half of the block does not meet: the
// others wait for threads that never come.

#include "../check.h"

__global__ void reverse(int *data, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n) {
        s[t] = data[t];
        __syncthreads(); // want sync
        data[t] = s[n - 1 - t];
    }
    data[t] *= 2;
}

int main() {
    std::vector<int> data(64);
    int *d = toDevice(data);
    reverse<<<1, 64>>>(d, 40);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
