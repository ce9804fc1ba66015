// The order of children: streams, events, fire and forget, and the tail stream; errors of launches; what device
// code can ask.
#include <cstdio>
struct Log {
    int n, line[32];
};
__device__ Log logged;
__global__ void note(int x) {
    int at = atomicAdd(&logged.n, 1);
    logged.line[at] = x;
}
__global__ void set(int *p, int v) { *p = v; }
__global__ void add(int *p, const int *q) { *p += *q; }
__global__ void later(int *p) {
    set<<<1, 1>>>(p, 5); // done before the tail of the one above
}
__global__ void tail(int *p, int *q) {
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(3);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
    note<<<1, 1>>>(2);
    later<<<1, 1, 0, cudaStreamFireAndForget>>>(p);
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(q, p);
    logged.line[0] = 1;
}
__global__ void events(int *p, int *q) {
    cudaStream_t s, t;
    cudaEvent_t e, f;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&f, cudaEventDisableTiming);
    set<<<1, 1, 0, s>>>(p, 7);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e, 0);
    add<<<1, 1, 0, t>>>(q, p);
    cudaEventRecord(f, t);
    cudaStreamWaitEvent(s, f, 0);
    set<<<1, 1, 0, s>>>(p, 9);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaEventDestroy(e);
    cudaEventDestroy(f);
}
__device__ int wrong(cudaError_t got, cudaError_t want, const char *what) {
    if (got == want) return 0;
    printf("%s: %s, want %s\n", what, cudaGetErrorName(got), cudaGetErrorName(want));
    return 1;
}
#define WRONG(call, code) wrong(call, code, #call)
__global__ void misuse(int *bad) {
    cudaStream_t s;
    cudaEvent_t e;
    int b = 0, v = 0;
    b += WRONG(cudaStreamCreateWithFlags(&s, cudaStreamDefault), cudaErrorInvalidValue);
    b += WRONG(cudaEventCreateWithFlags(&e, cudaEventDefault), cudaErrorInvalidValue);
    b += WRONG(cudaGetLastError(), cudaErrorInvalidValue);
    b += WRONG(cudaGetLastError(), cudaSuccess);
    set<<<1, 1, 0, (cudaStream_t)0x1234>>>(bad + 1, 1);
    b += WRONG(cudaPeekAtLastError(), cudaErrorInvalidResourceHandle);
    b += WRONG(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    b += WRONG(cudaLaunchDeviceV2(0, 0), cudaErrorInvalidDevicePointer);
    b += WRONG(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
    cudaGetLastError();
    b += WRONG(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0), cudaSuccess) + (v != 32);
    b += WRONG(cudaGetDevice(&v), cudaSuccess) + (v != 0);
    b += WRONG(cudaGetDeviceCount(&v), cudaSuccess) + (v != 1);
    b += WRONG(cudaRuntimeGetVersion(&v), cudaSuccess) + (v < 12000);
    *bad = b;
}
// Buffers by hand, as compilers make them.
__global__ void by_hand(int *p) {
    struct {
        int *p;
        int v;
    } *args = decltype(args)(cudaGetParameterBufferV2((void *)set, 1, 1, 0));
    if (!args) return;
    args->p = p;
    args->v = 11;
    cudaLaunchDeviceV2(args, 0);
}
static int bad;
static void check(const char *what, int got, int want) {
    if (got != want) printf("%s: %d, want %d\n", what, got, want), bad++;
}
int main() {
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    int one = 1;
    cudaMemcpyToSymbol(logged, &one, sizeof one);
    tail<<<1, 1>>>(d, d + 1);
    events<<<1, 1>>>(d + 2, d + 3);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    Log log;
    cudaMemcpyFromSymbol(&log, logged, sizeof log);
    for (int i = 0; i < 4; i++) check("log", log.line[i], i + 1);
    check("fire and forget", h[0], 5);
    check("tail", h[1], 5);
    check("events", h[3], 7);
    check("events", h[2], 9);
    cudaMemset(d, 0, sizeof h);
    misuse<<<1, 1>>>(d);
    by_hand<<<1, 1>>>(d + 2);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) bad++;
    check("misuse", h[0], 0);
    check("not launched", h[1], 0);
    check("by hand", h[2], 11);
    cudaFree(d);
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
