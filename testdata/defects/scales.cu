// Scales of matrices, as registers and as vectors of one register.
// clean: plain braces
// flags: --arch sm_120a
#include <cstdio>
#include <cstring>

#define MULTIPLY(scales) \
    unsigned a = 0x38383838, s = 0x7f7f7f7f; unsigned short z = 0; float d[4] = {}; \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0 " \
                 "{%0,%1,%2,%3},{%4,%4,%4,%4},{%4,%4},{%0,%1,%2,%3}," scales ";" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(s), "h"(z)); \
    o[threadIdx.x] = d[0];
__global__ void plain(float *o) { MULTIPLY("%5,{%6,%6},%5,{%6,%6}") }
__global__ void braces(float *o) { MULTIPLY("{%5},{%6,%6},{%5},{%6,%6}") }

int main(int, char **argv) {
    float *o, h;
    cudaMalloc(&o, 128);
    if (!strcmp(argv[1], "plain")) plain<<<1, 32>>>(o);
    if (!strcmp(argv[1], "braces")) braces<<<1, 32>>>(o);
    cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost);
    return h != 32;
}
