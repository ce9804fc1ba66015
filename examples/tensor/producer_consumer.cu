// Producer and consumer warps that meet at cuda::barrier objects instead of
// __syncthreads: a pair of barriers for each of two buffers says "full" and
// "empty". The second kernel lets a pipeline shared by the block do the same,
// with asynchronous copies; the third copies by a cooperative group.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "../check.h"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kChunk = 64;                  // elements in a buffer
constexpr int kProducers = 32, kConsumers = 64;
constexpr int kChunks = 10;

// produce fills the buffers in turn.
__device__ void produce(Barrier *full, Barrier *empty, int (*buffer)[kChunk], const int *in) {
    for (int c = 0; c < kChunks; c++) {
        empty[c % 2].arrive_and_wait();  // until the consumers are done with it
        for (int i = threadIdx.x; i < kChunk; i += kProducers) buffer[c % 2][i] = in[c * kChunk + i] * 3;
        (void)full[c % 2].arrive();
    }
}

// consume adds what it finds to a sum of its own.
__device__ int consume(Barrier *full, Barrier *empty, int (*buffer)[kChunk]) {
    int sum = 0;
    (void)empty[0].arrive();  // both are empty at the start
    (void)empty[1].arrive();
    for (int c = 0; c < kChunks; c++) {
        full[c % 2].arrive_and_wait();
        sum += buffer[c % 2][(threadIdx.x - kProducers + c) % kChunk];
        (void)empty[c % 2].arrive();
    }
    return sum;
}

__global__ void warps(const int *in, int *out) {
    __shared__ Barrier full[2], empty[2];
    __shared__ int buffer[2][kChunk];
    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], blockDim.x);
        init(&empty[threadIdx.x], blockDim.x);
    }
    __syncthreads();
    if (threadIdx.x < kProducers) produce(full, empty, buffer, in);
    else out[threadIdx.x - kProducers] = consume(full, empty, buffer);
}

constexpr int kStages = 3;

__global__ void shared_pipeline(const int *in, int *out) {
    __shared__ __align__(16) int buffer[kStages][kChunk];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    auto block = cg::this_thread_block();
    auto role = threadIdx.x < kProducers ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        auto warp = cg::tiled_partition<kProducers>(block);
        for (int c = 0; c < kChunks; c++) {
            pipe.producer_acquire();
            cuda::memcpy_async(warp, buffer[c % kStages], &in[c * kChunk], sizeof buffer[0], pipe);
            pipe.producer_commit();
        }
        return;
    }
    int sum = 0;
    for (int c = 0; c < kChunks; c++) {
        pipe.consumer_wait();
        sum += 3 * buffer[c % kStages][(threadIdx.x - kProducers + c) % kChunk];
        pipe.consumer_release();
    }
    out[threadIdx.x - kProducers] = sum;
}

__global__ void by_group(const int *in, int *out) {
    __shared__ __align__(16) int buffer[kChunk];
    __shared__ Barrier arrived;
    auto block = cg::this_thread_block();
    int sum = 0;
    if (block.thread_rank() == 0) init(&arrived, block.size());
    block.sync();
    for (int c = 0; c < kChunks; c++) {
        if (c % 2) {  // alternately with the group's own wait and with a barrier
            cg::memcpy_async(block, buffer, &in[c * kChunk], sizeof buffer);
            cg::wait(block);
        } else {
            cuda::memcpy_async(block, buffer, &in[c * kChunk], sizeof buffer, arrived);
            arrived.arrive_and_wait();
        }
        sum += 3 * buffer[(threadIdx.x + c) % kChunk];
        block.sync();
    }
    if (threadIdx.x < kConsumers) out[threadIdx.x] = sum;
}

int main() {
    Random random(2);
    std::vector<int> in(kChunks * kChunk), want(kConsumers);
    for (auto &v : in) v = random.below(1000);
    for (int t = 0; t < kConsumers; t++)
        for (int c = 0; c < kChunks; c++) want[t] += 3 * in[c * kChunk + (t + c) % kChunk];
    int *din = toDevice(in), *dout = nullptr;
    CHECK(cudaMalloc(&dout, want.size() * sizeof(int)));
    bool ok = true;
    auto run = [&](const char *name, void (*kernel)(const int *, int *), int threads) {
        CHECK(cudaMemset(dout, 0, want.size() * sizeof(int)));
        kernel<<<1, threads>>>(din, dout);
        CHECK_LAUNCH();
        ok &= same(name, toHost(dout, want.size()), want);
    };
    run("barriers between warps", warps, kProducers + kConsumers);
    run("shared pipeline", shared_pipeline, kProducers + kConsumers);
    run("copies by a group", by_group, kChunk);
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    return ok ? 0 : 1;
}
