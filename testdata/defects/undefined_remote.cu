// Undefined values that pass through the shared memory of another block of the cluster.
// clean: load_filled load_other store_filled store_again copy_filled copy_other send_filled send_other
// flags: --arch sm_90
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint32_t peer(const void *p, unsigned rank) {
    uint32_t a;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(at(p)), "r"(rank));
    return a;
}
__device__ void prepare(uint64_t *bar, unsigned bytes) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" ::"r"(at(bar)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
    }
}
__device__ void await(uint64_t *bar) {
    asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.acquire.cluster.shared.b64 p, [%0], 0;\n @!p bra WAIT; }" ::"r"(at(bar)) : "memory");
}

// Each block reads what the other has copied from a.
__global__ void __cluster_dims__(2) loads(const float *a, float *c, bool other) {
    __shared__ float s[64];
    cg::cluster_group g = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (other) s[t ^ 1] = t;
    g.sync();
    float *theirs = g.map_shared_rank(s, g.block_rank() ^ 1);
    c[blockIdx.x * 64 + t] = theirs[t] + 1;  // want(load) init shared
    g.sync();
}
// Each block writes into the other's array.
__global__ void __cluster_dims__(2) stores(const float *a, float *c, bool again) {
    __shared__ float s[64];
    cg::cluster_group g = cg::this_cluster();
    int t = threadIdx.x;
    g.sync();
    float *theirs = g.map_shared_rank(s, g.block_rank() ^ 1);
    theirs[t] = a[t];
    g.sync();
    if (again) s[t] = 1;
    __syncthreads();
    c[blockIdx.x * 64 + t] = s[t ^ 1] * 2;  // want(store) init shared
}
// A bulk copy from one block to another.
__global__ void __cluster_dims__(2) copies(const float *a, float *c, bool other) {
    __shared__ alignas(128) float s[64], d[64];
    __shared__ uint64_t bar;
    cg::cluster_group g = cg::this_cluster();
    unsigned t = threadIdx.x, to = g.block_rank() ^ 1;
    prepare(&bar, 256);
    s[t] = other ? t : a[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    g.sync();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(peer(d, to)), "r"(at(s)), "r"(peer(&bar, to)) : "memory");
    await(&bar);
    c[blockIdx.x * 64 + t] = d[t] + 1;  // want(copy) init shared
    g.sync();
}
// st.async moves its value and does not compute with it.
__global__ void __cluster_dims__(2) sends(const float *a, float *c, bool other) {
    __shared__ float d[64];
    __shared__ uint64_t bar;
    cg::cluster_group g = cg::this_cluster();
    unsigned t = threadIdx.x, to = g.block_rank() ^ 1;
    prepare(&bar, 256);
    g.sync();
    float v = a[t];
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(peer(&d[t], to)), "f"(v), "r"(peer(&bar, to)) : "memory");
    await(&bar);
    if (!other) c[blockIdx.x * 64 + t] = d[t] + 1;  // want(send) init shared
    g.sync();
}

int main(int argc, char **argv) {
    auto is = [&](const char *name) { return !strncmp(argv[1], name, strlen(name)); };
    float *a, *c;
    cudaMalloc(&a, 256);
    cudaMalloc(&c, 512);
    if (strstr(argv[1], "filled")) cudaMemset(a, 0, 256);
    bool other = strstr(argv[1], "other") || strstr(argv[1], "again");
    if (is("load")) loads<<<2, 64>>>(a, c, other);
    if (is("store")) stores<<<2, 64>>>(a, c, other);
    if (is("copy")) copies<<<2, 64>>>(a, c, other);
    if (is("send")) sends<<<2, 64>>>(a, c, other);
    printf("%d\n", cudaDeviceSynchronize());
}
