// Classes in shared memory: static members, conversions, operators of all kinds,
// namespaces, pointers to members, volatile objects.

#include <cstdio>

const int THREADS = 64;

namespace geometry {
inline namespace v1 {
struct Point {
    float x, y;
    __host__ __device__ Point &operator+=(const Point &o) { x += o.x, y += o.y; return *this; }
    __host__ __device__ friend Point operator*(float f, Point p) { return {f * p.x, f * p.y}; }
    __host__ __device__ bool operator<(const Point &o) const { return x < o.x; }
    __host__ __device__ explicit operator bool() const { return x != 0 || y != 0; }
    __host__ __device__ operator float() const { return x + y; }
    __host__ __device__ float operator()(float f) const { return x * f + y; }
    __host__ __device__ Point operator-() const { return {-x, -y}; }
    __host__ __device__ Point &operator++() { ++x; return *this; }
    __host__ __device__ Point operator++(int) { Point old = *this; ++*this; return old; }
};
} // namespace v1
__device__ float norm(Point p) { return p.x * p.x + p.y * p.y; }
__device__ void scale(Point &p, float f) { p = f * p; }
} // namespace geometry

using geometry::Point;

struct Counter {
    int n;
    __device__ int next() { return n++; }
    __device__ int peek() const { return n; }
};

// Block is an object all of whose members are of the block.
struct Block {
    Counter counters[THREADS];
    Point points[THREADS];
    int Counter::*which;
    static __device__ Block &get() {
        __shared__ Block all;
        return all;
    }
};

__global__ void members(float *out) {
    Block &b = Block::get();
    int t = threadIdx.x;
    b.counters[t] = Counter{t};
    b.points[t] = {float(t), 1};
    if (t == 0) b.which = &Counter::n;
    __syncthreads();
    int (Counter::*call)() = t % 2 ? &Counter::next : nullptr;
    Counter &c = b.counters[t];
    int sum = c.next() + (call ? (c.*call)() : c.peek()) + c.*b.which + (&c)->*(b.which);
    Point &p = b.points[t];
    p += p;
    p += Point{1, 2};
    geometry::scale(p, 0.5f);
    Point q = p++;
    ++p;
    float f = p + q(2) + norm(p) + (p ? 1 : 0) + static_cast<float>(-p);
    __syncthreads();
    Point far = b.points[(t + 9) % THREADS];
    if (b.points[t] < b.points[(t + 1) % THREADS]) f += far;
    out[t] = sum + f + b.points[(t + 3) % THREADS].y;
}

__device__ int statics(int t) {
    static __shared__ int s[THREADS];
    static const int table[4] = {3, 1, 4, 1};
    s[t] = table[t % 4];
    __syncthreads();
    return s[t ^ 1] + table[s[t] & 3];
}

__device__ int global[THREADS];
__constant__ int scale[4] = {1, 2, 3, 4};

__global__ void spaces(int *out, const int *__restrict__ in, int *__restrict__ scratch) {
    volatile __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = in[t] * scale[t % 4];
    global[t] = s[t];
    volatile int *v = s;
    scratch[t] = v[t] + global[t];
    __syncthreads();
    const int *from[] = {in, scratch, const_cast<const int *>(s), global};
    int sum = statics(t);
    for (int k = 0; k < 4; k++) sum = sum * 3 + from[k][(t * k) % THREADS] * (k == 3 ? 0 : 1);
    __syncthreads();
    s[t] += sum, s[t] = s[t] + 1;
    out[t] = s[t];
}

// racing: the race is with a method.
__global__ void racing(int *out) {
    __shared__ Counter shared;
    int t = threadIdx.x;
    if (t == 40) shared.n = 0;
    out[t] = shared.peek();
}

int main() {
    int *out, *in, *scratch;
    float *real;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    cudaMallocManaged(&in, THREADS * sizeof(int));
    cudaMallocManaged(&scratch, THREADS * sizeof(int));
    cudaMallocManaged(&real, THREADS * sizeof(float));
    for (int t = 0; t < THREADS; t++) in[t] = t * 3;
    auto show = [&](const char *name) {
        cudaError_t e = cudaDeviceSynchronize();
        long long sum = 0;
        for (int t = 0; t < THREADS; t++) sum = (sum * 31 + out[t]) % 1000003;
        printf("%s: %lld %s\n", name, sum, cudaGetErrorString(e));
    };
    members<<<1, THREADS>>>(real);
    cudaDeviceSynchronize();
    float sum = 0;
    for (int t = 0; t < THREADS; t++) sum += real[t];
    printf("members: %.2f\n", sum);
    spaces<<<1, THREADS>>>(out, in, scratch);
    show("spaces");
    racing<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
}
