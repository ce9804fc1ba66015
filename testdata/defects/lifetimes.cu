// Shared memory of a cluster before its block starts and after it exits, asynchronous operations at the end of a
// block, mbarriers whose initialization other blocks may not see, and arrivals from other blocks by scope.
// clean: read_between relaxed_barriers fenced_init released_init waited_load waited_store read_store peer_copy counted_release own_scope again_waited reduces remote_stores stored_before
// flags: --arch sm_90
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ void wait(uint64_t *bar, int phase) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, bar, phase)) {
    }
}
__device__ void wait_in_block(uint64_t *bar, int phase) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, bar, phase)) {  // want(narrow_wait) race WAW
    }
}
__device__ void expect(uint64_t *bar, unsigned bytes) { ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes); }  // want(again) sync split

enum Barrier { NONE, RELAXED, RELEASE };
template <Barrier B> __device__ void cluster_barrier() {
    if (B == RELAXED) ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    if (B == RELEASE) ptx::barrier_cluster_arrive(ptx::sem_release);
    if (B != NONE) ptx::barrier_cluster_wait();
}

// The first block counts in the other one's memory, which is never anything but a counter.
template <Barrier BEFORE, Barrier AFTER> __global__ void __cluster_dims__(2, 1, 1) remote(int *out) {
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    cluster_barrier<BEFORE>();
    if (cluster.block_rank() == 0) atomicAdd(&cluster.map_shared_rank(s, 1)[threadIdx.x], 1);  // want(early) race lifetime // want(late) race lifetime
    cluster_barrier<AFTER>();
    if (AFTER == NONE && cluster.block_rank() == 0) atomicAdd(out, 1);
    if (AFTER == NONE && cluster.block_rank() == 1)  // it sees the other one's progress, but nothing that it releases
        while (atomicAdd(out, 0) < 32) {
        }
}

// The first block arrives at an mbarrier of the other one.
enum Init { BARE, FENCED };
template <Init INIT, Barrier B, int LANES> __global__ void __cluster_dims__(2, 1, 1) arrives(int *out) {
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, LANES);
        if (INIT == FENCED) ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster_barrier<B>();
    if (cluster.block_rank() == 0 && threadIdx.x < LANES)
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, ptx::mapa(ptx::space_cluster, &bar, 1));  // want(bare_init) race lifetime
    if (cluster.block_rank() == 1) wait(&bar, 0);
    out[blockIdx.x * 32 + threadIdx.x] = 1;
    cluster.sync();
}

// The end of a block with operations in flight.
enum End { NOT, WAITED, GROUP_READ };
template <End END> __global__ void load(const int *in) {
    __shared__ alignas(16) int part[32];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        expect(&bar, sizeof part);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, in, sizeof part, &bar);  // want(load) race lifetime
    }
    __syncthreads();
    if (END == WAITED) wait(&bar, 0);
}
template <End END> __global__ void store(int *out) {
    __shared__ alignas(16) int part[32];
    part[threadIdx.x] = threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, part, sizeof part);  // want(store) race lifetime warning
        ptx::cp_async_bulk_commit_group();
        if (END == WAITED) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        if (END == GROUP_READ) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

// A copy to the other block's memory reads its source when it likes.
enum Peer { PEER, NO_FENCE, NO_BARRIER, OVERWRITES, READS_AFTER };
template <Peer HOW> __global__ void __cluster_dims__(2, 1, 1) peer(int *out) {
    __shared__ alignas(16) int from[64];
    __shared__ alignas(16) int to[64];
    __shared__ uint64_t came;
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, other = cluster.block_rank() ^ 1;
    if (t == 0) {
        ptx::mbarrier_init(&came, 1);
        expect(&came, sizeof to);
    }
    cluster.sync();
    from[t] = t;
    if (HOW != NO_FENCE) ptx::fence_proxy_async(ptx::space_shared);
    if (HOW != NO_BARRIER) __syncthreads();
    if (t == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, ptx::mapa(ptx::space_cluster, to, other), from, sizeof to, ptx::mapa(ptx::space_cluster, &came, other));  // want(peer_no_barrier) race RAW // want(peer_no_fence) race RAW
    if (HOW == OVERWRITES && t == 0) from[5] = -1;  // want(peer_overwrites) race WAR
    if (HOW == READS_AFTER) {
        cluster.sync();
        out[blockIdx.x * 64 + t] = cluster.map_shared_rank(to, other)[t];  // want(peer_unwaited) race RAW
    }
    wait(&came, 0);
    out[blockIdx.x * 64 + t] = to[63 - t];
    cluster.sync();
}

// An mbarrier of one phase too few arrivals: lane 31 of the second warp is not waited for.
template <int COUNT> __global__ void counted(const int *in, int *out) {
    __shared__ int s[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) ptx::mbarrier_init(&full, COUNT);
    __syncthreads();
    if (threadIdx.x < 64) {
        s[threadIdx.x] = in[threadIdx.x];
        ptx::mbarrier_arrive(&full);
    } else {
        wait(&full, 0);
        out[threadIdx.x - 64] = s[threadIdx.x - 64] + s[threadIdx.x - 32];  // want(counted_less) race RAW
    }
}

// What an arrival from another block releases, a wait of block scope does not acquire.
template <bool NARROW> __global__ void __cluster_dims__(2, 1, 1) scopes(int *out) {
    __shared__ alignas(16) int s[32];
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 32);
    cluster.sync();
    if (cluster.block_rank() == 0) {
        cluster.map_shared_rank(s, 1)[threadIdx.x] = 1;
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, ptx::mapa(ptx::space_cluster, &bar, 1));
    } else {
        if (NARROW) wait_in_block(&bar, 0);
        else wait(&bar, 0);
        out[threadIdx.x] = s[threadIdx.x];  // want(narrow_wait) race RAW
    }
    cluster.sync();
}

// An arrival in a phase that has all of its arrivals, and perhaps not all of its bytes.
template <bool WAITS> __global__ void again(const int *in, int *out) {
    __shared__ alignas(16) int part[2][32];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0) {
            if (WAITS && i > 0) wait(&bar, 0);
            expect(&bar, sizeof part[0]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part[i], in, sizeof part[0], &bar);
        }
    }
    wait(&bar, 1);
    out[threadIdx.x] = part[1][threadIdx.x];
}

// Reductions by asynchronous operations may come in any order; st.async and red.async need no proxy fence.
template <bool WAITS> __global__ void __cluster_dims__(2, 1, 1) reduces(unsigned *out) {
    __shared__ unsigned count;
    __shared__ uint64_t counted;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        count = 0;
        ptx::mbarrier_init(&counted, 1);
        expect(&counted, 2 * 32 * sizeof count);
    }
    cluster.sync();
    ptx::red_async(ptx::op_add, ptx::mapa(ptx::space_cluster, &count, 0), 1u, ptx::mapa(ptx::space_cluster, &counted, 0));
    if (cluster.block_rank() == 0) {
        if (WAITS) wait(&counted, 0);
        if (threadIdx.x == 0) *out = count;  // want(unwaited_reductions) race RAW
        wait(&counted, 0);
    }
    cluster.sync();
}

// Asynchronous stores to the other block, counted by an mbarrier beside what they write.
enum Sent { SENT, STORED_BEFORE, OWN_MBARRIER, READ_BEFORE, UNWAITED, TWICE };
template <Sent HOW> __global__ void __cluster_dims__(2, 1, 1) sends(int *out) {
    __shared__ int row[32];
    __shared__ uint64_t came;
    cg::cluster_group cluster = cg::this_cluster();
    int other = 1 - cluster.block_rank(), t = threadIdx.x, to = HOW == TWICE ? t & ~1 : t;
    if (t == 0) {
        ptx::mbarrier_init(&came, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        expect(&came, sizeof row);
    }
    if (HOW == STORED_BEFORE || HOW == TWICE) row[t] = 7;
    cluster.sync();
    if (HOW == READ_BEFORE) out[64 + 32 * cluster.block_rank() + t] = row[t];  // want(remote_read_before) race RAW
    ptx::st_async(ptx::mapa(ptx::space_cluster, &row[to], other), t,  // want(remote_twice) race WAW
                  HOW == OWN_MBARRIER ? &came : ptx::mapa(ptx::space_cluster, &came, other));
    if (HOW != UNWAITED) wait(&came, 0);
    out[32 * cluster.block_rank() + t] = row[t];  // want(remote_own_mbarrier) race RAW // want(remote_unwaited) race RAW
    if (HOW == UNWAITED) wait(&came, 0);
    cluster.sync();
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4096);
    if (is("read_between")) remote<RELEASE, RELEASE><<<2, 32>>>(out);
    if (is("relaxed_barriers")) remote<RELAXED, RELAXED><<<2, 32>>>(out);
    if (is("early")) remote<NONE, RELAXED><<<2, 32>>>(out);
    if (is("late")) remote<RELAXED, NONE><<<2, 32>>>(out);
    if (is("fenced_init")) arrives<FENCED, RELAXED, 4><<<2, 32>>>(out);
    if (is("released_init")) arrives<BARE, RELEASE, 4><<<2, 32>>>(out);
    if (is("bare_init")) arrives<BARE, RELAXED, 4><<<2, 32>>>(out);
    if (is("load")) load<NOT><<<1, 32>>>(in);
    if (is("waited_load")) load<WAITED><<<1, 32>>>(in);
    if (is("store")) store<NOT><<<1, 32>>>(out);
    if (is("waited_store")) store<WAITED><<<1, 32>>>(out);
    if (is("read_store")) store<GROUP_READ><<<1, 32>>>(out);
    if (is("peer_copy")) peer<PEER><<<2, 64>>>(out);
    if (is("peer_no_fence")) peer<NO_FENCE><<<2, 64>>>(out);
    if (is("peer_no_barrier")) peer<NO_BARRIER><<<2, 64>>>(out);
    if (is("peer_overwrites")) peer<OVERWRITES><<<2, 64>>>(out);
    if (is("peer_unwaited")) peer<READS_AFTER><<<2, 64>>>(out);
    if (is("counted_release")) counted<64><<<1, 96>>>(in, out);
    if (is("counted_less")) counted<63><<<1, 96>>>(in, out);
    if (is("own_scope")) scopes<false><<<2, 32>>>(out);
    if (is("narrow_wait")) scopes<true><<<2, 32>>>(out);
    if (is("again")) again<false><<<1, 32>>>(in, out);
    if (is("again_waited")) again<true><<<1, 32>>>(in, out);
    if (is("reduces")) reduces<true><<<2, 32>>>((unsigned *)out);
    if (is("unwaited_reductions")) reduces<false><<<2, 32>>>((unsigned *)out);
    if (is("remote_stores")) sends<SENT><<<2, 32>>>(out);
    if (is("stored_before")) sends<STORED_BEFORE><<<2, 32>>>(out);
    if (is("remote_own_mbarrier")) sends<OWN_MBARRIER><<<2, 32>>>(out);
    if (is("remote_read_before")) sends<READ_BEFORE><<<2, 32>>>(out);
    if (is("remote_unwaited")) sends<UNWAITED><<<2, 32>>>(out);
    if (is("remote_twice")) sends<TWICE><<<2, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
