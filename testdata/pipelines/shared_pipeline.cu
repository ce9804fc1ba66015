// A pipeline of a block: one warp copies pieces by memcpy_async, the others work on them, with the
// roles of cuda::pipeline; a cuda::barrier hands the sums on.
// flags: --arch sm_80
#include "pipeline.h"

constexpr int PIECE = 64, PIECES = 7, STAGES = 2, PRODUCERS = 32, THREADS = PRODUCERS + PIECE;
using Pipeline = cuda::pipeline<cuda::thread_scope_block>;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void produce(Pipeline &pipe, int (*stages)[PIECE], const int *in) {
    for (int i = 0; i < PIECES; i++) {
        pipe.producer_acquire();
        for (int k = threadIdx.x; k < PIECE; k += PRODUCERS) cuda::memcpy_async(&stages[i % STAGES][k], in + i * PIECE + k, sizeof(int), pipe);
        pipe.producer_commit();
    }
}

__device__ int consume(Pipeline &pipe, int (*stages)[PIECE]) {
    int sum = 0, t = threadIdx.x - PRODUCERS;
    for (int i = 0; i < PIECES; i++) {
        pipe.consumer_wait();
        sum += stages[i % STAGES][t] * stages[i % STAGES][PIECE - 1 - t];
        pipe.consumer_release();
    }
    return sum;
}

__global__ void sums(const int *in, int *out) {
    __shared__ int stages[STAGES][PIECE];
    __shared__ int partial[PIECE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ Barrier ready;
    in += blockIdx.x * PIECE * PIECES;
    if (threadIdx.x == 0) init(&ready, THREADS);
    auto role = threadIdx.x < PRODUCERS ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
    if (role == cuda::pipeline_role::producer) {
        produce(pipe, stages, in);
        ready.arrive_and_wait();
        if (threadIdx.x == 0) {
            int all = 0;
            for (int i = 0; i < PIECE; i++) all += partial[i];
            out[blockIdx.x] = all;
        }
    } else {
        partial[threadIdx.x - PRODUCERS] = consume(pipe, stages);
        (void)ready.arrive();
    }
}

int main() {
    constexpr int N = PIECE * PIECES;
    Buffer<int> in(2 * N), out(2);
    for (int i = 0; i < 2 * N; i++) in.host[i] = i % 23;
    in.to_device();
    sums<<<2, THREADS>>>(in.device, out.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    int wrong = 0;
    for (int b = 0; b < 2; b++) {
        int want = 0;
        for (int i = 0; i < N; i++) want += in.host[b * N + i] * in.host[b * N + i / PIECE * PIECE + PIECE - 1 - i % PIECE];
        wrong += out.host[b] != want;
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
