// An index out of bounds is not a use after free, whatever was freed before.
__global__ void use(const int *p, int *out) {
    out[threadIdx.x] = p[threadIdx.x + 1]; // help: check the index against the size // not: free the memory // not: freed_near.cu:10
}
int main() {
    int *p, *out, *gone;
    cudaMalloc(&gone, 128);
    cudaMalloc(&p, 128);
    cudaMalloc(&out, 128);
    cudaFree(gone);
    cudaMemset(p, 0, 128);
    use<<<1, 32>>>(p, out);
    cudaDeviceSynchronize();
}
