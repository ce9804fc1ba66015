// The host part reads through a null pointer and crashes after its first
// launch. What was checked until then must still be reported.

#include "../check.h"

__global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    int *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    fill<<<1, 32>>>(out);
    CHECK_LAUNCH();
    volatile int *nothing = nullptr;
    printf("never printed: %d\n", *nothing);
    return 0;
}
