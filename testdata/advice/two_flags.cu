// Two volatile flags, each with its own data: two missing orders, two findings. Several volatile words behind one flag are one.
__global__ void pass(int *out) {
    __shared__ volatile int first, second, x, y, z;
    int t = threadIdx.x;
    if (t == 0) first = second = 0;
    __syncthreads();
    if (t == 0) {
        x = 7;
        y = 8;
        first = 1;
    } else if (t == 32) {
        while (!first) {}
        out[0] = y; // help: add __threadfence_block() before line 10 and after line 12 // help: RAW on x, line 8:11 and line 14
        out[1] = x;
    } else if (t == 64) {
        z = 9;
        second = 1;
    } else if (t == 96) {
        while (!second) {}
        out[2] = z; // help: add __threadfence_block() before line 17 and after line 19 // not: on x
    }
}
int main() {
    int *out;
    cudaMalloc(&out, 12);
    pass<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
