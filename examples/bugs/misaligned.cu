// A float4 load from an address that is not a multiple of 16: rows of 6 floats
// do not start on a 16-byte boundary.

#include "../check.h"

__global__ void firstFour(const float *rows, float4 *out, int width) {
    int r = threadIdx.x;
    out[r] = *reinterpret_cast<const float4 *>(&rows[r * width]); // want memory
}

int main() {
    const int rows = 8, width = 6;
    std::vector<float> in(rows * width, 1.0f);
    float *dIn = toDevice(in);
    float4 *dOut;
    CHECK(cudaMalloc(&dOut, rows * sizeof(float4)));
    firstFour<<<1, rows>>>(dIn, dOut, width);
    cudaDeviceSynchronize();
    cudaFree(dIn);
    cudaFree(dOut);
    return 0;
}
