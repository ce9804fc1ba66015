// Virtual memory management: a buffer that grows in place by mapping more
// memory after what it has, and keeps its content when it is remapped.

#include <cuda.h>

#include "../check.h"

#define DRIVER(call)                                                          \
    do {                                                                      \
        CUresult status_ = (call);                                            \
        if (status_ != CUDA_SUCCESS) {                                        \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status_); \
            exit(2);                                                          \
        }                                                                     \
    } while (0)

__global__ void fillWith(int *p, size_t from, size_t to) {
    size_t i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) p[i] = static_cast<int>(i);
}

int main() {
    CHECK(cudaFree(nullptr));
    CUdevice device;
    DRIVER(cuCtxGetDevice(&device));
    int supported = 0;
    DRIVER(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = device;
    CUmemAccessDesc access = {};
    access.location = prop.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    size_t granularity;
    DRIVER(cuMemGetAllocationGranularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));

    const size_t parts = 3, count = granularity / sizeof(int);
    CUdeviceptr base;
    CUmemGenericAllocationHandle handles[parts];
    DRIVER(cuMemAddressReserve(&base, parts * granularity, 0, 0, 0));
    int *p = reinterpret_cast<int *>(base);
    for (size_t i = 0; i < parts; i++) {
        DRIVER(cuMemCreate(&handles[i], granularity, &prop, 0));
        DRIVER(cuMemMap(base + i * granularity, granularity, 0, handles[i], 0));
        DRIVER(cuMemSetAccess(base + i * granularity, granularity, &access, 1));
        fillWith<<<static_cast<unsigned>(count / 256), 256>>>(p, i * count, (i + 1) * count);
        CHECK_LAUNCH();
    }
    bool ok = supported && cuMemMap(base, granularity, 0, handles[0], 0) == CUDA_ERROR_INVALID_VALUE;

    // The last part reaches the first place.
    DRIVER(cuMemUnmap(base, granularity));
    DRIVER(cuMemUnmap(base + 2 * granularity, granularity));
    DRIVER(cuMemMap(base, granularity, 0, handles[2], 0));
    DRIVER(cuMemSetAccess(base, granularity, &access, 1));
    std::vector<int> got = toHost(p, 2 * count), want(2 * count);
    for (size_t i = 0; i < count; i++) want[i] = static_cast<int>(2 * count + i), want[count + i] = static_cast<int>(count + i);
    ok = same("virtual memory", got, want) && ok;

    DRIVER(cuMemUnmap(base, 2 * granularity));
    for (CUmemGenericAllocationHandle h : handles) DRIVER(cuMemRelease(h));
    DRIVER(cuMemAddressFree(base, parts * granularity));
    printf("virtual memory: %s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
