// Host functions of streams are work of their streams.
// clean: same_stream event_between host_waits reads_only then_host legacy
// clean: later_same later_event later_value slow
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <unistd.h>

struct Job { int *a; int n; };

__global__ void use(const int *a, int *out) {
    out[threadIdx.x] = a[threadIdx.x];  // want(other_stream) race RAW // want(callback) race RAW // want(graph) race RAW // want(later_other) race RAW
}
__global__ void poll(volatile int *flag) { while (*flag == 0) {} }
__global__ void overwrite(int *a) {
    a[threadIdx.x] = 1;  // want(read_late) race WAR
}

static void fill(void *p) {
    Job *j = (Job *)p;
    for (int i = 0; i < j->n; i++) j->a[i] = i;  // want(wrong_order) race WAR
}
static void fill_slowly(void *p) { usleep(100000); fill(p); }
static void filled(cudaStream_t, cudaError_t, void *p) { fill(p); }
static long total;
static void add(void *p) {
    Job *j = (Job *)p;
    for (int i = 0; i < j->n; i++) total += j->a[i];
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *a, *out;
    cudaMallocHost(&a, 128);
    cudaMalloc(&out, 128);
    memset(a, 0, 128);
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEvent_t e;
    cudaEventCreate(&e);
    Job j{a, 32};
    int *flag;
    cudaMallocHost(&flag, 64);
    flag[0] = flag[1] = 0;
    bool later = !strncmp(argv[1], "later", 5); // the function waits for a kernel
    if (later) {
        poll<<<1, 1, 0, s>>>(flag);
        cudaLaunchHostFunc(s, fill, &j);
        if (is("later_event")) {
            cudaEventRecord(e, s);
            cudaStreamWaitEvent(t, e, 0);
        }
        if (is("later_value")) {
            cuStreamWriteValue32(s, (CUdeviceptr)(flag + 1), 1, 0);
            cuStreamWaitValue32(t, (CUdeviceptr)(flag + 1), 1, CU_STREAM_WAIT_VALUE_EQ);
        }
        use<<<1, 32, 0, is("later_same") ? s : t>>>(a, out);
        *(volatile int *)flag = 1;
        cudaDeviceSynchronize();
        return 0;
    }
    if (is("slow")) {
        cudaLaunchHostFunc(s, fill_slowly, &j);
        use<<<1, 32, 0, s>>>(a, out);
        if (cudaStreamQuery(s) != cudaErrorNotReady) printf("failed\n");
        cudaMemcpyAsync(&total, out + 3, 4, cudaMemcpyDeviceToHost, s);
        if (total != 3) printf("failed: %ld\n", total);
        return 0;
    }
    if (is("wrong_order")) {
        use<<<1, 32, 0, t>>>(a, out);
        cudaLaunchHostFunc(s, fill, &j);
    } else if (is("callback")) {
        cudaStreamAddCallback(s, filled, &j, 0);
    } else if (is("read_late") || is("reads_only")) {
        cudaLaunchHostFunc(s, add, &j);
    } else if (is("graph")) {
        cudaGraph_t g;
        cudaGraphExec_t exec;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaLaunchHostFunc(s, fill, &j);
        cudaStreamEndCapture(s, &g);
        cudaGraphInstantiate(&exec, g, 0);
        cudaGraphLaunch(exec, s);
    } else if (is("legacy")) {
        cudaLaunchHostFunc(0, fill, &j);
        use<<<1, 32>>>(a, out);
    } else {
        cudaLaunchHostFunc(s, fill, &j);
    }
    if (is("event_between")) {
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e, 0);
    }
    if (is("host_waits") || is("then_host")) cudaStreamSynchronize(s);
    if (is("then_host")) printf("%d\n", a[3]);
    if (is("then_host")) use<<<1, 32, 0, t>>>(a, out);
    if (is("same_stream")) use<<<1, 32, 0, s>>>(a, out);
    if (is("event_between") || is("host_waits") || is("other_stream") || is("callback") || is("graph") || is("reads_only"))
        use<<<1, 32, 0, t>>>(a, out);
    if (is("read_late")) overwrite<<<1, 32, 0, t>>>(a);
    if (cudaDeviceSynchronize()) printf("failed\n");
    printf("%ld\n", total);
}
