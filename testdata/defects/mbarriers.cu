// mbarriers: arrivals and bytes from other blocks of a cluster, order and scope of arrivals, phases that never end.
// flags: --arch sm_90
// default order: elected early other_phase mailbox_kept
// clean: default_scopes generic expects counted fenced own own_fenced drops elected_joined each mailbox_freed
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

__device__ unsigned shared(void *p) { return (unsigned)__cvta_generic_to_shared(p); }

enum How { DEFAULT_SCOPES, GENERIC, EXPECTS, COUNTED, RELAXED, FENCED, NARROW, NO_ARRIVAL, TOO_FEW, BYTES };

// Each block writes to the other one's memory, and arrives at its mbarrier.
template <How HOW> __global__ void __cluster_dims__(2, 1, 1) remote(int *out) {
    __shared__ unsigned long long bar;
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned other = cluster.block_rank() ^ 1, count = HOW == COUNTED ? 3 : HOW == TOO_FEW ? 2 : 1, there;
    if (threadIdx.x == 0) {
        s = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1; fence.mbarrier_init.release.cluster;" ::"r"(shared(&bar)), "r"(count) : "memory");
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared(&bar)), "r"(other));
        *cluster.map_shared_rank(&s, other) = 10;
        if (HOW == FENCED) asm volatile("fence.acq_rel.cluster;" ::: "memory");
        if (HOW == RELAXED || HOW == FENCED) asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
        else if (HOW == NARROW) asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");  // want(narrow) race WAW
        else if (HOW == COUNTED) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0], 3;" ::"r"(there) : "memory");
        else if (HOW == EXPECTS || HOW == BYTES) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], 48;" ::"r"(there) : "memory");
            asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(there), "n"(HOW == BYTES ? 32 : 48) : "memory");
        } else if (HOW == GENERIC) {
            unsigned long long far;
            asm volatile("mapa.u64 %0, %1, %2;" : "=l"(far) : "l"(&bar), "r"(other));
            asm volatile("mbarrier.arrive.b64 _, [%0];" ::"l"(far) : "memory");
        } else if (HOW != NO_ARRIVAL) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
    }
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0, 1000; @!p bra W; }" ::"r"(shared(&bar)) : "memory");  // want(no_arrival) hang budget // want(too_few) hang budget // want(bytes) hang budget
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;  // want(relaxed) race RAW // want(narrow) race RAW
    cluster.sync();
}
// In one block: half of the threads write, all wait.
enum Own { RELEASE, OWN_RELAXED, OWN_FENCED, OTHER_PHASE };
template <Own HOW> __global__ void in_block(int *out) {
    __shared__ unsigned long long bar;
    __shared__ int s[32];
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(shared(&bar)) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        s[threadIdx.x] = threadIdx.x;
        if (HOW == OWN_FENCED) __threadfence_block();
        if (HOW == OWN_RELAXED || HOW == OWN_FENCED) asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(shared(&bar)) : "memory");
        else asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&bar)) : "memory");
    } else {
        asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(shared(&bar)), "r"(HOW == OTHER_PHASE) : "memory");
        out[threadIdx.x] = s[threadIdx.x - 32];  // want(own_relaxed) race RAW // want(other_phase) race RAW
    }
}
// Threads that leave take their arrivals off the phases to come.
__global__ void drops(int *out) {
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(shared(&bar)) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(shared(&bar)) : "memory");
        return;
    }
    for (int phase = 0; phase < 2; phase++) {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&bar)) : "memory");
        asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(shared(&bar)), "r"(phase) : "memory");
    }
    out[threadIdx.x] = 1;
}
// A tile that one thread publishes and a warp reads, several times: one lane says for the warp
// that it has read, which covers the other lanes only behind a __syncwarp.
enum Turn { ELECTED, ELECTED_JOINED, EACH, EARLY };
template <Turn HOW> __global__ void turns(int *out) {
    __shared__ unsigned long long published, consumed;
    __shared__ int tile;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&published)) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(&consumed)), "n"(HOW == EACH ? 32 : 1) : "memory");
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(shared(&published)), "r"(i & 1) : "memory");
            if (HOW == EARLY && threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&consumed)) : "memory");
            sum += tile;
            if (HOW == ELECTED_JOINED) __syncwarp();
            if (HOW == EACH || HOW != EARLY && threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&consumed)) : "memory");
        }
        out[threadIdx.x] = sum;
    } else if (threadIdx.x == 32)
        for (int i = 0; i < 4; i++) {
            if (i > 0) asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(shared(&consumed)), "r"(i - 1 & 1) : "memory");
            tile = i;  // want(elected) race WAR // want(early) race WAR
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&published)) : "memory");
        }
}

// One thread fills a mailbox again and again, others copy it. Where they do not free it the writer is far ahead before they begin.
template <bool FREED> __global__ void mailbox(int *out, int n) {
    __shared__ int box[2];
    __shared__ unsigned long long filled, freed;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&filled)) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(shared(&freed)) : "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int t = 0; t <= n; t++) {
            if (FREED && t > 0) asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(shared(&freed)), "r"(t - 1 & 1) : "memory");
            box[0] = t;
            box[1] = t < n;
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&filled)) : "memory");
        }
    if (threadIdx.x >= 32)
        for (int t = 0, sum = 0;; t++) {
            asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(shared(&filled)), "r"(t & 1) : "memory");
            int m = box[0], more = box[1];  // want(mailbox_kept) race RAW // want(mailbox_kept) race RAW
            if (FREED) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&freed)) : "memory");
            out[threadIdx.x] = sum += m;
            if (!more) break;
        }
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *out;
    cudaMalloc(&out, 4096);
    if (is("default_scopes")) remote<DEFAULT_SCOPES><<<2, 64>>>(out);
    if (is("generic")) remote<GENERIC><<<2, 64>>>(out);
    if (is("expects")) remote<EXPECTS><<<2, 64>>>(out);
    if (is("counted")) remote<COUNTED><<<2, 64>>>(out);
    if (is("relaxed")) remote<RELAXED><<<2, 64>>>(out);
    if (is("fenced")) remote<FENCED><<<2, 64>>>(out);
    if (is("narrow")) remote<NARROW><<<2, 64>>>(out);
    if (is("no_arrival")) remote<NO_ARRIVAL><<<2, 64>>>(out);
    if (is("too_few")) remote<TOO_FEW><<<2, 64>>>(out);
    if (is("bytes")) remote<BYTES><<<2, 64>>>(out);
    if (is("own")) in_block<RELEASE><<<1, 64>>>(out);
    if (is("own_relaxed")) in_block<OWN_RELAXED><<<1, 64>>>(out);
    if (is("own_fenced")) in_block<OWN_FENCED><<<1, 64>>>(out);
    if (is("other_phase")) in_block<OTHER_PHASE><<<1, 64>>>(out);
    if (is("drops")) drops<<<1, 64>>>(out);
    if (is("elected")) turns<ELECTED><<<1, 64>>>(out);
    if (is("elected_joined")) turns<ELECTED_JOINED><<<1, 64>>>(out);
    if (is("each")) turns<EACH><<<1, 64>>>(out);
    if (is("early")) turns<EARLY><<<1, 64>>>(out);
    if (is("mailbox_kept")) mailbox<false><<<1, 96>>>(out, 6);
    if (is("mailbox_freed")) mailbox<true><<<1, 96>>>(out, 6);
    cudaDeviceSynchronize();
    cudaFree(out);
}
