// Member masks of warp-level operations, and shuffles from lanes that are not there.
// clean: reduce half upper ballot returned tiles matched partial xor_small loop pairs
#include <cstdio>
#include <cstring>

const unsigned ALL = 0xffffffffu;

// All lanes come, and all are named.
__global__ void reduce(int *out) {
    int v = threadIdx.x;
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(ALL, v, o);
    if (threadIdx.x == 0) *out = v;
}

// Half a warp, with its own mask: the upper lanes of it read from lanes outside,
// but nothing looks at their results.
__global__ void half(int *out) {
    int v = threadIdx.x;
    if (threadIdx.x < 16) {
        for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(0xffffu, v, o);
        if (threadIdx.x == 0) *out = v;
    }
}

// Both halves at once, each with its own mask.
__global__ void upper(int *out) {
    int v = threadIdx.x;
    unsigned mine = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
    for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(mine, v, o, 16);
    __syncwarp(mine);
    if (threadIdx.x % 16 == 0) out[threadIdx.x / 16] = v;
}

// The mask is taken before the branch.
__global__ void ballot(int *out, int n) {
    int v = threadIdx.x;
    unsigned mine = __ballot_sync(ALL, threadIdx.x < n);
    if (threadIdx.x < n) {
        if (__any_sync(mine, v == 3)) out[threadIdx.x] = v;
        __syncwarp(mine);
    }
}

// Lanes that returned before may be named (CUDA C++ Programming Guide: "all
// non-exited threads named in mask").
__global__ void returned(int *out, int n) {
    if (threadIdx.x >= n) return;
    int any = __any_sync(ALL, threadIdx.x == 2);
    __syncwarp();
    out[threadIdx.x] = any;
}

__global__ void matched(int *out) {
    unsigned same = __match_any_sync(ALL, threadIdx.x / 5);
    int v = __shfl_sync(same, threadIdx.x, __ffs(same) - 1);
    out[threadIdx.x] = v;
}

// A block of 40: the second warp has 8 lanes, and only these are read from.
__global__ void partial(int *out) {
    int v = threadIdx.x;
    for (int o = 4; o > 0; o /= 2) v += __shfl_xor_sync(ALL, v, o);
    out[threadIdx.x] = v;
}

__global__ void xor_small(int *out) {
    int v = threadIdx.x;
    for (int o = 8; o > 0; o /= 2) v ^= __shfl_xor_sync(0xffff, v, o);
    out[threadIdx.x] = v;
}

// Lanes leave the loop one by one, each time with the mask of those that stay.
__global__ void loop(int *out) {
    unsigned mine = ALL;
    int v = 0;
    for (int i = 0; i < (int)threadIdx.x; i++) {
        mine = __activemask();
        v += __popc(__ballot_sync(mine, i & 1));
    }
    out[threadIdx.x] = v;
}

// The two sides of a branch meet at two places with one mask.
__global__ void pairs(int *out) {
    int v;
    if (threadIdx.x & 1) v = __shfl_xor_sync(ALL, 1, 1);
    else v = __shfl_xor_sync(ALL, 2, 1);
    out[threadIdx.x] = v;
}

__global__ void names_others(int *out) {
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_down_sync(ALL, v, 1);  // want(names_others) sync mask
    out[threadIdx.x] = v;
}

__global__ void votes_alone(int *out) {
    int v = 0;
    if (threadIdx.x % 4 == 0)
        v = __any_sync(ALL, threadIdx.x == 8);  // want(votes_alone) sync mask
    out[threadIdx.x] = v;
}

__global__ void syncs_alone(int *out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x < 31) {
        __syncwarp();  // want(syncs_alone) sync mask
        out[threadIdx.x] += 1;
    }
    out[threadIdx.x] += 1;
}

__global__ void leaves_out(int *out) {
    int v = threadIdx.x;
    v = __shfl_xor_sync(0x7fffffffu, v, 1);  // want(leaves_out) sync mask
    out[threadIdx.x] = v;
}

__global__ void ballot_of_half(int *out) {
    out[threadIdx.x] = __ballot_sync(0xffffu, 1);  // want(ballot_of_half) sync mask
}

__global__ void absent(int *out) {
    int v = threadIdx.x;
    if (threadIdx.x < 8)
        v = __shfl_sync(0xff, v, 8);  // want(absent) sync absent-lane
    out[threadIdx.x] = v;
}

// A reduction that begins with too many lanes: what lane 0 adds is undefined.
__global__ void too_wide(int *out) {
    int v = 1;
    if (threadIdx.x < 8) {
        for (int o = 16; o > 0; o /= 2)
            v += __shfl_down_sync(0xff, v, o);  // want(too_wide) init lane
        if (threadIdx.x == 0) *out = v;
    }
}

// Lanes that returned are named, and read from.
__global__ void reads_returned(int *out, int n) {
    if (threadIdx.x >= n) return;
    int v = threadIdx.x;
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(ALL, v, o);  // want(reads_returned) init lane
    out[threadIdx.x] = v;
}

// A block of 40: the second warp has no lanes 8 to 31.
__global__ void no_such_lane(int *out) {
    int v = threadIdx.x;
    v += __shfl_down_sync(ALL, v, 16);  // want(no_such_lane) init lane
    out[threadIdx.x] = v;
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(out, 0, 64 * sizeof *out);
#define CASE(k, threads, ...) if (!strcmp(c, #k)) k<<<1, threads>>>(__VA_ARGS__)
    CASE(reduce, 32, out); CASE(half, 32, out); CASE(upper, 32, out); CASE(ballot, 32, out, 20);
    CASE(returned, 32, out, 20); CASE(matched, 32, out); CASE(partial, 40, out); CASE(xor_small, 16, out);
    CASE(loop, 32, out); CASE(pairs, 32, out);
    if (!strcmp(c, "tiles")) upper<<<1, 32>>>(out);
    CASE(names_others, 32, out); CASE(votes_alone, 32, out); CASE(syncs_alone, 32, out); CASE(leaves_out, 32, out);
    CASE(ballot_of_half, 32, out); CASE(absent, 32, out); CASE(too_wide, 32, out); CASE(reads_returned, 32, out, 20);
    CASE(no_such_lane, 40, out);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(out);
    return bad;
}
