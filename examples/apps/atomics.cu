// cuda::atomic, atomic_ref, semaphores and latches, and parts of cuda::std in
// device code: a histogram with chosen scopes, a lock, a producer and its
// consumers, and a reduction that the last block ends.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include "../check.h"

using device_counter = cuda::atomic<unsigned, cuda::thread_scope_device>;

const int bins = 16, blocks = 8, threads = 128;
const int lockers = 64;  // threads that compete for one lock

__global__ void histogram(const int *in, int n, unsigned *out) {
    __shared__ unsigned local[bins];
    if (threadIdx.x < bins) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> bin(local[in[i] % bins]);
        bin.fetch_add(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x < bins) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> bin(out[threadIdx.x]);
        bin.fetch_add(local[threadIdx.x], cuda::memory_order_relaxed);
    }
}

// Each block's partial result is released with its ticket; the block that
// draws the last one has acquired them all.
__global__ void lastBlockSum(const int *in, int n, long long *partial, device_counter *tickets, long long *sum) {
    __shared__ long long part[threads];
    __shared__ bool last;
    long long s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
    part[threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < threads; t++) s += part[t];
        partial[blockIdx.x] = s;
        last = tickets->fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        long long all = 0;
        for (unsigned b = 0; b < gridDim.x; b++) all += partial[b];
        *sum = all;
    }
}

struct SpinLock {
    cuda::atomic<int, cuda::thread_scope_device> taken;
    __device__ void lock() {
        int free = 0;
        while (!taken.compare_exchange_weak(free, 1, cuda::memory_order_acquire)) free = 0;
    }
    __device__ void unlock() { taken.store(0, cuda::memory_order_release); }
};

// The smallest and the largest value seen, kept together under a lock.
__global__ void extremes(const int *in, SpinLock *lock, cuda::std::pair<int, int> *range) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    lock->lock();
    auto [low, high] = *range;
    *range = cuda::std::make_pair(v < low ? v : low, v > high ? v : high);
    lock->unlock();
}

struct Queue {
    cuda::counting_semaphore<cuda::thread_scope_device> full;
    cuda::latch<cuda::thread_scope_device> done;
    cuda::std::array<int, 64> items;
    cuda::std::atomic<int> head;
};

__global__ void produceAndConsume(Queue *q, cuda::std::atomic<int> *sum) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            for (int i = 0; i < 64; i++) {
                q->items[i] = i * i;
                q->full.release();
            }
        }
    } else if (threadIdx.x == 0) {
        for (int k = 0; k < 32; k++) {
            q->full.acquire();
            sum->fetch_add(q->items[q->head++]);
        }
        q->done.count_down();
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        q->done.wait();
        sum->fetch_add(1000000);
    }
}

template <class T> __global__ void narrow(T *v, T *out) {
    cuda::atomic_ref<T, cuda::thread_scope_device> ref(*v);
    ref.fetch_add((T)1);
    ref.fetch_max((T)1); // no more than is there already
    T expected = ref.load();
    if (threadIdx.x == 0) *out = cuda::std::numeric_limits<T>::max();
    static_assert(cuda::std::is_arithmetic<T>::value, "numbers only");
    (void)expected;
}

template <class T> bool tryNarrow(T want) {
    T *v;
    CHECK(cudaMallocManaged(&v, 16));
    v[0] = 0;
    narrow<<<1, threads>>>(v, (T *)((char *)v + 8));
    CHECK_LAUNCH();
    bool ok = v[0] == want && *(T *)((char *)v + 8) == std::numeric_limits<T>::max();
    if (!ok) printf("narrow: got %g, want %g\n", (double)v[0], (double)want);
    CHECK(cudaFree(v));
    return ok;
}

int main() {
    const int n = blocks * threads;
    Random random;
    std::vector<int> in(n);
    std::vector<unsigned> want(bins);
    long long total = 0;
    int low = 1 << 30, high = -1;
    for (int &v : in) {
        v = random.below(1000);
        want[v % bins]++;
        total += v;
    }
    for (int i = 0; i < lockers; i++) {
        low = std::min(low, in[i]);
        high = std::max(high, in[i]);
    }
    int *data = toDevice(in);

    unsigned *hist = toDevice(std::vector<unsigned>(bins));
    histogram<<<blocks, threads>>>(data, n, hist);
    CHECK_LAUNCH();
    bool ok = same("histogram", toHost(hist, bins), want);

    long long *partial, *sum;
    device_counter *tickets;
    CHECK(cudaMalloc(&partial, blocks * sizeof *partial));
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    CHECK(cudaMallocManaged(&tickets, sizeof *tickets));
    new (tickets) device_counter(0);
    lastBlockSum<<<blocks, threads>>>(data, n, partial, tickets, sum);
    CHECK_LAUNCH();
    ok &= same<long long>("last block", {*sum}, {total});

    SpinLock *lock;
    cuda::std::pair<int, int> *range;
    CHECK(cudaMallocManaged(&lock, sizeof *lock));
    CHECK(cudaMallocManaged(&range, sizeof *range));
    lock->taken = 0;
    *range = {1 << 30, -1};
    extremes<<<lockers / 32, 32>>>(data, lock, range);
    CHECK_LAUNCH();
    ok &= same<int>("lock", {range->first, range->second}, {low, high});

    Queue *queue;
    cuda::std::atomic<int> *items;
    CHECK(cudaMallocManaged(&queue, sizeof *queue));
    CHECK(cudaMallocManaged(&items, sizeof *items));
    new (&queue->full) cuda::counting_semaphore<cuda::thread_scope_device>(0);
    new (&queue->done) cuda::latch<cuda::thread_scope_device>(2);
    queue->head = 0;
    *items = 0;
    produceAndConsume<<<3, 32>>>(queue, items);
    CHECK_LAUNCH();
    ok &= same<int>("queue", {items->load()}, {63 * 64 * 127 / 6 + 1000000});

    ok &= tryNarrow<unsigned char>(threads) && tryNarrow<short>(threads) && tryNarrow<int>(threads) &&
          tryNarrow<long>(threads) && tryNarrow<float>(threads) && tryNarrow<double>(threads);
    printf("narrow: %s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
