// exit: 1
// The two halves of a warp wait at different barriers.
__global__ void split(int *out) {
    if (threadIdx.x % 2 == 0) {
        out[threadIdx.x] = 1;
        __syncthreads(); // want sync divergent
    } else {
        out[threadIdx.x] = 2;
        __syncthreads();
    }
}

// So do warps as a whole, which PTX allows and the CUDA guide does not: a warning.
__global__ void byWarp(int *out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads(); // want sync divergent
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    split<<<1, 32>>>(out);
    byWarp<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
