// Initialization, heaps, structures and pointers in memory: defects and what only looks like them.
// clean: bitfield_set bitfield_unset members_unset device_copy_ok flags_set heap_linked managed_host_set memset_bytes negative_loop_ok node_list own_slot pair_set
// clean: partly_then_rest rotated row_pointers shared_by_one shared_loop_filled string_ok struct_filled tail_guarded union_seen vector_w_unused wide_row_ok zero_copy
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Item { int key; float value; char tag; };
struct Bits { unsigned a : 3, b : 5; unsigned c; };
struct Node { int value; Node *next; };
union Both { float f; int i; };

__global__ void make_items(Item *p, int how) {
    p[threadIdx.x].key = threadIdx.x;
    if (how > 0) p[threadIdx.x].value = 2;
    if (how > 1) p[threadIdx.x].tag = 1;
}
__global__ void use_items(const Item *p, float *out) {
    out[threadIdx.x] = p[threadIdx.x].key + p[threadIdx.x].value;  // want(struct_unfilled) init global
}
__global__ void move_items(const Item *p, Item *q) { q[threadIdx.x] = p[31 - threadIdx.x]; }
__global__ void bitfields(Bits *p, float *out) {
    p[threadIdx.x].a = 1;
    p[threadIdx.x].b = 3;
    out[threadIdx.x] = p[threadIdx.x].a + p[threadIdx.x].b;
}
__global__ void unions(float *out) {
    Both u[2];
    u[threadIdx.x & 1].f = 1;
    out[threadIdx.x] = u[threadIdx.x & 1].i;
}
__global__ void vectors(float4 *v, float *out) {
    v[threadIdx.x].x = v[threadIdx.x].y = v[threadIdx.x].z = 1;
    float4 a = v[threadIdx.x];
    out[threadIdx.x] = a.x + a.y + a.z;
}
__global__ void vector_w(float4 *v, float *out) {
    v[threadIdx.x].x = v[threadIdx.x].y = v[threadIdx.x].z = 1;
    float4 a = v[threadIdx.x];  // want(vector_w_used) init global
    out[threadIdx.x] = a.x + a.w;
}
__global__ void fill_range(float *p, int from, int to) {
    int i = from + threadIdx.x;
    if (i < to) p[i] = i;
}
__global__ void sum_all(const float *p, float *out, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += p[i];  // want(gap) init global
    out[threadIdx.x] = s;
}
__global__ void shared_fill(float *out, int n) {
    __shared__ float s[100];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
    __syncthreads();
    float x = 0;
    for (int i = 0; i < 100; i++) x += s[i];  // want(shared_short) init shared
    out[threadIdx.x] = x;
}
__global__ void shared_one(float *out) {
    __shared__ float s;
    if (threadIdx.x == 0) s = 3;
    __syncthreads();
    out[threadIdx.x] = s;
}
__global__ void shared_nobody(float *out, int n) {
    __shared__ float s;
    if (threadIdx.x == n) s = 3;
    __syncthreads();
    out[threadIdx.x] = s + 1;  // want(shared_nobody) init shared
}
__global__ void local_pointer(float *out, int n) {
    float a[4], *p = a + n;
    p[0] = 1;
    p[1] = 2;
    out[threadIdx.x] = a[1] + a[2] * a[n];  // want(local_pointer) init local
}
__device__ __noinline__ void set_two(float *a, int n) { a[n] = a[n + 1] = 1; }
__global__ void local_callee(float *out, int n, int k) {
    float a[4];
    set_two(a, n);
    out[threadIdx.x] = a[n] + a[k];  // want(local_callee) init local
}
__global__ void pair_local(float *out, int n) {
    Item a[2];
    a[n].key = 1;
    a[n].value = 2;
    Item b = a[n];
    out[threadIdx.x] = b.key + b.value;
}
__device__ Node *head;
__global__ void push(int fill) {
    Node *n = (Node *)malloc(sizeof(Node));
    if (fill) n->value = 5;
    n->next = nullptr;
    head = n;
}
__global__ void pop(float *out) {
    Node *n = head;
    out[0] = n->value;  // want(heap_unset) init global
    free(n);
}
__global__ void pop_twice(float *out) {
    Node *n = head;
    free(n);
    out[0] = n->value;  // want(heap_freed) memory out-of-bounds
}
__global__ void walk(const Node *list, float *out) {
    float s = 0;
    for (const Node *n = list; n; n = n->next) s += n->value;  // want(dangling) memory out-of-bounds
    out[threadIdx.x] = s;
}
__global__ void through(float **rows, float *out, int n) {
    out[threadIdx.x] = rows[threadIdx.x % n][threadIdx.x];  // want(host_rows) memory out-of-bounds // want(too_few_rows) init global // want(too_few_rows) memory out-of-bounds
}
__global__ void rotate_left(float *a, float *out) {
    float x = a[(threadIdx.x + 1) % blockDim.x];
    out[threadIdx.x] = x;
}
__global__ void tail(const float *a, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? a[i] : 0;
    if (i < n) out[i] = x + 1;
}
__global__ void window(const float *a, float *out, int n, int r) {
    int i = threadIdx.x;
    float s = 0;
    for (int k = -r; k <= r; k++)
        if (i + k >= 0 && i + k < n) s += a[i + k];
    out[i] = s;
}
__global__ void window_open(const float *a, float *out, int n, int r) {
    int i = threadIdx.x;
    float s = 0;
    for (int k = -r; k <= r; k++) s += a[i + k];  // want(window_open) memory out-of-bounds
    out[i] = s;
}
__global__ void grid2(const float *a, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = a[y * w + x];
}
__global__ void grid2_swapped(const float *a, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < h && y < w) out[y * w + x] = a[y * w + x] + 1;  // want(swapped_limits) memory out-of-bounds
}
__global__ void first(const char *s, float *out) {
    int n = 0;
    while (s[n]) n++;  // want(no_end) memory out-of-bounds
    out[0] = n;
}
__global__ void chars(const char *s, float *out) {
    if (threadIdx.x == 0) out[0] = *(const int *)(s + 1);  // want(odd_int) memory misaligned
}
__global__ void doubles(float *a, float *out) {
    double *d = (double *)(a + 1);
    out[threadIdx.x] = d[threadIdx.x];  // want(odd_double) memory misaligned
}
__global__ void branch(const int *flag, float *out) {
    if (flag[threadIdx.x] > 0) out[threadIdx.x] = 1;  // want(flag_unset) init global
}
__global__ void index(const int *at, float *out) {
    int i = at[threadIdx.x];  // want(index_unset) init global
    out[i & 31] = 1;
}

int main(int, char **argv) {
    const char *c = argv[1];
    auto is = [&](const char *k) { return !strcmp(c, k); };
    float *out, *a, *fresh, host[64] = {};
    Item *items, *others;
    cudaMalloc(&out, 4096);
    cudaMalloc(&a, 64 * sizeof(float));
    cudaMalloc(&fresh, 64 * sizeof(float4));
    cudaMalloc(&items, 32 * sizeof(Item));
    cudaMalloc(&others, 32 * sizeof(Item));
    cudaMemset(out, 0, 4096);
    cudaMemset(a, 0, 64 * sizeof(float));
    shared_one<<<1, 32>>>(out);
    if (is("struct_filled")) { make_items<<<1, 32>>>(items, 2); use_items<<<1, 32>>>(items, out); }
    if (is("members_unset")) { make_items<<<1, 32>>>(items, 1); move_items<<<1, 32>>>(items, others); use_items<<<1, 32>>>(others, out); }
    if (is("struct_unfilled")) { make_items<<<1, 32>>>(items, 0); use_items<<<1, 32>>>(items, out); }
    if (is("bitfield_unset")) bitfields<<<1, 32>>>((Bits *)fresh, out);
    if (is("bitfield_set")) { cudaMemset(fresh, 0, 1024); bitfields<<<1, 32>>>((Bits *)fresh, out); }
    if (is("union_seen")) unions<<<1, 32>>>(out);
    if (is("vector_w_unused")) vectors<<<1, 32>>>((float4 *)fresh, out);
    if (is("vector_w_used")) vector_w<<<1, 32>>>((float4 *)fresh, out);
    if (is("partly_then_rest") || is("gap")) {
        fill_range<<<1, 32>>>(fresh, 0, 20);
        fill_range<<<1, 32>>>(fresh, is("gap") ? 21 : 20, 40);
        sum_all<<<1, 1>>>(fresh, out, 40);
    }
    if (is("shared_loop_filled")) shared_fill<<<1, 32>>>(out, 100);
    if (is("shared_short")) shared_fill<<<1, 32>>>(out, 99);
    if (is("shared_by_one")) shared_one<<<1, 64>>>(out);
    if (is("shared_nobody")) shared_nobody<<<1, 32>>>(out, 32);
    if (is("local_pointer")) local_pointer<<<1, 32>>>(out, 0);
    if (is("local_callee")) local_callee<<<1, 32>>>(out, 0, 3);
    if (is("own_slot")) local_callee<<<1, 32>>>(out, 2, 3);
    if (is("pair_set")) pair_local<<<1, 32>>>(out, 1);
    if (is("heap_linked")) { push<<<1, 1>>>(1); pop<<<1, 1>>>(out); }
    if (is("heap_unset")) { push<<<1, 1>>>(0); pop<<<1, 1>>>(out); }
    if (is("heap_freed")) { push<<<1, 1>>>(1); pop_twice<<<1, 1>>>(out); }
    if (is("node_list") || is("dangling")) {
        Node h[3], *d, *gone;
        cudaMalloc(&d, sizeof h);
        cudaMalloc(&gone, sizeof(Node));
        for (int i = 0; i < 3; i++) h[i] = {i, i < 2 ? d + i + 1 : nullptr};
        if (is("dangling")) h[2].next = gone;
        cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
        cudaFree(gone);
        walk<<<1, 1>>>(d, out);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    if (is("row_pointers") || is("host_rows") || is("too_few_rows")) {
        float *h[4] = {a, a, a, is("host_rows") ? host : a}, **d;
        cudaMalloc(&d, sizeof h);
        cudaMemcpy(d, h, (is("too_few_rows") ? 3 : 4) * sizeof *h, cudaMemcpyHostToDevice);
        through<<<1, 32>>>(d, out, 4);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    if (is("rotated")) rotate_left<<<1, 64>>>(a, out);
    if (is("tail_guarded")) tail<<<3, 32>>>(a, out, 64);
    if (is("negative_loop_ok")) window<<<1, 64>>>(a, out, 64, 3);
    if (is("window_open")) window_open<<<1, 64>>>(a, out, 64, 1);
    if (is("wide_row_ok")) grid2<<<dim3(2, 1), dim3(8, 8)>>>(a, out, 13, 4);
    if (is("swapped_limits")) grid2_swapped<<<dim3(2, 2), dim3(8, 8)>>>(a, out, 13, 4);
    if (is("string_ok")) { char s[] = "some text"; cudaMemcpy(a, s, sizeof s, cudaMemcpyHostToDevice); first<<<1, 1>>>((char *)a, out); }
    if (is("no_end")) { cudaMemset(a, 'x', 256); first<<<1, 1>>>((char *)a, out); }
    if (is("odd_int")) chars<<<1, 32>>>((char *)a, out);
    if (is("odd_double")) doubles<<<1, 8>>>(a, out);
    if (is("flag_unset")) branch<<<1, 32>>>((int *)fresh, out);
    if (is("index_unset")) index<<<1, 1>>>((int *)fresh, out);
    if (is("flags_set")) { cudaMemset(fresh, 0, 128); branch<<<1, 32>>>((int *)fresh, out); }
    if (is("memset_bytes")) { cudaMemset2D(fresh, 64, 1, 16, 4); sum_all<<<1, 1>>>(fresh, out, 4); }
    if (is("device_copy_ok")) { cudaMemcpy(fresh, a, 256, cudaMemcpyDeviceToDevice); sum_all<<<1, 1>>>(fresh, out, 64); }
    if (is("managed_host_set")) { float *m; cudaMallocManaged(&m, 64); m[0] = 1; sum_all<<<1, 1>>>(m, out, 16); cudaDeviceSynchronize(); cudaFree(m); }
    if (is("zero_copy")) { float *m, *d; cudaHostAlloc(&m, 64, cudaHostAllocMapped); cudaHostGetDevicePointer(&d, m, 0); for (int i = 0; i < 16; i++) m[i] = i; sum_all<<<1, 1>>>(d, out, 16); cudaDeviceSynchronize(); cudaFreeHost(m); }
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(out); cudaFree(a); cudaFree(fresh); cudaFree(items); cudaFree(others);
    return bad;
}
