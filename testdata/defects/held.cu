// Memory that is still held when the program ends, after a fault as well.
// flags: --leak-check full
// clean: given_back reset
#include <cstdio>
#include <cstring>
__global__ void put(int *a, int i) {
    a[i] = 1;  // want(fault) memory out-of-bounds // want(fault_freed) memory out-of-bounds
}
int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    bool fault = is("fault") || is("fault_freed");
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 512);  // want(fault) memory leak // want(kept) memory leak
    put<<<1, 1>>>(a, fault ? 100000000 : 0);
    cudaDeviceSynchronize();
    if (!is("fault") && !is("kept") && !is("reset")) cudaFree(b);
    if (!is("reset")) cudaFree(a);
    if (is("reset")) {
        cudaFree(a);
        cudaFree(b);
        cudaDeviceReset();
    }
    printf("%d\n", cudaGetLastError());
    return 0;
}
