// Programs that find the driver and the runtime library while they run: dlopen and dlsym, cuGetProcAddress,
// cudaGetDriverEntryPoint. All of it is one runtime with one device.
#include <cstdio>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
__global__ void store(int *p, int v) { *p = v; }
#define CHECK(x)                                                                                             \
    if (!(x)) {                                                                                              \
        printf("FAIL line %d: %s\n", __LINE__, #x);                                                          \
        return 1;                                                                                            \
    }
template <class F> F *find(void *lib, const char *name) { return reinterpret_cast<F *>(dlsym(lib, name)); }
int main() {
    for (const char *name : {"libcuda.so", "libcuda.so.1", "libcudart.so", "libcudart.so.12", "libnvrtc.so"}) CHECK(dlopen(name, RTLD_LAZY));
    CHECK(!dlopen("libcudnn_of_nobody.so", RTLD_NOW) && dlerror());
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *runtime = dlopen("libcudart.so", RTLD_NOW);
    auto init = find<CUresult(unsigned)>(driver, "cuInit");
    CHECK(init && init(0) == CUDA_SUCCESS);
    auto alloc = find<CUresult(CUdeviceptr *, size_t)>(driver, "cuMemAlloc_v2");
    auto wait = find<cudaError_t()>(runtime, "cudaDeviceSynchronize");
    auto release = find<cudaError_t(void *)>(runtime, "cudaFree");
    CHECK(alloc && wait && release && !dlsym(driver, "cuNoSuchFunction"));
    int *p;
    CHECK(cudaSetDevice(0) == cudaSuccess && cudaFree(0) == cudaSuccess);
    CHECK(alloc((CUdeviceptr *)&p, sizeof(int)) == CUDA_SUCCESS);
    store<<<1, 1>>>(p, 7);
    CHECK(wait() == cudaSuccess);

    auto get = find<CUresult(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *)>(driver, "cuGetProcAddress_v2");
    CUdriverProcAddressQueryResult found;
    void *f = nullptr;
    int h = 0;
    CHECK(get && get("cuMemcpyDtoH", &f, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found) == CUDA_SUCCESS && found == CU_GET_PROC_ADDRESS_SUCCESS);
    CHECK(((CUresult(*)(void *, CUdeviceptr, size_t))f)(&h, (CUdeviceptr)p, sizeof h) == CUDA_SUCCESS && h == 7);
    CHECK(get("cuNoSuchFunction", &f, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found) == CUDA_SUCCESS && !f);
    CHECK(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    cudaDriverEntryPointQueryResult status;
    CHECK(cudaGetDriverEntryPoint("cuMemsetD32", &f, cudaEnableDefault, &status) == cudaSuccess && status == cudaDriverEntryPointSuccess);
    CHECK(((CUresult(*)(CUdeviceptr, unsigned, size_t))f)((CUdeviceptr)p, 9, 1) == CUDA_SUCCESS);
    CHECK(cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess && h == 9);
    CHECK(release(p) == cudaSuccess);
    printf("PASS\n");
}
