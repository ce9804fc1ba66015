// --std c++20
// What C++20 brings: concepts, abbreviated templates, comparisons of three results,
// templates of lambdas, designated initializers, initializers in loops, using enum.

#include <compare>
#include <concepts>
#include <cstdio>
#include <utility>

const int THREADS = 64;

template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <class T> concept Indexed = requires(T a, int i) {
    a[i];
    { a.size() } -> std::convertible_to<int>;
};

template <Number T, int N> struct Vector {
    T x[N];
    __device__ constexpr T &operator[](int i) { return x[i]; }
    __device__ constexpr const T &operator[](int i) const { return x[i]; }
    __device__ constexpr int size() const { return N; }
    __device__ friend constexpr bool operator==(const Vector &a, const Vector &b) {
        for (int i = 0; i < N; i++)
            if (a[i] != b[i]) return false;
        return true;
    }
};

struct Key {
    int k;
    __device__ std::strong_ordering operator<=>(const Key &o) const { return k <=> o.k; }
};

enum class Way { up = 2, down = 3 };

__device__ auto total(const Indexed auto &v) {
    decltype(v[0] + 0) sum = 0;
    for (int n = v.size(); auto x : v.x) sum += x * n;
    return sum;
}
__device__ auto add(Number auto &a, Number auto b)
    requires(sizeof(a) >= 4)
{
    return a += b;
}
template <Way W> __device__ int take(int *p) {
    using enum Way;
    if constexpr (W == up) return p[0];
    else return p[1]++;
}
template <auto F> __device__ int call(const int *p, int i) { return F(p, i); }
__device__ int get(const int *p, int i) { return p[i]; }

__global__ void modern(int *out) {
    __shared__ Vector<int, 3> v[THREADS];
    __shared__ Key keys[THREADS];
    __shared__ int s[THREADS];
    int t = threadIdx.x, n = (t + 1) % THREADS;
    v[t] = {.x = {t, t + 1, t + 2}};
    keys[t] = {.k = t ^ 5};
    s[t] = t;
    __syncthreads();
    int r = total(v[n]) + (keys[n] <=> keys[t] < 0) + (keys[t] > keys[n]) + (v[t] == v[n]);
    r += take<Way::up>(s + t) + call<get>(s, n);
    r += [&]<int... I>(std::integer_sequence<int, I...>) { return (s[(t + I) % THREADS] + ...); }(std::make_integer_sequence<int, 3>{});
    __syncthreads();
    r += add(s[t], 2) + add(v[t][1], 3);
    for (int k = s[t]; auto &x : v[t].x) x += k++;
    auto twice = []<class T>(T *p, int i) { return p[i] *= T(2); };
    r += twice(s, t);
    __syncthreads();
    if (t % 2 == 0) r += take<Way::down>(s + t);
    if (t % 2 == 0) [[likely]] s[t]--;
    __syncthreads();
    out[t] = r + v[n][1] + s[n];
}

// racing: what a function for any number adds to is read by another thread.
__global__ void racing(int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    add(s[t], 2);
    out[t] = s[(t + 33) % THREADS];
}

int main() {
    int *out;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    modern<<<1, THREADS>>>(out);
    cudaError_t e = cudaDeviceSynchronize();
    long long sum = 0;
    for (int t = 0; t < THREADS; t++) sum = (sum * 31 + out[t]) % 1000003;
    printf("modern: %lld %s\n", sum, cudaGetErrorString(e));
    racing<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
}
