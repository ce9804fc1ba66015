// The stream frees the memory before the kernel that it runs next.
__global__ void use(const int *p, int *out) {
    out[threadIdx.x] = p[threadIdx.x]; // help: free the memory at freed_stream.cu:12 only after the last kernel that uses it
}
int main() {
    int *p, *out;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocAsync(&p, 128, s);
    cudaMallocAsync(&out, 128, s);
    cudaMemsetAsync(p, 0, 128, s);
    cudaFreeAsync(p, s);
    use<<<1, 32, 0, s>>>(p, out);
    cudaFreeAsync(out, s);
    cudaStreamSynchronize(s);
}
