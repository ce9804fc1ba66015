// A barrier orders no two blocks.
// command: check
__global__ void step(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int j = 0; j < n; j++) s += p[j];
    p[i] = s; // help: write the results to another array // not: __syncthreads
}
