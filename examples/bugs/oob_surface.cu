// The coordinates of a surface are in bytes in x: here the last thread writes
// one element beyond the row.
#include "../check.h"

__global__ void fill(cudaSurfaceObject_t surface, int width) {
    int i = threadIdx.x + 1;
    if (i <= width) surf2Dwrite(1.0f, surface, i * (int)sizeof(float), 0); // want memory
}

int main() {
    const int width = 32;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, width, 4, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    fill<<<1, width>>>(surface, width);
    cudaError_t status = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(status));
    return 0;
}
