// printf in device code, with the formats that programs use. With -D FAIL an
// assertion in the kernel fails, and the program reports the error.

#include "../check.h"
#include <cassert>

__global__ void speak(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAIL
    assert(i < 3);
#else
    assert(i < n);
#endif
    if (i % 4 == 0)
        printf("thread %d: %5.2f %s %c %x %lld %%\n", i, i / 3.0, "text", 'a' + i, 255,
               (long long)i << 40);
}

int main() {
    speak<<<2, 4>>>(8);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("printf: PASS\n");
    return 0;
}
