// The operations of cuda::std::atomic as functions, its aliases, and all of them on volatile objects, in device and host code.
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cstdio>

namespace cs = cuda::std;

// 64 threads count; the last one to arrive sees all counts.
__global__ void count(volatile cs::atomic<int> *n, cs::atomic_ullong *sum, cs::atomic_bool *last, int *out) {
    cs::atomic_fetch_add_explicit(sum, threadIdx.x, cs::memory_order_relaxed);
    if (n->fetch_add(1, cs::memory_order_acq_rel) == 63) {
        cs::atomic_store_explicit(last, true, cs::memory_order_release);
        out[0] = n->load();
        out[1] = static_cast<int>(cs::atomic_load(sum));
        int expected = 64;
        out[2] = cs::atomic_compare_exchange_strong(n, &expected, -1);
        expected = 5;
        out[3] = cs::atomic_compare_exchange_weak_explicit(n, &expected, 0, cs::memory_order_relaxed, cs::memory_order_relaxed);
        out[4] = expected;
    }
}

template <class A> int onHost(A *a) {
    cs::atomic_init(a, 12);
    int v = cs::atomic_fetch_or(a, 3) + cs::atomic_fetch_and(a, 10) + cs::atomic_fetch_xor(a, 1);
    v += cs::atomic_fetch_sub(a, 4) + cs::atomic_exchange(a, 100);
    return v + *a + (*a = 7) + a->load();
}

int main() {
    int *out, bad = 0;
    cs::atomic<int> *n;
    cs::atomic_ullong *sum;
    cs::atomic_bool *last;
    cudaMallocManaged(&out, 5 * sizeof *out);
    cudaMallocManaged(&n, sizeof *n);
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&last, sizeof *last);
    cs::atomic_store(n, 0);
    *sum = 0;
    *last = false;
    count<<<1, 64>>>(n, sum, last, out);
    if (cudaDeviceSynchronize() != cudaSuccess) bad++;
    if (out[0] != 64 || out[1] != 2016 || out[2] != 1 || out[3] != 0 || out[4] != -1 || !*last || *n != -1) bad++;
    static cs::atomic_int plain;
    static volatile cs::atomic_int changed;
    const int want = 12 + 15 + 10 + 11 + 7 + 100 + 7 + 7;
    if (onHost(&plain) != want || onHost(&changed) != want) bad++;
    cudaFree(out);
    cudaFree(n);
    cudaFree(sum);
    cudaFree(last);
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
