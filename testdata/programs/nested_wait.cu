// flags: --arch sm_75
// cudaDeviceSynchronize in device code: loops of children whose results decide how to continue, waits of several
// levels, and the limit of these levels.
#include <cstdio>
#include <cstdlib>
__global__ void half(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[2 * i] + in[2 * i + 1];
}
// A tree sum, a grid for each level.
__global__ void sum(int *a, int *b, int n, int *result) {
    while (n > 1) {
        n /= 2;
        half<<<(n + 63) / 64, 64>>>(a, b, n);
        if (cudaDeviceSynchronize() != cudaSuccess) return;
        int *t = a;
        a = b;
        b = t;
    }
    *result = *a;
}
__global__ void collatz(unsigned *v, unsigned *steps) {
    unsigned x = v[threadIdx.x];
    if (x != 1) {
        v[threadIdx.x] = x % 2 ? 3 * x + 1 : x / 2;
        atomicAdd(steps, 1);
    }
}
// All threads use what one of them waited for.
__global__ void iterate(unsigned *v, unsigned *steps, int *rounds) {
    __shared__ unsigned most;
    int n = 0;
    for (;; n++) {
        if (threadIdx.x == 0) most = 0;
        __syncthreads();
        atomicMax(&most, v[threadIdx.x]);
        __syncthreads();
        if (most == 1) break;
        if (threadIdx.x == 0) {
            collatz<<<1, blockDim.x>>>(v, steps);
            cudaDeviceSynchronize();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *rounds = n;
}
// Each level waits for the next: x is the sum of the levels' numbers.
__global__ void levels(int n, int *x, int *refused) {
    if (n > 0) {
        levels<<<1, 1>>>(n - 1, x, refused);
        cudaError_t e = cudaDeviceSynchronize();
        if (e == cudaErrorSyncDepthExceeded) atomicAdd(refused, 1);
    }
    atomicAdd(x, n);
}
// Memory of the device heap can be given to children that are waited for.
__global__ void square(int *p) { p[threadIdx.x] *= p[threadIdx.x]; }
__global__ void buffers(int *out) {
    int *p;
    if (cudaMalloc(&p, 8 * sizeof(int)) != cudaSuccess) return;
    for (int i = 0; i < 8; i++) p[i] = i + threadIdx.x;
    square<<<1, 8>>>(p);
    cudaDeviceSynchronize();
    int s = 0;
    for (int i = 0; i < 8; i++) s += p[i];
    out[threadIdx.x] = s;
    cudaFree(p);
}
// The text of parents and children comes in the order of the waits.
__global__ void says(int n) { printf("child %d\n", n); }
__global__ void talks() {
    printf("one\n");
    says<<<1, 1>>>(2);
    cudaDeviceSynchronize();
    printf("three\n");
}
static int bad;
static void check(const char *what, int got, int want) {
    if (got != want) printf("%s: %d, want %d\n", what, got, want), bad++;
}
int main() {
    const int n = 512;
    int *a, *b, *r;
    for (int **p : {&a, &b, &r}) cudaMallocManaged(p, n * sizeof(int));
    for (int i = 0; i < n; i++) a[i] = i;
    sum<<<1, 1>>>(a, b, n, r);
    cudaDeviceSynchronize();
    check("sum", r[0], n * (n - 1) / 2);
    unsigned *v = (unsigned *)a, *steps = (unsigned *)b, want = 0;
    int most = 0;
    *steps = 0;
    for (unsigned i = 0; i < 64; i++) {
        int k = 0;
        for (unsigned x = v[i] = i + 1; x != 1; k++) x = x % 2 ? 3 * x + 1 : x / 2;
        want += k;
        most = k > most ? k : most;
    }
    iterate<<<1, 64>>>(v, steps, r);
    cudaDeviceSynchronize();
    check("steps", *steps, want);
    check("rounds", r[0], most);
    r[0] = r[1] = 0;
    size_t depth = 0;
    cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth);
    check("default depth", depth, 2);
    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 5);
    levels<<<1, 1>>>(5, r, r + 1);
    cudaDeviceSynchronize();
    check("levels", r[0], 15);
    check("refused", r[1], 0);
    buffers<<<1, 4>>>(r);
    cudaDeviceSynchronize();
    for (int t = 0; t < 4; t++) {
        int s = 0;
        for (int i = 0; i < 8; i++) s += (i + t) * (i + t);
        check("buffers", r[t], s);
    }
    talks<<<1, 1>>>();
    if (cudaDeviceSynchronize() != cudaSuccess) bad++;
    cudaFree(a), cudaFree(b), cudaFree(r);
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
