// What orders work of several streams, and what does not: pipelines, events,
// default streams, graphs, memory in the order of streams, several threads.
#include <cstdio>
#include <thread>
#include <cuda_runtime.h>
const int N = 256, BYTES = N * sizeof(int);
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void produce(int *a) { a[ID] = ID; }
__global__ void scale(const int *a, int *b) { b[ID] = 2 * a[ID]; }
#define PRODUCE(stream, a) produce<<<2, 128, 0, stream>>>(a)
#define SCALE(stream, a, b) scale<<<2, 128, 0, stream>>>(a, b)
#define COPY(stream, to, from) cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDeviceToDevice, stream)
#define FILL(stream, a) cudaMemsetAsync(a, 1, BYTES, stream)

struct Test {
    cudaStream_t s, t, u;
    cudaEvent_t e, f;
    int *a, *b, *c;
    explicit Test(unsigned flags = cudaStreamNonBlocking) {
        for (cudaStream_t *p : {&s, &t, &u}) cudaStreamCreateWithFlags(p, flags);
        for (cudaEvent_t *p : {&e, &f}) cudaEventCreateWithFlags(p, cudaEventDisableTiming);
        for (int **p : {&a, &b, &c}) {
            cudaMalloc(p, BYTES);
            cudaMemset(*p, 0, BYTES);
        }
        cudaDeviceSynchronize();
    }
    ~Test() {
        if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) printf("FAIL\n");
        for (int *p : {a, b, c}) cudaFree(p);
        for (cudaStream_t x : {s, t, u}) cudaStreamDestroy(x);
        for (cudaEvent_t x : {e, f}) cudaEventDestroy(x);
    }
};

// Pipelines.
void pipeline() { // upload, compute, download; buffers of the round before the last
    Test x;
    int *in[2] = {x.a, x.b};
    cudaEvent_t loaded[2], used[2];
    for (int k = 0; k < 2; k++) cudaEventCreate(&loaded[k]), cudaEventCreate(&used[k]);
    for (int i = 0; i < 6; i++) {
        int k = i % 2;
        if (i >= 2) cudaStreamWaitEvent(x.s, used[k], 0);
        FILL(x.s, in[k]);
        cudaEventRecord(loaded[k], x.s);
        cudaStreamWaitEvent(x.t, loaded[k], 0);
        SCALE(x.t, in[k], x.c);
        cudaEventRecord(used[k], x.t);
    }
    cudaDeviceSynchronize();
    for (int k = 0; k < 2; k++) cudaEventDestroy(loaded[k]), cudaEventDestroy(used[k]);
}
void pipeline_without_back_edge() {
    Test x;
    for (int i = 0; i < 3; i++) {
        FILL(x.s, x.a); // want WAR streams-unordered/stream-order
        cudaEventRecord(x.e, x.s);
        cudaStreamWaitEvent(x.t, x.e, 0);
        SCALE(x.t, x.a, x.b);
    }
}
void fork_and_join() {
    Test x;
    FILL(x.s, x.a);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    cudaStreamWaitEvent(x.u, x.e, 0);
    SCALE(x.t, x.a, x.b);
    SCALE(x.u, x.a, x.c);
    cudaEventRecord(x.e, x.t);
    cudaEventRecord(x.f, x.u);
    cudaStreamWaitEvent(x.s, x.e, 0);
    cudaStreamWaitEvent(x.s, x.f, 0);
    COPY(x.s, x.a, x.b);
    COPY(x.s, x.a, x.c);
}
void join_of_one_only() {
    Test x;
    PRODUCE(x.t, x.b);
    PRODUCE(x.u, x.c);
    cudaEventRecord(x.e, x.t);
    cudaStreamWaitEvent(x.s, x.e, 0);
    COPY(x.s, x.a, x.b);
    COPY(x.s, x.a, x.c); // want RAW streams-unordered/stream-order
}

// Events.
void event_recorded_again() { // the wait is for what was recorded last before it
    Test x;
    PRODUCE(x.s, x.a);
    cudaEventRecord(x.e, x.s);
    PRODUCE(x.s, x.b);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    COPY(x.t, x.c, x.b);
}
void recorded_after_the_wait() {
    Test x;
    cudaStreamWaitEvent(x.t, x.e, 0);
    PRODUCE(x.s, x.a);
    cudaEventRecord(x.e, x.s);
    COPY(x.t, x.c, x.a); // want RAW streams-unordered/stream-order
}
void wait_before_second_record() { // it stays with the first
    Test x;
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    PRODUCE(x.s, x.a);
    cudaEventRecord(x.e, x.s);
    COPY(x.t, x.c, x.a); // want RAW streams-unordered/stream-order
}
void destroyed_event() { // its record happens all the same
    Test x;
    cudaEvent_t g;
    cudaEventCreate(&g);
    PRODUCE(x.s, x.a);
    cudaEventRecord(g, x.s);
    cudaStreamWaitEvent(x.t, g, 0);
    cudaEventDestroy(g);
    COPY(x.t, x.c, x.a);
}
void event_in_other_stream() {
    Test x;
    PRODUCE(x.s, x.a);
    cudaEventRecord(x.e, x.u);
    cudaStreamWaitEvent(x.t, x.e, 0);
    COPY(x.t, x.c, x.a); // want RAW streams-unordered/stream-order
}
void event_query_unordered() { // who asks for another event knows nothing
    Test x;
    cudaEventRecord(x.e, x.s);
    PRODUCE(x.s, x.a);
    while (cudaEventQuery(x.e) == cudaErrorNotReady) {}
    COPY(x.t, x.c, x.a); // want RAW streams-unordered/stream-order
}
void destroyed_stream() { // cudaStreamDestroy does not wait
    Test x;
    cudaStream_t v;
    cudaStreamCreateWithFlags(&v, cudaStreamNonBlocking);
    PRODUCE(v, x.a);
    cudaStreamDestroy(v);
    COPY(x.t, x.c, x.a); // want RAW streams-unordered/stream-order
}

// Default streams.
void legacy_joins_blocking() {
    Test x(cudaStreamDefault);
    PRODUCE(x.s, x.a);
    PRODUCE(x.t, x.b);
    COPY(0, x.c, x.a);
    COPY(0, x.c, x.b);
    FILL(x.u, x.c);
}
void legacy_by_event() {
    Test x;
    PRODUCE(0, x.a);
    cudaEventRecord(x.e, 0);
    cudaStreamWaitEvent(x.t, x.e, 0);
    COPY(x.t, x.c, x.a);
}
void event_of_default_stream_covers_blocking() { // a record is work of the default stream
    Test x(cudaStreamDefault);
    cudaStream_t v;
    cudaStreamCreateWithFlags(&v, cudaStreamNonBlocking);
    PRODUCE(x.s, x.a);
    cudaEventRecord(x.e, 0);
    cudaStreamWaitEvent(v, x.e, 0);
    COPY(v, x.c, x.a);
    cudaDeviceSynchronize();
    cudaStreamDestroy(v);
}
void per_thread_default() { // a blocking stream of its own
    Test x;
    PRODUCE(cudaStreamPerThread, x.a);
    COPY(0, x.c, x.a);
    COPY(cudaStreamPerThread, x.b, x.c);
    COPY(x.s, x.c, x.b); // want RAW streams-unordered/stream-order; WAW streams-unordered/stream-order; WAR streams-unordered/stream-order
}
void per_thread_of_two_threads() {
    Test x;
    PRODUCE(cudaStreamPerThread, x.a);
    std::thread([&] {
        COPY(cudaStreamPerThread, x.c, x.a); // want RAW streams-unordered/stream-order
    }).join();
}
void legacy_handle() { // cudaStreamLegacy is the default stream
    Test x;
    PRODUCE(cudaStreamLegacy, x.a);
    COPY(0, x.c, x.a);
}

// Memory that comes and goes in the order of a stream.
void freed_in_other_stream() { // the free has to come after the work
    Test x;
    int *p;
    cudaMallocAsync(&p, BYTES, x.s);
    PRODUCE(x.s, p);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    cudaFreeAsync(p, x.t);
}
void freed_too_early() {
    Test x;
    int *p;
    cudaMallocAsync(&p, BYTES, x.s);
    PRODUCE(x.s, p);
    cudaFreeAsync(p, x.t); // want WAW streams-unordered/stream-order
}
void used_before_it_is_there() {
    Test x;
    int *p;
    cudaMallocAsync(&p, BYTES, x.s);
    FILL(x.t, p); // want WAW streams-unordered/stream-order
    cudaStreamSynchronize(x.t);
    cudaFreeAsync(p, x.s);
}
void allocated_and_awaited() {
    Test x;
    int *p;
    cudaMallocAsync(&p, BYTES, x.s);
    cudaStreamSynchronize(x.s);
    FILL(x.t, p);
    cudaStreamSynchronize(x.t);
    cudaFreeAsync(p, x.u);
}
void used_in_other_stream() {
    Test x;
    int *p;
    cudaMallocAsync(&p, BYTES, x.s);
    PRODUCE(x.s, p);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    COPY(x.t, x.a, p);
    cudaEventRecord(x.f, x.t);
    cudaStreamWaitEvent(x.s, x.f, 0);
    cudaFreeAsync(p, x.s);
}

// Graphs.
cudaGraphExec_t captured(Test &x, bool joined) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(x.s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    PRODUCE(x.s, x.a);
    if (joined) {
        cudaEventRecord(x.f, x.s);
        cudaStreamWaitEvent(x.t, x.f, 0);
    }
    COPY(x.t, x.b, x.a); // want RAW streams-unordered/stream-order
    cudaEventRecord(x.f, x.t);
    cudaStreamWaitEvent(x.s, x.f, 0);
    cudaStreamEndCapture(x.s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    return exec;
}
void graph(bool joined) {
    Test x;
    cudaGraphExec_t g = captured(x, joined);
    cudaGraphLaunch(g, x.s);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(g);
}
void graph_twice() { // launches of one graph follow each other, in whatever streams
    Test x;
    cudaGraphExec_t g = captured(x, true);
    cudaGraphLaunch(g, x.s);
    cudaGraphLaunch(g, x.u);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(g);
}
void graph_and_stream() {
    Test x;
    cudaGraphExec_t g = captured(x, true);
    cudaGraphLaunch(g, x.s);
    COPY(x.s, x.c, x.b);
    cudaGraphLaunch(g, x.s);
    COPY(x.u, x.c, x.b); // want RAW streams-unordered/stream-order; WAW streams-unordered/stream-order
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(g);
}

// What the host waits for.
void callback(void *) {}
void host_function() {
    Test x;
    PRODUCE(x.s, x.a);
    cudaLaunchHostFunc(x.s, callback, nullptr);
    cudaStreamSynchronize(x.s);
    COPY(x.t, x.c, x.a);
}
void sync_of_another() {
    Test x;
    PRODUCE(x.s, x.a);
    cudaStreamSynchronize(x.u);
    COPY(x.t, x.c, x.a); // want RAW streams-unordered/stream-order
}
void blocking_copy() { // knows of its own stream only
    Test x;
    int here[N];
    PRODUCE(x.s, x.a);
    cudaMemcpy(here, x.b, BYTES, cudaMemcpyDeviceToHost);
    COPY(x.t, x.c, x.a); // want RAW streams-unordered/stream-order
}
void two_dimensions() { // columns 0 and 1 of a matrix
    Test x;
    cudaMemset2DAsync(x.a, 16, 0, 8, 16, x.s);
    cudaMemset2DAsync(reinterpret_cast<char *>(x.a) + 8, 16, 0, 8, 16, x.t);
    cudaMemset2DAsync(reinterpret_cast<char *>(x.a) + 4, 16, 0, 8, 16, x.u); // want WAW streams-unordered/stream-order
}
__device__ int symbol[N];
void symbols() {
    Test x;
    int *p;
    cudaGetSymbolAddress(reinterpret_cast<void **>(&p), symbol);
    PRODUCE(x.s, p);
    cudaMemcpyFromSymbolAsync(x.b, symbol, BYTES, 0, cudaMemcpyDeviceToDevice, x.t); // want RAW streams-unordered/stream-order
    cudaDeviceSynchronize();
    cudaMemcpyToSymbolAsync(symbol, x.b, BYTES, 0, cudaMemcpyDeviceToDevice, x.t);
    SCALE(x.t, p, x.c);
}
void peer() {
    Test x;
    PRODUCE(x.s, x.a);
    cudaMemcpyPeerAsync(x.b, 0, x.a, 0, BYTES, x.s);
    cudaMemcpyPeerAsync(x.c, 0, x.b, 0, BYTES, x.t); // want RAW streams-unordered/stream-order
}

int main() {
    pipeline(); pipeline_without_back_edge(); fork_and_join(); join_of_one_only();
    event_recorded_again(); recorded_after_the_wait(); wait_before_second_record(); destroyed_event();
    event_in_other_stream(); event_query_unordered(); destroyed_stream();
    legacy_joins_blocking(); legacy_by_event(); event_of_default_stream_covers_blocking(); per_thread_default();
    per_thread_of_two_threads(); legacy_handle();
    freed_in_other_stream(); freed_too_early(); used_before_it_is_there(); allocated_and_awaited();
    used_in_other_stream();
    graph(true); graph(false); graph_twice(); graph_and_stream();
    host_function(); sync_of_another(); blocking_copy(); two_dimensions(); symbols(); peer();
}
