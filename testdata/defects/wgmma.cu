// Asynchronous products of a warpgroup: their registers, their groups, and who executes them.
// clean: right chained changed_fenced kept read_between read_by_helper started_again copied fragment_fenced two_groups other_branch warpgroups swapped fragment overwritten array first_of_array
// flags: --arch sm_90
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

__device__ unsigned long long descriptor(const void *tile) {  // no swizzle, 128 bytes to the next piece, 256 to the next eight rows
    return ((unsigned)__cvta_generic_to_shared(tile) & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }  // want(one_less) sync barrier
template <int N> __device__ void wait_for() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
__device__ __forceinline__ void multiply(float (&d)[4], unsigned long long a, unsigned long long b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"  // want(no_fence) sync barrier // want(differs) sync barrier // want(overwritten_early) race RAW // want(overwritten_by_others) race RAW // want(half_a_tile) init shared // want(unset_accumulator) init register optimized
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
__device__ __forceinline__ void multiply(float (&d)[4], unsigned (&a)[4], unsigned long long b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ __forceinline__ void multiply_loaded(float (&d)[4], unsigned (&a)[4], unsigned long long b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"  // want(fragment_loaded) sync barrier
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

struct Tiles { half a[64 * 16], b[8 * 16]; };

__device__ void fill(Tiles &t) {
    for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) t.a[i] = __float2half(1);
    for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x) t.b[i] = __float2half(2);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
}

enum How { RIGHT, CHAINED, NO_FENCE, EARLY, NO_COMMIT, ONE_GROUP_LEFT, TWO_GROUPS, SWAPPED };

template <How HOW> __global__ void products(float *out) {
    __shared__ __align__(1024) Tiles t;
    fill(t);
    float d[4] = {}, e[4] = {};
    if (HOW != NO_FENCE) fence();
    multiply(d, descriptor(t.a), descriptor(t.b));
    if (HOW == CHAINED) multiply(d, descriptor(t.a), descriptor(t.b));
    if (HOW == NO_COMMIT) wait_for<0>();
    commit();
    if (HOW == TWO_GROUPS || HOW == ONE_GROUP_LEFT || HOW == SWAPPED) {
        multiply(e, descriptor(t.a), descriptor(t.b));
        commit();
        wait_for<1>();
    }
    if (HOW == RIGHT || HOW == CHAINED || HOW == NO_FENCE || HOW == SWAPPED) wait_for<0>();
    float sum = HOW == ONE_GROUP_LEFT ? e[0] * 2 : HOW == SWAPPED ? e[1] - d[0] : d[0] * 2;  // want(early) sync barrier // want(no_commit) sync barrier // want(one_group_left) sync barrier
    wait_for<0>();
    out[threadIdx.x] = sum;
}

// Accumulators in an array with variable indices, so in local memory: one product for each, and a wait for all or all but LEFT.
template <int LEFT> __global__ void array(float *out, int n) {
    __shared__ __align__(1024) Tiles t;
    fill(t);
    float d[2][4] = {};
    fence();
#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        multiply(d[i], descriptor(t.a), descriptor(t.b));
        commit();
    }
    wait_for<LEFT>();
    out[threadIdx.x] = d[n][threadIdx.x % 4];  // want(second_of_array) sync barrier
    wait_for<0>();
}

// The fragment of A is written again while the product may read it.
template <bool WAIT> __global__ void registers(float *out, const unsigned *in) {
    __shared__ __align__(1024) Tiles t;
    fill(t);
    float d[4] = {};
    unsigned a[4] = {};
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        a[0] = in[k * 128 + threadIdx.x] * 3;  // want(fragment_written) sync barrier
        fence();
        multiply(d, a, descriptor(t.b));
        commit();
        if (WAIT) wait_for<0>();
    }
    wait_for<0>();
    out[threadIdx.x] = d[0];
}

__device__ __forceinline__ void multiply_anew(float (&d)[4], unsigned long long a, unsigned long long b, int keeps) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }"  // want(changed) sync barrier // want(changed_by_helper) sync barrier // want(changed_once) sync barrier // want(added) sync barrier
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(keeps));
}
__device__ void scale(float (&d)[4], float by) { for (float &x : d) x *= by; }

__device__ void add(float (&sum)[4], const float (&d)[4]) { for (int i = 0; i < 4; i++) sum[i] += d[i]; }

enum Change { CHANGED, CHANGED_FENCED, BY_HELPER, READ_BY_HELPER, CHANGED_ONCE, KEPT, READ_BETWEEN, STARTED_AGAIN, COPIED, ADDED };

// The accumulator is changed, read or left alone between products; a fence comes first, and maybe after each change.
template <Change HOW> __global__ void changes(float *out, const float *in, int n) {
    __shared__ __align__(1024) Tiles t;
    fill(t);
    float d[4] = {}, e[4] = {}, sum = 0;
    fence();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        multiply_anew(d, descriptor(t.a), descriptor(t.b), HOW != STARTED_AGAIN);
        commit();
        wait_for<0>();
        if (HOW == CHANGED || HOW == CHANGED_FENCED || HOW == STARTED_AGAIN) d[1] *= 0.5f;
        if (HOW == BY_HELPER) scale(d, 0.5f);
        if (HOW == READ_BY_HELPER) add(e, d);
        if (HOW == CHANGED_ONCE && i == 2) d[3] += 1;
        if (HOW == ADDED) d[0] += in[threadIdx.x];
        if (HOW == READ_BETWEEN) sum += d[1] * 2;
        if (HOW == COPIED) for (int k = 0; k < 4; k++) { float x = d[k]; d[k] = e[k]; e[k] = x; }
        if (HOW == CHANGED_FENCED) fence();
    }
    out[threadIdx.x] = d[0] + d[1] + sum + e[2];
}

// A fragment of A is loaded between products that have ended.
template <bool FENCED> __global__ void fragments(float *out, const unsigned *in) {
    __shared__ __align__(1024) Tiles t;
    fill(t);
    float d[4] = {};
    unsigned a[4] = {};
    fence();
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        a[0] = in[k * 128 + threadIdx.x] * 3;
        if (FENCED) fence();
        multiply_loaded(d, a, descriptor(t.b));
        commit();
        wait_for<0>();
    }
    out[threadIdx.x] = d[0];
}

// Which warps multiply: all, all but one, or those of one warpgroup.
template <int WHO> __global__ void warps(float *out) {
    __shared__ __align__(1024) Tiles t;
    fill(t);
    float d[4] = {};
    int warp = threadIdx.x / 32;
    fence();
    if (WHO == 0 || WHO == 1 && warp != 2 || WHO == 2 && warp < 4 || WHO == 3)
        multiply(d, descriptor(t.a + (WHO == 3 ? warp * 8 : 0)), descriptor(t.b));
    commit();
    wait_for<0>();
    out[threadIdx.x] = d[0];
}

// A tile is written again once a warp has waited for the product: then it is complete for all
// four. Who has not waited for it, and another warpgroup, may not.
template <int HOW> __global__ void tile_again(float *out) {
    __shared__ __align__(1024) Tiles t;
    fill(t);
    float d[4] = {};
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x < 128) {
            fence();
            multiply(d, descriptor(t.a), descriptor(t.b));
            commit();
            if (HOW == 1) wait_for<1>(); else wait_for<0>();
        }
        if (threadIdx.x / 128 == (HOW == 2)) t.b[threadIdx.x % 128] = __float2half(k);
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
    }
    if (threadIdx.x < 128) {
        wait_for<0>();
        out[threadIdx.x] = d[0];
    }
}

// Two warpgroups multiply many times, each its own tiles; then one writes a tile of the other.
__global__ void neighbors_tile(float *out) {
    __shared__ __align__(1024) Tiles t[2];
    int group = threadIdx.x / 128;
    fill(t[0]);
    fill(t[1]);
    float d[4] = {};
#pragma unroll 1
    for (int k = 0; k < 40; k++) {
        fence();
        multiply(d, descriptor(t[group].a), descriptor(t[group].b));
        commit();
        wait_for<0>();
    }
    if (threadIdx.x == 0) t[1].b[0] = __float2half(1);  // want(neighbors_tile) race WAR
    out[threadIdx.x] = d[0];
}

// A tile of which half was never written, and an accumulator that was never set.
template <bool TILE, bool SET> __global__ void undefined_inputs(float *out) {
    __shared__ __align__(1024) Tiles t;
    if (TILE) {
        fill(t);
    } else {
        for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) t.a[i] = __float2half(1);
        for (int i = threadIdx.x; i < 4 * 16; i += blockDim.x) t.b[i] = __float2half(2);
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
    }
    float d[4];  // want(unset_accumulator) init local source
    if (SET) for (float &x : d) x = 0;
    fence();
    multiply(d, descriptor(t.a), descriptor(t.b));
    commit();
    wait_for<0>();
    out[threadIdx.x] = d[0];
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    float *out;
    unsigned *in;
    cudaMalloc(&out, 4096);
    cudaMalloc(&in, 16 * 128 * 4);
    cudaMemset(in, 0, 16 * 128 * 4);
    if (is("right")) products<RIGHT><<<1, 128>>>(out);
    if (is("chained")) products<CHAINED><<<1, 128>>>(out);
    if (is("two_groups")) products<TWO_GROUPS><<<1, 128>>>(out);
    if (is("swapped")) products<SWAPPED><<<1, 128>>>(out);
    if (is("no_fence")) products<NO_FENCE><<<1, 128>>>(out);
    if (is("early")) products<EARLY><<<1, 128>>>(out);
    if (is("no_commit")) products<NO_COMMIT><<<1, 128>>>(out);
    if (is("one_group_left")) products<ONE_GROUP_LEFT><<<1, 128>>>(out);
    if (is("array")) array<0><<<1, 128>>>(out, 1);
    if (is("first_of_array")) array<1><<<1, 128>>>(out, 0);
    if (is("second_of_array")) array<1><<<1, 128>>>(out, 1);
    if (is("fragment")) registers<true><<<1, 128>>>(out, in);
    if (is("fragment_written")) registers<false><<<1, 128>>>(out, in);
    if (is("changed")) changes<CHANGED><<<1, 128>>>(out, (float *)in, 5);
    if (is("changed_fenced")) changes<CHANGED_FENCED><<<1, 128>>>(out, (float *)in, 5);
    if (is("changed_by_helper")) changes<BY_HELPER><<<1, 128>>>(out, (float *)in, 5);
    if (is("read_by_helper")) changes<READ_BY_HELPER><<<1, 128>>>(out, (float *)in, 5);
    if (is("changed_once")) changes<CHANGED_ONCE><<<1, 128>>>(out, (float *)in, 5);
    if (is("kept")) changes<KEPT><<<1, 128>>>(out, (float *)in, 5);
    if (is("read_between")) changes<READ_BETWEEN><<<1, 128>>>(out, (float *)in, 5);
    if (is("started_again")) changes<STARTED_AGAIN><<<1, 128>>>(out, (float *)in, 5);
    if (is("copied")) changes<COPIED><<<1, 128>>>(out, (float *)in, 5);
    if (is("added")) changes<ADDED><<<1, 128>>>(out, (float *)in, 5);
    if (is("fragment_loaded")) fragments<false><<<1, 128>>>(out, in);
    if (is("fragment_fenced")) fragments<true><<<1, 128>>>(out, in);
    if (is("warpgroups")) warps<0><<<1, 256>>>(out);
    if (is("other_branch")) warps<2><<<1, 256>>>(out);
    if (is("one_less")) warps<1><<<1, 128>>>(out);
    if (is("differs")) warps<3><<<1, 128>>>(out);
    if (is("overwritten")) tile_again<0><<<1, 128>>>(out);
    if (is("overwritten_early")) tile_again<1><<<1, 128>>>(out);
    if (is("neighbors_tile")) neighbors_tile<<<1, 256>>>(out);
    if (is("overwritten_by_others")) tile_again<2><<<1, 256>>>(out);
    if (is("half_a_tile")) undefined_inputs<false, true><<<1, 128>>>(out);
    if (is("unset_accumulator")) undefined_inputs<true, false><<<1, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
}
