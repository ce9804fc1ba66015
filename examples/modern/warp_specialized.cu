// A matrix times many vectors by specialized warps: one warp fetches tiles of
// the matrix into a ring of buffers in shared memory, the others multiply. A
// buffer has two named barriers, "full" and "empty"; who only tells uses
// bar.arrive, who waits uses bar.sync (as in hand-tuned kernels and in CUTLASS).
//
// With -D BUG the consumers say that a buffer is empty before they have read it.

#include "../check.h"

const int WARP = 32, CONSUMERS = 3 * WARP, THREADS = WARP + CONSUMERS;
const int ROWS = CONSUMERS;   // of a block: one for each consumer
const int WIDTH = 16;         // columns of a tile
const int STAGES = 3;

__device__ void waitAt(int barrier) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory"); }
__device__ void tell(int barrier) { asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory"); }

// Barrier 0 is __syncthreads; each stage has two of the other fifteen.
__device__ int full(int stage) { return 1 + stage; }
__device__ int empty(int stage) { return 1 + STAGES + stage; }

struct Stage {
    float a[ROWS][WIDTH + 1];
    float x[WIDTH];
};

// fetch is what the producer's warp does.
__device__ void fetch(Stage *ring, const float *a, const float *x, int rows, int cols) {
    int lane = threadIdx.x, row0 = blockIdx.x * ROWS;
    for (int tile = 0; tile * WIDTH < cols; tile++) {
        int stage = tile % STAGES;
        if (tile >= STAGES) waitAt(empty(stage));
        Stage &s = ring[stage];
        for (int i = lane; i < ROWS * WIDTH; i += WARP) {
            int r = i / WIDTH, c = i % WIDTH, col = tile * WIDTH + c;
            s.a[r][c] = row0 + r < rows && col < cols ? a[(row0 + r) * cols + col] : 0.0f; // want race WAR
        }
        if (lane < WIDTH) s.x[lane] = tile * WIDTH + lane < cols ? x[tile * WIDTH + lane] : 0.0f; // want race WAR
        tell(full(stage));
    }
}

// multiply is what a consumer does; it returns one element of the product.
__device__ float multiply(const Stage *ring, int cols) {
    int r = threadIdx.x - WARP;
    int tiles = (cols + WIDTH - 1) / WIDTH;
    float sum = 0;
    for (int tile = 0; tile < tiles; tile++) {
        int stage = tile % STAGES;
        bool again = tile + STAGES < tiles; // somebody waits for the buffer
        waitAt(full(stage));
#ifdef BUG
        if (again) tell(empty(stage));
#endif
        for (int c = 0; c < WIDTH; c++) sum += ring[stage].a[r][c] * ring[stage].x[c];
#ifndef BUG
        if (again) tell(empty(stage));
#endif
    }
    return sum;
}

__global__ void __launch_bounds__(THREADS) product(const float *a, const float *x, float *y, int rows, int cols) {
    __shared__ Stage ring[STAGES];
    if (threadIdx.x < WARP) {
        fetch(ring, a, x, rows, cols);
        return;
    }
    float sum = multiply(ring, cols);
    int row = blockIdx.x * ROWS + threadIdx.x - WARP;
    if (row < rows) y[row] = sum;
}

// activate applies a rectifier in place and counts what it cut off.
__global__ void activate(float *y, int *cut, int n) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && y[i] < 0) {
        y[i] = 0;
        atomicAdd(&count, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0 && count > 0) atomicAdd(cut, count);
}

bool run(int rows, int cols) {
    Random random(rows + cols);
    std::vector<float> a(rows * cols), x(cols), want(rows);
    for (float &v : a) v = random.uniform() - 0.5f;
    for (float &v : x) v = random.uniform() - 0.5f;
    int cut = 0;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < cols; c++) sum += a[r * cols + c] * x[c];
        want[r] = sum < 0 ? 0.0f : static_cast<float>(sum);
        cut += sum < 0;
    }
    float *dA = toDevice(a), *dX = toDevice(x), *dY;
    int *dCut;
    CHECK(cudaMalloc(&dY, rows * sizeof(float)));
    CHECK(cudaMalloc(&dCut, sizeof(int)));
    CHECK(cudaMemset(dCut, 0, sizeof(int)));
    product<<<(rows + ROWS - 1) / ROWS, THREADS>>>(dA, dX, dY, rows, cols);
    CHECK_LAUNCH();
    activate<<<(rows + 127) / 128, 128>>>(dY, dCut, rows);
    CHECK_LAUNCH();
    char name[48];
    snprintf(name, sizeof name, "%d x %d", rows, cols);
    bool ok = same(name, toHost(dY, rows), want, 1e-4);
    ok = same("negative ones", toHost(dCut, 1), std::vector<int>{cut}) && ok;
    for (float *p : {dA, dX, dY}) CHECK(cudaFree(p));
    CHECK(cudaFree(dCut));
    return ok;
}

int main() {
    bool ok = run(96, 16);      // one tile
    ok = run(200, 150) && ok;   // the ring is used several times
    ok = run(97, 33) && ok;
    return ok ? 0 : 1;
}
