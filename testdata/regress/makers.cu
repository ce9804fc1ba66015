// exit: 0
// Makers of structures and pairs: 3D copies, half2.
#include <cuda_fp16.h>

__global__ void twice(half2 *p, half by) { *p = __hmul2(__half2half2(by), *p); }

int main() {
    float from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {};
    cudaExtent e = make_cudaExtent(3 * sizeof(float), 2, 1);
    cudaPitchedPtr d;
    if (cudaMalloc3D(&d, e) != cudaSuccess) return 1;
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(from, 3 * sizeof(float), 3, 2);
    p.dstPtr = d;
    p.dstPos = make_cudaPos(0, 0, 0);
    p.extent = e;
    p.kind = cudaMemcpyHostToDevice;
    if (cudaMemcpy3D(&p) != cudaSuccess) return 2;
    if (cudaMemcpy2D(to, 12, d.ptr, d.pitch, 12, 2, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
    if (to[5] != 6) return 4;
    half2 *h, v = __floats2half2_rn(1.5f, 2);
    cudaMalloc(&h, sizeof v);
    cudaMemcpy(h, &v, sizeof v, cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(h, __float2half(2.0f));
    cudaMemcpy(&v, h, sizeof v, cudaMemcpyDeviceToHost);
    return __low2float(v) != 3 || __high2float(v) != 4;
}
