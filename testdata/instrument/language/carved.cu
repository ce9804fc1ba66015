// Pointers to shared memory: one array carved up with casts, passed to functions,
// volatile, atomics of all sizes, textures, tables in constant memory.

#include <cstdio>

const int THREADS = 64;

__constant__ float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};

struct Header {
    int count;
    unsigned long long sum;
    unsigned short votes[2];
};

extern __shared__ __align__(16) unsigned char arena[];

__device__ int total(const int *p, int n) {
    int sum = 0;
    while (n-- > 0) sum += *p++;
    return sum;
}

__device__ void put(float *to, int i, float v) { *(to + i) = v; }
__device__ void put(double *to, int i, double v) { to[i] = v; }

// last gives the address of an element and not its value.
__device__ int *last(int *p, int n) { return &p[n - 1]; }

__device__ void moveUp(int **p) { ++*p; }

__global__ void carved(int *out, float *reals) {
    Header *head = reinterpret_cast<Header *>(arena);
    int *ints = reinterpret_cast<int *>(arena + 32);
    float *floats = (float *)(ints + THREADS);
    double *doubles = (double *)(void *)(floats + THREADS);
    short *shorts = reinterpret_cast<short *>(doubles + THREADS);
    int t = threadIdx.x;
    if (t == 0) *head = Header{};
    ints[t] = t * 3;
    put(floats, t, weights[t % 8] + t);
    put(doubles, t, 1.0 / (t + 1));
    shorts[t] = static_cast<short>(-t);
    __syncthreads();
    atomicAdd(&head->count, 1);
    atomicAdd(&head->sum, static_cast<unsigned long long>(ints[t]));
    atomicCAS(&head->votes[t & 1], static_cast<unsigned short>(0), static_cast<unsigned short>(t + 1));
    __syncthreads();
    int *p = ints + t / 2;
    moveUp(&p);
    int sum = total(p, 4) + *last(ints, t + 1) + shorts[(t + 1) % THREADS];
    sum += head->count + static_cast<int>(head->sum) + (head->votes[1] != 0);
    float4 four = reinterpret_cast<const float4 *>(floats)[t / 4];
    unsigned raw = reinterpret_cast<unsigned &>(floats[THREADS - 1 - t]);
    volatile double *seen = doubles;
    __syncthreads();
    memcpy(&ints[t], &raw, sizeof raw);
    __syncthreads();
    out[t] = sum + (ints[(t + 1) % THREADS] >> 20);
    reals[t] = four.x + four.z + static_cast<float>(seen[t] + *(seen + (t ^ 1)));
}

__global__ void sampled(float *out, cudaTextureObject_t image) {
    __shared__ float near[2][THREADS];
    __shared__ float *spot;
    int t = threadIdx.x;
    if (t == 0) spot = near[1];
    near[0][t] = tex1Dfetch<float>(image, t);
    __syncthreads();
    spot[t] = near[0][THREADS - 1 - t] + weights[t & 7];
    __syncthreads();
    out[t] = __ldg(&out[t]) + near[1][t] + spot[(t + 1) % THREADS];
}

__global__ void atomics(unsigned *out) {
    __shared__ unsigned bins[8];
    __shared__ float most;
    __shared__ unsigned long long wide;
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    if (t == 8) most = 0, wide = 0;
    __syncthreads();
    atomicAdd(bins + t % 8, 1u), atomicOr(&bins[t % 3], 16u);
    atomicExch(&most, 2.0f);
    atomicMax(&wide, static_cast<unsigned long long>(t) << 33);
    atomicAdd_block(&bins[7], 2u);
    __syncthreads();
    out[t] = bins[t % 8] + static_cast<unsigned>(most) + static_cast<unsigned>(wide >> 33);
}

// racing: what one part writes another reads, the carving being too tight.
__global__ void racing(int *out) {
    int *first = reinterpret_cast<int *>(arena), *second = first + THREADS - 1;
    int t = threadIdx.x;
    first[t] = t;
    second[t] = -t;
    __syncthreads();
    out[t] = first[t] + second[t];
    __syncthreads();
    if (t == 40) atomicAdd(first, 5);
    out[t] += first[0];
}

int main() {
    int *out;
    float *reals;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    cudaMallocManaged(&reals, 2 * THREADS * sizeof(float));
    carved<<<1, THREADS, 32 + THREADS * 18>>>(out, reals);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int t = 0; t < THREADS; t++) sum += out[t] % 1000 + reals[t];
    printf("carved: %.4f\n", sum);

    float *pixels;
    cudaMalloc(&pixels, THREADS * sizeof(float));
    cudaMemcpy(pixels, reals, THREADS * sizeof(float), cudaMemcpyDefault);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = pixels;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = THREADS * sizeof(float);
    cudaTextureDesc how = {};
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &how, nullptr);
    for (int t = 0; t < THREADS; t++) reals[t] = 1;
    sampled<<<1, THREADS>>>(reals, image);
    cudaDeviceSynchronize();
    sum = 0;
    for (int t = 0; t < THREADS; t++) sum += reals[t] * (t % 5);
    printf("sampled: %.4f\n", sum);

    atomics<<<1, THREADS>>>(reinterpret_cast<unsigned *>(out));
    cudaDeviceSynchronize();
    sum = 0;
    for (int t = 0; t < THREADS; t++) sum += out[t] % 97;
    printf("atomics: %.0f\n", sum);
    racing<<<1, THREADS, 2 * THREADS * sizeof(int)>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
