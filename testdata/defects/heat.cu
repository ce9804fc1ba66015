// Heat in a chip, step by step: tiles with a border in shared memory, coefficients in
// constant memory, a reduction that says when nothing changes any more. Each case
// but "right" leaves one thing out or gets it wrong.
// clean: right
// flags: --max-steps 40000000
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

const int TILE = 16, N = 64;

enum Bug { RIGHT, WIDE_TILE, NO_BORDER, EARLY_RETURN, ENDLESS, NO_CONSTANTS, SHORT_GRID, LONG_COPY, SUMS_UNSET, ONE_WARP_MASK };

struct Coefficients { float x, y, z; };
__constant__ Coefficients coefficients[2];

struct Cell { float heat, power; };

// One step. Threads at the tile's edges also load the border.
__global__ void step(const float *from, const float *power, float *to, int n, Bug bug) {
    __shared__ float heat[TILE + 2][TILE + 2];
    __shared__ Cell own[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    if (bug == EARLY_RETURN && (x == 0 || x == n - 1)) return;
    heat[ty][tx] = from[y * n + x];
    own[threadIdx.y][threadIdx.x].power = power[y * n + x];
    own[threadIdx.y][threadIdx.x].heat = from[y * n + x];
    if (bug != NO_BORDER) {
        if (tx == 1) heat[ty][0] = from[y * n + max(x - 1, 0)];
        if (ty == 1) heat[0][tx] = from[max(y - 1, 0) * n + x];
    }
    if (tx == TILE) heat[ty][TILE + 1] = from[y * n + min(x + 1, n - 1)];
    if (ty == TILE) heat[TILE + 1][tx] = from[min(y + 1, n - 1) * n + x];
    __syncthreads();  // want(early_return) sync exited warning
    const Coefficients c = coefficients[0];  // want(no_constants) init constant warning
    int below = bug == WIDE_TILE ? ty + 2 : ty + 1;
    Cell cell = own[threadIdx.y][threadIdx.x];
    float h = heat[ty][tx];
    h += c.x * (heat[ty][tx - 1] + heat[ty][tx + 1] - 2 * h);  // want(no_border) init shared // want(early_return) init shared // want(early_return) init shared
    h += c.y * (heat[ty - 1][tx] + heat[below][tx] - 2 * h);   // want(no_border) init shared // want(wide_tile) memory out-of-bounds
    to[y * n + x] = h + c.z * (cell.power - cell.heat);
}

// The sum of the changes of a block, by shuffles and one word a warp.
__global__ void change(const float *a, const float *b, float *total, int n, Bug bug) {
    __shared__ float sums[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float d = fabsf(a[i] - b[i]);  // want(early_return) init global
    if (bug == ONE_WARP_MASK && warp == 0) {
        if (lane < 16)
            for (int o = 8; o > 0; o /= 2) d += __shfl_down_sync(0xffffffffu, d, o);  // want(one_warp_mask) sync deadlock
    } else {
        for (int o = 16; o > 0; o /= 2) d += __shfl_down_sync(0xffffffffu, d, o);
    }
    if (lane == 0) sums[warp] = d;
    __syncthreads();
    if (warp == 0) {
        d = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int o = 4; o > 0; o /= 2) d += __shfl_down_sync(0xffffffffu, d, o);
        if (lane == 0) atomicAdd(total, d);  // want(sums_unset) init global
    }
}

// Waits for a ticket that each block draws; blocks work in the order of tickets.
__global__ void record(volatile int *turn, float *log, const float *total, Bug bug) {
    if (threadIdx.x == 0) {
        int mine = bug == ENDLESS ? blockIdx.x + 1 : blockIdx.x;
        while (*turn != mine) {}  // want(endless) hang budget
        __threadfence();
        log[blockIdx.x] = *total;
        __threadfence();
        atomicExch((int *)turn, mine + 1);
    }
}

int main(int, char **argv) {
    const char *names[] = {"right", "wide_tile", "no_border", "early_return", "endless", "no_constants", "short_grid", "long_copy", "sums_unset", "one_warp_mask"};
    Bug bug = RIGHT;
    for (int i = 0; i < 10; i++)
        if (!strcmp(argv[1], names[i])) bug = (Bug)i;
    size_t bytes = N * N * sizeof(float);
    std::vector<float> heat(N * N, 80), power(N * N), result(N * N), log(4);
    for (int i = 0; i < N * N; i++) power[i] = i % 7;
    float *a, *b, *p, *total, *entries;
    int *turn;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&p, bytes);
    cudaMalloc(&total, sizeof *total);
    cudaMalloc(&entries, 4 * sizeof *entries);
    cudaMalloc(&turn, sizeof *turn);
    cudaMemcpy(a, heat.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(p, power.data(), bug == LONG_COPY ? N * N * sizeof(double) : bytes, cudaMemcpyHostToDevice);  // want(long_copy) memory bad-copy
    if (bug == LONG_COPY) cudaMemset(p, 0, bytes);
    Coefficients c[2] = {{0.1f, 0.2f, 0.01f}, {}};
    if (bug != NO_CONSTANTS) cudaMemcpyToSymbol(coefficients, c, sizeof c);
    cudaMemset(turn, 0, sizeof *turn);
    dim3 grid(N / TILE, N / TILE - (bug == SHORT_GRID)), block(TILE, TILE);
    for (int i = 0; i < 4; i++) {
        step<<<grid, block>>>(a, p, b, N, bug);
        if (bug != SUMS_UNSET) cudaMemset(total, 0, sizeof *total);
        if (bug != SHORT_GRID) change<<<N * N / 256, 256>>>(a, b, total, N, bug);
        if (bug == SHORT_GRID || bug == EARLY_RETURN || bug == SUMS_UNSET) break;
        float *t = a;
        a = b;
        b = t;
    }
    if (bug != SHORT_GRID) record<<<4, 32>>>(turn, entries, total, bug);
    if (bug == SHORT_GRID)
        cudaMemcpy(result.data(), b, bytes, cudaMemcpyDeviceToHost);  // want(short_grid) init copied warning
    else if (bug == RIGHT)
        cudaMemcpy(result.data(), a, bytes, cudaMemcpyDeviceToHost);
    int bad = 0;
    if (bug == RIGHT)
        for (float h : result) bad += !(h > 60 && h < 81);
    cudaDeviceSynchronize();
    cudaFree(a); cudaFree(b); cudaFree(p); cudaFree(total); cudaFree(entries); cudaFree(turn);
    return bad > 0;
}
