// Loops whose bound comes from an invalid access. The launch continues after it, but not forever.
// clean: bound_ok
#include <cstdio>
#include <cstring>

__global__ void rows(const int *first, const int *list, int *out, int n) {
    int i = threadIdx.x, s = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++)
        s += list[j];  // want(bound) memory out-of-bounds // want(bound) memory out-of-bounds
    out[i] = s;
}
// The loop itself accesses nothing that is invalid.
__global__ void counted(const int *bound, int *out) {
    int s = 0, b = bound[threadIdx.x];  // want(counted) memory out-of-bounds
    for (int j = 1; j != b; j++) s += s ^ j ^ b;
    out[threadIdx.x] = s;
}
__global__ void nested(const int *bound, int *out, int n) {
    for (int i = 0; i < bound[n]; i++)
        for (int j = 0; j < bound[n]; j++) {
            int *p = out + 1000000 + i;
            *p = j;  // want(nested) memory out-of-bounds
        }
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *first, *list, *out, h[64] = {};
    for (int i = 0; i < 32; i++) h[i] = i;
    h[32] = 1 << 30;
    cudaMalloc(&out, 4096); cudaMalloc(&first, 256); cudaMalloc(&list, 256);
    cudaMemcpy(first, h, 256, cudaMemcpyHostToDevice);
    cudaMemset(list, 0, 256);
    cudaMemset(out, 0, 4096);
    if (!strcmp(c, "bound")) rows<<<1, 32>>>(first, list, out, 32);
    if (!strcmp(c, "bound_ok")) rows<<<1, 32>>>(first, list, out, 31);
    if (!strcmp(c, "counted")) counted<<<1, 32>>>(first + 40, out);
    if (!strcmp(c, "nested")) nested<<<64, 32>>>(first, out, 32);
    cudaDeviceSynchronize();
    return 0;
}
