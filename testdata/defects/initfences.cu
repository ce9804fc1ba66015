// An mbarrier on which a bulk copy completes is initialized by the generic proxy and used by the async proxy: a fence comes between.
// flags: --arch sm_90a
// clean: init_fence proxy_fence view_fence late_fence no_copy
#include <cstdio>
#include <cstring>

__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy(float *to, const float *from, unsigned long long *bar) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" ::"r"(shared(bar)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(shared(to)), "l"(from), "r"(shared(bar)) : "memory");  // want(none) race lifetime // want(syncwarp) race lifetime // want(barrier_only) race lifetime warning // want(other_warp) race lifetime warning
}

enum How { NONE, SYNCWARP, BARRIER_ONLY, OTHER_WARP, INIT_FENCE, PROXY_FENCE, VIEW_FENCE, LATE_FENCE, NO_COPY };

template <How HOW> __global__ void k(const float *in, float *out) {
    __shared__ __align__(128) float s[128];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&bar)) : "memory");
        if (HOW == INIT_FENCE) asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        if (HOW == PROXY_FENCE) asm volatile("fence.proxy.async;" ::: "memory");
        if (HOW == VIEW_FENCE) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    if (HOW == SYNCWARP && threadIdx.x < 32) __syncwarp();
    if (HOW != NONE && HOW != SYNCWARP) __syncthreads();
    if (HOW == LATE_FENCE) asm volatile("fence.proxy.async;" ::: "memory");
    if (HOW == NO_COPY) {
        s[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared(&bar)) : "memory");
    } else if (threadIdx.x == (HOW == OTHER_WARP ? 32 : 0))
        copy(s, in, &bar);
    if (HOW == NONE || HOW == SYNCWARP) __syncthreads();
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(shared(&bar)) : "memory");
    out[threadIdx.x] = s[threadIdx.x];
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    float *in, *out;
    cudaMalloc(&in, 512);
    cudaMalloc(&out, 512);
    cudaMemset(in, 0, 512);
    if (is("none")) k<NONE><<<1, 128>>>(in, out);
    if (is("syncwarp")) k<SYNCWARP><<<1, 128>>>(in, out);
    if (is("barrier_only")) k<BARRIER_ONLY><<<1, 128>>>(in, out);
    if (is("other_warp")) k<OTHER_WARP><<<1, 128>>>(in, out);
    if (is("init_fence")) k<INIT_FENCE><<<1, 128>>>(in, out);
    if (is("proxy_fence")) k<PROXY_FENCE><<<1, 128>>>(in, out);
    if (is("view_fence")) k<VIEW_FENCE><<<1, 128>>>(in, out);
    if (is("late_fence")) k<LATE_FENCE><<<1, 128>>>(in, out);
    if (is("no_copy")) k<NO_COPY><<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
