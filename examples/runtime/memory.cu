// Every kind of memory: pitched and 3D copies and fills, symbols of each kind,
// registered and mapped host memory, managed memory with advice, memory pools,
// and what cudaPointerGetAttributes says of each.

#include <cstring>

#include "../check.h"

__constant__ int coefficients[4] = {1, 2, 3, 4};
__device__ int table[8];
__managed__ int total;

__global__ void increment(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}

__global__ void sumUp() {
    int s = total;
    for (int i = 0; i < 4; i++) s += coefficients[i] * table[i];
    total = s;
}

static int wrong = 0;

// Also clears the error of a call that is wrong on purpose.
static void expect(const char *what, long long got, long long want) {
    cudaGetLastError();
    if (got == want) return;
    printf("memory: FAIL: %s: got %lld, want %lld\n", what, got, want);
    wrong++;
}

static void pitched() {
    const size_t width = 100, height = 7, depth = 3;
    int *d;
    size_t pitch;
    CHECK(cudaMallocPitch(&d, &pitch, width * sizeof(int), height));
    expect("pitch", pitch >= width * sizeof(int) && pitch % 32 == 0, 1);
    std::vector<int> rows(width * height), back(width * height, -1);
    for (size_t i = 0; i < rows.size(); i++) rows[i] = static_cast<int>(i);
    size_t bytes = width * sizeof(int);
    CHECK(cudaMemset2D(d, pitch, 0xff, bytes, height));
    CHECK(cudaMemcpy2D(d, pitch, rows.data(), bytes, bytes - 4, height, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(back.data(), bytes, d, pitch, bytes, height, cudaMemcpyDeviceToHost));
    expect("2D copy", back[3 * width + 5], 3 * width + 5);
    expect("2D fill beside it", back[3 * width + width - 1], -1);
    // warpgrind: ignore memory (on purpose)
    expect("width beyond pitch", cudaMemcpy2D(d, 16, rows.data(), bytes, 20, 2, cudaMemcpyHostToDevice),
           cudaErrorInvalidPitchValue);
    CHECK(cudaFree(d));

    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, make_cudaExtent(bytes, height, depth)));
    CHECK(cudaMemset3D(box, 0, make_cudaExtent(bytes, height, depth)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(rows.data(), bytes, width, height);
    copy.dstPtr = box;
    copy.dstPos = make_cudaPos(8, 1, 2);
    copy.extent = make_cudaExtent(40, 3, 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    std::vector<int> all(width * height * depth);
    copy = {};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(all.data(), bytes, width, height);
    copy.extent = make_cudaExtent(bytes, height, depth);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    expect("3D copy", all[2 * width * height + 2 * width + 2 + 3], width + 3);
    expect("3D fill", all[2 * width * height + 2 * width + 1], 0);
    CHECK(cudaFree(box.ptr));
}

static void symbols() {
    int values[8] = {10, 20, 30, 40, 50, 60, 70, 80}, back[2], *address;
    size_t size;
    CHECK(cudaMemcpyToSymbol(table, values, sizeof values));
    CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof(int), 3 * sizeof(int)));
    total = 5;
    sumUp<<<1, 1>>>();
    CHECK_LAUNCH();
    expect("sum", total, 5 + 10 + 40 + 90 + 400);
    CHECK(cudaMemcpyFromSymbol(back, table, sizeof back, 6 * sizeof(int)));
    expect("from symbol", back[1], 80);
    CHECK(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), table));
    CHECK(cudaGetSymbolSize(&size, coefficients));
    expect("symbol size", size, 16);
    increment<<<1, 32>>>(address, 8);
    CHECK(cudaMemcpyFromSymbol(back, table, sizeof(int)));
    expect("symbol address", back[0], 11);
    int seven = 7;
    CHECK(cudaMemcpyToSymbol(total, &seven, sizeof seven));
    expect("managed symbol on the host", total, 7);
    CHECK(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), total));
    increment<<<1, 32>>>(address, 1);
    increment<<<1, 32>>>(&total, 1);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyFromSymbol(back, total, sizeof(int)));
    expect("managed symbol on both sides", back[0] * 100 + total, 909);
    expect("beyond the symbol", cudaMemcpyToSymbol(coefficients, values, 8, 12), cudaErrorInvalidValue);  // warpgrind: ignore memory (on purpose)
}

static void hostMemory() {
    std::vector<int> mine(5000, 1);
    int *device, *pinned, *view;
    CHECK(cudaHostRegister(mine.data(), mine.size() * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&device, mine.data(), 0));
    increment<<<40, 128>>>(device, 5000);
    CHECK_LAUNCH();
    mine[17] += 10;
    increment<<<40, 128>>>(mine.data(), 5000); // with unified addressing the same
    CHECK_LAUNCH();
    expect("registered", mine[16] * 1000 + mine[17], 3013);
    expect("registered twice", cudaHostRegister(mine.data(), 8, 0), cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostUnregister(mine.data()));
    expect("kept after unregistering", mine[17] + mine[4999], 16);
    expect("unregistered twice", cudaHostUnregister(mine.data()), cudaErrorHostMemoryNotRegistered);

    CHECK(cudaHostAlloc(&pinned, 64 * sizeof(int), cudaHostAllocMapped));
    memset(pinned, 0, 64 * sizeof(int));
    CHECK(cudaHostGetDevicePointer(&view, pinned, 0));
    increment<<<1, 64>>>(view, 64);
    CHECK_LAUNCH();
    expect("mapped", pinned[63], 1);
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, pinned));
    expect("pinned type", a.type, cudaMemoryTypeHost);
    CHECK(cudaPointerGetAttributes(&a, mine.data()));
    expect("unregistered type", a.type, cudaMemoryTypeUnregistered);
    CHECK(cudaFreeHost(pinned));
}

static void managed() {
    int *m, device = 0, location = 99;
    CHECK(cudaMallocManaged(&m, 1000 * sizeof(int)));
    for (int i = 0; i < 1000; i++) m[i] = i;
    CHECK(cudaMemAdvise(m, 1000 * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
    CHECK(cudaMemPrefetchAsync(m, 1000 * sizeof(int), device));
    increment<<<8, 128>>>(m, 1000);
    CHECK(cudaMemPrefetchAsync(m, 1000 * sizeof(int), cudaCpuDeviceId));
    CHECK(cudaDeviceSynchronize());
    expect("managed", m[999], 1000);
    CHECK(cudaMemRangeGetAttribute(&location, sizeof location, cudaMemRangeAttributePreferredLocation, m, 4000));
    expect("preferred location", location, device);
    CHECK(cudaMemRangeGetAttribute(&location, sizeof location, cudaMemRangeAttributeLastPrefetchLocation, m, 4000));
    expect("last prefetch", location, cudaCpuDeviceId);
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, m + 3));
    expect("managed type", a.type == cudaMemoryTypeManaged && a.hostPointer == m + 3, 1);
    CHECK(cudaFree(m));
}

static void pools() {
    cudaStream_t s;
    cudaMemPool_t pool;
    int *p, *q;
    unsigned long long threshold = ~0ull, used = 0, high = 0;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMallocAsync(&p, 4096, s));
    CHECK(cudaMemsetAsync(p, 0, 4096, s));
    increment<<<1, 128, 0, s>>>(p, 128);
    CHECK(cudaMallocFromPoolAsync(&q, 1024, pool, s));
    CHECK(cudaMemcpyAsync(q, p, 1024, cudaMemcpyDeviceToDevice, s));
    int value = 0;
    CHECK(cudaMemcpyAsync(&value, q + 100, sizeof value, cudaMemcpyDeviceToHost, s));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    expect("pool in use", used, 5120);
    CHECK(cudaFreeAsync(p, s));
    CHECK(cudaFreeAsync(q, s));
    CHECK(cudaStreamSynchronize(s));
    expect("pool memory", value, 1);
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high));
    expect("pool at the end", used * 10000 + high, 5120);
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaStreamDestroy(s));
}

int main() {
    pitched();
    symbols();
    hostMemory();
    managed();
    pools();
    cudaGetLastError();
    printf("memory: %s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
