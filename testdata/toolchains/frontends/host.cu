// Runs the kernel blur of a PTX file, which a compiler of another language made: blur(in, out, n), or with an array in shared
// memory as a last argument, as OpenCL C passes one.
#include <cuda.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CHECK(x) do { CUresult r = (x); if (r) { printf("%s: error %d\n", #x, r); return 1; } } while (0)
int main(int argc, char **argv) {
    const int n = 1000, block = 64;
    CUdevice device; CUcontext context; CUmodule module; CUfunction blur;
    CHECK(cuInit(0)); CHECK(cuDeviceGet(&device, 0)); CHECK(cuCtxCreate(&context, 0, device));
    CHECK(cuModuleLoad(&module, argv[1])); CHECK(cuModuleGetFunction(&blur, module, "blur"));
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = i * i % 97;
    CUdeviceptr a, b;
    CHECK(cuMemAlloc(&a, 4 * n)); CHECK(cuMemAlloc(&b, 4 * n)); CHECK(cuMemcpyHtoD(a, in.data(), 4 * n));
    int count = n; unsigned long long tile = 0; // an offset in shared memory, where the kernel takes it as an argument
    void *args[] = {&a, &b, &count, &tile};
    CHECK(cuLaunchKernel(blur, (n + block - 1) / block, 1, 1, block, 1, 1, block * 4, 0, args, 0));
    CHECK(cuMemcpyDtoH(out.data(), b, 4 * n));
    for (int i = 0; i < n; i++) {
        float left = i % block ? in[i - 1] : 0, right = i % block + 1 < block && i + 1 < n ? in[i + 1] : 0;
        if (std::fabs(out[i] - (left + in[i] + right) / 3) > 1e-4f) { printf("wrong at %d: %g\n", i, out[i]); return 1; }
    }
    puts("right");
    return 0;
}
