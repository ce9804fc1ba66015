// Default streams of single threads: functions that are compiled for them, or asked for by a flag.
// clean: legacy_kernels legacy_entry joined one_thread
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <thread>

__global__ void add(int *a) { a[threadIdx.x] += 1; }  // want(kernels) race RAW // want(kernels) race WAR // want(kernels) race WAW // want(entry) race RAW // want(entry) race WAR // want(entry) race WAW

extern "C" cudaError_t cudaLaunchKernel_ptsz(const void *, dim3, dim3, void **, size_t, cudaStream_t);
extern "C" cudaError_t cudaMemsetAsync_ptsz(void *, int, size_t, cudaStream_t);
extern "C" cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t);

static bool wait;

static void perThread(int *a) {
    void *args[] = {&a};
    cudaLaunchKernel_ptsz((const void *)add, dim3(1), dim3(32), args, 0, 0);
    if (wait) cudaStreamSynchronize_ptsz(0);
}

static void fill(int *a) {
    cudaMemsetAsync_ptsz(a, 0, 128, 0);  // want(fills) race WAW
}

static void legacy(int *a) { add<<<1, 32>>>(a); }

typedef CUresult (*Launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);

static unsigned long long flag;

static void entry(int *a) {
    void *args[] = {&a};
    Launch launch = nullptr;
    cudaFunction_t f;
    cudaGetFuncBySymbol(&f, (const void *)add);
    cuGetProcAddress("cuLaunchKernel", (void **)&launch, 12000, flag, nullptr);
    launch((CUfunction)f, 1, 1, 1, 32, 1, 1, 0, 0, args, nullptr);
}

static void both(void (*f)(int *), int *a, bool same = false) {
    if (same) {
        f(a);
        f(a);
        return;
    }
    std::thread(f, a).join();
    std::thread(f, a).join();
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *a;
    cudaMalloc(&a, 128);
    cudaMemset(a, 0, 128);
    cudaDeviceSynchronize();
    flag = is("entry") ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM : CU_GET_PROC_ADDRESS_LEGACY_STREAM;
    wait = is("joined");
    if (is("kernels") || is("joined")) both(perThread, a);
    if (is("one_thread")) both(perThread, a, true);
    if (is("fills")) both(fill, a);
    if (is("legacy_kernels")) both(legacy, a);
    if (is("entry") || is("legacy_entry")) both(entry, a);
    if (cudaDeviceSynchronize()) printf("failed\n");
}
