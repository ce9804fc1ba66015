// Several devices (run with --devices 2): each has its own memory, streams,
// variables and current-device setting by thread; copies between them, peer
// access, and what may not be mixed. With one device only the parts for one run.

#include <cstring>
#include <thread>

#include "../check.h"

__device__ int mark;

__global__ void setMark(int v) { mark = v; }
__global__ void scale(int *p, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= k;
}

static int wrong = 0;

static void expect(const char *what, long long got, long long want) {
    cudaGetLastError();
    if (got == want) return;
    printf("devices: FAIL: %s: got %lld, want %lld\n", what, got, want);
    wrong++;
}

static void properties(int count) {
    for (int d = 0; d < count; d++) {
        cudaDeviceProp p;
        char bus[16];
        int value, same;
        CHECK(cudaGetDeviceProperties(&p, d));
        CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, d));
        expect("threads a block", value, p.maxThreadsPerBlock);
        CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, d));
        expect("capability", value, p.major);
        CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, d));
        CHECK(cudaDeviceGetByPCIBusId(&same, bus));
        expect("device by bus", same, d);
    }
    expect("no such device", cudaSetDevice(count), cudaErrorInvalidDevice);
    size_t size = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    CHECK(cudaDeviceGetLimit(&size, cudaLimitStackSize));
    expect("stack limit", size, 4096);
    expect("no such limit", cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorInvalidValue);
}

static void two() {
    const int n = 256;
    int *a, *b, *c, can, values[2];
    cudaStream_t s;
    cudaEvent_t e;
    std::vector<int> host(n, 3);
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    setMark<<<1, 1>>>(10);
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&e));
    setMark<<<1, 1>>>(20);
    CHECK(cudaMemcpyPeerAsync(b, 1, a, 0, n * sizeof(int), s));
    scale<<<2, 128, 0, s>>>(b, n, 7);
    CHECK(cudaEventRecord(e, s));
    CHECK(cudaStreamSynchronize(s));
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, b));
    expect("device of b", attributes.device, 1);
    CHECK(cudaMemcpyFromSymbol(&values[1], mark, sizeof(int)));
    std::thread([&] {
        int d = -1;
        CHECK(cudaGetDevice(&d));
        expect("a new thread's device", d, 0);
    }).join();

    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyFromSymbol(&values[0], mark, sizeof(int)));
    expect("one variable a device", values[0] * 100 + values[1], 1020);
    scale<<<2, 128, 0, s>>>(a, n, 2);
    expect("stream of the other device", cudaGetLastError(), cudaErrorInvalidResourceHandle);
    expect("event of the other device", cudaEventRecord(e, 0), cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamWaitEvent(0, e, 0));
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    expect("peer", can, 1);
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    expect("peer again", cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    scale<<<2, 128>>>(b, n, 2);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDeviceDisablePeerAccess(1));
    CHECK(cudaMalloc(&c, n * sizeof(int)));
    CHECK(cudaMemcpy(c, b, n * sizeof(int), cudaMemcpyDefault));
    expect("copied, scaled and scaled", toHost(c, n)[n - 1], 42);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaEventDestroy(e));
}

int main() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    properties(count);
    setMark<<<1, 1>>>(1);
    CHECK_LAUNCH();
    if (count > 1) two();
    cudaIpcMemHandle_t handle;
    expect("IPC", cudaIpcGetMemHandle(&handle, nullptr), cudaErrorInvalidValue);
    printf("devices: %s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
