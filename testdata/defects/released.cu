// Memory of the device's heap that one thread frees while others use it, and what only looks like it.
// clean: last_to_come block_own after_barrier own again after_syncwarp ticket
#include <cstring>

__device__ int *heap() {
    __shared__ int *p;
    if (threadIdx.x == 0) p = (int *)malloc(256);
    __syncthreads();
    return p;
}
// Whichever thread runs first: the others may be before it or after it.
__global__ void first_frees(int *out) {
    int *p = heap(), t = threadIdx.x;
    p[t] = t;
    if (t == 0) free(p);  // want(first_frees) race WAW
    out[t] = 1;
}
__global__ void reader(int *out) {
    int *p = heap(), t = threadIdx.x;
    if (t == 0) p[5] = 1;
    __syncthreads();
    out[t] = p[5];
    if (t == 0) free(p);  // want(reads) race WAR
}
__global__ void last_of_warp(int *out) {
    int *p = heap(), t = threadIdx.x;
    p[t] = t;
    if (t == 31) free(p);  // want(in_warp) race WAW
    out[t] = 1;
}
__global__ void after_barrier(int *out) {
    int *p = heap(), t = threadIdx.x;
    p[t] = t;
    __syncthreads();
    out[t] = p[blockDim.x - 1 - t];
    __syncthreads();
    if (t == 0) free(p);
}
__global__ void after_syncwarp(int *out) {
    int *p = heap(), t = threadIdx.x;
    p[t] = t;
    __syncwarp();
    if (t == 31) free(p);
    out[t] = 1;
}
// Each thread frees what it alone used; the addresses may be given out again.
__global__ void own(int *out, int rounds) {
    int t = threadIdx.x, s = 0;
    for (int i = 0; i < rounds; i++) {
        int *p = (int *)malloc(16);
        for (int k = 0; k < 4; k++) p[k] = t + k;
        s += p[i & 3];
        free(p);
    }
    out[t] = s;
}
// The last warp to leave frees: the atomic and its fences order the others before it.
__global__ void ticket(int *out) {
    __shared__ int left;
    if (threadIdx.x == 0) left = 0;
    int *p = heap(), t = threadIdx.x;
    p[t] = t;
    out[t] = p[t];
    __syncwarp();
    __threadfence();
    if (t % 32 == 0 && atomicAdd(&left, 1) == blockDim.x / 32 - 1) {
        __threadfence();
        free(p);
    }
}
// Memory of an earlier launch.
__device__ int *kept;
__global__ void make() {
    kept = (int *)malloc(256);
    for (int i = 0; i < 64; i++) kept[i] = i;
}
// The last block to come frees; or each block what is its own.
__global__ void last_frees(int *out, unsigned *count) {
    int *p = kept;
    out[threadIdx.x + 32 * blockIdx.x] = p[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(count, 1) == gridDim.x - 1) {
        __threadfence();
        free(p);
    }
}
__device__ int *each[4];
__global__ void make_each() { (each[blockIdx.x] = (int *)malloc(128))[0] = blockIdx.x; }
__global__ void free_each(int *out) {
    int *p = each[blockIdx.x];
    if (threadIdx.x == 0) out[blockIdx.x] = p[0];
    if (threadIdx.x == 0) free(p);
}

int main(int, char **argv) {
    auto is = [&](const char *c) { return !strcmp(argv[1], c); };
    int *out;
    cudaMalloc(&out, 512);
    if (is("first_frees")) first_frees<<<1, 64>>>(out);
    if (is("reads")) reader<<<1, 32>>>(out);
    if (is("in_warp")) last_of_warp<<<1, 32>>>(out);
    if (is("after_barrier")) after_barrier<<<1, 64>>>(out);
    if (is("after_syncwarp")) after_syncwarp<<<1, 32>>>(out);
    if (is("own")) own<<<1, 64>>>(out, 1);
    if (is("again")) own<<<1, 64>>>(out, 5);
    if (is("ticket")) ticket<<<1, 64>>>(out);
    if (is("last_to_come")) {
        make<<<1, 1>>>();
        unsigned *count;
        cudaMalloc(&count, 4);
        cudaMemset(count, 0, 4);
        last_frees<<<2, 32>>>(out, count);
        cudaFree(count);
    }
    if (is("block_own")) {
        make_each<<<4, 1>>>();
        free_each<<<4, 32>>>(out);
    }
    cudaDeviceSynchronize();
    cudaFree(out);
}
