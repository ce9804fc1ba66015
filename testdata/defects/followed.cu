// Uninitialized values are followed until they matter.
// clean: moved masked low_byte least chosen same_either joined_bits shifted_out sign_known unused_lane ballot_bits padding_moved padding_to_host
// clean: vector_part matrix_edge rewritten filled_by_copy byte_filled field_set exchanged_out piped_set called_unused
// clean: set_on_path leader
#include <cstdio>
#include <cstring>

#include <cuda_pipeline.h>
#include <mma.h>

struct Item { int key; char tag; };           // three bytes of padding
struct Wide { double x; int n; };             // four
struct Fields { unsigned a : 3, b : 5, c : 24; };

// The value goes to another thread, which compares it.
__global__ void crossed(const float *in, int *out) {
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = in[2 * t];
    __syncthreads();
    out[t] = s[31 - t] > 3.f ? 1 : 2;  // want(crossed) init shared
}
// The same through a local array.
__global__ void through_local(const float *in, int *out, int k) {
    float a[4];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) a[i] = in[4 * t + i];  // want(through_local) init global
    out[t] = a[k] > 3.f ? 1 : 2;
}
// Through global memory, from launch to launch.
__global__ void move(const int *in, int *out) { out[2 * threadIdx.x] = in[2 * threadIdx.x]; }
__global__ void compare(const int *in, int *out) {
    if (in[2 * threadIdx.x] > 3)  // want(next_launch) init global // want(copied_on) init global
        out[threadIdx.x] = 1;
}
// It forms an address.
__global__ void index(const int *in, int *out) {
    __shared__ int s[64];
    s[2 * threadIdx.x] = in[2 * threadIdx.x];
    __syncthreads();
    int i = s[2 * threadIdx.x] & 31;  // want(addressed) init shared
    out[32 * threadIdx.x + i] = 1;
}
// One byte of each element is missing.
__global__ void increase(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] + 1; }  // want(byte_short) init global
__global__ void mask(const unsigned *in, unsigned *out) { out[threadIdx.x] = (in[threadIdx.x] & 0xffffff) + 1; }
__global__ void mask_all(const unsigned *in, unsigned *out) { out[threadIdx.x] = (in[threadIdx.x] >> 24) + 1; }  // want(top_byte) init global
__global__ void low(const unsigned *in, unsigned char *out) { out[threadIdx.x] = (unsigned char)in[threadIdx.x] + 1; }
// The result is what it is, whatever the value.
__global__ void smaller(const unsigned *in, unsigned *out) { out[threadIdx.x] = min(in[threadIdx.x], 0u) + 1; }
__global__ void choose(const int *in, const int *set, int *out, int n) {
    int x = in[threadIdx.x], y = set[threadIdx.x];  // want(chosen_undefined) init global
    out[threadIdx.x] = ((int)threadIdx.x < n ? y : x) + 1;
}
__global__ void either(const int *in, int *out) { out[threadIdx.x] = (in[threadIdx.x] > 3 ? 5 : 5) + 1; }
__global__ void join(const unsigned short *in, unsigned *out) {
    unsigned v = in[2 * threadIdx.x] | (unsigned)in[2 * threadIdx.x + 1] << 16;
    out[threadIdx.x] = (v & 0xffff) + 1;
}
__global__ void shift_out(const unsigned *in, unsigned *out) { out[threadIdx.x] = (in[threadIdx.x] << 8 << 8) + 1; }
__global__ void sign(const int *in, int *out) { out[threadIdx.x] = (in[threadIdx.x] | 0x80000000) < 0 ? 1 : 2; }
// Lanes exchange values, and those that matter are set.
__global__ void lanes(const int *in, int *out, int n) {
    int v = (int)threadIdx.x < n ? (int)threadIdx.x : in[threadIdx.x];
    v = __shfl_xor_sync(~0u, v, 1);  // the line of the read is above
    if (threadIdx.x < 16) out[threadIdx.x] = v + 1;
}
__global__ void lanes_used(const int *in, int *out) {
    int v = threadIdx.x < 15 ? (int)threadIdx.x : in[threadIdx.x];  // want(used_lane) init global
    v = __shfl_xor_sync(~0u, v, 1);
    if (threadIdx.x < 16) out[threadIdx.x] = v + 1;
}
__global__ void ballot(const int *in, unsigned *out, unsigned m) {
    unsigned b = __ballot_sync(~0u, in[threadIdx.x] > 3);  // want(ballot_used) init global
    if (b & m) out[threadIdx.x] = 1;
}
// Padding is moved, in pieces that the compiler chooses.
__global__ void make_items(Item *p) { p[threadIdx.x].key = threadIdx.x; p[threadIdx.x].tag = 1; }
__global__ void make_wide(Wide *p) { p[threadIdx.x].x = threadIdx.x; p[threadIdx.x].n = 1; }
template <class T> __global__ void turn(const T *p, T *q) {
    __shared__ T s[32];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void read_tags(const Item *p, int *out) { out[threadIdx.x] = p[threadIdx.x].key + p[threadIdx.x].tag; }  // want(member_unset) init global
__global__ void make_keys(Item *p) { p[threadIdx.x].key = threadIdx.x; }
// A vector of which a part is set and used.
__global__ void vectors(float4 *v, float *out, bool all) {
    v[threadIdx.x].x = v[threadIdx.x].y = v[threadIdx.x].z = 1;
    float4 a = v[threadIdx.x];  // want(vector_whole) init global
    out[threadIdx.x] = all ? a.x + a.w : a.x + a.y + a.z;
}
// Rows and columns beyond the matrix are computed with, and their sums dropped.
__global__ void multiply(const half *a, const half *b, float *c, int rows, int stored) {
    using namespace nvcuda::wmma;
    __shared__ half as[16 * 16], bs[16 * 16];
    __shared__ float cs[16 * 16];
    for (int i = threadIdx.x; i < 256; i += 32) {
        if (i / 16 < rows) as[i] = a[i];
        bs[i] = b[i];
    }
    __syncthreads();
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.f);
    load_matrix_sync(fa, as, 16);  // want(matrix_row) init shared
    load_matrix_sync(fb, bs, 16);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(cs, fc, 16, mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 32)
        if (i / 16 < stored) c[i] = cs[i];
}
__global__ void write_again(const int *in, int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x] + 1;
}
__global__ void fields(Fields *p, int *out, int all) {
    p[threadIdx.x].a = 1;  // want(field_unset) init global error optimized
    p[threadIdx.x].b = 2;
    Fields f = p[threadIdx.x];  // want(field_unset) init global error source
    out[threadIdx.x] = all ? f.a + f.c : f.a + f.b;
}
__global__ void exchange(int *lock, int *out) {
    int old = atomicExch(&lock[threadIdx.x], 1);
    out[threadIdx.x] = lock[threadIdx.x] + 0 * old;
}
__global__ void add(const int *in, int *sum) { atomicAdd(sum, in[threadIdx.x]); }  // want(added) init global
__global__ void print(const int *in) { printf("%d\n", in[threadIdx.x]); }          // want(printed) init global
// A copy that nothing waits for yet.
__global__ void piped(const int *in, int *out) {
    __shared__ int s[32];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x] + 1;  // want(piped_unset) init shared
}
__device__ __noinline__ int half_of(int x, int y, bool both) { return both ? x / 2 + y : x / 2; }
__global__ void call(const int *in, int *out, bool both) {
    int y = in[threadIdx.x];  // want(called) init global
    out[threadIdx.x] = half_of(threadIdx.x, y, both) + 1;
}
// Variables in registers.
__global__ void sum_unset(const int *a, int *out, int n) {
    int sum;  // want(sum_unset) init local error source
    for (int i = 0; i < n; i++) sum += a[i];  // want(sum_unset) init register error optimized
    out[threadIdx.x] = sum;
}
__global__ void sums_unset(const int *a, int *out, int n) {
    int sum[4];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) sum[k] += a[4 * i + k];  // want(sums_unset) init local error source // want(sums_unset) init register error optimized // want(sums_unset) init register error optimized // want(sums_unset) init register error optimized // want(sums_unset) init register error optimized
    for (int k = 0; k < 4; k++) out[4 * threadIdx.x + k] = sum[k];
}
__global__ void on_path(int *out, int n) {
    int x;  // want(not_on_path) init local error source
    if (n > 3) x = n;
    if (x > 2) out[threadIdx.x] = 1;
}
// The lanes that have no value get one.
__global__ void append(int *out) {
    int p;
    if (threadIdx.x == 0) p = atomicAdd(out, 32);
    p = __shfl_sync(~0u, p, 0);
    out[1 + threadIdx.x] = p;
}

int main(int, char **argv) {
    const char *c = argv[1];
    auto is = [&](const char *k) { return !strcmp(c, k); };
    int *in, *out, *set, *zero, host[1024] = {};
    cudaMalloc(&in, 4096), cudaMalloc(&out, 4096), cudaMalloc(&set, 4096), cudaMalloc(&zero, 4096);
    cudaMemset(set, 0, 4096), cudaMemset(zero, 0, 4096);
    auto *bytes = (unsigned *)in;
    if (is("crossed")) crossed<<<1, 32>>>((float *)in, out);
    if (is("through_local")) through_local<<<1, 32>>>((float *)in, out, 1);
    if (is("moved")) move<<<1, 32>>>(in, out);
    if (is("next_launch")) { move<<<1, 32>>>(in, out); compare<<<1, 32>>>(out, zero); }
    if (is("copied_on")) { move<<<1, 32>>>(in, set); cudaMemcpy(zero, set, 4096, cudaMemcpyDeviceToDevice); compare<<<1, 32>>>(zero, out); }
    if (is("filled_by_copy")) { move<<<1, 32>>>(in, set); cudaMemcpy(set, zero, 4096, cudaMemcpyDeviceToDevice); compare<<<1, 32>>>(set, out); }
    if (is("addressed")) index<<<1, 32>>>(in, out);
    if (is("byte_short") || is("masked") || is("top_byte") || is("low_byte")) cudaMemset2D(in, 4, 0, 3, 32);
    if (is("byte_filled")) cudaMemset(in, 0, 128);
    if (is("byte_short") || is("byte_filled")) increase<<<1, 32>>>(in, out);
    if (is("byte_short_host")) {
        compare<<<1, 32>>>(zero, out);
        cudaMemset(in, 0, 4095);
        cudaMemcpy(host, in, 4096, cudaMemcpyDeviceToHost);  // want(byte_short_host) init copied warning
    }
    if (is("masked")) mask<<<1, 32>>>(bytes, (unsigned *)out);
    if (is("top_byte")) mask_all<<<1, 32>>>(bytes, (unsigned *)out);
    if (is("low_byte")) low<<<1, 32>>>(bytes, (unsigned char *)out);
    if (is("least")) smaller<<<1, 32>>>(bytes, (unsigned *)out);
    if (is("chosen") || is("chosen_undefined")) choose<<<1, 32>>>(in, set, out, is("chosen") ? 32 : 31);
    if (is("same_either")) either<<<1, 32>>>(in, out);
    if (is("joined_bits")) { cudaMemset2D(in, 4, 0, 2, 32); join<<<1, 32>>>((unsigned short *)in, (unsigned *)out); }
    if (is("shifted_out")) { cudaMemset2D(in, 4, 0, 2, 32); shift_out<<<1, 32>>>(bytes, (unsigned *)out); }
    if (is("sign_known")) sign<<<1, 32>>>(in, out);
    if (is("unused_lane")) lanes<<<1, 32>>>(in, out, 16);
    if (is("used_lane")) lanes_used<<<1, 32>>>(in, out);
    if (is("ballot_bits") || is("ballot_used")) { cudaMemset(in, 0, 64); ballot<<<1, 32>>>(in, (unsigned *)out, is("ballot_used") ? ~0u : 0xff); }
    if (is("padding_moved")) { make_items<<<1, 32>>>((Item *)in); turn<<<1, 32>>>((Item *)in, (Item *)out); read_tags<<<1, 32>>>((Item *)out, zero); }
    if (is("padding_to_host")) {
        make_wide<<<1, 32>>>((Wide *)in), turn<<<1, 32>>>((Wide *)in, (Wide *)out);
        cudaMemcpy(host, in, 32 * sizeof(Wide), cudaMemcpyDeviceToHost), cudaMemcpy(host, out, 32 * sizeof(Wide), cudaMemcpyDeviceToHost);
    }
    if (is("last_unset")) {
        make_wide<<<1, 31>>>((Wide *)in);
        cudaMemcpy(host, in, 32 * sizeof(Wide), cudaMemcpyDeviceToHost);  // want(last_unset) init copied warning
    }
    if (is("member_unset")) { make_keys<<<1, 32>>>((Item *)in); turn<<<1, 32>>>((Item *)in, (Item *)out); read_tags<<<1, 32>>>((Item *)out, zero); }
    if (is("value_to_host")) {
        move<<<1, 32>>>(in, set);
        cudaMemcpy(host, set, 4096, cudaMemcpyDeviceToHost);  // want(value_to_host) init copied warning
    }
    if (is("vector_part") || is("vector_whole")) vectors<<<1, 32>>>((float4 *)in, (float *)out, is("vector_whole"));
    if (is("matrix_edge") || is("matrix_row")) multiply<<<1, 32>>>((half *)set, (half *)zero, (float *)out, 12, is("matrix_row") ? 13 : 12);
    if (is("rewritten")) write_again<<<1, 32>>>(in, out);
    if (is("field_set") || is("field_unset")) fields<<<1, 32>>>((Fields *)in, out, is("field_unset"));
    if (is("exchanged_out")) exchange<<<1, 32>>>(in, out);
    if (is("added")) add<<<1, 32>>>(in, zero);
    if (is("printed")) print<<<1, 1>>>(in);
    if (is("piped_unset") || is("piped_set")) piped<<<1, 32>>>(is("piped_set") ? zero : in, out);
    if (is("called") || is("called_unused")) call<<<1, 32>>>(in, out, is("called"));
    if (is("sum_unset")) sum_unset<<<1, 32>>>(zero, out, 8);
    if (is("sums_unset")) sums_unset<<<1, 32>>>(zero, out, 8);
    if (is("set_on_path") || is("not_on_path")) on_path<<<1, 32>>>(out, is("set_on_path") ? 5 : 2);
    if (is("leader")) append<<<1, 32>>>(zero);
    int bad = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in), cudaFree(out), cudaFree(set), cudaFree(zero);
    return bad;
}
