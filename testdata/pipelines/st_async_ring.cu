// Blocks of a cluster pass rows around a ring by st.async, and count in the first one by red.async:
// the stores and counts complete on mbarriers of the block that gets them.
// flags: --arch sm_90
#include "pipeline.h"

constexpr int BLOCKS = 4, ROW = 64, ROUNDS = 5;

__global__ void __cluster_dims__(BLOCKS, 1, 1) ring(const int *in, int *out, unsigned *odd) {
    __shared__ int row[2][ROW];
    __shared__ unsigned count;
    __shared__ uint64_t came[2], freed[2], counted;
    cg::cluster_group cluster = cg::this_cluster();
    int rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0) {
        count = 0;
        for (int i = 0; i < 2; i++) {
            ptx::mbarrier_init(&came[i], 1);
            ptx::mbarrier_init(&freed[i], ROW);
        }
        ptx::mbarrier_init(&counted, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait();
    if (t == 0 && rank == 0) mbarrier_arrive_expect_tx(&counted, BLOCKS * ROW * sizeof(unsigned));
    int next = (rank + 1) % BLOCKS, before = (rank + BLOCKS - 1) % BLOCKS, value = in[rank * ROW + t], sum = value;
    for (int round = 0; round < ROUNDS; round++) {
        int at = round % 2, phase = round / 2 % 2;
        if (t == 0) mbarrier_arrive_expect_tx(&came[at], sizeof row[0]);
        if (round > 1) mbarrier_wait_cluster(&freed[at], phase ^ 1);  // the next block has read what came two rounds ago
        ptx::st_async(ptx::mapa(ptx::space_cluster, &row[at][ROW - 1 - t], next), value, ptx::mapa(ptx::space_cluster, &came[at], next));
        mbarrier_wait_cluster(&came[at], phase);
        value = row[at][t] + 1;
        sum += value;
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, ptx::mapa(ptx::space_cluster, &freed[at], before));
    }
    out[rank * ROW + t] = sum;
    ptx::red_async(ptx::op_add, ptx::mapa(ptx::space_cluster, &count, 0), static_cast<unsigned>(sum % 2), ptx::mapa(ptx::space_cluster, &counted, 0));
    if (rank == 0) {
        mbarrier_wait_cluster(&counted, 0);
        if (t == 0) *odd = count;
    }
    cluster.sync();
}

int main() {
    constexpr int N = BLOCKS * ROW;
    Buffer<int> in(N), out(N);
    Buffer<unsigned> odd(1);
    for (int i = 0; i < N; i++) in.host[i] = i * 3 % 41;
    in.to_device();
    ring<<<BLOCKS, ROW>>>(in.device, out.device, odd.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    odd.to_host();
    int wrong = 0;
    unsigned count = 0;
    std::vector<int> now = in.host, sum = now;
    for (int round = 0; round < ROUNDS; round++) {
        std::vector<int> came(N);
        for (int b = 0; b < BLOCKS; b++)
            for (int t = 0; t < ROW; t++) came[(b + 1) % BLOCKS * ROW + ROW - 1 - t] = now[b * ROW + t] + 1;
        now = came;
        for (int i = 0; i < N; i++) sum[i] += now[i];
    }
    for (int i = 0; i < N; i++) {
        wrong += out.host[i] != sum[i];
        count += sum[i] % 2;
    }
    wrong += odd.host[0] != count;
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
