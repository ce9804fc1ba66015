// Columns after the rows of pitched memory.
// flags: --tool memory
// clean: within walked vectors whole
#include <cstring>

__global__ void past(float *q, size_t pitch, int w) {
    float *row = (float *)((char *)q + threadIdx.y * pitch);
    for (int x = threadIdx.x; x <= w; x += 32) row[x] = 1;  // want(past) memory out-of-bounds warning
}
__global__ void reads(const float *q, int pitch, float *out) {
    const float *row = (const float *)((const char *)q + threadIdx.y * pitch);
    out[threadIdx.x] = row[threadIdx.x];  // want(reads) memory out-of-bounds warning
}
__global__ void volume(cudaPitchedPtr p) {
    ((float *)((char *)p.ptr + threadIdx.y * p.pitch))[threadIdx.x] = 1;  // want(volume) memory out-of-bounds warning
}
__global__ void vector_past(float *q, size_t pitch, int w) {
    float4 *row = (float4 *)((char *)q + threadIdx.y * pitch);
    for (int x = threadIdx.x; 4 * x <= w + 2; x += 32) row[x] = make_float4(1, 1, 1, 1);  // want(vector_past) memory out-of-bounds warning
}

// A vector that begins in the row may end in the padding.
__global__ void vectors(float *q, size_t pitch, int w) {
    float4 *row = (float4 *)((char *)q + threadIdx.y * pitch);
    for (int x = threadIdx.x; 4 * x < w; x += 32) row[x] = make_float4(1, 1, 1, 1);
}
__global__ void within(float *q, size_t pitch, int w) {
    float *row = (float *)((char *)q + threadIdx.y * pitch);
    for (int x = threadIdx.x; x < w; x += 32) row[x] = 1;
}
// Without the pitch the kernel does not know of rows.
__global__ void walked(float *q, int n) {
    for (int i = threadIdx.x; i < n; i += 32) q[i] = 1;
}

int main(int, char **argv) {
    const char *name = argv[1];
    auto is = [&](const char *k) { return !strcmp(name, k); };
    float *q, *out;
    size_t pitch;
    cudaMallocPitch(&q, &pitch, 10 * sizeof(float), 5);
    cudaMalloc(&out, 64);
    cudaMemset(q, 0, pitch * 5);
    dim3 block(32, 4);
    if (is("past")) past<<<1, block>>>(q, pitch, 10);
    if (is("within")) within<<<1, block>>>(q, pitch, 10);
    if (is("vectors")) vectors<<<1, block>>>(q, pitch, 10);
    if (is("vector_past")) vector_past<<<1, block>>>(q, pitch, 10);
    if (is("walked")) walked<<<1, 32>>>(q, pitch * 5 / sizeof(float));
    if (is("reads")) reads<<<1, dim3(11, 1)>>>(q, pitch, out);
    if (is("whole")) { // rows without padding
        cudaMallocPitch(&q, &pitch, 512, 4);
        past<<<1, block>>>(q, pitch, 127);
    }
    if (is("volume")) {
        cudaPitchedPtr p;
        cudaMalloc3D(&p, make_cudaExtent(10 * sizeof(float), 4, 1));
        volume<<<1, dim3(11, 4)>>>(p);
    }
    return cudaDeviceSynchronize();
}
