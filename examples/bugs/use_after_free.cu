// The kernel gets a pointer to memory that was freed before the launch.

#include "../check.h"

__global__ void scale(float *data, float by) {
    data[threadIdx.x] *= by; // want memory
}

int main() {
    std::vector<float> in(32, 1.0f);
    float *d = toDevice(in);
    CHECK(cudaFree(d));
    scale<<<1, 32>>>(d, 2.0f);
    cudaDeviceSynchronize();
    return 0;
}
