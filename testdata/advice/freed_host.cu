// Memory is freed at one of two places before a kernel uses it: the help names that one.
__global__ void use(const int *p, int *out) {
    out[threadIdx.x] = p[threadIdx.x]; // help: free the memory at freed_host.cu:10 only after the last kernel that uses it // not: freed_host.cu:13
}
int main() {
    int *p, *out;
    cudaMalloc(&p, 128);
    cudaMalloc(&out, 128);
    cudaMemset(p, 0, 128);
    cudaFree(p);
    use<<<1, 32>>>(p, out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
