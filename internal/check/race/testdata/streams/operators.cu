// Operators of a framework that the host executes on memory of the device: each is work of a stream.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
const int N = 256, BYTES = N * sizeof(int);

extern "C" {
void *__wg_hostAddress(const void *);
cudaError_t __wg_beginOperator(cudaStream_t);
cudaError_t __wg_endOperator(const char *name, const char *where, cudaStream_t, const uint64_t *reads, size_t, const uint64_t *writes, size_t,
                             const uint64_t *marks, size_t);
}

__global__ void produce(int *a) { a[threadIdx.x] = threadIdx.x; } // want WAW streams-unordered/stream-order; WAR streams-unordered/stream-order
__global__ void consume(const int *a, int *b) { b[threadIdx.x] = a[threadIdx.x]; } // want RAW streams-unordered/stream-order

// to = 2 * from, for the elements from first on.
void twice(cudaStream_t s, int *to, const int *from, int line, int first = 0) {
    char where[200];
    snprintf(where, sizeof where, "%s:%d", __FILE__, line);
    if (__wg_beginOperator(s)) printf("FAIL\n");
    int *t = static_cast<int *>(__wg_hostAddress(to));
    const int *f = static_cast<const int *>(__wg_hostAddress(from));
    for (int i = first; i < N; i++) t[i] = 2 * f[i];
    auto a = reinterpret_cast<uint64_t>(from + first), b = reinterpret_cast<uint64_t>(to + first);
    const uint64_t reads[] = {a, a + BYTES - 4 * first}, writes[] = {b, b + BYTES - 4 * first};
    if (__wg_endOperator("twice", where, s, reads, 1, writes, 1, nullptr, 0)) printf("FAIL\n");
}

struct Test {
    cudaStream_t s, t;
    cudaEvent_t e;
    int *a, *b, *c;
    Test() {
        for (cudaStream_t *p : {&s, &t}) cudaStreamCreateWithFlags(p, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        for (int **p : {&a, &b, &c}) {
            cudaMalloc(p, BYTES);
            cudaMemset(*p, 0, BYTES);
        }
        cudaDeviceSynchronize();
    }
    ~Test() {
        if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) printf("FAIL\n");
        for (int *p : {a, b, c}) cudaFree(p);
        for (cudaStream_t x : {s, t}) cudaStreamDestroy(x);
        cudaEventDestroy(e);
    }
};

void in_order() { // the results are right: the kernel before has run
    Test x;
    produce<<<1, N, 0, x.s>>>(x.a);
    twice(x.s, x.b, x.a, __LINE__);
    consume<<<1, N, 0, x.s>>>(x.b, x.c);
    int last;
    cudaMemcpyAsync(&last, x.c + N - 1, 4, cudaMemcpyDeviceToHost, x.s);
    cudaStreamSynchronize(x.s);
    if (last != 2 * (N - 1)) printf("FAIL\n");
}
void by_event() {
    Test x;
    produce<<<1, N, 0, x.s>>>(x.a);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    twice(x.t, x.b, x.a, __LINE__);
}
void reads_too_early() {
    Test x;
    produce<<<1, N, 0, x.s>>>(x.a);
    twice(x.t, x.b, x.a, __LINE__); // want RAW streams-unordered/stream-order
}
void is_overtaken() {
    Test x;
    twice(x.s, x.b, x.a, __LINE__);
    consume<<<1, N, 0, x.t>>>(x.b, x.c);
}
void does_not_wait() { // the host did not wait for the kernel, though that has run
    Test x;
    produce<<<1, N, 0, x.s>>>(x.a);
    twice(x.s, x.b, x.a, __LINE__);
    produce<<<1, N, 0, x.t>>>(x.a);
}
void other_elements() {
    Test x;
    cudaMemsetAsync(x.b, 0, 4, x.s);
    twice(x.t, x.b, x.a, __LINE__, 1);
}

int main() {
    in_order();
    by_event();
    reads_too_early();
    is_overtaken();
    does_not_wait();
    other_elements();
    return 0;
}
