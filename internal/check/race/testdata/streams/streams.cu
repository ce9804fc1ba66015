// Kernels, copies and fills of several streams.
#include <cstdio>
#include <cuda_runtime.h>
const int N = 256;
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void produce(int *a) { a[ID] = ID; }
__global__ void consume(const int *a, int *b) {
    b[ID] = a[N - 1 - ID]; // want RAW streams-unordered/stream-order
}
__global__ void other(const int *a, int *b) { b[ID] = a[N - 1 - ID]; }
__global__ void late(const int *a, int *b) {
    b[ID] = a[N - 1 - ID]; // want RAW streams-unordered/stream-order
}
__global__ void reuse(int *a) {
    a[ID] = 5; // want WAR streams-unordered/stream-order
}
__global__ void readers(const int *a, int *b) { b[ID] = a[ID]; }
__global__ void half(int *a, int from) { a[from + ID] = ID; }
__global__ void overlap(int *a, int from) {
    a[from + ID] = ID; // want WAW streams-unordered/stream-order
}
__global__ void count(int *a) { atomicAdd(a, 1); }
__global__ void count_plain(int *a) {
    if (ID == 0) a[0] += 1; // want RAW streams-unordered/stream-order; WAW streams-unordered/stream-order
}
__global__ void after_fill(int *a, int *b) {
    b[ID] = a[ID]; // want RAW streams-unordered/stream-order
}
__global__ void after_default(int *a, int *b) {
    b[ID] = a[ID]; // want RAW streams-unordered/stream-order
}
__global__ void strided(int *a, int odd) { a[2 * ID + odd] = odd; }

struct Test {
    cudaStream_t s, t;
    cudaEvent_t e;
    int *a, *b, *c;
    explicit Test(unsigned flags = cudaStreamNonBlocking) {
        cudaStreamCreateWithFlags(&s, flags);
        cudaStreamCreateWithFlags(&t, flags);
        cudaEventCreate(&e);
        for (int **p : {&a, &b, &c}) cudaMalloc(p, 2 * N * sizeof(int));
        cudaMemset(a, 0, 2 * N * sizeof(int));
        cudaMemset(b, 0, 2 * N * sizeof(int));
        cudaDeviceSynchronize();
    }
    ~Test() {
        if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
        for (int *p : {a, b, c}) cudaFree(p);
        cudaEventDestroy(e);
        cudaStreamDestroy(s);
        cudaStreamDestroy(t);
    }
};

void unordered() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.a);
    consume<<<2, 128, 0, x.t>>>(x.a, x.b);
}
void one_stream() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.a);
    other<<<2, 128, 0, x.s>>>(x.a, x.b);
}
void by_event() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    other<<<2, 128, 0, x.t>>>(x.a, x.b);
}
void event_too_early() {
    Test x;
    cudaEventRecord(x.e, x.s);
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaStreamWaitEvent(x.t, x.e, 0);
    late<<<2, 128, 0, x.t>>>(x.a, x.b);
}
void waited_too_late() {
    Test x;
    readers<<<2, 128, 0, x.s>>>(x.a, x.b);
    cudaEventRecord(x.e, x.s);
    reuse<<<2, 128, 0, x.t>>>(x.a);
    cudaStreamWaitEvent(x.t, x.e, 0);
}
void by_host() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaStreamSynchronize(x.s);
    other<<<2, 128, 0, x.t>>>(x.a, x.b);
    cudaDeviceSynchronize();
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaEventRecord(x.e, x.s);
    cudaEventSynchronize(x.e);
    other<<<2, 128, 0, x.t>>>(x.a, x.b);
    while (cudaStreamQuery(x.t) == cudaErrorNotReady) {}
    produce<<<2, 128, 0, x.s>>>(x.a);
}
void chain() {
    Test x;
    cudaStream_t u;
    cudaStreamCreate(&u);
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(u, x.e, 0);
    cudaEventRecord(x.e, u);
    cudaStreamWaitEvent(x.t, x.e, 0);
    other<<<2, 128, 0, x.t>>>(x.a, x.b);
    cudaDeviceSynchronize();
    cudaStreamDestroy(u);
}
void only_reads() {
    Test x;
    readers<<<2, 128, 0, x.s>>>(x.a, x.b);
    readers<<<2, 128, 0, x.t>>>(x.a, x.c);
}
void halves() {
    Test x;
    half<<<1, 128, 0, x.s>>>(x.a, 0);
    half<<<1, 128, 0, x.t>>>(x.a, 128);
}
void halves_overlap() {
    Test x;
    half<<<1, 128, 0, x.s>>>(x.a, 0);
    overlap<<<1, 128, 0, x.t>>>(x.a, 127);
}
void odd_and_even() {
    Test x;
    strided<<<1, 128, 0, x.s>>>(x.a, 0);
    strided<<<1, 128, 0, x.t>>>(x.a, 1);
}
void atomics() {
    Test x;
    count<<<1, 128, 0, x.s>>>(x.a);
    count<<<1, 128, 0, x.t>>>(x.a);
}
void atomic_and_plain() {
    Test x;
    count<<<1, 128, 0, x.s>>>(x.a);
    count_plain<<<1, 128, 0, x.t>>>(x.a);
}
void copy_before_kernel(bool ordered) {
    Test x;
    int *host;
    cudaMallocHost(&host, N * sizeof(int));
    for (int i = 0; i < N; i++) host[i] = i;
    cudaMemcpyAsync(x.a, host, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
    if (ordered) {
        cudaEventRecord(x.e, x.s);
        cudaStreamWaitEvent(x.t, x.e, 0);
    }
    (ordered ? other : late)<<<2, 128, 0, x.t>>>(x.a, x.b);
    cudaDeviceSynchronize();
    cudaFreeHost(host);
}
void copy_back() {
    Test x;
    int *host;
    cudaMallocHost(&host, N * sizeof(int));
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaMemcpyAsync(host, x.a, N * sizeof(int), cudaMemcpyDeviceToHost, x.s);
    cudaDeviceSynchronize();
    cudaFreeHost(host);
}
void copy_back_early() {
    Test x;
    int *host;
    cudaMallocHost(&host, N * sizeof(int));
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaMemcpyAsync(host, x.a, N * sizeof(int), cudaMemcpyDeviceToHost, x.t); // want RAW streams-unordered/stream-order
    cudaDeviceSynchronize();
    cudaFreeHost(host);
}
void fill_beside_kernel() {
    Test x;
    readers<<<2, 128, 0, x.s>>>(x.a, x.b);
    cudaMemsetAsync(x.a, 1, N * sizeof(int), x.t); // want WAR streams-unordered/stream-order
}
void fill_of_other_half() {
    Test x;
    readers<<<2, 128, 0, x.s>>>(x.a, x.b);
    cudaMemsetAsync(x.a + N, 1, N * sizeof(int), x.t);
}
void default_stream_waits() { // blocking streams and the default stream wait for each other
    Test x(cudaStreamDefault);
    produce<<<2, 128, 0, x.s>>>(x.a);
    other<<<2, 128>>>(x.a, x.b);
    produce<<<2, 128, 0, x.t>>>(x.a);
}
void default_stream_between() { // even if nothing in it has to do with the rest
    Test x(cudaStreamDefault);
    produce<<<2, 128, 0, x.s>>>(x.a);
    half<<<1, 1>>>(x.c, 0);
    other<<<2, 128, 0, x.t>>>(x.a, x.b);
}
void default_stream_fill() { // cudaMemset returns before it is done
    Test x;
    cudaMemset(x.a, 0, N * sizeof(int));
    after_fill<<<2, 128, 0, x.s>>>(x.a, x.b);
}
void default_stream_not_waiting() {
    Test x;
    produce<<<2, 128>>>(x.a);
    after_default<<<2, 128, 0, x.s>>>(x.a, x.b);
}
void copy_waits() {
    Test x;
    int host[N] = {};
    cudaMemcpy(x.a, host, sizeof host, cudaMemcpyHostToDevice);
    other<<<2, 128, 0, x.s>>>(x.a, x.b);
    cudaMemcpyAsync(host, x.b, sizeof host, cudaMemcpyDeviceToHost, x.s); // pageable: waits
    produce<<<2, 128, 0, x.t>>>(x.b);
}
void freed_and_made_again() {
    Test x;
    int *p, *q;
    cudaMallocAsync(&p, N * sizeof(int), x.s);
    produce<<<2, 128, 0, x.s>>>(p);
    cudaFreeAsync(p, x.s);
    cudaMallocAsync(&q, N * sizeof(int), x.t);
    produce<<<2, 128, 0, x.t>>>(q);
    cudaFreeAsync(q, x.t);
}
void free_waits() {
    Test x;
    int *p;
    cudaMalloc(&p, 4);
    produce<<<2, 128, 0, x.s>>>(x.a);
    cudaFree(p);
    other<<<2, 128, 0, x.t>>>(x.a, x.b);
}

int main() {
    unordered(); one_stream(); by_event(); event_too_early(); waited_too_late(); by_host(); chain(); only_reads();
    halves(); halves_overlap(); odd_and_even(); atomics(); atomic_and_plain(); copy_before_kernel(true);
    copy_before_kernel(false); copy_back(); copy_back_early(); fill_beside_kernel();
    fill_of_other_half(); default_stream_waits(); default_stream_between(); default_stream_fill();
    default_stream_not_waiting(); copy_waits(); freed_and_made_again(); free_waits();
}
