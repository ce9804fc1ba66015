// exit: 0
// A handle that is mapped nowhere keeps its content, and a mapping may be larger than the machine's memory: 70 GiB of which two
// elements are written.
#include <cstdio>
#include <cuda.h>

__global__ void write(char *p, size_t n) {
  p[0] = 1;
  p[n - 1] = 2;
}

__global__ void read(const char *p, size_t n, int *out) { *out = p[0] + 10 * p[n - 1] + 100 * p[n / 2]; }

int main() {
  cudaFree(nullptr);
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  size_t n = size_t(70) << 30;
  CUdeviceptr range;
  CUmemGenericAllocationHandle h;
  if (cuMemAddressReserve(&range, 2 * n, 0, 0, 0) || cuMemCreate(&h, n, &prop, 0)) return 2;
  for (int i = 0; i < 2; i++) {
    CUdeviceptr at = range + i * n;
    if (cuMemMap(at, n, 0, h, 0) || cuMemSetAccess(at, n, &access, 1)) return 3;
    if (i == 0) write<<<1, 1>>>(reinterpret_cast<char *>(at), n);
    if (cuCtxSynchronize()) return 4;
    if (i == 1) {
      int *out, v;
      cudaMalloc(&out, sizeof *out);
      read<<<1, 1>>>(reinterpret_cast<char *>(at), n, out);
      cudaMemcpy(&v, out, sizeof v, cudaMemcpyDeviceToHost);
      cudaFree(out);
      printf("%d\n", v);
      if (v != 21) return 5;
    }
    if (cuMemUnmap(at, n)) return 6;
  }
  return cuMemRelease(h) || cuMemAddressFree(range, 2 * n);
}
