// Copies and fills that the compiler makes loops of, and structures passed by value: what
// is wrong is said of the line of the copy, in both builds.
// flags: --tool race,memory,init
// clean: whole
#include <cstdio>
#include <cstring>

struct Big { int v[40]; };

__device__ __noinline__ int element(Big b, int i) {
    int x = i + 1;
    x *= i;
    return b.v[i] + x;
}

__device__ __noinline__ Big made(int i) {
    Big b;
    for (int k = 0; k < 40; k++) b.v[k] = i;
    return b;
}

__global__ void filled(char *p, int n) {
    p[900] = 1;
    memset(p, 0, n);  // want(filled) memory out-of-bounds
    p[901] = 2;
}

__global__ void copied(char *p, int n) {
    p[900] = 1;
    memcpy(p + 4096, p, n);  // want(copied) memory out-of-bounds
    p[901] = 2;
}

__global__ void assigned(Big *p) {
    p[0].v[3] = 1;
    p[100] = p[1];  // want(assigned) memory out-of-bounds
    p[1].v[3] = 1;
}

__global__ void returned(Big *p, int i) {
    int x = i + 1;
    p[100] =  // want(returned) memory out-of-bounds
        made(x);
    p[1].v[3] = 1;
}

__global__ void passed(Big *p, int *q, int i) {
    q[0] = 1;
    q[1] = element(p[100], i);  // want(passed) memory out-of-bounds
    q[2] = 1;
}

__global__ void passed_shared(int *q, int i) {
    __shared__ Big s;
    if (threadIdx.x < 40) s.v[threadIdx.x] = i;
    int x = q[100] + i;
    q[threadIdx.x] = element(s,  // want(passed_shared) race RAW
                             x);
}

__global__ void local_copy(int *q, int i) {
    __shared__ Big s;
    if (threadIdx.x < 40) s.v[threadIdx.x] = i;
    int x = q[100] + i;
    Big l = s;  // want(local_copy) race RAW
    q[threadIdx.x] = l.v[x] + x;
}

__global__ void unset(int *q, int i) {
    Big s;
    s.v[i + 3] = 1;
    q[1] = i;
    q[threadIdx.x] = element(s, i);  // want(unset) init local
}

__global__ void whole(Big *p, int *q, int i) {
    memset(p, 0, 4096);
    p[1] = p[0];
    p[24] = made(i);
    q[0] = element(p[24], i);
}

int main(int argc, char **argv) {
    const char *name = argv[1];
    char *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    auto is = [&](const char *n) { return !strcmp(name, n); };
    if (is("filled")) filled<<<1, 1>>>(p, 5000);
    if (is("copied")) copied<<<1, 1>>>(p, 64);
    if (is("assigned")) assigned<<<1, 1>>>((Big *)p);
    if (is("returned")) returned<<<1, 1>>>((Big *)p, 1);
    if (is("passed")) passed<<<1, 1>>>((Big *)p, (int *)p, 1);
    if (is("passed_shared")) passed_shared<<<1, 64>>>((int *)p, 1);
    if (is("local_copy")) local_copy<<<1, 64>>>((int *)p, 1);
    if (is("unset")) unset<<<1, 1>>>((int *)p, 1);
    if (is("whole")) whole<<<1, 1>>>((Big *)p, (int *)p, 1);
    cudaDeviceSynchronize();
    cudaFree(p);
}
