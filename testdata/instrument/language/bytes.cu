// Objects seen in several ways: unions, packed structures, casts, arrays of arrays
// and pointers to them, designated initializers, inline PTX, functions of the
// library that get references and pointers, threads that leave early.

#include <cassert>
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

const int THREADS = 64;

union Word {
    uint32_t all;
    float real;
    uint8_t byte[4];
    struct {
        uint16_t low, high;
    } half;
};

#pragma pack(push, 1)
struct Tight {
    char c;
    int n;
};
#pragma pack(pop)

struct Options {
    int a, b;
    float c[2];
};

__global__ void views(int *out) {
    __shared__ alignas(8) Word words[THREADS];
    __shared__ Tight tight[THREADS];
    __shared__ Options options[2];
    __shared__ int cube[4][4][4];
    int t = threadIdx.x;
    words[t].all = 0x01020304u * t;
    words[t].byte[1] ^= 0x55;
    tight[t] = Tight{.c = 'a', .n = t};
    if (t < 2) options[t] = Options{.a = t, .c = {5, 6}};
    cube[t / 16][t / 4 % 4][t % 4] = t;
    __syncthreads();
    int (*plane)[4] = cube[t % 4];
    int (&row)[4] = plane[t / 16];
    int *cell = &(*(plane + 1 - 1))[2];
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(words);
    uint64_t wide = *reinterpret_cast<const uint64_t *>(&words[t & ~1]);
    int sum = row[1] + *cell + cube[0][0][t % 4] + 1[row] + bytes[3 * t] + int(wide >> 33) + int(wide & 15);
    sum += words[t].half.high + __float_as_int(words[(t + 1) % THREADS].real) % 1000 + tight[(t + 2) % THREADS].n + options[t % 2].a;
    sum += static_cast<int>(options[1].c[t % 2]) + (int)(char)words[t].byte[2] + int(tight[t].c);
    __syncthreads();
    *(float *)&words[t] = sum;
    (int &)cube[t % 4][t / 4 % 4][t / 16] = sum;
    __syncthreads();
    out[t] = int(words[t ^ 1].real) + cube[t / 16][t % 4][t / 4 % 4];
}

__device__ unsigned toShared(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__global__ void library(int *out, const int *in) {
    __shared__ int s[THREADS], bins[8];
    __shared__ unsigned long long big;
    int t = threadIdx.x;
    s[t] = __ldg(&in[t]) + __ldcg(in + t);
    if (t < 8) bins[t] = 0;
    if (t == 0) big = 0;
    __syncthreads();
    atomicAdd(&bins[s[t] % 8], 1);
    atomicMax_block(bins + 7, 3);
    atomicAdd(&big, (unsigned long long)s[t]);
    int old = atomicExch(&s[t], min(s[t], 40)), v = __shfl_xor_sync(~0u, s[t], 1);
    v += __popc(s[t]) + abs(s[t]) + max(s[t], v) + __ballot_sync(~0u, s[t] > 9) % 5;
    assert(s[t] >= 0);
    __syncthreads();
    int loaded = 0;
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(loaded) : "r"(toShared(&s[t])));
    __syncthreads();
    asm("add.s32 %0, %0, %1;" : "+r"(v) : "r"(s[t]));
    __syncthreads();
    atomicCAS(&s[t], loaded, atomicOr(&bins[t % 8], 0));
    cg::thread_block block = cg::this_thread_block();
    block.sync();
    auto tile = cg::tiled_partition<16>(block);
    v += tile.shfl(s[t], 3) + tile.any(s[t] > 100);
    tile.sync();
    out[t] = v + old + s[t] + bins[t % 8] + int(big % 1000);
}

__global__ void leavers(int *out, int n) {
    __shared__ int s[2 * THREADS];
    int t = threadIdx.x;
    s[t] = 0;
    if (t >= n) return;
    s[t] = t + 1;
    __syncthreads();
    int v = s[(t + 1) % n];
    if (v == n) return;
    __syncthreads();
    s[t] += v;
    __syncthreads();
    if (t > 0) out[t] = s[t - 1];
}

// racing: bytes of a word, in lines of their own.
__global__ void racing(int *out) {
    __shared__ Word w[THREADS];
    int t = threadIdx.x;
    w[t].byte[3] = t;
    int v = w[(t + 34) % THREADS].byte[3];
    __syncthreads();
    out[t] = v;
}

int main() {
    int *out, *in;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    cudaMallocManaged(&in, THREADS * sizeof(int));
    for (int t = 0; t < THREADS; t++) in[t] = t * 7 % 31;
    auto show = [&](const char *name) {
        cudaError_t e = cudaDeviceSynchronize();
        long long sum = 0;
        for (int t = 0; t < THREADS; t++) sum = (sum * 31 + out[t]) % 1000003, out[t] = 0;
        printf("%s: %lld %s\n", name, sum, cudaGetErrorString(e));
    };
    views<<<1, THREADS>>>(out);
    show("views");
    library<<<1, THREADS>>>(out, in);
    show("library");
    leavers<<<1, THREADS>>>(out, 50);
    show("leavers");
    racing<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
}
