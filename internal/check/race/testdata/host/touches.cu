// Accesses of host code to managed, page-locked and registered memory.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <numeric>
#include <thread>
#include <unistd.h>
#include <cuda_runtime.h>
const int N = 256;
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void produce(int *a) { a[ID] = ID; }
__global__ void half(int *a, int from) { a[from + ID] = ID; }
__global__ void consume(const int *a, int *b) { b[ID] = a[ID]; }
__global__ void count(int *a) { atomicAdd(a, 1); }
__managed__ int table[N];
__managed__ int single;
static volatile int sink;

struct Test {
    cudaStream_t s, t;
    cudaEvent_t e;
    int *managed, *pinned, *device;
    explicit Test(unsigned flags = cudaStreamNonBlocking) {
        cudaStreamCreateWithFlags(&s, flags);
        cudaStreamCreateWithFlags(&t, flags);
        cudaEventCreate(&e);
        cudaMallocManaged(&managed, 2 * N * sizeof(int));
        cudaMallocHost(&pinned, 2 * N * sizeof(int));
        cudaMalloc(&device, 2 * N * sizeof(int));
        cudaMemset(device, 0, 2 * N * sizeof(int));
        cudaDeviceSynchronize();
        for (int i = 0; i < 2 * N; i++) managed[i] = pinned[i] = i;
    }
    ~Test() {
        if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
        cudaFree(managed);
        cudaFreeHost(pinned);
        cudaFree(device);
        cudaEventDestroy(e);
        cudaStreamDestroy(s);
        cudaStreamDestroy(t);
    }
};

// Results of kernels in managed memory.
void read_too_early() {
    Test x;
    produce<<<2, 128>>>(x.managed);
    sink = x.managed[3]; // want RAW host-unordered/host-wait
}
void write_too_early() {
    Test x;
    consume<<<2, 128>>>(x.managed, x.device);
    x.managed[3] = 1; // want WAR host-unordered/host-wait
}
void overwrite_too_early() {
    Test x;
    produce<<<2, 128>>>(x.managed);
    x.managed[3] = 1; // want WAW host-unordered/host-wait
}
void update_too_early() {
    Test x;
    produce<<<2, 128>>>(x.managed);
    x.managed[3] += 1; // want host-unordered/host-wait
}
void loop_too_early() {
    Test x;
    produce<<<2, 128>>>(x.managed);
    int sum = 0;
    for (int i = 0; i < N; i++) sum += x.managed[i]; // want RAW host-unordered/host-wait
    sink = sum;
}
void both_read() {
    Test x;
    consume<<<2, 128>>>(x.managed, x.device);
    sink = x.managed[3];
}
void other_half() {
    Test x;
    half<<<1, 128>>>(x.managed, 0);
    sink = x.managed[128];
    x.managed[N - 1] = 7;
    sink = x.managed[127]; // want RAW host-unordered/host-wait
}
void managed_variables() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(table);
    sink = table[5]; // want RAW host-unordered/host-wait
    cudaStreamSynchronize(x.s);
    sink = table[5];
    count<<<1, 32, 0, x.s>>>(&single);
    single = 3; // want WAW host-unordered/host-wait
    cudaStreamSynchronize(x.s);
    single = 3;
}

// What waits and what does not.
void waits() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaDeviceSynchronize();
    sink = x.managed[0];
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaStreamSynchronize(x.s);
    x.managed[0] = 1;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaEventRecord(x.e, x.s);
    cudaEventSynchronize(x.e);
    x.managed[0] = 1;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    while (cudaStreamQuery(x.s) == cudaErrorNotReady) {}
    x.managed[0] = 1;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaEventRecord(x.e, x.s);
    while (cudaEventQuery(x.e) == cudaErrorNotReady) {}
    x.managed[0] = 1;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaEventRecord(x.e, x.s);
    cudaStreamWaitEvent(x.t, x.e, 0);
    cudaStreamSynchronize(x.t);
    x.managed[0] = 1;
}
void free_waits() {
    Test x;
    int *p;
    cudaMalloc(&p, 4);
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaFree(p);
    x.managed[0] = 1;
}
void blocking_copy_waits() {
    Test x(cudaStreamDefault);
    int here[N];
    produce<<<2, 128>>>(x.managed);
    cudaMemcpy(here, x.device, sizeof here, cudaMemcpyDeviceToHost);
    sink = x.managed[0];
    produce<<<2, 128, 0, x.s>>>(x.managed); // a blocking stream: the default stream waits for it
    cudaMemcpy(here, x.device, sizeof here, cudaMemcpyDeviceToHost);
    sink = x.managed[0];
}
void copy_does_not_wait_for_others() {
    Test x;
    int here[N];
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaMemcpy(here, x.device, sizeof here, cudaMemcpyDeviceToHost);
    sink = x.managed[0]; // want RAW host-unordered/host-wait
}
void waits_for_another_stream() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaStreamSynchronize(x.t);
    sink = x.managed[0]; // want RAW host-unordered/host-wait
}
void event_too_early() {
    Test x;
    cudaEventRecord(x.e, x.s);
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaEventSynchronize(x.e);
    sink = x.managed[0]; // want RAW host-unordered/host-wait
}
void event_not_awaited() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaEventRecord(x.e, x.s);
    sink = x.managed[0]; // want RAW host-unordered/host-wait
}

// Page-locked staging buffers and results.
void staging_reused() {
    Test x;
    cudaMemcpyAsync(x.device, x.pinned, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
    x.pinned[0] = 1; // want WAR host-unordered/host-wait
}
void staging_other_half() {
    Test x;
    cudaMemcpyAsync(x.device, x.pinned, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
    x.pinned[N] = 1;
    sink = x.pinned[0];
}
void staging_waited() {
    Test x;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < N; k++) x.pinned[k] = i;
        cudaMemcpyAsync(x.device, x.pinned, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
        consume<<<2, 128, 0, x.s>>>(x.device, x.device + N);
        cudaStreamSynchronize(x.s);
    }
}
void staging_double_buffer() { // waits for the copy of the round before the last
    Test x;
    cudaEvent_t done[2];
    for (auto &d : done) cudaEventCreate(&d);
    for (int i = 0; i < 6; i++) {
        int *h = x.pinned + i % 2 * N;
        if (i >= 2) cudaEventSynchronize(done[i % 2]);
        for (int k = 0; k < N; k++) h[k] = i;
        cudaMemcpyAsync(x.device, h, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
        cudaEventRecord(done[i % 2], x.s);
    }
    cudaDeviceSynchronize();
    for (auto &d : done) cudaEventDestroy(d);
}
void staging_wrong_event() {
    Test x;
    cudaEvent_t done[2];
    for (auto &d : done) cudaEventCreate(&d);
    for (int i = 0; i < 6; i++) {
        int *h = x.pinned + i % 2 * N;
        if (i >= 2) cudaEventSynchronize(done[i % 2]);
        for (int k = 0; k < N; k++)
            h[k] = i; // want WAR host-unordered/host-wait
        cudaEventRecord(done[i % 2], x.s);
        cudaMemcpyAsync(x.device, h, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
    }
    cudaDeviceSynchronize();
    for (auto &d : done) cudaEventDestroy(d);
}
void result_too_early() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.device);
    cudaMemcpyAsync(x.pinned, x.device, N * sizeof(int), cudaMemcpyDeviceToHost, x.s);
    sink = x.pinned[0]; // want RAW host-unordered/host-wait
}
void result_in_time() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.device);
    cudaMemcpyAsync(x.pinned, x.device, N * sizeof(int), cudaMemcpyDeviceToHost, x.s);
    cudaEventRecord(x.e, x.s);
    cudaEventSynchronize(x.e);
    sink = x.pinned[0];
}
void fill_of_pinned() {
    Test x;
    cudaMemsetAsync(x.pinned, 0, N * sizeof(int), x.s);
    sink = x.pinned[0]; // want RAW host-unordered/host-wait
}
void zero_copy() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.pinned);
    sink = x.pinned[0]; // want RAW host-unordered/host-wait
    cudaStreamSynchronize(x.s);
    sink = x.pinned[0];
}
void mapped() {
    Test x;
    int *host, *seen;
    cudaHostAlloc(&host, N * sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer(&seen, host, 0);
    produce<<<2, 128, 0, x.s>>>(seen);
    sink = host[0]; // want RAW host-unordered/host-wait
    cudaDeviceSynchronize();
    cudaFreeHost(host);
}
void registered() {
    Test x;
    int *host = static_cast<int *>(aligned_alloc(4096, 4096)); // at the same place of a page in each run
    for (int i = 0; i < 2 * N; i++) host[i] = i;
    cudaHostRegister(host, N * sizeof(int), cudaHostRegisterDefault);
    cudaMemcpyAsync(x.device, host, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
    host[0] = 1; // want WAR host-unordered/host-wait
    host[N] = 1;
    cudaStreamSynchronize(x.s);
    host[0] = 1;
    cudaHostUnregister(host);
    free(host);
}
void pageable_copies_wait() {
    Test x;
    int here[N] = {};
    cudaMemcpyAsync(here, x.device, sizeof here, cudaMemcpyDeviceToHost, x.s);
    here[0]++;
}

// Functions of the C library.
void by_functions(int value) {
    Test x;
    int here[N];
    produce<<<2, 128, 0, x.s>>>(x.managed);
    memcpy(here, x.managed, sizeof here); // want RAW host-unordered/host-wait
    sink = here[value];
    memset(here, value, sizeof here);
    sink = here[value];
    memmove(x.managed, here, sizeof here); // want WAW host-unordered/host-wait
    sink = here[value];
    memcpy(here, x.managed + N, sizeof here);
    memset(x.managed + N, 0, sizeof here);
    cudaStreamSynchronize(x.s);
    produce<<<2, 128, 0, x.s>>>(x.managed);
    memset(x.managed, value, sizeof here); // want WAW host-unordered/host-wait
}
void read_from_file() {
    Test x;
    FILE *f = fopen("/dev/zero", "rb");
    cudaMemcpyAsync(x.device, x.pinned, N * sizeof(int), cudaMemcpyHostToDevice, x.s);
    if (fread(x.pinned, sizeof(int), N, f) != N) printf("FAIL\n"); // want WAR host-unordered/host-wait
    if (read(fileno(f), x.pinned, 8) != 8) printf("FAIL\n"); // want WAR host-unordered/host-wait
    if (fread(x.pinned + N, sizeof(int), N, f) != N) printf("FAIL\n");
    fclose(f);
}
void written_to_file() {
    Test x;
    FILE *f = fopen("/dev/null", "wb");
    produce<<<2, 128, 0, x.s>>>(x.managed);
    fwrite(x.managed, sizeof(int), N, f); // want RAW host-unordered/host-wait
    if (write(fileno(f), x.managed, 8) != 8) printf("FAIL\n"); // want RAW host-unordered/host-wait
    fwrite(x.managed + N, sizeof(int), N, f);
    fclose(f);
}
void compared() {
    Test x;
    static int gold[N];
    produce<<<2, 128, 0, x.s>>>(x.managed);
    sink = memcmp(x.managed, gold, sizeof gold) == 0; // want RAW host-unordered/host-wait
    sink = memcmp(x.managed + N, gold, sizeof gold);
}
void by_the_library() { // code of headers is that of the line that uses it
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    sink = std::accumulate(x.managed, x.managed + N, 0); // want RAW host-unordered/host-wait
    std::sort(x.managed, x.managed + N); // want RAW host-unordered/host-wait; WAW host-unordered/host-wait
}
void in_threads() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    auto half = [&](int from) {
        for (int i = from; i < N; i += 2)
            x.managed[i]++; // want host-unordered/host-wait
    };
    std::thread even(half, 0), odd(half, 1);
    even.join();
    odd.join();
    cudaStreamSynchronize(x.s);
    produce<<<2, 128, 0, x.s>>>(x.managed + N);
    std::thread([&] { x.managed[0]++; }).join();
}
void printed() {
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    fprintf(stderr, "%d\n", x.managed[0]); // want RAW host-unordered/host-wait
}

// Host functions run in the order of their stream, and may tell the host.
void tell(void *p) { static_cast<std::promise<void> *>(p)->set_value(); }
void sum_up(void *p) {
    int *a = static_cast<int *>(p);
    for (int i = 1; i < N; i++) a[0] += a[i];
}
void host_function() {
    Test x;
    std::promise<void> done;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    cudaLaunchHostFunc(x.s, sum_up, x.managed);
    cudaLaunchHostFunc(x.s, tell, &done);
    done.get_future().wait();
    sink = x.managed[0];
}

struct Pair { int a, b; };
__global__ void first_member(Pair *p) { p->a = 1; }
void short_loop() { // which compilers make a few wide reads of
    Test x;
    produce<<<2, 128, 0, x.s>>>(x.managed);
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += x.managed[i]; // want RAW host-unordered/host-wait
    sink = sum;
}
void members() {
    Test x;
    Pair *p = reinterpret_cast<Pair *>(x.managed);
    first_member<<<1, 1, 0, x.s>>>(p);
    sink = p->b;
    Pair all = *p; // want RAW host-unordered/host-wait
    sink = all.a;
}

int main() {
    read_too_early(); write_too_early(); overwrite_too_early(); update_too_early(); loop_too_early(); both_read();
    other_half(); managed_variables();
    waits(); free_waits(); blocking_copy_waits(); copy_does_not_wait_for_others(); waits_for_another_stream();
    event_too_early(); event_not_awaited();
    staging_reused(); staging_other_half(); staging_waited(); staging_double_buffer(); staging_wrong_event();
    result_too_early(); result_in_time(); fill_of_pinned(); zero_copy(); mapped(); registered(); pageable_copies_wait();
    by_functions(rand() % N); read_from_file(); written_to_file(); compared(); by_the_library(); in_threads(); printed();
    host_function(); short_loop(); members();
}
