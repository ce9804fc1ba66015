// Kernels that do not end.
// clean: flag_set counts lock_freed other_warp chain
// flags: --max-steps 6000000
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void flag_set(volatile int *f, int *out) {
    if (threadIdx.x == 32) { out[0] = 7; __threadfence_block(); *f = 1; }
    if (threadIdx.x == 0) { while (*f == 0) {} __threadfence_block(); out[1] = out[0]; }
}
__global__ void counts(int *out, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s = s * 3 + i;
    out[threadIdx.x] = s;
}
__global__ void lock_freed(int *lock, int *out) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)out += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
__global__ void other_warp(volatile int *f) {
    if (threadIdx.x < 32) while (f[0] < 64) {}
    else atomicAdd((int *)f, 2);
}
// Each block waits for the one before it.
__global__ void chain(int *f) {
    if (threadIdx.x == 0) {
        while (atomicAdd(f, 0) < (int)blockIdx.x) {}
        atomicAdd(f, 1);
    }
}

__global__ void no_flag(volatile int *f, int *out) {
    while (*f == 0) {}  // want(no_flag) hang budget
    out[threadIdx.x] = 1;
}
__global__ void unsigned_down(int *out, unsigned n) {
    for (unsigned i = n; i >= 0; i -= 2)
        out[i % 32] += i;  // want(unsigned_down) hang budget
}
__global__ void lock_kept(int *lock, int *out) {
    while (atomicCAS(lock, 0, 1) != 0) {}  // want(lock_kept) hang budget
    *out += 1;
}
__global__ void wrong_step(int *out, int n) {
    int i = 1;
    while (i != n) out[i++ % 32] += i, i++;  // want(wrong_step) hang budget error source
    out[threadIdx.x] = i;
}
// Ends some day, but not within the limit.
__global__ void too_long(int *out, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s = s * 3 + (i ^ out[i & 31]);  // want(too_long) hang budget
    out[threadIdx.x] = s;
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *f, *out;
    cudaMalloc(&f, 512);
    cudaMalloc(&out, 512);
    cudaMemset(f, 0, 512);
    cudaMemset(out, 0, 512);
#define CASE(k, ...) if (!strcmp(c, #k)) k<<<1, 64>>>(__VA_ARGS__)
    CASE(flag_set, f, out); CASE(counts, out, 1000); CASE(lock_freed, f, out); CASE(other_warp, f);
    if (!strcmp(c, "chain")) chain<<<40, 32>>>(f);
    CASE(no_flag, f, out); CASE(lock_kept, f, out);
    if (!strcmp(c, "unsigned_down")) unsigned_down<<<1, 1>>>(out, 40);
    if (!strcmp(c, "wrong_step")) wrong_step<<<1, 1>>>(out, 100);
    if (!strcmp(c, "too_long")) too_long<<<1, 1>>>(out, 1 << 30);
    cudaDeviceSynchronize();
    cudaFree(f); cudaFree(out);
    return 0;
}
