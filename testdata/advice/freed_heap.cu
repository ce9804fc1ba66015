// Memory of the device's heap, freed in the kernel before its last access.
__global__ void use(int *out) {
    int *first = (int *)malloc(16), *second = (int *)malloc(16);
    first[0] = second[0] = 1;
    free(first);
    free(second);
    out[0] = second[0]; // help: free the memory at freed_heap.cu:6 only after its last access // not: freed_heap.cu:5
}
int main() {
    int *out;
    cudaMalloc(&out, 128);
    use<<<1, 1>>>(out);
    cudaDeviceSynchronize();
}
