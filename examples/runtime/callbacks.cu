// Host functions and callbacks in streams: their order with the work around
// them, one that waits for the main thread, what may not be called in them,
// events and their times, queries, priorities, per-thread default streams.

#include <condition_variable>
#include <mutex>
#include <thread>

#include "../check.h"

__global__ void add(int *p, int v) { *p += v; }

static int wrong = 0;

static void expect(const char *what, long long got, long long want) {
    if (got == want) return;
    printf("callbacks: FAIL: %s: got %lld, want %lld\n", what, got, want);
    wrong++;
}

struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
    int *pinned = nullptr;

    void unlock() {
        std::lock_guard<std::mutex> lock(mutex);
        open = true;
        changed.notify_all();
    }
};

// Waits for the main thread, which continues after the call that gave it.
static void waitForGate(void *p) {
    Gate *g = static_cast<Gate *>(p);
    std::unique_lock<std::mutex> lock(g->mutex);
    g->changed.wait(lock, [&] { return g->open; });
    *g->pinned = 100;
}

static void callCuda(void *p) { *static_cast<cudaError_t *>(p) = cudaDeviceSynchronize(); }

static void seen(cudaStream_t, cudaError_t status, void *p) { *static_cast<int *>(p) = 1000 + status; }

static void ordered() {
    Gate gate;
    int *device, status = 0, result = 0;
    cudaStream_t s, other;
    cudaError_t inside = cudaSuccess;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&device, sizeof(int)));
    CHECK(cudaMallocHost(&gate.pinned, sizeof(int)));
    *gate.pinned = 1;
    CHECK(cudaLaunchHostFunc(s, waitForGate, &gate));
    expect("not ready while it waits", cudaStreamQuery(s), cudaErrorNotReady);
    expect("the other stream is ready", cudaStreamQuery(other), cudaSuccess);
    expect("not-ready is not a last error", cudaGetLastError(), cudaSuccess);
    gate.unlock();
    CHECK(cudaMemcpyAsync(device, gate.pinned, sizeof(int), cudaMemcpyHostToDevice, s));
    add<<<1, 1, 0, s>>>(device, 5);
    CHECK(cudaMemcpyAsync(&result, device, sizeof(int), cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamAddCallback(s, seen, &status, 0));
    CHECK(cudaLaunchHostFunc(s, callCuda, &inside));
    CHECK(cudaStreamSynchronize(s));
    expect("the copy waits for the host function", result, 105);
    expect("callback status", status, 1000);
    expect("CUDA inside a host function", inside, cudaErrorNotPermitted);
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(gate.pinned));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(other));
}

static void events() {
    cudaEvent_t start, stop, plain;
    cudaStream_t s;
    int least, greatest, priority;
    unsigned flags;
    float ms = -1;
    int *device;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamGetPriority(s, &priority));
    CHECK(cudaStreamGetFlags(s, &flags));
    expect("priority", priority, greatest);
    expect("flags", flags, cudaStreamNonBlocking);
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    CHECK(cudaMalloc(&device, sizeof(int)));
    CHECK(cudaMemsetAsync(device, 0, sizeof(int), s));
    expect("query before record", cudaEventQuery(start), cudaSuccess);
    expect("time before record", cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    CHECK(cudaEventRecord(start, s));
    for (int i = 0; i < 5; i++) add<<<1, 1, 0, s>>>(device, 1);
    CHECK(cudaEventRecord(stop, s));
    CHECK(cudaEventRecord(plain, s));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    expect("a plausible time", ms > 0 && ms < 60000, 1);
    expect("time without timing", cudaEventElapsedTime(&ms, start, plain), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    CHECK(cudaFree(device));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaEventDestroy(plain));
    CHECK(cudaStreamDestroy(s));
}

// Each thread works in its own default stream and in one that it makes.
static void worker(int *sum) {
    int *device;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&device, sizeof(int)));
    CHECK(cudaMemsetAsync(device, 0, sizeof(int), cudaStreamPerThread));
    for (int i = 1; i <= 50; i++) {
        add<<<1, 1, 0, cudaStreamPerThread>>>(device, i);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    add<<<1, 1, 0, s>>>(device, 1);
    CHECK(cudaMemcpyAsync(sum, device, sizeof(int), cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaFree(device));
    CHECK(cudaStreamDestroy(s));
}

int main() {
    ordered();
    events();
    int sums[8] = {};
    std::vector<std::thread> threads;
    for (int &s : sums) threads.emplace_back(worker, &s);
    for (auto &t : threads) t.join();
    for (int s : sums) expect("a thread's sum", s, 50 * 51 / 2 + 1);
    printf("callbacks: %s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
