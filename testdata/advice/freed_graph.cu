// A graph's free node comes before the kernel that uses the memory.
__global__ void use(const int *p, int *out) {
    out[threadIdx.x] = p[threadIdx.x]; // help: free the memory at freed_graph.cu:18 only after the last kernel that uses it
}
int main() {
    int *out;
    cudaMalloc(&out, 128);
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t alloc, gone, node;
    cudaGraphCreate(&g, 0);
    cudaMemAllocNodeParams a = {};
    a.poolProps.allocType = cudaMemAllocationTypePinned;
    a.poolProps.location = {cudaMemLocationTypeDevice, 0};
    a.bytesize = 128;
    cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &a);
    void *p = a.dptr, *args[] = {&p, &out};
    cudaGraphAddMemFreeNode(&gone, g, &alloc, 1, p);
    cudaKernelNodeParams k = {};
    k.func = (void *)use;
    k.gridDim = 1;
    k.blockDim = 32;
    k.kernelParams = args;
    cudaGraphAddKernelNode(&node, g, &gone, 1, &k);
    cudaGraphInstantiate(&x, g, 0);
    cudaGraphLaunch(x, 0);
    cudaDeviceSynchronize();
}
