// Flags in page-locked memory by which a kernel tells the host something.
#include <atomic>
#include <cstdio>
#include <cuda_runtime.h>
const int N = 64;

__global__ void fenced(int *data, volatile int *flag) {
    data[threadIdx.x] = threadIdx.x;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *flag = 1;
    }
}
__global__ void unfenced(int *data, volatile int *flag) {
    data[0] = 1;
    *flag = 1;
}
__global__ void fenced_for_device(int *data, volatile int *flag) {
    data[0] = 1;
    __threadfence();
    *flag = 1;
}
__global__ void plain(int *flag) { *flag = 1; }
__global__ void by_system_atomic(int *data, int *flag) {
    data[0] = 1;
    __threadfence_system();
    atomicExch_system(flag, 1);
}
__global__ void by_device_atomic(int *flag) { atomicExch(flag, 1); }
__global__ void progress(volatile int *done) {
    for (int i = 1; i <= 8; i++) *done = i;
}

struct Test {
    int *data, *flag, *shared;
    Test() {
        cudaMallocHost(&data, N * sizeof(int));
        cudaMallocHost(&flag, sizeof(int));
        cudaMallocManaged(&shared, sizeof(int));
        *flag = *shared = 0;
    }
    ~Test() {
        if (cudaDeviceSynchronize() != cudaSuccess) printf("FAIL\n");
        cudaFreeHost(data);
        cudaFreeHost(flag);
        cudaFree(shared);
    }
    void poll() {
        while (*static_cast<volatile int *>(flag) == 0) {}
    }
};
static volatile int sink;

void published() {
    Test x;
    fenced<<<1, N>>>(x.data, x.flag);
    x.poll();
    sink = x.data[3];
}
void read_before_flag() {
    Test x;
    fenced<<<1, N>>>(x.data, x.flag);
    sink = x.data[3]; // want RAW host-unordered/host-wait
    x.poll();
}
void no_fence() {
    Test x;
    unfenced<<<1, 1>>>(x.data, x.flag);
    x.poll();
    sink = x.data[0]; // want RAW no-fence/fence
}
void narrow_fence() {
    Test x;
    fenced_for_device<<<1, 1>>>(x.data, x.flag);
    x.poll();
    sink = x.data[0]; // want RAW narrow-scope/scope
}
void plain_flag() {
    Test x;
    plain<<<1, 1>>>(x.flag);
    while (*static_cast<volatile int *>(x.flag) == 0) {} // want RAW not-volatile/volatile
}
void plain_on_the_host() {
    Test x;
    fenced<<<1, N>>>(x.data, x.flag);
    sink = *x.flag; // want RAW host-unordered/host-wait
}
void atomics() {
    Test x;
    by_system_atomic<<<1, 1>>>(x.data, x.flag);
    while (reinterpret_cast<std::atomic<int> *>(x.flag)->load(std::memory_order_acquire) == 0) {}
    sink = x.data[0];
}
void builtins() {
    Test x;
    by_system_atomic<<<1, 1>>>(x.data, x.flag);
    while (__atomic_load_n(x.flag, __ATOMIC_ACQUIRE) == 0) {}
    sink = x.data[0];
}
void narrow_atomic() {
    Test x;
    by_device_atomic<<<1, 1>>>(x.flag);
    sink = __atomic_load_n(x.flag, __ATOMIC_ACQUIRE); // want warning RAW narrow-scope/scope
    __atomic_fetch_add(x.flag, 1, __ATOMIC_SEQ_CST); // want error narrow-scope/scope
}
void progress_bar() {
    Test x;
    progress<<<1, 1>>>(x.shared);
    while (*static_cast<volatile int *>(x.shared) < 8) {}
}

int main() {
    published(); read_before_flag(); no_fence(); narrow_fence(); plain_flag(); plain_on_the_host(); atomics(); builtins();
    narrow_atomic(); progress_bar();
}
