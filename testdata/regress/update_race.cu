// exit: 1
// A histogram without atomics.
__global__ void count(int *out, const unsigned char *in) {
    __shared__ int h[16];
    if (threadIdx.x < 16) h[threadIdx.x] = 0;
    __syncthreads();
    h[in[threadIdx.x] & 15]++; // want race WAR // want race WAW
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = h[threadIdx.x];
}

int main() {
    int *out;
    unsigned char *in;
    cudaMalloc(&out, 16 * sizeof *out);
    cudaMalloc(&in, 64);
    cudaMemset(in, 7, 64);
    count<<<1, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
