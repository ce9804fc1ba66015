// Values that shuffles read in lanes that take no part: undefined, and an error where they matter.
// clean: whole own segments covered discarded selected coalesced scan_up ballots unstored exited_discards halves
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

const unsigned ALL = 0xffffffffu;

__device__ int sum(unsigned mask, int v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
    return v;
}

// Beyond the end of the warp or segment a lane gets its own value.
__global__ void whole(int *out, int) {
    int v = sum(ALL, threadIdx.x);
    if (threadIdx.x == 0) *out = v;
}

__global__ void own(int *out, int) { out[threadIdx.x] = __shfl_down_sync(ALL, (int)threadIdx.x, 4); }

__global__ void segments(int *out, int) {
    int v = threadIdx.x;
    unsigned mask = threadIdx.x < 8 ? 0x000000ffu : 0xffffff00u;
    for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d, 8);
    out[threadIdx.x] = v;
}

// The mask has all lanes that are read.
__global__ void covered(int *out, int) {
    if (threadIdx.x < 16) {
        int v = threadIdx.x;
        for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0xffffu, v, d);
        out[threadIdx.x] = v;
    }
}

// The upper lanes add garbage that nothing looks at.
__global__ void discarded(int *out, int) {
    if (threadIdx.x < 16) {
        int v = threadIdx.x;
        for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffu, v, d);
        if (threadIdx.x == 0) *out = v;
    }
}

// A lane uses what it reads only where the other lane is there.
__global__ void selected(int *out, int n) {
    unsigned mask = __ballot_sync(ALL, threadIdx.x < n);
    if (threadIdx.x < n) {
        int v = threadIdx.x;
        for (int d = 16; d > 0; d /= 2) {
            int other = __shfl_down_sync(mask, v, d);
            if (threadIdx.x + d < n) v += other;
        }
        if (threadIdx.x == 0) *out = v;
    }
}

__global__ void coalesced(int *out, int n) {
    if (threadIdx.x % 3 == 1 && threadIdx.x < n) {
        cg::coalesced_group g = cg::coalesced_threads();
        int v = cg::reduce(g, (int)threadIdx.x, cg::plus<int>());
        int w = threadIdx.x;
        for (unsigned d = 1; d < g.size(); d *= 2) {
            int up = g.shfl_up(w, d);
            if (g.thread_rank() >= d) w += up;
        }
        out[threadIdx.x] = v + w;
    }
}

__global__ void scan_up(int *out, int n) {
    if (threadIdx.x < n) {
        int v = 1;
        unsigned mask = __activemask();
        for (int d = 1; d < 32; d *= 2) {
            int up = __shfl_up_sync(mask, v, d);
            v += threadIdx.x % 32 >= d ? up : 0;
        }
        out[threadIdx.x] = v;
    }
}

// Bits of lanes that are not in the mask are 0.
__global__ void ballots(int *out, int n) {
    if (threadIdx.x < n) {
        unsigned mask = __activemask();
        out[threadIdx.x] = __popc(__ballot_sync(mask, threadIdx.x & 1)) + __all_sync(mask, 1) + __any_sync(mask, 0);
    }
}

__global__ void unstored(int *out, int n) {
    if (threadIdx.x < n) {
        int v = __shfl_down_sync((1u << n) - 1, (int)threadIdx.x, 1);
        if (threadIdx.x + 1 < n) out[threadIdx.x] = v;
    }
}

__global__ void exited_discards(int *out, int n) {
    if (threadIdx.x >= n) return;
    int v = threadIdx.x;
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(ALL, v, d, 16);
    if (threadIdx.x == 0) *out = v;
}

// Two halves of a warp meet in the same shuffle, and each reads its own.
__global__ void halves(int *out, int) {
    int v = threadIdx.x;
    if (threadIdx.x < 16) v = __shfl_sync(0x0000ffffu, v, 3);
    else v = __shfl_sync(0xffff0000u, v, 19);
    out[threadIdx.x] = v;
}

__global__ void ballot_sum(int *out, int n) {
    unsigned mask = __ballot_sync(ALL, threadIdx.x < n);
    if (threadIdx.x < n) {
        int v = threadIdx.x;
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);  // want(ballot_sum) init lane
        if (threadIdx.x == 0) *out = v;
    }
}

__device__ float add_warp(unsigned mask, float v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d);  // want(in_helper) init lane
    return v;
}

__global__ void in_helper(int *out, int n) {
    if (threadIdx.x < n) {
        float v = add_warp(__activemask(), threadIdx.x);
        if (threadIdx.x == 0) *out = (int)v;
    }
}

__global__ void wide(int *out, int n) {
    if (threadIdx.x < n) {
        double v = threadIdx.x;
        v += __shfl_down_sync(__activemask(), v, 1);  // want(wide) init lane
        out[threadIdx.x] = (int)v;
    }
}

__global__ void by_index(int *out, int n) {
    if (threadIdx.x < n) {
        int v = __shfl_sync(__activemask(), (int)threadIdx.x, (threadIdx.x + 1) % 32);  // want(by_index) init lane
        if (v > 3) out[threadIdx.x] = 1;
    }
}

__global__ void as_address(int *out, int n) {
    if (threadIdx.x >= n) return;
    int to = __shfl_down_sync(ALL, (int)threadIdx.x, 4);  // want(as_address) init lane
    atomicAdd(&out[to & 63], 1);
}

// Through shared memory, to another warp.
__global__ void over_shared(int *out, int) {
    __shared__ int part[2];
    int v = 1;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(ALL, v, d);  // want(over_shared) init lane
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) *out = part[0] + part[1];
}

__global__ void tail(int *out, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        int v = i;
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(__activemask(), v, d);  // want(tail) init lane
        if (threadIdx.x == 0) sum += v;
    }
    if (threadIdx.x == 0) *out = sum;
}

__global__ void atomically(int *out, int n) {
    if (threadIdx.x < n) {
        int v = __shfl_up_sync(0xfffff, (int)threadIdx.x, 31, 32) + __shfl_down_sync(0xfffff, (int)threadIdx.x, 1);  // want(atomically) init lane
        atomicAdd(out, v);
    }
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(out, 0, 64 * sizeof *out);
#define CASE(k, threads, n) if (!strcmp(c, #k)) k<<<1, threads>>>(out, n)
    CASE(whole, 32, 0); CASE(own, 32, 0); CASE(segments, 32, 0); CASE(covered, 32, 0); CASE(discarded, 32, 0);
    CASE(selected, 32, 20); CASE(coalesced, 32, 29); CASE(scan_up, 32, 20); CASE(ballots, 32, 20); CASE(unstored, 32, 20);
    CASE(exited_discards, 32, 16); CASE(halves, 32, 0);
    CASE(ballot_sum, 32, 20); CASE(in_helper, 32, 20); CASE(wide, 32, 20); CASE(by_index, 32, 20); CASE(as_address, 32, 20);
    CASE(over_shared, 40, 0); CASE(tail, 32, 50); CASE(atomically, 32, 20);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(out);
    return bad;
}
