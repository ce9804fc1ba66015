// Kernels that wait for the host, or for work of another stream, which continue meanwhile.
// clean: mapped pair fed deferred ordered pageable
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void poll(volatile int *flag, int *out) {
    while (*flag == 0) {}  // want(never) hang budget // want(same_stream) hang budget // want(legacy) hang budget // want(freed) hang budget // want(exits) hang budget // want(queried) hang budget
    *out = 1;
}
__global__ void raise(volatile int *flag) { *flag = 1; }
__global__ void add(int *p, int v) { *p += v; }  // want(unordered) race RAW // want(unordered) race WAW

__global__ void produce(volatile int *slot, volatile int *full, int n) {
    for (int i = 0; i < n; i++) {
        while (*full) {}
        *slot = i;
        __threadfence();
        *full = 1;
    }
}
__global__ void consume(volatile int *slot, volatile int *full, int n, int *sum) {
    for (int i = 0; i < n; i++) {
        while (!*full) {}
        __threadfence();
        *sum += *slot;
        __threadfence();
        *full = 0;
    }
}
// Reads what a copy of another stream brings.
__global__ void feed(volatile int *in, int *out) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        while (in[i] == 0) {}
        sum += in[i];
    }
    *out = sum;
}

static void check(int got, int want) {
    if (got != want) {
        printf("%d, want %d\n", got, want);
        exit(9);
    }
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *h, *d, *o, result = 0;
    cudaHostAlloc(&h, 256, cudaHostAllocMapped);
    memset(h, 0, 256);
    volatile int *flag = h;
    cudaMalloc(&d, 256);
    cudaMalloc(&o, 256);
    cudaMemset(d, 0, 256);
    cudaMemset(o, 0, 256);
    cudaDeviceSynchronize();
    cudaStream_t a, b, blocking;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaStreamCreate(&blocking);

    if (is("mapped")) {
        poll<<<1, 1, 0, a>>>(flag, o);
        *flag = 1;
        check(cudaStreamSynchronize(a), cudaSuccess);
    }
    if (is("pair")) {
        consume<<<1, 1, 0, a>>>(d, d + 1, 300, o);
        produce<<<1, 1, 0, b>>>(d, d + 1, 300);
        cudaMemcpyAsync(&result, o, 4, cudaMemcpyDeviceToHost, a);
        check(result, 300 * 299 / 2);
    }
    if (is("fed") || is("copied")) {
        int *from = is("fed") ? h : d;
        feed<<<1, 1, 0, a>>>(from, o);
        for (int i = 0; i < 4; i++) {
            if (is("fed")) flag[i] = i + 1;
            int v = i + 1;
            if (is("copied")) cudaMemcpyAsync(d + i, &v, 4, cudaMemcpyHostToDevice, b);  // want(copied) race WAR // want(copied) race WAR
        }
        cudaStreamSynchronize(a);
        cudaMemcpy(&result, o, 4, cudaMemcpyDeviceToHost);
        check(result, 10);
    }
    if (is("deferred")) { // work after a kernel that waits, in its stream and by an event
        cudaEvent_t e;
        cudaEventCreate(&e);
        poll<<<1, 1, 0, a>>>(flag, o);
        add<<<1, 1, 0, a>>>(o, 41);
        cudaMemcpyAsync(h + 8, o, 4, cudaMemcpyDeviceToHost, a);
        cudaEventRecord(e, a);
        cudaStreamWaitEvent(b, e, 0);
        cudaMemsetAsync(o, 0, 4, b);
        check(cudaStreamQuery(a), cudaErrorNotReady);
        check(cudaEventQuery(e), cudaErrorNotReady);
        check(cudaStreamQuery(b), cudaErrorNotReady);
        check(cudaStreamQuery(blocking), cudaSuccess);
        *flag = 1;
        cudaStreamSynchronize(b);
        check(cudaStreamQuery(a), cudaSuccess);
        check(cudaEventQuery(e), cudaSuccess);
        check(h[8], 42);
    }
    if (is("pageable")) { // taken at once, brought later
        int from[2] = {5, 6};
        poll<<<1, 1, 0, a>>>(flag, o);
        cudaMemcpyAsync(d, from, 8, cudaMemcpyHostToDevice, a);
        from[0] = from[1] = 0;
        add<<<1, 1, 0, a>>>(d, 1);
        *flag = 1;
        int to[2];
        cudaMemcpyAsync(to, d, 8, cudaMemcpyDeviceToHost, a); // waits
        check(to[0] * 10 + to[1], 66);
    }
    if (is("ordered")) { // what waits for the kernel by an event may use its memory
        cudaEvent_t e;
        cudaEventCreate(&e);
        poll<<<1, 1, 0, a>>>(flag, o);
        cudaEventRecord(e, a);
        cudaStreamWaitEvent(b, e, 0);
        add<<<1, 1, 0, b>>>(o, 1);
        *flag = 1;
    }
    if (is("unordered")) {
        poll<<<1, 1, 0, a>>>(flag, o);
        add<<<1, 1, 0, b>>>(o, 1);
        *flag = 1;
    }
    if (is("never")) {
        poll<<<1, 1, 0, a>>>(flag, o);
        check(cudaStreamSynchronize(a), cudaErrorLaunchTimeout);
    }
    if (is("same_stream")) {
        poll<<<1, 1, 0, a>>>(d, o);
        raise<<<1, 1, 0, a>>>(d);
    }
    if (is("legacy")) { // the default stream waits for a blocking one
        poll<<<1, 1, 0, blocking>>>(d, o);
        raise<<<1, 1>>>(d);
    }
    if (is("freed")) { // cudaFree waits for the device
        poll<<<1, 1, 0, a>>>(flag, o);
        cudaFree(d);
        *flag = 1;
    }
    if (is("queried")) {
        poll<<<1, 1, 0, a>>>(flag, o);
        while (cudaStreamQuery(a) == cudaErrorNotReady) {}
    }
    if (is("exits")) {
        poll<<<1, 1, 0, a>>>(flag, o);
        return 0;
    }
    cudaDeviceSynchronize();
    cudaFree(d); cudaFree(o); cudaFreeHost(h);
    return 0;
}
