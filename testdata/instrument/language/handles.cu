// Objects that stand for others: spans of shared memory, proxies, pointers with
// operators, conversions to references, captures with initializers, objects made in
// place, ranges whose iterators are pointers, static variables of functions.

#include <cstdio>
#include <new>

const int THREADS = 64;

template <class T> struct Proxy {
    T *at;
    __device__ Proxy &operator=(const T &v) {
        *at = v;
        return *this;
    }
    __device__ Proxy &operator+=(T v) {
        *at += v;
        return *this;
    }
    __device__ operator T() const { return *at; }
};

template <class T> struct Span {
    T *first;
    int count;
    __device__ Proxy<T> operator[](int i) const { return {first + i}; }
    __device__ T *begin() const { return first; }
    __device__ T *end() const { return first + count; }
};

template <class T> struct Pointer {
    T *to;
    __device__ T &operator*() const { return *to; }
    __device__ T *operator->() const { return to; }
    __device__ Pointer operator+(int i) const { return {to + i}; }
    __device__ Pointer operator++(int) {
        Pointer old = *this;
        ++to;
        return old;
    }
};

struct Item {
    int weight, value;
};

template <class R> __device__ int total(const R &range) {
    int sum = 0;
    for (auto x : range) sum = sum * 3 % 1009 + x;
    return sum;
}

// spans: the address of a shared variable is what an object begins with.
__global__ void spans(int *out) {
    __shared__ int s[THREADS];
    __shared__ Span<int> common;
    __shared__ Item items[THREADS];
    int t = threadIdx.x;
    Span<int> span{s, THREADS};
    span[t] = t * 5 % 17;
    items[t] = {t, -t};
    if (t == 0) common = {s, 4};
    __syncthreads();
    Span<int> parts[2] = {{s, 8}, {s + 8, 8}}, *p = parts + t % 2;
    int sum = span[(t + 1) % THREADS] + total(span) + total(*p) + total(s);
    for (int x : common) sum += x;
    for (int x : *p) sum ^= x;
    Pointer<Item> item{items};
    sum += (*(item + t)).value + (item + t)->weight + item++->weight + item->value;
    __syncthreads();
    span[t] += sum;
    (item + (t - 1))->weight += 2;
    (*(item + (t - 1))).value = t;
    __syncthreads();
    out[t] = span[(t + 3) % THREADS] + items[(t + 5) % THREADS].weight + items[t ^ 1].value;
}

// captures are initialized where the lambda is, and read where it is called.
__global__ void captures(int *out) {
    __shared__ int s[THREADS], w[THREADS];
    int t = threadIdx.x;
    s[t] = t, w[t] = 2 * t;
    __syncthreads();
    int &mine = s[t];
    auto f = [x = s[(t + 1) % THREADS], &y = w[t], z(w[1]), q{s[2] + /* ) */ w[3]}](int k) { return x + y * k + z + q; };
    auto g = [=, a = [b = s[3]] { return b + w[4]; }()] { return a + mine; };
    int sum = f(s[5]) + g() + [mine] { return mine; }() + [&] { return s[t] + mine; }();
    __syncthreads();
    out[t] = sum + [&, t]() { return s[t] += 3; }();
}

// places: what new makes in a place is there.
__global__ void places(int *out) {
    __shared__ alignas(Item) char room[THREADS * sizeof(Item)];
    static int calls[THREADS];
    static const int weights[4] = {3, 1, 4, 1};
    int t = threadIdx.x;
    Item *mine = new (room + t * sizeof(Item)) Item;
    mine->weight = weights[t % 4];
    (*mine).value = t;
    __syncthreads();
    const Item *next = reinterpret_cast<const Item *>(room) + (t + 1) % THREADS;
    calls[t] += next->weight + next->value;
    __syncthreads();
    out[t] = calls[t] * 100 + mine->value++;
}

// racing has its races through a span, and in a capture.
__global__ void racing(int *out) {
    __shared__ int s[THREADS], w[THREADS];
    int t = threadIdx.x, sum = 0;
    Span<int> span{s, THREADS};
    s[t] = t;
    for (int x : span) sum += x;
    w[t] = t;
    auto f = [x = w[(t + 40) % THREADS]] { return x; };
    __syncthreads();
    out[t] = sum + f();
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
    spans<<<1, THREADS>>>(out);
    show("spans");
    captures<<<1, THREADS>>>(out);
    show("captures");
    places<<<1, THREADS>>>(out);
    show("places");
    racing<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
}
