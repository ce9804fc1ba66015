// Failed calls whose error the program never reads, by default: later work depends on them. Kernels that print at the end.
// clean: macro compared argument object stored asked cleared null_checked limit said_nothing said_and_copied said_and_reset
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fill(int *a) {
    a[threadIdx.x] = threadIdx.x; // want(null) memory out-of-bounds // want(garbage) memory out-of-bounds // want(managed) memory out-of-bounds
}

__global__ void say(int n) {
    if (threadIdx.x < n) printf("thread %d\n", threadIdx.x);
}

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t status = (call);                                   \
        if (status != cudaSuccess) puts(cudaGetErrorName(status));     \
    } while (0)

const size_t huge = size_t(1) << 50;
cudaError_t saved;
bool succeeded(cudaError_t e) { return e == cudaSuccess; }

struct Status {
    Status(cudaError_t e) : error(e) {}
    cudaError_t error;
};

void allocate(int **p) {
    cudaMalloc(p, huge); // want(helper) api unread warning
}

void use(int *p) {
    fill<<<1, 64>>>(p);
    if (cudaDeviceSynchronize() != cudaSuccess) puts("the kernel failed");
}

// One function for each, since the compiler joins equal ends of branches, which then have no line.
__attribute__((noinline)) int useNull() {
    int *p = nullptr;
    cudaMalloc(&p, huge); // want(null) api unread warning
    use(p);
    return 0;
}

__attribute__((noinline)) int useGarbage() {
    int *p = reinterpret_cast<int *>(0x1234560000);
    cudaMalloc(&p, huge); // want(garbage) api unread warning
    use(p);
    return 1;
}

__attribute__((noinline)) int useManaged() {
    int *p = nullptr;
    cudaMallocManaged(&p, huge); // want(managed) api unread warning
    use(p);
    return 2;
}

int main(int argc, char **argv) {
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    int *p = nullptr, *q;
    CHECK(cudaMalloc(&q, 64 * sizeof(int)));

    if (is("null")) return useNull();
    if (is("garbage")) return useGarbage();
    if (is("managed")) return useManaged();
    if (is("helper")) allocate(&p);
    if (is("driver")) {
        CUdeviceptr d = 0;
        cuMemAlloc(&d, huge); // want(driver) api unread warning
    }
    if (is("device")) cudaSetDevice(7); // want(device) api unread warning
    if (is("macro")) CHECK(cudaMalloc(&p, huge));
    if (is("compared") && cudaSetDevice(7) != cudaSuccess) puts("no such device");
    if (is("argument") && !succeeded(cudaMalloc(&p, huge))) puts("no memory");
    if (is("object")) Status s(cudaMalloc(&p, huge));
    if (is("stored")) saved = cudaSetDevice(7);
    if (is("asked")) {
        cudaMalloc(&p, huge);
        CHECK(cudaGetLastError());
    }
    if (is("cleared")) { // an expected failure
        cudaSetDevice(7);
        cudaGetLastError();
    }
    if (is("null_checked")) {
        int *r = nullptr;
        cudaMalloc(&r, huge);
        if (!r) puts("no memory");
    }
    if (is("limit")) cudaDeviceSetLimit(cudaLimitStackSize, size_t(1) << 40);
    use(q);
    // A GPU writes out what a kernel prints when the host waits, and not when the program ends.
    if (is("said")) say<<<1, 32>>>(2); // want(said) api unseen-printf info
    if (is("said_nothing")) say<<<1, 32>>>(0);
    if (is("said_between")) {
        say<<<1, 32>>>(2); // want(said_between) api unseen-printf info
        fill<<<1, 64>>>(q);
    }
    if (is("said_and_copied")) {
        int first;
        say<<<1, 32>>>(2);
        CHECK(cudaMemcpy(&first, q, sizeof first, cudaMemcpyDeviceToHost));
    }
    if (is("said_and_reset")) {
        say<<<1, 32>>>(2);
        CHECK(cudaDeviceReset());
    }
    return 0;
}
