package repair_test

// text has the places of the cases as comments.
const text = `#include <vector>
#define CHECK(call) do { cudaError_t e = (call); if (e) return 1; } while (0)
__global__ void rows(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[64];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float first = /*read*/ in[row];
    /*write*/ out[row * columns] = first;
    if (columns > 1) /*joined*/ out[row] += 1;
    float other = true ? /*choice*/ in[row] : 0;
    tile[threadIdx.x] = /*behind*/ in[row - columns];
    out[0] = other;
    /*array*/ tile[row] = 0;
}
__global__ void shared(int *out, int n)
{
    __shared__ int bins[16], total;
    __shared__ float grid[4][8];
    int sum[4];
    /*bins*/ atomicAdd(&bins[threadIdx.x & 15], 1);
    if (threadIdx.x < 16) {
        /*store*/ bins[threadIdx.x] += 1;
        /*load*/ out[threadIdx.x] = bins[15 - threadIdx.x];
    }
    /*sum*/ out[n] = sum[n] + grid[n][n] + total;
    /*narrow*/ atomicAdd_block(&out[1], 1);
    __threadfence_block();
    while (/*flag*/ out[2] == 0) {}
}
__global__ void quads(float *a, int n)
{
    int row = blockIdx.x;
    extern __shared__ float more[];
    /*more*/ more[n] = 0;
    a += row * 8;
    for (int step = 4; step > 0; step /= 2)
        for (int q = threadIdx.x; q < 8; q += 4)
            /*quads*/ a[q] = 0;
}
#define SIDE 96
struct Body {
    float x, y;
};
__global__ void bodies(const Body *in, Body *out, int n)
{
    int at = threadIdx.x;
    Body me = true ? /*chosen*/ in[at] : Body();
    Body other = /*copied*/ in[at];
    /*stored*/ out[at] = other;
    out[at].x = me.x;
}
__global__ void square(float *a, float *b, int size)
{
    int x = threadIdx.x, y = blockIdx.x;
    /*square*/ a[SIDE * (x + 1) + y] = 0;
    /*pair*/ b[y * size + x] = 0;
}
template <int N> struct thread_block_tile {
    __device__ void sync();
};
struct pipeline {
    __device__ void consumer_wait();
};
__global__ void groups(float *out, thread_block_tile<8> tile, unsigned mask, unsigned other, pipeline pipe, int n)
{
    __shared__ float sums[64];
    int t = threadIdx.x, next = t + n;
    if (t < n) {
        /*first*/ sums[t] = other;
        /*second*/ out[t] = sums[t ^ 1] + __shfl_sync(mask, t, 0);
    }
    for (int step = 32; step > 0; step /= 2)
        /*tree*/ sums[t] += sums[t + step];
    if (t >= 16) return;
    if (t < 8) {
        /*masked*/ __syncwarp(0xff00);
    }
    /*derived*/ out[2 * t] = 0;
    if (next < 99 && n < 98) out[next] = 0;
}
const int SAMPLES = 8 * 6, OTHERS = 49;
__device__ int ticket(int *count) { return atomicAdd(count, 1); }
__device__ void put(int *a, int i, int v) { /*inner*/ a[i] = v; }
__global__ void bounded(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, step = n / 2;
    int add = true ? /*below*/ s[t - step] : 0;
    if (t <= n) /*within*/ out[t] = add;
    for (int i = t; i < n + 1; i += 64)
        /*loop*/ out[i] = 0;
    if (t > n || add > 3) return;
    /*left*/ out[t] = 1;
    /*call*/ put(out, t, 1);
    /*plus*/ *(out + t) = 2;
    /*fixed*/ out[2 * t] = 3;
    /*ticket*/ out[ticket(out)] = 4;
    if (t >= 0) /*zero*/ out[t - 1] = 5;
    /*thread*/ s[threadIdx.x] = 6;
    /*least*/ out[min(t, step)] = 7;
    out[t] = /*readonly*/ __ldg(&in[t]);
}
__global__ void both(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
    int row = blockIdx.y, column = threadIdx.x;
    for (int i = 0; i < inner; i++)
        /*both*/ c[0] += a[row * inner + i] * b[i * columns + column];
}
template <typename T> __global__ void tidied(T *a, int *n, volatile int *flag)
{
    if (threadIdx.x == 0) {
        __threadfence_system(); // inner
    }
    if (n[0]++ > 1) __syncthreads();
    for (int i = 0; i < 2; i++)
        __syncwarp();
    atomicExch(n + 1, 2);
    atomicMax(n, 1);
    a[0] = atomicAdd(n, 1);
    if (__syncthreads_or(n[0])) flag[0] = 1;
}
int host(int n)
{
    int *p, *q;
    char *rows;
    size_t pitch;
    /*malloc*/ cudaMalloc(&p, n * sizeof(int));
    /*checked*/ CHECK(cudaMalloc((void **)&q, n));
    /*pitched*/ cudaMallocPitch(&rows, &pitch, 4 * n, n);
    if (n > 1)
        /*branch*/ cudaMalloc(&q, n);
    std::vector<int> rest(n), ints(n);
    std::vector<float> floats(n);
    cudaStream_t stream;
    cudaMemcpy(q, rest.data(), n, cudaMemcpyHostToDevice);
    for (int i = 0; i < 2; i++)
        shared<<<1, 32, 0, stream>>>(p, n);
    /*part*/ CHECK(cudaMemset(q, 0, n / 2));
    /*launch*/ shared<<<n / (2 * 16), 32>>>(p, n);
    cudaFree(q);
    /*dynamic*/ quads<<<1, 32, n>>>(0, n);
    CHECK(cudaFree(p));
    if (n > 3)
        shared<<<1, 32>>>(p, n);
    /*again*/ CHECK(cudaFree(p));
    /*middle*/ CHECK(cudaFree(p + n));
    return 0;
}
__global__ void late(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float own = in[i];
    for (int k = 0; k < 2; k++) {
        own += 1;
        /*late*/ __syncthreads();
    }
    out[i] = own;
}
__global__ void alike(int *out)
{
    if (threadIdx.x % 2) {
        out[0] = 1;
        /*alike*/ __syncthreads();
    } else {
        __syncthreads();
    }
    if (threadIdx.x > 3) /*else*/ out[threadIdx.x] = 2;
    else out[0] = 3;
}
cudaError_t status(float *host, int n)
{
    float *d, *few, local[32];
    /*leak*/ cudaMalloc(&d, n * sizeof(float));
    cudaMalloc(&few, n);
    /*long*/ cudaMemcpy(d, local, 2 * n * sizeof(float), cudaMemcpyHostToDevice);
    /*few*/ cudaMemcpy(few, host, n * sizeof(float), cudaMemcpyHostToDevice);
    /*wrong*/ cudaMemcpy(local, d, sizeof(local), cudaMemcpyHostToDevice);
    /*address*/ cudaMemset(&d, 0, 4);
    if (n > 2) /*host*/ local[0] = d[1];
    else local[1] = 0;
    /*both ways*/ d[2] += 1;
    if (n > 4) /*unread*/ cudaDeviceSynchronize();
    else local[2] = 0;
    /*unchecked*/ late<<<n / 32, 32, n>>>(d, d, n);
    while (n > 5) {
        float *pass;
        /*pass*/ cudaMalloc(&pass, n);
        if (n > 6) break;
    }
    /*by C*/ memcpy(local, d, 8);
    cudaFree(d);
    /*gone*/ cudaMemcpy(local, d, sizeof(local), cudaMemcpyDeviceToHost);
    return cudaSuccess;
}
`
