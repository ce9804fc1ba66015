// exit: 0
// The reductions of sm_80 over a warp and over a part of it: the mask comes
// first in CUDA, and last in PTX and in the compiler's builtins.
#include <cstdio>

constexpr int kOperations = 8;

__global__ void reduce(unsigned *out) {
    unsigned lane = threadIdx.x, mask = lane < 20 ? 0x000fffffu : 0xfff00000u, v = lane + 3;
    int s = (int)lane - 12;
    unsigned r[kOperations] = {__reduce_add_sync(mask, v), (unsigned)__reduce_add_sync(mask, s), __reduce_min_sync(mask, v),
                               __reduce_max_sync(mask, v), (unsigned)__reduce_min_sync(mask, s),
                               __reduce_and_sync(mask, v), __reduce_or_sync(mask, v), __reduce_xor_sync(mask, v)};
    for (int i = 0; i < kOperations; i++) out[lane * kOperations + i] = r[i];
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, 32 * kOperations * sizeof *out);
    reduce<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    bool ok = true;
    for (int half = 0; half < 2; half++) {
        int from = half ? 20 : 0, to = half ? 32 : 20;
        unsigned want[kOperations] = {0, 0, ~0u, 0, (unsigned)(from - 12), ~0u, 0, 0};
        for (int l = from; l < to; l++) {
            unsigned v = l + 3;
            want[0] += v;
            want[1] += l - 12;
            want[2] = v < want[2] ? v : want[2];
            want[3] = v > want[3] ? v : want[3];
            want[5] &= v;
            want[6] |= v;
            want[7] ^= v;
        }
        for (int l = from; l < to; l++)
            for (int i = 0; i < kOperations; i++) ok &= out[l * kOperations + i] == want[i];
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
