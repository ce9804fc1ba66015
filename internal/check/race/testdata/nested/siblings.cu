// Children of one grid, and what else uses memory while they may run.
#include <cstdio>
const int N = 64;
__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void readers(const int *p, int *q) { q[threadIdx.x] = p[N - 1 - threadIdx.x]; }
__global__ void count(int *p) { atomicAdd(p, 1); }
struct Stream {
    cudaStream_t s;
    __device__ Stream() { cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); }
    __device__ ~Stream() { cudaStreamDestroy(s); }
    __device__ operator cudaStream_t() const { return s; }
};

// One stream, the default one of a block or a named one, is in order.
__global__ void one_stream(int *p, int *q) {
    if (threadIdx.x == 0) {
        Stream s;
        fill<<<1, N>>>(p, 1);
        readers<<<1, N>>>(p, q);
        fill<<<1, N, 0, s>>>(p + N, 1);
        readers<<<1, N, 0, s>>>(p + N, q + N);
    }
    if (threadIdx.x == 32) add<<<1, N>>>(p, 1); // in the same stream of the block
}
namespace two_streams {
__global__ void second(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW streams-unordered/stream-order
}
__global__ void parent(int *p, int *q) {
    if (threadIdx.x == 0) {
        Stream s, t;
        fill<<<1, N, 0, s>>>(p, 1);
        second<<<1, N, 0, t>>>(p, q);
    }
}
// Named streams do not wait for the default one: all are cudaStreamNonBlocking.
__global__ void third(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW streams-unordered/stream-order
}
__global__ void with_default(int *p, int *q) {
    if (threadIdx.x == 0) {
        Stream s;
        fill<<<1, N>>>(p, 1);
        third<<<1, N, 0, s>>>(p, q);
    }
}
__global__ void both_write(int *p) {
    p[threadIdx.x] = 3; // want WAW streams-unordered/stream-order
}
__global__ void forgotten(int *p) {
    if (threadIdx.x == 0) {
        both_write<<<1, N, 0, cudaStreamFireAndForget>>>(p);
        both_write<<<1, N, 0, cudaStreamFireAndForget>>>(p);
    }
}
// Parts of their own, what both only read, and atomics are fine.
__global__ void apart(int *p, int *q) {
    if (threadIdx.x == 0) {
        Stream s, t;
        readers<<<1, N, 0, s>>>(p, q);
        readers<<<1, N, 0, t>>>(p, q + N);
        count<<<1, N, 0, cudaStreamFireAndForget>>>(p + N);
        count<<<1, N, 0, cudaStreamFireAndForget>>>(p + N);
    }
}
} // namespace two_streams

namespace events {
__global__ void waits(int *p, int *q) {
    if (threadIdx.x == 0) {
        Stream s, t;
        cudaEvent_t e;
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        fill<<<1, N, 0, s>>>(p, 1);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e, 0);
        readers<<<1, N, 0, t>>>(p, q);
        cudaEventDestroy(e);
    }
}
// The event is recorded before the work that matters.
__global__ void after(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW streams-unordered/stream-order
}
__global__ void too_early(int *p, int *q) {
    if (threadIdx.x == 0) {
        Stream s, t;
        cudaEvent_t e;
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        cudaEventRecord(e, s);
        fill<<<1, N, 0, s>>>(p, 1);
        cudaStreamWaitEvent(t, e, 0);
        after<<<1, N, 0, t>>>(p, q);
        cudaEventDestroy(e);
    }
}
} // namespace events

// Blocks have default streams of their own.
namespace blocks {
__global__ void write(int *p) {
    p[threadIdx.x] = 1; // want WAW streams-unordered/stream-order
}
__global__ void parent(int *p) {
    if (threadIdx.x == 0) write<<<1, N>>>(p);
}
__global__ void parts(int *p) {
    if (threadIdx.x == 0) fill<<<1, N>>>(p + N * blockIdx.x, 1);
}
// The tail stream is the grid's.
__global__ void tails(int *p) {
    if (threadIdx.x == 0) add<<<1, N, 0, cudaStreamTailLaunch>>>(p, 1);
}
} // namespace blocks

// Grandchildren count for their parents.
namespace deeper {
__global__ void leaf(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW streams-unordered/stream-order
}
__global__ void middle(const int *p, int *q) {
    leaf<<<1, N>>>(p, q);
}
__global__ void fills(int *p) {
    fill<<<1, N, 0, cudaStreamTailLaunch>>>(p, 1);
}
__global__ void parent(int *p, int *q) {
    if (threadIdx.x == 0) {
        Stream s, t;
        fills<<<1, 1, 0, s>>>(p);
        middle<<<1, 1, 0, t>>>(p, q);
    }
}
__global__ void good(int *p, int *q) {
    if (threadIdx.x == 0) {
        fills<<<1, 1>>>(p);
        readers<<<1, N>>>(p, q);
    }
}
} // namespace deeper

// A parent is over when its children are: the next launch of the stream, and of
// one that waits for it, may rely on that.
namespace hosts {
__global__ void parent(int *p) {
    if (threadIdx.x == 0) fill<<<1, N>>>(p, 2);
}
__global__ void other(const int *p, int *q) {
    q[threadIdx.x] = p[threadIdx.x]; // want RAW streams-unordered/stream-order
}
void run(int *p, int *q) {
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    parent<<<1, N, 0, s>>>(p);
    readers<<<1, N, 0, s>>>(p, q);
    cudaDeviceSynchronize();
    parent<<<1, N, 0, s>>>(p);
    other<<<1, N, 0, t>>>(p, q);
    cudaDeviceSynchronize();
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}
} // namespace hosts

int main() {
    int *p, *q;
    cudaMalloc(&p, 2 * N * sizeof(int));
    cudaMalloc(&q, 2 * N * sizeof(int));
    cudaMemset(p, 0, 2 * N * sizeof(int));
    cudaMemset(q, 0, 2 * N * sizeof(int));
    one_stream<<<1, N>>>(p, q);
    two_streams::parent<<<1, N>>>(p, q);
    two_streams::with_default<<<1, N>>>(p, q);
    two_streams::forgotten<<<1, N>>>(p);
    two_streams::apart<<<1, N>>>(p, q);
    events::waits<<<1, N>>>(p, q);
    events::too_early<<<1, N>>>(p, q);
    blocks::parent<<<2, N>>>(p);
    blocks::parts<<<2, N>>>(p);
    blocks::tails<<<2, N>>>(p);
    deeper::parent<<<1, N>>>(p, q);
    deeper::good<<<1, N>>>(p, q);
    hosts::run(p, q);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
    cudaFree(p);
    cudaFree(q);
}
