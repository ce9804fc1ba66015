// Expressions that access shared memory where text is hard to change: macros with
// side effects, the conditional operator, commas, increments, operands that are
// not evaluated, included text.

#include <cstdio>

#define SQUARE(x) ((x) * (x))
#define SWAP(T, a, b) do { T t_ = (a); (a) = (b); (b) = t_; } while (0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define AT(i) buffer[(i) % SIZE]
#define STEP(target, op, ...) target op (__VA_ARGS__)
#define NAME(x) #x
#define GLUE(a, b) a##b
#define SYNC() __syncthreads()
#define FOR_EACH(i, n) for (int i = 0; i < (n); i++)

const int SIZE = 128;

__constant__ int factors[4] = {3, 5, 7, 11};
__device__ int counter;
__device__ int table[SIZE];

__device__ int take(volatile int *p) { return *p; }
__device__ int &pick(int *a, int *b, bool first) { return first ? *a : *b; }
__device__ int next(int &n) { return n++; }

__global__ void expressions(int *out) {
    __shared__ int buffer[SIZE];
    __shared__ volatile int flags[SIZE];
    __shared__ int other[SIZE];
    int t = threadIdx.x, i = 0;
    AT(t) = t, other[t] = 2 * t;
    flags[t] = t & 1;
    SYNC();
    int sum = SQUARE(AT(t + 1)) + MAX(other[t], AT(t + 2)); // a macro in a macro's argument
    sum += sizeof(buffer[t]) + sizeof NAME(buffer[t]);      // not evaluated
    decltype(buffer[0] + 0L) wide = other[(t + 9) % SIZE];
    sum += static_cast<int>(wide);
    sum += flags[(t + 1) % SIZE] && other[t] ? AT(t + 3) : take(&flags[t]);
    SYNC();
    (t & 1 ? buffer[t] : other[t]) = sum;
    (t & 2 ? buffer[t] : other[t]) += 3;
    (sum++, other[t]) -= 1;
    pick(&buffer[t], &other[t], t % 3 == 0) ^= 5;
    buffer[t]++, --other[t];
    ++buffer[t] += 2;
    other[t] = buffer[t] = other[t] + buffer[t] % 1000;
    int old = other[t]++ + ++other[t];
    STEP(buffer[t], <<=, 1, 2);
    SWAP(int, buffer[t], other[t]);
    sum += next(buffer[t]);
    int *p = buffer + t;
    *p = *p % 4096;
    p[0] |= factors[i++ & 3];
    *&other[t] = i;
    t[other] += !other[t]; // an index and its array may change places
    GLUE(buf, fer)[t] += old & 7;
    SYNC();
    FOR_EACH(k, 3) sum += AT(t + k) - *(other + (t + k) % SIZE);
    SYNC();
    switch (buffer[t] & 3) {
    case 0: other[t] = 1; break;
    case 1: other[t] += 2; // on to the next
    default: other[t] ^= 3;
    }
    if (int v = other[t]; v > 2) sum += v;
    while (buffer[t] > 100) buffer[t] /= 3;
    do buffer[t] -= 7;
    while (buffer[t] > 0);
    for (buffer[t] = 0; buffer[t] < 3; buffer[t]++) sum += buffer[t];
    auto set = [&](int v) { return other[t] = v; };
    set(set(sum) % 77);
    SYNC();
    for (int v : {other[(t + 1) % SIZE], buffer[(t + 2) % SIZE]}) sum += v;
    SYNC();
    atomicAdd(&buffer[0], t), atomicMax(buffer + 1, t);
    sum += __popc(__ballot_sync(0xffffffff, flags[t])) + __shfl_xor_sync(0xffffffff, other[t], 1);
    SYNC();
    table[t] = sum, table[t] += buffer[0] - buffer[1], out[t] = table[t];
    atomicInc(reinterpret_cast<unsigned *>(&counter), 1u << 20);
#include "lib/more.inc"
}

__global__ void racing(int *out) {
    __shared__ int buffer[SIZE];
    int t = threadIdx.x;
    buffer[t] = t;
    out[t] = SQUARE(AT(t + 33));
    SYNC();
    STEP(buffer[t % 2], =,
         t);
    SYNC();
    out[t] += buffer[t % 2] ? 1 : AT(t);
}

int main() {
    int *out;
    cudaMallocManaged(&out, SIZE * sizeof(int));
    expressions<<<1, SIZE>>>(out);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int t = 0; t < SIZE; t++) sum = sum * 31 % 1000003 + out[t];
    int n;
    cudaMemcpyFromSymbol(&n, counter, sizeof n);
    printf("expressions: %lld, %d times\n", sum, n);
    racing<<<1, SIZE>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
