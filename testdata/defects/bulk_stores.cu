// What a bulk store writes to global memory is there when its group has ended, not when its source has been read.
// flags: --arch sm_90a
// clean: waited older told told_released reduced_waited elsewhere
#include <cstdio>
#include <cstring>

__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void store(int *to, const int *from) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(to), "r"(shared(from)) : "memory");
}
__device__ void add(int *to, const int *from) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 128;" ::"l"(to), "r"(shared(from)) : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int N> __device__ void wait_for() { asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory"); }
__device__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

enum How { READ_BACK, WAITED, OLDER, NEWER, REDUCED, REDUCED_WAITED, OVERWRITTEN, UPDATED, ELSEWHERE, LOADED };

// One thread stores a tile, and accesses what it has stored.
template <How HOW> __global__ void alone(int *out) {
    __shared__ alignas(128) int t[32], u[32];
    __shared__ unsigned long long bar;
    t[threadIdx.x] = threadIdx.x + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x > 0) return;
    if (HOW == REDUCED || HOW == REDUCED_WAITED) add(out, t);
    else store(out, t);
    commit();
    if (HOW == OLDER || HOW == NEWER) {
        store(out + 32, t);
        commit();
        wait_for<1>();
    } else if (HOW == WAITED || HOW == REDUCED_WAITED) wait_for<0>();
    else wait_read();
    if (HOW == OVERWRITTEN) out[3] = 1;  // want(overwritten) race WAW
    else if (HOW == UPDATED) atomicAdd(out + 3, 1);  // want(updated) race WAW
    else if (HOW == LOADED) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(shared(&bar)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(shared(u)), "l"(out), "r"(shared(&bar)) : "memory");  // want(loaded) race RAW
        asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(shared(&bar)) : "memory");
    } else
        out[64] = out[HOW == NEWER ? 32 : HOW == ELSEWHERE ? 33 : 0];  // want(read_back) race RAW // want(newer) race RAW // want(reduced) race RAW
    wait_for<0>();
}

enum Told { AFTER_READ, AFTER_END, LATE_END, RELEASED };

// The others of the block read what one thread has stored.
template <Told HOW> __global__ void told(int *out) {
    __shared__ alignas(128) int t[32];
    __shared__ unsigned long long bar;
    t[threadIdx.x] = threadIdx.x + 1;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&bar)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        store(out, t);
        commit();
        if (HOW == AFTER_END || HOW == RELEASED) wait_for<0>();
        else wait_read();
        if (HOW == RELEASED) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared(&bar)) : "memory");
    }
    if (HOW == RELEASED)
        asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(shared(&bar)) : "memory");
    else
        __syncthreads();
    out[32 + threadIdx.x] = out[31 - threadIdx.x];  // want(after_read) race RAW // want(late_end) race RAW
    if (HOW == LATE_END) {
        __syncthreads();
        if (threadIdx.x == 0) wait_for<0>();
    }
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *out;
    cudaMalloc(&out, 512);
    cudaMemset(out, 0, 512);
    if (is("read_back")) alone<READ_BACK><<<1, 32>>>(out);
    if (is("waited")) alone<WAITED><<<1, 32>>>(out);
    if (is("older")) alone<OLDER><<<1, 32>>>(out);
    if (is("newer")) alone<NEWER><<<1, 32>>>(out);
    if (is("reduced")) alone<REDUCED><<<1, 32>>>(out);
    if (is("reduced_waited")) alone<REDUCED_WAITED><<<1, 32>>>(out);
    if (is("overwritten")) alone<OVERWRITTEN><<<1, 32>>>(out);
    if (is("updated")) alone<UPDATED><<<1, 32>>>(out);
    if (is("elsewhere")) alone<ELSEWHERE><<<1, 32>>>(out);
    if (is("loaded")) alone<LOADED><<<1, 32>>>(out);
    if (is("after_read")) told<AFTER_READ><<<1, 32>>>(out);
    if (is("told")) told<AFTER_END><<<1, 32>>>(out);
    if (is("told_released")) told<RELEASED><<<1, 32>>>(out);
    if (is("late_end")) told<LATE_END><<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
