// Indexes beyond a member of a structure and beyond a row of an array of arrays.
// flags: --tool memory,init
// clean: inside flexible ends walked tiles wide unions
#include <cstdio>
#include <cstring>

struct Pair { int a[4]; int b[4]; };
struct Flexible { int n; int data[]; };
struct Old { int n; int data[1]; };
struct Vector { float v[3]; __device__ float &operator[](int i) { return v[i]; } };
struct Body { Vector at, speed; };
union Either { int a[4]; float b[8]; };

__global__ void global_member(int *out, Pair *p, int t) {
    p->a[t + threadIdx.x] = t;  // want(global_member) memory out-of-bounds source
    out[0] = p[t].b[2];
}
__global__ void before_member(int *out, Pair *p, int t) {
    out[0] = p->b[t - 5];  // want(before_member) memory out-of-bounds source
}
__global__ void shared_member(int *out, int t) {
    __shared__ Pair p;
    p.a[threadIdx.x] = p.b[threadIdx.x & 3] = t;  // want(shared_member) memory out-of-bounds source
    __syncthreads();
    out[threadIdx.x] = p.a[0];
}
__global__ void local_member(int *out, int t) {
    Pair p = {};
    p.a[t] = 1;  // want(local_member) memory out-of-bounds source
    out[0] = p.b[0];
}
__global__ void constant_index(int *out, Pair *p) {
    p->a[5] = 3;  // want(constant_index) memory out-of-bounds source
    out[0] = p->b[1];
}
__global__ void two_members(int *out, Pair *p) {
    int v[4];
    for (int i = 0; i < 4; i++) v[i] = out[8 + i];
#pragma unroll
    for (int i = 0; i < 6; i++) p->a[i] = v[(i + out[0]) & 3];  // want(two_members) memory out-of-bounds source
#pragma unroll
    for (int i = 0; i < 9; i++) p->b[i] = v[i & 3];  // want(two_members) memory out-of-bounds source
}

__global__ void shared_row(int *out, int t) {
    __shared__ int m[4][4];
    m[threadIdx.x / 4][threadIdx.x % 4] = t;
    __syncthreads();
    out[threadIdx.x] = m[1][(int)threadIdx.x - 4 + t];  // want(shared_row) memory out-of-bounds warning source
}
__global__ void global_row(int *out, int (*m)[16]) {
    for (int i = 0; i <= 16; i++) out[i] = m[threadIdx.x][i];  // want(global_row) memory out-of-bounds warning source
}

__global__ void inside(int *out, Pair *p, int t) {
    for (int i = 0; i < 4; i++) p->a[i] = p->b[i] = t;
    p->a[t & 3] = p->b[threadIdx.x % 4];
    out[0] = p[1].a[3];
}
__global__ void flexible(int *out, Flexible *f, Old *o, int t) {
    f->data[t] = 1;
    out[0] = f->data[t] + o->data[t];
}
__global__ void ends(int *out, Pair *p, int t) {
    const int *end = &p->a[t], *last = p->a + 4;
    int s = 0;
    for (const int *i = p->a; i != end; ++i) s += *i;
    out[0] = s + (end == last);
}
__global__ void walked(int *out, int t) {
    __shared__ int m[4][4];
    int *flat = &m[0][0];
    flat[threadIdx.x] = t;
    __syncthreads();
    int *row = m[1];
    out[threadIdx.x] = row[(int)threadIdx.x - 4];
}
__global__ void tiles(int *out, int t) {
    __shared__ int m[4][5];
    int x = threadIdx.x % 4, y = threadIdx.x / 4;
    m[y][x] = t;
    __syncthreads();
    out[threadIdx.x] = m[x][y];
}
__global__ void wide(float4 *out, Pair *p, int t) {
    out[0] = *reinterpret_cast<float4 *>(&p->a[t]);
}
__global__ void unions(int *out, Either *e, int t) {
    e->b[t + 1] = 2;
    out[0] = e->a[t - 1];
}

int main(int argc, char **argv) {
    const char *name = argv[1];
    int *out;
    Pair *p;
    cudaMalloc(&out, 4096);
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    auto is = [&](const char *n) { return !strcmp(name, n); };
    if (is("global_member")) global_member<<<1, 4>>>(out, p, 3);
    if (is("before_member")) before_member<<<1, 1>>>(out, p, 4);
    if (is("shared_member")) shared_member<<<1, 8>>>(out, 4);
    if (is("local_member")) local_member<<<1, 1>>>(out, 4);
    if (is("constant_index")) constant_index<<<1, 1>>>(out, p);
    if (is("two_members")) cudaMemset(out, 0, 4096), two_members<<<1, 1>>>(out, p);
    if (is("shared_row")) shared_row<<<1, 16>>>(out, 0);
    if (is("global_row")) global_row<<<1, 2>>>(out, (int (*)[16])p);
    if (is("inside")) inside<<<1, 1>>>(out, p, 5);
    if (is("flexible")) flexible<<<1, 1>>>(out, (Flexible *)p, (Old *)p, 5);
    if (is("ends")) ends<<<1, 1>>>(out, p, 4);
    if (is("walked")) walked<<<1, 16>>>(out, 1);
    if (is("tiles")) tiles<<<1, 16>>>(out, 1);
    if (is("wide")) wide<<<1, 1>>>((float4 *)out, p, 0);
    if (is("unions")) unions<<<1, 1>>>(out, (Either *)p, 4);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(p);
}
