// Loops of the host over memory that a kernel accesses at the same time: with steps, unrolled, backward, over members. A
// long unrolled loop has the place of its first access.
// clean: other third outside
#include <cstdio>
#include <cstring>

struct Pair { int x, y; };

__global__ void setX(Pair *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].x = i;
}

__global__ void setOne(int *p, int at) { p[at] = 1; }

int main(int, char **argv) {
    auto is = [&](const char *name) { return strcmp(argv[1], name) == 0; };
    const int n = is("many") ? 200000 : 12000;
    Pair *pairs;
    int *a;
    cudaMallocManaged(&pairs, n * sizeof *pairs);
    cudaMallocManaged(&a, n * sizeof *a);
    if (is("other") || is("member")) {
        setX<<<(n + 255) / 256, 256>>>(pairs, n);
        for (int i = 0; i < n; i++) {
            if (is("other")) pairs[i].y = i;
            if (is("member")) pairs[i].x = i;  // want(member) race WAW
        }
    } else {
        setOne<<<1, 1>>>(a, is("third") ? 3002 : is("outside") ? n - 1 : 3001);
        for (int i = 0; i + 2 < n - 1; i += 3) {
            if (is("third") || is("step")) a[i + 1] = i;  // want(step) race WAW
            if (is("unrolled") || is("outside") || is("many")) {
                a[i] = i;  // want(many) race WAW
                a[i + 1] = i;  // want(unrolled) race WAW
                a[i + 2] = i;
            }
        }
        if (is("backward"))
            for (int i = n - 2; i >= 0; i -= 2) a[i + 1] = i;  // want(backward) race WAW
    }
    cudaDeviceSynchronize();
    cudaFree(pairs);
    cudaFree(a);
}
