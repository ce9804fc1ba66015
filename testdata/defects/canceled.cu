// The first block of a response to clusterlaunchcontrol.try_cancel is undefined where nothing was canceled.
// clean: asked hoisted copied discarded
// flags: --arch sm_100a
#include <cstdint>
#include <cstring>

__device__ uint32_t shared(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

// Asks for a block that has not begun, and waits for the response.
__device__ void request(uint4 *response, uint64_t *bar, int phase) {
    uint32_t ok = 0;
    if (phase == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(bar)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(shared(bar)) : "memory");
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(shared(response)), "r"(shared(bar)) : "memory");
    while (!ok) asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(ok) : "r"(shared(bar)), "r"(phase & 1) : "memory");
}
#define LOAD "{.reg .b128 r; .reg .pred p; .reg .b64 lo, hi; ld.shared.v2.b64 {lo, hi}, [%1]; mov.b128 r, {lo, hi}; "
__device__ uint32_t canceled(uint4 *response) {
    uint32_t v;
    asm volatile(LOAD "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r; selp.u32 %0, 1, 0, p;}" : "=r"(v) : "r"(shared(response)) : "memory");
    return v;
}
__device__ uint32_t first(uint4 *response) {
    uint32_t v;
    asm volatile(LOAD "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %0, r;}" : "=r"(v) : "r"(shared(response)) : "memory");  // want(address) init response // want(stored) init response // want(decides) init response // want(later) init response
    return v;
}
__global__ void address(int *o, int) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    request(&r, &bar, 0);
    o[blockIdx.x] = 1;
    o[8 + first(&r)] = 1;
}
__global__ void stored(int *o, int) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    request(&r, &bar, 0);
    o[blockIdx.x] = first(&r) + 1;
}
__global__ void decides(int *o, int n) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    request(&r, &bar, 0);
    if ((int)first(&r) < n) o[blockIdx.x] = 1;
}
// All four coordinates at once, of which y is used.
__global__ void vector(int *o, int) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    uint32_t x, y, z;
    request(&r, &bar, 0);
    asm volatile("{.reg .b128 r; .reg .b64 lo, hi; ld.shared.v2.b64 {lo, hi}, [%3]; mov.b128 r, {lo, hi}; "  // want(vector) init response
                 "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%0, %1, %2, _}, r;}" : "=r"(x), "=r"(y), "=r"(z) : "r"(shared(&r)) : "memory");
    o[blockIdx.x] = y;
}
// The loop of a persistent kernel that looks at what is canceled one time too late.
__global__ void later(int *o, int) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    uint32_t block = blockIdx.x, more = 1;
    for (int phase = 0; more; phase++) {
        o[block] = 1;
        request(&r, &bar, phase);
        more = canceled(&r);
        block = first(&r);
        o[block] = 2;
    }
}
// The same loop in order.
__global__ void asked(int *o, int) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    uint32_t block = blockIdx.x;
    for (int phase = 0;; phase++) {
        o[block] = 1;
        request(&r, &bar, phase);
        if (!canceled(&r)) break;
        block = first(&r);
    }
}
// Decoded first, used if something was canceled.
__global__ void hoisted(int *o, int) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    uint32_t block = blockIdx.x;
    for (int phase = 0;; phase++) {
        o[block] = 1;
        request(&r, &bar, phase);
        uint32_t next = first(&r);
        bool more = canceled(&r);
        block = more ? next : block;
        if (!more) break;
    }
}
// The response as such is data like other.
__global__ void copied(int *o, int) {
    __shared__ alignas(16) uint4 r, to;
    __shared__ uint64_t bar;
    request(&r, &bar, 0);
    to = r;
    o[blockIdx.x] = canceled(&to) ? 1 + first(&to) : 0;
}
__global__ void discarded(int *o, int) {
    __shared__ alignas(16) uint4 r;
    __shared__ uint64_t bar;
    request(&r, &bar, 0);
    uint32_t next = first(&r);
    asm volatile("" ::"r"(next));
    o[blockIdx.x] = 1;
}

int main(int, char **argv) {
    int *o;
    cudaMalloc(&o, 64);
#define CASE(k) if (!strcmp(argv[1], #k)) k<<<3, 1>>>(o, 4);
    CASE(address) CASE(stored) CASE(decides) CASE(later) CASE(asked) CASE(hoisted) CASE(copied) CASE(discarded) CASE(vector)
    return cudaDeviceSynchronize();
}
