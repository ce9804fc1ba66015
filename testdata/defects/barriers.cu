// Barriers that not all reach.
// default order: early_turn
// clean: exited_settled own_turn all uniform_branch loop_together named specialized returned_after tail_free counted halving_together
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void all(int *out) {
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void uniform_branch(int *out, int n) {
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    if (n > 3) __syncthreads();
    else return;
    out[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void loop_together(int *out, int n) {
    __shared__ int s[128];
    s[threadIdx.x] = 1;
    for (int i = 0; i < n; i++) {
        __syncthreads();
        int v = s[(threadIdx.x + 1) % 128];
        __syncthreads();
        s[threadIdx.x] = v;
    }
    out[threadIdx.x] = s[threadIdx.x];
}
// Barriers with a number and a count, for a part of the warps.
__global__ void named(int *out) {
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = s[63 - threadIdx.x];
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[threadIdx.x] = s[191 - threadIdx.x];
    }
}
// Producers arrive, consumers wait.
__global__ void specialized(int *out) {
    __shared__ int s[64];
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x < 64) {
            if (i > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
            s[threadIdx.x] = i + threadIdx.x;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[threadIdx.x] = s[127 - threadIdx.x];
            if (i < 2) asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}
__global__ void returned_after(int *out) {
    __syncthreads();
    if (threadIdx.x >= 50) return;
    out[threadIdx.x] = 1;
}
// Threads that return after the last barrier, some warps before others.
__global__ void tail_free(int *out, int n) {
    __shared__ int s[128];
    s[threadIdx.x] = 2;
    __syncthreads();
    if (threadIdx.x < 32) return;
    for (int i = 0; i < n; i++) out[threadIdx.x] += s[threadIdx.x];
}
__global__ void counted(int *out) {
    int n = __syncthreads_count(threadIdx.x % 3 == 0);
    int o = __syncthreads_or(threadIdx.x == 5);
    out[threadIdx.x] = n + o;
}

__global__ void part_of_warp(int *out) {
    if (threadIdx.x < 40) {
        out[threadIdx.x] = 1;
        __syncthreads();  // want(part_of_warp) sync divergent
    }
    out[threadIdx.x] += 2;
}
__global__ void part_then_exit(int *out) {  // the compiler makes it the same as early_return
    if (threadIdx.x < 40) {
        out[threadIdx.x] = 1;
        __syncthreads();  // want(part_then_exit) sync exited warning
    }
}
// A helper that some threads leave early, while the kernel continues.
__device__ __forceinline__ void shift(int *s, int n) {
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();  // want(part_of_helper) sync divergent
}
__global__ void part_of_helper(int *out, int n) {
    __shared__ int s[128];
    s[threadIdx.x] = 0;
    shift(s, n);
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void early_return(int *out, int n) {
    if (threadIdx.x >= n) return;
    __syncthreads();  // want(early_return) sync exited warning // want(early_warps) sync exited warning
    out[threadIdx.x] = 1;
}
__global__ void two_places(int *out) {
    if (threadIdx.x % 2) {
        out[threadIdx.x] = 1;
        __syncthreads();  // want(two_places) sync divergent
    } else {
        out[threadIdx.x] = 2;
        __syncthreads();
    }
}
// One half of the warps waits once more than the other.
__global__ void uneven(int *out, int n) {
    int mine = threadIdx.x < 64 ? n : n + 1;
    for (int i = 0; i < mine; i++) {
        out[threadIdx.x] = i;
        __syncthreads();  // want(uneven) sync exited warning
    }
}
// A tree with the barrier inside the condition: first whole warps miss it, then lanes of one.
__global__ void halving(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int n = blockDim.x / 2; n > 0; n >>= 1)
        if (t < n) {
            s[t] += s[t + n];
            __syncthreads();  // want(halving) sync divergent // want(halving) sync exited warning
        }
    if (t == 0) out[0] = s[0];
}
__global__ void halving_together(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int n = blockDim.x / 2; n > 0; n >>= 1) {
        if (t < n) s[t] += s[t + n];
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
// The others wait for something that comes after the barrier.
__global__ void crossed(int *out) {
    if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 128;" ::: "memory");  // want(crossed) sync deadlock
        out[threadIdx.x] = 1;
        asm volatile("bar.sync 2, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        out[threadIdx.x] = 2;
        asm volatile("bar.sync 1, 128;" ::: "memory");
    }
}
__global__ void too_many(int *out) {
    asm volatile("bar.sync 1, 160;" ::: "memory");  // want(too_many) sync deadlock
    out[threadIdx.x] = 1;
}
__global__ void odd_count(int *out) {
    asm volatile("bar.sync 1, 40;" ::: "memory");  // want(odd_count) sync barrier
    out[threadIdx.x] = 1;
}
__global__ void no_such(int *out, int id) {
    asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");  // want(no_such) sync barrier
    out[threadIdx.x] = 1;
}
// Lanes wait for others of their warp, which wait at the block's barrier.
__global__ void warp_and_block(int *out) {
    if (threadIdx.x % 32 < 16) {
        __syncwarp();  // want(warp_and_block) sync deadlock
        out[threadIdx.x] = 1;
        __syncthreads();
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}
// A barrier with a count orders what those do that it counts, not what others did that
// have exited since.
template <bool SETTLED> __global__ void left_out(int *out) {
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    if (SETTLED) __syncthreads();
    if (threadIdx.x < 64) return;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[127 - threadIdx.x];  // want(exited_apart) race RAW
}
// Of those that it counts, some have exited: it waits for the others.
__global__ void still_counted(int *out) {
    if (threadIdx.x >= 64) return;
    asm volatile("bar.sync 1, 128;" ::: "memory");  // want(still_counted) sync deadlock
    out[threadIdx.x] = 1;
}

// Two halves take turns. The first gives itself the first turn, by an arrival that counts beside that of its wait.
template <bool FIRST, int READ> __global__ void turns(int *out) {
    __shared__ int sum, mine[128];
    int half = threadIdx.x / 64;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (FIRST && half == 0) asm volatile("bar.arrive 1, 128;" ::: "memory");
    mine[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        asm volatile("bar.sync %0, 128;" ::"r"(1 + half) : "memory");  // want(no_turn) sync deadlock
        if (threadIdx.x % 64 == 0) sum += mine[(threadIdx.x + READ) % 128];  // want(early_turn) race RAW
        asm volatile("bar.arrive %0, 128;" ::"r"(2 - half) : "memory");
    }
    if (threadIdx.x == 64) out[0] = sum;
}

// A half that arrives and then waits makes up both arrivals.
__global__ void counted_twice(int *out) {
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    asm volatile("bar.arrive 1, 128;" ::: "memory");
    out[threadIdx.x] = 1;
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[threadIdx.x] = s[127 - threadIdx.x];  // want(counted_twice) race RAW
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *out;
    cudaMalloc(&out, 512);
    cudaMemset(out, 0, 512);
#define CASE(k, ...) if (!strcmp(c, #k)) k<<<1, 128>>>(__VA_ARGS__)
    CASE(all, out); CASE(uniform_branch, out, 4); CASE(loop_together, out, 3); CASE(named, out); CASE(specialized, out);
    CASE(returned_after, out); CASE(tail_free, out, 9); CASE(counted, out);
    CASE(part_of_warp, out); CASE(part_then_exit, out); CASE(part_of_helper, out, 40); CASE(early_return, out, 40); CASE(two_places, out); CASE(uneven, out, 2); CASE(halving, out); CASE(halving_together, out); CASE(crossed, out);
    CASE(too_many, out); CASE(odd_count, out); CASE(no_such, out, 17); CASE(warp_and_block, out);
    if (!strcmp(c, "exited_apart")) left_out<false><<<1, 128>>>(out);
    if (!strcmp(c, "exited_settled")) left_out<true><<<1, 128>>>(out);
    CASE(still_counted, out); CASE(counted_twice, out);
    if (!strcmp(c, "own_turn")) turns<true, 33><<<1, 128>>>(out);
    if (!strcmp(c, "no_turn")) turns<false, 33><<<1, 128>>>(out);
    if (!strcmp(c, "early_turn")) turns<true, 65><<<1, 128>>>(out);
    if (!strcmp(c, "early_warps")) early_return<<<1, 128>>>(out, 64);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
