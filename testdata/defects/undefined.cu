// Undefined behavior that a compiler deletes accesses for.
// flags: --tool memory,assert
// clean: inside overflowed divided ends
#include <cstdio>
#include <cstring>

struct Pair { int x; float y; };

__global__ void loop_beyond(int *out) {
    int a[4] = {1, 2, 3, 4}, s = 0;
    for (int i = 0; i <= 4; i++) s += a[i];  // want(loop_beyond) memory out-of-bounds source
    out[0] = s;
}
__global__ void unrolled_beyond(int *out, int t) {
    int a[3] = {t, t, t}, s = 0;
    #pragma unroll
    for (int i = 0; i <= 3; i++) s += a[i];  // want(unrolled_beyond) memory out-of-bounds source
    out[0] = s;
}
__global__ void scalar_beyond(int *out, int t) {
    int x = t, *d = &x;
    d[1] = 200;  // want(scalar_beyond) memory out-of-bounds source
    out[0] = x;
}
__global__ void structure_beyond(int *out, Pair *p) {
    Pair fresh;
    p[42] = fresh;  // want(structure_beyond) memory out-of-bounds source
    out[0] = 1;
}
__global__ void wide(int *out, int t) {
    int x = t;
    out[0] = *(long long *)&x;  // want(wide) memory out-of-bounds source
}
__global__ void filled_beyond(int *out, int t) {
    int a[4];
    memset(a, t, 32);  // want(filled_beyond) memory out-of-bounds source
    out[0] = a[0];
}
__global__ void constant_written(int *out) {
    static __constant__ int limits[4] = {1, 2, 3, 4};
    *(int *)&limits[1] = 5;  // want(constant_written) memory read-only source
    out[0] = limits[1];
}
__global__ void unreachable(int *out, int t) {
    if (t == 0) __builtin_unreachable();  // want(unreachable) assert trap source
    out[0] = t;
}
// What is defined is as it was.
__global__ void inside(int *out, int t) {
    int a[4] = {t, 1, 2, 3}, s = 0;
    for (int i = 0; i < 4; i++) s += a[i];
    Pair p;
    p.x = s;
    out[0] = p.x;
}
__global__ void overflowed(int *out, int t) {
    int n = 0x7fffffff;
    n += t + 1;
    out[0] = n + (1 << (t + 33));
}
__global__ void divided(int *out, int t) {
    if (t != 0) out[0] = 7 / t;
    else out[0] = 1;
}
__global__ void ends(int *out, int t) {
    int a[4] = {t, 1, 2, 3}, s = 0;
    for (const int *p = a, *end = a + 4; p != end; ++p) s += *p;
    out[0] = s;
}

int main(int argc, char **argv) {
    const char *name = argv[1];
    int *out;
    cudaMalloc(&out, 64);
    cudaMemset(out, 0, 64);
    auto is = [&](const char *n) { return !strcmp(name, n); };
    if (is("loop_beyond")) loop_beyond<<<1, 1>>>(out);
    if (is("unrolled_beyond")) unrolled_beyond<<<1, 1>>>(out, 0);
    if (is("scalar_beyond")) scalar_beyond<<<1, 1>>>(out, 0);
    if (is("structure_beyond")) structure_beyond<<<1, 1>>>(out, (Pair *)out);
    if (is("wide")) wide<<<1, 1>>>(out, 0);
    if (is("filled_beyond")) filled_beyond<<<1, 1>>>(out, 0);
    if (is("constant_written")) constant_written<<<1, 1>>>(out);
    if (is("unreachable")) unreachable<<<1, 1>>>(out, 0);
    if (is("inside")) inside<<<1, 1>>>(out, 0);
    if (is("overflowed")) overflowed<<<1, 1>>>(out, 0);
    if (is("divided")) divided<<<1, 1>>>(out, 0);
    if (is("ends")) ends<<<1, 1>>>(out, 0);
    cudaDeviceSynchronize();
    cudaFree(out);
}
