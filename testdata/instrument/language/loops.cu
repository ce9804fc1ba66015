// Ways to go through shared memory: range-based loops, subscripts with side
// effects, commas, choices as places, switches that fall through, goto.

#include <cstdio>

const int THREADS = 64;

struct Pair {
    int first, second;
};

// Counted copies itself in its own way.
struct Counted {
    int value;
    Counted() = default;
    __device__ Counted(const Counted &other) : value(other.value + 1) {}
};

template <class T, int N> struct Bag {
    T item[N];
    __host__ __device__ T *begin() { return item; }
    __host__ __device__ T *end() { return item + N; }
};

template <class Range> __device__ int total(Range &range) {
    int sum = 0;
    for (auto x : range) sum = sum * 3 + x;
    return sum;
}

__global__ void ranges(int *out) {
    __shared__ int s[THREADS], grid[4][8];
    __shared__ Pair pairs[4];
    __shared__ Counted counted[2];
    Bag<int, 3> bag;
    int t = threadIdx.x, sum = 0;
    for (int &x : bag) x = t;
    s[t] = t;
    if (t < 32) grid[t / 8][t % 8] = t;
    if (t < 4) pairs[t] = {t, t * t};
    if (t < 2) counted[t].value = t;
    __syncthreads();
    for (int x : s) sum += x;
    for (const int &x : s) sum ^= x;
    for (auto &row : grid)
        for (int x : row) sum += x;
    for (const auto [a, b] : pairs) sum += a * b;
    for (Pair p : pairs) sum += p.second;
    for (Counted c : counted) sum += c.value;
    for (int x : {s[1], s[2]}) sum += x;
    for (long x : s) sum += x & 1;
    sum += total(s) % 1000 + total(grid[1]) + total(bag) + total(*&s) % 7;
    __syncthreads();
    for (int &x : grid[t % 4])
        if (t < 4) x = sum + t;
    __syncthreads();
    out[t] = sum + grid[t % 4][t % 8];
}

__global__ void places(int *out) {
    __shared__ int s[2 * THREADS], other[THREADS];
    int t = threadIdx.x, i = t, j = 2 * t;
    s[j++] = i, s[j--] = -i;
    other[t] = 0;
    __syncthreads();
    (t % 2 ? other[t] : s[2 * t]) += 5;
    (t % 3 ? s : other)[t % 3 ? 2 * t + 1 : t] -= 7;
    int *p = &s[j], *q = p++;
    *p++ += *q--;
    ++*--p;
    int k = (p[0]++, p[-1]--, --p, *p);
    (k, other[t]) = k > 0 ? other[t] + s[j] : (s[j] = 4, other[t]);
    int &here = t & 1 ? other[t] : s[j];
    here = here * 2 + (here != 0);
    (other[t] += 3) *= 2;
    (s[j] = k) <<= 1;
    int old = other[t]++;
    old += ++other[t] * 2;
    __syncthreads();
    out[t] = s[(2 * t + 3) % (2 * THREADS)] + other[(t + 1) % THREADS] * 100 + old + !s[t] + ~other[t] + -s[t] + (s[t] && other[t]) + (s[t] || s[t + 1]);
}

__global__ void jumps(int *out, int n) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = 0;
    s[t] = 1;
again:
    switch (s[t] % 5) {
    case 0: s[t] += 2; [[fallthrough]];
    case 1:
    case 2: s[t] *= 2;
    default:
        if (s[t] > 1000) break;
        s[t] += t;
    }
    if (++i < n) goto again;
    if constexpr (THREADS > 32) __syncthreads();
    else s[t] = 0;
    if (int v = s[(t + 5) % THREADS]; v > 50) out[t] = v;
    else out[t] = -v;
    __syncthreads();
    while (int left = s[t]) {
        s[t] = left / 2;
        if (left > 100) continue;
        do s[t]--;
        while (s[t] > 40);
        if (s[t] < 3) break;
    }
    out[t] += s[t];
}

// racing has its races in lines of their own.
__global__ void racing(int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, sum = 0;
    s[t] = t;
    for (int x : s) sum += x;
    __syncthreads();
    out[t] = sum;
}

int main() {
    int *out;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    auto show = [&](const char *name) {
        cudaError_t e = cudaDeviceSynchronize();
        long long sum = 0;
        for (int t = 0; t < THREADS; t++) sum = (sum * 31 + out[t]) % 1000003;
        printf("%s: %lld %s\n", name, sum, cudaGetErrorString(e));
    };
    ranges<<<1, THREADS>>>(out);
    show("ranges");
    places<<<1, THREADS>>>(out);
    show("places");
    jumps<<<1, THREADS>>>(out, 9);
    show("jumps");
    racing<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
}
