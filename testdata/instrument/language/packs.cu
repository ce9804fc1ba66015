// Variadic templates, generic lambdas, captures, macros with side effects and of
// many arguments, pragmas, attributes, recursion, template parameters that are
// functions, constexpr.

#include <cstdio>
#include <utility>

const int THREADS = 64;

#define COUNT_AND(x) (count++, (x))
#define EACH(m, ...) m(__VA_ARGS__)
#define ADD3(a, b, c) ((a) += (b) + (c))
#define NAME(prefix, n) prefix##n
#define TEXT(x) #x
#define SWAP(a, b)                                                                                                                         \
    do {                                                                                                                                   \
        auto t_ = (a);                                                                                                                     \
        (a) = (b);                                                                                                                         \
        (b) = t_;                                                                                                                          \
    } while (0)
#define UNROLL _Pragma("unroll")
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define BUFFER s
#define BARRIER() __syncthreads()
#define FOR(i, n) for (int i = 0; i < (n); i++)

template <class... A> __device__ int sum(A... a) { return (0 + ... + a); }
template <class F, class... A> __device__ auto apply(F &&f, A &&...a) { return f(std::forward<A>(a)...); }
template <class T> __device__ T last(T &x) { return x; }
template <class T, class... R> __device__ auto last(T &, R &...r) { return last(r...); }
template <int... I> __device__ int dot(const int *a, const int (&b)[THREADS], std::integer_sequence<int, I...>) {
    return ((a[I] * b[I + 1]) + ...);
}
template <class... A> __device__ void setAll(int v, A &...a) { ((a = v++), ...); }

template <int N> struct Steps {
    __device__ static void go(int *p) {
        p[N] += p[N - 1];
        Steps<N - 1>::go(p);
    }
};
template <> struct Steps<0> {
    __device__ static void go(int *p) { p[0]++; }
};

__global__ void packs(int *out) {
    __shared__ int s[THREADS], w[THREADS + 8];
    int t = threadIdx.x;
    s[t] = t % 11;
    w[t] = 2 * t;
    if (t < 8) w[THREADS + t] = t;
    __syncthreads();
    int r = sum(s[t], w[t], s[(t + 1) % THREADS], 4) + last(s[0], w[1], s[t]);
    r += dot(w + t % 8, s, std::make_integer_sequence<int, 5>());
    r += apply([](auto a, auto &&b) { return a * b; }, s[t], w[t + 1]);
    auto get = [&, t](int k) -> int & { return k ? s[t] : w[t]; };
    auto twice = [&](auto f) { return f(0) + f(1); };
    r += twice(get);
    __syncthreads();
    get(1) = r;
    get(0) += s[t];
    setAll(t, s[t], w[t]);
    int local[3] = {s[t], w[t], s[t] + w[t]};
    Steps<2>::go(local);
    __syncthreads();
    if (t % 8 == 0) Steps<7>::go(s + t);
    __syncthreads();
    out[t] = r + s[t] + w[t] + local[2];
}

__global__ void macros(int *out) {
    __shared__ int BUFFER[THREADS], NAME(other, 1)[THREADS];
    int t = threadIdx.x, count = 0, i = t;
    BUFFER[t] = t;
    NAME(other, 1)[t] = THREADS - t;
    BARRIER();
    int a = COUNT_AND(s[i++ % THREADS]);
    a += COUNT_AND(s[i++ % THREADS]);
    EACH(ADD3, other1[t], a, count);
    BARRIER();
    SWAP(s[t], other1[t]);
    int m = MAX(s[t], other1[t]);
    UNROLL
    FOR(k, 4) m += s[t] * k;
#pragma unroll 2
    for (int k = 0; k < 3; k++) ADD3(other1[t], k, m);
    BARRIER();
    out[t] = m + s[(t + 1) % THREADS] + other1[(t + 2) % THREADS] + (TEXT(s[t])[0] == 's') + sizeof(s[t]) + sizeof s;
}

constexpr __host__ __device__ int power(int b, int e) { return e ? b * power(b, e - 1) : 1; }
constexpr __host__ __device__ int pick(const int *p, int i) { return p[i]; }

template <int (*F)(int, int)> __device__ int call(int a, int b) { return F(a, b); }

__device__ int fib(int *memo, int n) {
    if (n < 2) return n;
    if (memo[n]) return memo[n];
    return memo[n] = fib(memo, n - 1) + fib(memo, n - 2);
}

template <class T> constexpr bool isInt = false;
template <> constexpr bool isInt<int> = true;

template <class T> __global__ void constants(T *out) {
    __shared__ int memo[32];
    extern __shared__ unsigned char raw[];
    T *dynamic = reinterpret_cast<T *>(raw);
    int t = threadIdx.x;
    if (t < 32) memo[t] = 0;
    dynamic[t] = static_cast<T>(t);
    __syncthreads();
    if (t == 0) fib(memo, 20);
    constexpr int nine = power(3, 2);
    static_assert(nine == 9);
    __syncthreads();
    T x = dynamic[(t + nine) % THREADS] + call<power>(pick(memo, 3), 2);
    if constexpr (isInt<T>) x += memo[t % 32] >> 2;
    else x *= memo[t % 5];
    decltype(dynamic[0]) &&ref = dynamic[t];
    __syncthreads();
    ref = x;
    out[t] = dynamic[t] + T(alignof(decltype(memo[0])));
}

// racing has its race in a macro.
__global__ void racing(int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 1;
    ADD3(out[t], s[(t + 32) % THREADS], 1);
}

int main() {
    int *out;
    float *real;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    cudaMallocManaged(&real, THREADS * sizeof(float));
    auto show = [](const char *name, auto *out) {
        cudaError_t e = cudaDeviceSynchronize();
        long long sum = 0;
        for (int t = 0; t < THREADS; t++) sum = (sum * 31 + (long long)out[t]) % 1000003;
        printf("%s: %lld %s\n", name, sum, cudaGetErrorString(e));
    };
    packs<<<1, THREADS>>>(out);
    show("packs", out);
    macros<<<1, THREADS>>>(out);
    show("macros", out);
    constants<int><<<1, THREADS, THREADS * sizeof(int)>>>(out);
    show("constants", out);
    constants<float><<<1, THREADS, THREADS * sizeof(float)>>>(real);
    show("constants of float", real);
    racing<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
}
