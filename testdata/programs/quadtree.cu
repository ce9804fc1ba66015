// Quadtree building with per-cell locks by CAS on child pointers (as in Barnes-Hut codes), then mass summation bottom up with ready flags.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#define EMPTY (-1)
#define LOCKED (-2)
__device__ int nextCell;
struct Tree {
    int *child;            // 4 per cell, index (cell - nbodies) * 4
    float *x, *y, *mass;   // bodies first, then cells
    int nbodies, ncells;
    __device__ volatile int &kid(int cell, int q) const { return ((volatile int *)child)[(cell - nbodies) * 4 + q]; }
};
__global__ void clear(Tree t) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < t.ncells * 4) t.child[k] = EMPTY;
    if (k < t.ncells) t.mass[t.nbodies + k] = -1.0f;
    if (k == 0) { nextCell = t.nbodies + 1; t.x[t.nbodies] = 0.5f; t.y[t.nbodies] = 0.5f; }
}
__global__ void build(Tree t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= t.nbodies) return;
    float px = t.x[i], py = t.y[i];
    int cell = t.nbodies; float r = 0.25f;
    volatile float *cx = t.x, *cy = t.y;
    bool done = false;
    while (!done) {
        int q = (px > cx[cell]) | (py > cy[cell]) << 1;
        int ch = t.kid(cell, q);
        if (ch >= t.nbodies) { __threadfence(); cell = ch; r *= 0.5f; continue; }
        if (ch == LOCKED) continue;
        int *link = &t.child[(cell - t.nbodies) * 4 + q];
        if (ch == EMPTY) {
            if (atomicCAS(link, EMPTY, i) == EMPTY) done = true;
        } else if (atomicCAS(link, ch, LOCKED) == ch) {
            int c = atomicAdd(&nextCell, 1);
            if (c >= t.nbodies + t.ncells) { asm("trap;"); }
            cx[c] = cx[cell] + (q & 1 ? r : -r);
            cy[c] = cy[cell] + (q & 2 ? r : -r);
            int oq = (t.x[ch] > cx[c]) | (t.y[ch] > cy[c]) << 1;
            t.kid(c, oq) = ch;
            __threadfence();
            t.kid(cell, q) = c;          // unlock
        }
    }
}
__global__ void summarize(Tree t) {
    int used = nextCell - t.nbodies;
    // children have larger numbers than parents: go from the end, wait for children
    volatile float *mass = t.mass;
    int k = used - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
    bool todo = k >= 0;
    while (todo) {
        float m = 0; bool ready = true;
        for (int q = 0; q < 4; q++) {
            int ch = t.child[k * 4 + q];
            if (ch == EMPTY) continue;
            float cm = mass[ch];
            if (cm < 0) { ready = false; break; }
            m += cm;
        }
        if (ready) { __threadfence(); mass[t.nbodies + k] = m; todo = false; }
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 600, cells = 4 * n;
    std::vector<float> x(n + cells), y(n + cells), m(n + cells);
    srand(3); double total = 0;
    for (int i = 0; i < n; i++) {
        x[i] = rand() / (float)RAND_MAX;
        y[i] = rand() / (float)RAND_MAX;
        m[i] = 1 + i % 3;
        total += m[i];
    }
    Tree t; t.nbodies = n; t.ncells = cells;
    cudaMalloc(&t.child, cells * 4 * sizeof(int));
    cudaMalloc(&t.x, (n + cells) * sizeof(float));
    cudaMalloc(&t.y, (n + cells) * sizeof(float));
    cudaMalloc(&t.mass, (n + cells) * sizeof(float));
    cudaMemcpy(t.x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(t.y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(t.mass, m.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    clear<<<(cells * 4 + 255) / 256, 256>>>(t);
    build<<<(n + 63) / 64, 64>>>(t);
    summarize<<<(cells + 127) / 128, 128>>>(t);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) { printf("FAIL %s\n", cudaGetErrorString(e)); return 1; }
    float root; cudaMemcpy(&root, t.mass + n, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s %g %g\n", fabs(root - total) < 1e-2 ? "PASS" : "FAIL", root, total);
    cudaFree(t.child); cudaFree(t.x); cudaFree(t.y); cudaFree(t.mass);
    return 0;
}
