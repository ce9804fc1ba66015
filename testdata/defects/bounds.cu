// Accesses beyond one object that hit another one, within them, and outside all.
// clean: two_locals local_struct passed recursive last whole cast flat rows neighbor selected chosen ends pooled table swapped frame tail
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Point { float x, y, z; };
struct View { int *data; size_t skip; };

__device__ int squares[16];
__device__ int cubes[16];
__constant__ int weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__global__ void shared_next(int *out, int n) {
    __shared__ int a[32];
    __shared__ int b[64];
    a[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = b[threadIdx.x + 32] = 7;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + n] + b[threadIdx.x];  // want(shared_next) memory out-of-bounds
}
// The same within the array.
__global__ void last(int *out, int n) {
    __shared__ int a[32];
    __shared__ int b[64];
    a[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = b[threadIdx.x + 32] = 7;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x * n / n] + b[threadIdx.x + 32];
}

__global__ void shared_before(int *out, int n) {
    __shared__ int a[32];
    __shared__ int b[64];
    a[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = b[threadIdx.x + 32] = 7;
    __syncthreads();
    out[threadIdx.x] = b[(int)threadIdx.x - n] + a[threadIdx.x];  // want(shared_before) memory out-of-bounds
}

// A write across the end of an array of structures.
__global__ void shared_struct(float *out, int n) {
    __shared__ Point p[8];
    __shared__ float rest[32];
    rest[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 8 + n) p[threadIdx.x].z = 2;  // want(shared_struct) memory out-of-bounds
    __syncthreads();
    out[threadIdx.x] = rest[threadIdx.x] + p[threadIdx.x % 8].z;
}

// A whole structure, and the array seen as another type.
__global__ void whole(float *out) {
    __shared__ Point p[32];
    p[threadIdx.x] = Point{1, 2, 3};
    __syncthreads();
    Point q = p[31 - threadIdx.x];
    out[threadIdx.x] = q.x + q.y + q.z;
}
__global__ void cast(int *out) {
    __shared__ __align__(16) int a[128];
    reinterpret_cast<int4 *>(a)[threadIdx.x] = make_int4(1, 2, 3, 4);
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x * 4 + 3];
}

// The rows of one array, indexed beyond a row and within the array.
__global__ void flat(int *out) {
    __shared__ int m[4][8];
    (&m[0][0])[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = m[0][threadIdx.x];
}
__global__ void rows(int *out) {
    __shared__ int m[4][8], n[4][8];
    m[threadIdx.x / 8][threadIdx.x % 8] = 1;
    n[threadIdx.x / 8][threadIdx.x % 8] = 2;
    __syncthreads();
    int (*r)[8] = m;
    int s = 0;
    for (int i = 0; i < 4; i++, r++) s += (*r)[threadIdx.x % 8];
    out[threadIdx.x] = s + n[3][7];
}

// A pointer that may be of one array or of the other.
__global__ void selected(int *out, int which) {
    __shared__ int a[32], b[32];
    int *p = which ? a : b, *q = which ? b : a;
    p[threadIdx.x] = 1;
    q[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void swapped(int *out) {
    __shared__ int a[32], b[32];
    int *from = a, *to = b;
    from[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        to[threadIdx.x] = from[(threadIdx.x + 1) % 32];
        __syncthreads();
        int *t = from;
        from = to;
        to = t;
    }
    out[threadIdx.x] = from[threadIdx.x];
}
// Pointers that lie in memory.
__global__ void chosen(int **list, int *out) { out[threadIdx.x] = list[threadIdx.x % 2][threadIdx.x]; }

__global__ void global_next(int *a, int *b, long n) {
    b[threadIdx.x] = a[threadIdx.x + n];  // want(global_next) memory out-of-bounds
}
__global__ void neighbor(int *a, int *b, long n) { b[threadIdx.x] = a[threadIdx.x + n - n]; }
__global__ void in_struct(View v, int *b) {
    b[threadIdx.x] = v.data[threadIdx.x + v.skip];  // want(in_struct) memory out-of-bounds
}
// A range from its end.
__global__ void ends(int *begin, int *end, int *out) {
    int n = end - begin;
    out[threadIdx.x] = end[-1 - (int)threadIdx.x % n] + begin[threadIdx.x % n];
}
// One allocation that the program divides itself.
__global__ void pooled(int *a, int *b) { b[threadIdx.x] = a[threadIdx.x + 32]; }
__global__ void table(int *out) {
    if (threadIdx.x < 16) squares[threadIdx.x] = 3;
    out[threadIdx.x] = weights[threadIdx.x % 8] + cubes[threadIdx.x % 16];
}
__global__ void table_next(int *out, long n) {
    out[threadIdx.x] = squares[threadIdx.x % 16 + n];  // want(table_next) memory out-of-bounds
}
__global__ void outside(int *a, int n) {
    a[threadIdx.x + n] = 1;  // want(outside) memory out-of-bounds
}

// Local arrays: within, and beyond all of them.
__global__ void frame(int *out, int n) {
    int a[8], b[8];
    for (int i = 0; i < 8; i++) { a[i] = i; b[i] = 2 * i; }
    out[threadIdx.x] = a[(threadIdx.x + n) % 8] + b[n % 8];
}
__global__ void tail(int *out, int n) {
    int a[8];
    for (int i = 0; i < 8; i++) a[i] = i;
    for (int i = 0; i < n; i++) a[(i * 5) % 8] += a[7 - i % 8];
    out[threadIdx.x] = a[n % 8];
}
__global__ void beyond_frame(int *out, int n) {
    int a[8];
    for (int i = 0; i < 8; i++) a[i] = i;
    a[n + threadIdx.x] = 1;  // want(beyond_frame) memory out-of-bounds error
    out[threadIdx.x] = a[threadIdx.x % 8];
}

// From one local array into the next one, by one element.
__global__ void local_next(int *out, int n) {
    int a[8], b[8];
    for (int i = 0; i < 8; i++) { a[i] = i; b[i] = 2 * i; }
    for (int i = 0; i <= n; i++) out[threadIdx.x] += a[i] + b[7 - i % 8];  // want(local_next) memory out-of-bounds
}
__global__ void two_locals(int *out, int n) {
    int a[8], b[8];
    for (int i = 0; i < 8; i++) { a[i] = i; b[i] = 2 * i; }
    for (int i = 0; i < n; i++) out[threadIdx.x] += a[i] + b[7 - i % 8];
}
__global__ void local_before(int *out, int n) {
    int a[4], b[4];
    for (int i = 0; i < 4; i++) { a[i] = i; b[i] = 2 * i; }
    out[threadIdx.x] = a[(threadIdx.x + n) % 4] + b[n] + b[(n + 1) % 4];  // want(local_before) memory out-of-bounds
}
struct Both { int first[4]; int second[4]; };
// The members of one structure: the address is computed from the whole.
__global__ void local_struct(int *out, int n) {
    Both s[2];
    for (int i = 0; i < 4; i++) for (int k = 0; k < 2; k++) { s[k].first[i] = i; s[k].second[i] = k; }
    out[threadIdx.x] = s[n & 1].first[n & 3] + s[1].second[(n + 1) & 3];
}
__device__ __noinline__ int total(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
__global__ void passed(int *out, int n) {
    int a[8], b[4];
    for (int i = 0; i < 8; i++) a[i] = i;
    for (int i = 0; i < 4; i++) b[i] = i;
    out[threadIdx.x] = total(a, n) + total(b, n / 2);
}
__device__ __noinline__ int depth(int n, const int *up) {
    int mine[3];
    for (int i = 0; i < 3; i++) mine[i] = n + i + up[i];
    return n == 0 ? mine[2] : depth(n - 1, mine) + mine[n % 3];
}
__global__ void recursive(int *out, int n) {
    int a[3] = {1, 2, 3};
    out[threadIdx.x] = depth(n, a);
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *a, *b, *pool, **list, *host[2];
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 4096);
    cudaMalloc(&pool, 1024);
    cudaMalloc(&list, sizeof host);
    cudaMemset(a, 0, 128);
    cudaMemset(b, 0, 4096);
    cudaMemset(pool, 0, 1024);
    host[0] = a;
    host[1] = b;
    cudaMemcpy(list, host, sizeof host, cudaMemcpyHostToDevice);
#define CASE(k, ...) if (!strcmp(c, #k)) k<<<1, 32>>>(__VA_ARGS__)
    CASE(shared_next, b, 4); CASE(last, b, 3); CASE(shared_before, b, 3); CASE(shared_struct, (float *)b, 1);
    CASE(whole, (float *)b); CASE(cast, b); CASE(flat, b); CASE(rows, b); CASE(selected, b, 1); CASE(swapped, b);
    CASE(chosen, list, pool); CASE(global_next, a, pool, b - a); CASE(neighbor, a, b, 10); CASE(in_struct, View{a, size_t(b - a)}, pool);
    CASE(ends, a, a + 32, b); CASE(pooled, pool, pool + 64); CASE(table, b); if (!strcmp(c, "table_next")) {
        int *s, *t;
        cudaGetSymbolAddress((void **)&s, squares);
        cudaGetSymbolAddress((void **)&t, cubes);
        table_next<<<1, 32>>>(b, t - s);
    }
   
    CASE(outside, a, 1); CASE(frame, b, 3); CASE(tail, b, 9); CASE(beyond_frame, b, 30);
    CASE(local_next, b, 8); CASE(two_locals, b, 8); CASE(local_before, b, -1); CASE(local_struct, b, 3); CASE(passed, b, 8); CASE(recursive, b, 5);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(a); cudaFree(b); cudaFree(pool); cudaFree(list);
    return bad;
}
