// Streams that wait for a value in memory, which the host, a kernel or another stream writes later.
// clean: host stream kernel chain there greater bits nor wide batch events graph host_after copy polled
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void use(const int *p, int *out) {
    out[threadIdx.x] = p[threadIdx.x];  // want(no_barrier) race RAW // want(no_fence) race RAW // want(other_word) race RAW
}
__global__ void fill_and_raise(int *p, volatile unsigned *word) {
    p[threadIdx.x] = 5;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) *word = 1;
}
__global__ void fill_and_raise_early(int *p, volatile unsigned *word) {
    p[threadIdx.x] = 5;
    __syncthreads();
    if (threadIdx.x == 0) *word = 1;
}
__global__ void poll(volatile unsigned *word, const int *p, int *out) {
    while (*word == 0) {}
    __threadfence_system();
    out[0] = p[0];
}

static void check(int got, int want) {
    if (got != want) {
        printf("%d, want %d\n", got, want);
        exit(9);
    }
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *p, *out, *h, got = 0;
    unsigned *host, *w;
    cudaHostAlloc(&host, 256, cudaHostAllocMapped);
    cudaHostAlloc(&h, 128, cudaHostAllocMapped);
    memset(host, 0, 256);
    memset(h, 0, 128);
    volatile unsigned *flag = host;
    cudaMalloc(&p, 128); cudaMalloc(&out, 128); cudaMalloc(&w, 256);
    cudaMemset(p, 0, 128); cudaMemset(out, 0, 128); cudaMemset(w, 0, 256);
    fill<<<1, 1>>>(out, 0);
    cudaDeviceSynchronize();
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    auto word = [&](int i) { return (CUdeviceptr)(w + i); };
    auto on_host = (CUdeviceptr)host;

    if (is("host") || is("host_after")) { // the host's writes before the flag are ordered too
        cuStreamWaitValue32(b, on_host, 1, CU_STREAM_WAIT_VALUE_EQ);
        cudaMemcpyAsync(p, h, 128, cudaMemcpyHostToDevice, b);
        use<<<1, 32, 0, b>>>(p, out);
        check(cudaStreamQuery(b), cudaErrorNotReady);
        for (int i = 0; i < 32; i++) h[i] = 7;
        *flag = 1;
        check(cudaStreamSynchronize(b), cudaSuccess);
        if (is("host_after")) h[0] = 8;
        cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost);
        check(got, 7);
    }
    if (is("host_early")) { // the flag comes before the data
        cuStreamWaitValue32(b, on_host, 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(h, out);
        *flag = 1;
        h[0] = 7;  // want(host_early) race WAR
        cudaStreamSynchronize(b);
    }
    if (is("stream") || is("after_write") || is("no_barrier")) {
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(p, out);
        if (!is("after_write")) fill<<<1, 32, 0, a>>>(p, 3);
        cuStreamWriteValue32(a, word(0), 1, is("no_barrier") ? CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER : 0);
        if (is("after_write")) cudaMemsetAsync(p, 1, 128, a);  // want(after_write) race WAR
        cudaMemcpyAsync(&got, out, 4, cudaMemcpyDeviceToHost, b);
        check(got, is("after_write") ? 0 : 3);
    }
    if (is("kernel") || is("no_fence")) {
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(p, out);
        if (is("kernel")) fill_and_raise<<<1, 32, 0, a>>>(p, w);
        else fill_and_raise_early<<<1, 32, 0, a>>>(p, w);
        cudaMemcpyAsync(&got, out, 4, cudaMemcpyDeviceToHost, b);
        check(got, 5);
    }
    if (is("chain")) { // two streams take turns, all enqueued before the host begins
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_GEQ);
        fill<<<1, 32, 0, b>>>(p, 2);
        cuStreamWriteValue32(b, word(0), 2, 0);
        cuStreamWaitValue32(b, word(0), 3, CU_STREAM_WAIT_VALUE_GEQ);
        use<<<1, 32, 0, b>>>(p, out);
        cuStreamWaitValue32(a, on_host, 1, CU_STREAM_WAIT_VALUE_EQ);
        fill<<<1, 32, 0, a>>>(p, 1);
        cuStreamWriteValue32(a, word(0), 1, 0);
        cuStreamWaitValue32(a, word(0), 2, CU_STREAM_WAIT_VALUE_GEQ);
        fill<<<1, 32, 0, a>>>(p, 3);
        cuStreamWriteValue32(a, word(0), 3, 0);
        *flag = 1;
        cudaMemcpyAsync(&got, out, 4, cudaMemcpyDeviceToHost, b);
        check(got, 3);
    }
    if (is("there")) { // the value has come before
        fill<<<1, 32, 0, a>>>(p, 4);
        cuStreamWriteValue32(a, word(0), 1, 0);
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(p, out);
    }
    if (is("other_word")) { // what was waited for is the write of another stream
        fill<<<1, 32, 0, a>>>(p, 4);
        cuStreamWriteValue32(a, word(1), 1, 0);
        cuStreamWriteValue32(0, word(0), 1, 0);
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(p, out);
    }
    if (is("greater") || is("bits") || is("nor") || is("wide")) {
        if (is("greater")) {
            cuStreamWaitValue32(b, word(0), 5, CU_STREAM_WAIT_VALUE_GEQ);
            cuStreamWriteValue32(a, word(0), 0xffffffffu, 0); // -1, compared cyclically
        } else if (is("bits")) {
            cuStreamWaitValue32(b, word(0), 6, CU_STREAM_WAIT_VALUE_AND);
            cuStreamWriteValue32(a, word(0), 9, 0);
        } else if (is("nor")) {
            cuStreamWriteValue32(a, word(0), 0xfffffff0u, 0);
            cudaStreamSynchronize(a);
            cuStreamWaitValue32(b, word(0), 0xf, CU_STREAM_WAIT_VALUE_NOR);
        } else {
            cuStreamWaitValue64(b, word(0), 1ull << 40, CU_STREAM_WAIT_VALUE_EQ);
            cuStreamWriteValue32(a, word(0) + 4, 1, 0);
        }
        check(cudaStreamQuery(b), cudaErrorNotReady);
        if (is("greater")) cuStreamWriteValue32(a, word(0), 6, 0);
        if (is("bits")) cuStreamWriteValue32(a, word(0), 8 + 2, 0);
        if (is("nor")) cuStreamWriteValue32(a, word(0), 0, 0);
        if (is("wide")) cuStreamWriteValue64(a, word(0), 1ull << 40, 0);
        check(cudaStreamSynchronize(b), cudaSuccess);
    }
    if (is("batch")) {
        CUstreamBatchMemOpParams ops[2] = {};
        ops[0].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, on_host, {1}, CU_STREAM_WAIT_VALUE_EQ, 0};
        ops[1].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, word(0), {1}, 0, 0};
        cuStreamBatchMemOp(a, 2, ops, 0);
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(h, out);
        h[0] = 6;
        *flag = 1;
        cudaMemcpyAsync(&got, out, 4, cudaMemcpyDeviceToHost, b);
        check(got, 6);
    }
    if (is("events")) { // what waits for the waiting stream by an event
        cudaEvent_t e;
        cudaEventCreate(&e);
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        cudaEventRecord(e, b);
        cudaStreamWaitEvent(0, e, 0);
        use<<<1, 32>>>(p, out);
        fill<<<1, 32, 0, a>>>(p, 3);
        cuStreamWriteValue32(a, word(0), 1, 0);
    }
    if (is("graph")) {
        cudaGraph_t g;
        cudaGraphExec_t exec;
        cudaStreamBeginCapture(b, cudaStreamCaptureModeRelaxed);
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(p, out);
        cudaStreamEndCapture(b, &g);
        cudaGraphInstantiate(&exec, g, 0);
        cudaGraphLaunch(exec, b);
        fill<<<1, 32, 0, a>>>(p, 3);
        cuStreamWriteValue32(a, word(0), 1, 0);
    }
    if (is("copy")) { // a copy begins when what is before it in its stream has ended
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);
        use<<<1, 32, 0, b>>>(p, out);
        fill<<<1, 32, 0, a>>>(p, 3);
        h[0] = 1;
        cudaMemcpyAsync(w, h, 4, cudaMemcpyHostToDevice, a);
    }
    if (is("polled")) { // a kernel waits for what a stream writes
        poll<<<1, 1, 0, b>>>(w, p, out);
        fill<<<1, 32, 0, a>>>(p, 3);
        cuStreamWriteValue32(a, word(0), 1, 0);
    }
    if (is("never"))
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);  // want(never) hang value
    if (is("less")) {
        cuStreamWaitValue32(b, word(0), 2, CU_STREAM_WAIT_VALUE_GEQ);  // want(less) hang value
        cuStreamWriteValue32(a, word(0), 1, 0);
    }
    if (is("same_stream")) {
        cuStreamWaitValue32(b, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);  // want(same_stream) hang value
        cuStreamWriteValue32(b, word(0), 1, 0);
    }
    if (is("cycle")) {
        cuStreamWaitValue32(a, word(0), 1, CU_STREAM_WAIT_VALUE_EQ);  // want(cycle) hang value
        cuStreamWriteValue32(a, word(1), 1, 0);
        cuStreamWaitValue32(b, word(1), 1, CU_STREAM_WAIT_VALUE_EQ);
        cuStreamWriteValue32(b, word(0), 1, 0);
    }
    if (is("host_waits")) { // the host would write it, but waits itself
        cuStreamWaitValue32(b, on_host, 1, CU_STREAM_WAIT_VALUE_EQ);  // want(host_waits) hang value
        check(cudaStreamSynchronize(b), cudaErrorLaunchTimeout);
        *flag = 1;
        return 0;
    }
    cudaDeviceSynchronize();
    cudaFree(p); cudaFree(out); cudaFree(w); cudaFreeHost(host); cudaFreeHost(h);
    return 0;
}
