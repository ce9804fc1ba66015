// A graph in compressed rows: breadth-first search by levels, a sum of neighbors with
// one warp a row, and a histogram of degrees in dynamic shared memory. Each case but
// "right" leaves one thing out or gets it wrong.
// clean: right
// flags: --leak-check full --max-steps 40000000
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum Bug {
    RIGHT, PAST_ROWS, WRONG_MASK, ABSENT, NO_COUNTER, NO_LEVELS, DRIFTING, LOCAL_TOP, LEAK, DEVICE_LEAK, DOUBLE_FREE,
    TOO_MUCH_SHARED, TOO_MANY, FREED, WRONG_WAY, SPIN
};
const char *names[] = {"right", "past_rows", "wrong_mask", "absent", "no_counter", "no_levels", "drifting", "local_top", "leak", "device_leak",
                       "double_free", "too_much_shared", "too_many", "freed", "wrong_way", "spin"};

struct Graph {
    int rows;
    const int *start, *column;
};

// Marks the neighbors of a frontier and collects those that are new.
__global__ void expand(Graph g, const int *frontier, int size, int *level, int depth, int *next, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    int row = frontier[i];
    for (int k = g.start[row]; k < g.start[row + 1]; k++) {
        int c = g.column[k];
        if (atomicCAS(&level[c], -1, depth) == -1)   // want(no_levels) init global
            next[atomicAdd(count, 1)] = c;           // want(no_counter) init global
    }
}

// One warp sums the neighbors' values of a row.
__global__ void neighbors(Graph g, const float *value, float *sum, Bug bug) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= g.rows) return;
    float s = 0;
    int last = bug == PAST_ROWS ? row + 2 : row + 1;
    int to = g.start[last];  // want(past_rows) memory out-of-bounds
    for (int k = g.start[row] + lane; k < to; k += 32) s += value[g.column[k]];
    if (bug == WRONG_MASK) {
        for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0x7fffffff, s, o);  // want(wrong_mask) sync mask
    } else if (bug == ABSENT) {
        if (lane < 8) s += __shfl_sync(0xff, s, 16);  // want(absent) sync absent-lane
    } else {
        for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
    }
    if (lane == 0) sum[row] = s;
}

// Degrees by the ten, in shared memory; the largest degrees of a thread in a stack.
__global__ void degrees(Graph g, int *bins, int *largest, int n, Bug bug) {
    extern __shared__ int local[];
    __shared__ int top[4];
    int mine[4];
    for (int i = 0; i < 4; i++) mine[i] = 0;
    if (threadIdx.x < 4) top[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) local[i] = 0;
    __syncthreads();
    int found = 0;
    for (int r = threadIdx.x; r < g.rows; r += blockDim.x) {
        int d = g.start[r + 1] - g.start[r];
        atomicAdd(&local[min(d / 2, n - 1)], 1);
        if (d > 2) mine[bug == LOCAL_TOP ? found++ : found++ % 4] = d;  // want(local_top) memory out-of-bounds
    }
    for (int i = 0; i < 4; i++) atomicMax(&top[(bug == DRIFTING ? i - (int)threadIdx.x : i) & 3 | (bug == DRIFTING ? 4 : 0)], mine[i]);  // want(drifting) memory out-of-bounds
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) bins[i] = local[i];
    if (threadIdx.x < 4) largest[threadIdx.x] = top[threadIdx.x];
}

// Rows of their own for some nodes, on the device's heap.
__global__ void copies(Graph g, int *out, Bug bug) {
    int row = threadIdx.x, n = g.start[row + 1] - g.start[row];
    int *mine = (int *)malloc((n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) mine[i] = g.column[g.start[row] + i];
    mine[n] = -1;
    int s = 0;
    for (int *p = mine; *p >= 0; p++) s += *p;
    out[row] = s;
    if (bug != DEVICE_LEAK) free(mine);
    if (bug == DOUBLE_FREE && row == 3) free(mine);  // want(double_free) memory double-free
}

__global__ void wait_for(const int *flag, int *out) {
    while (*(volatile const int *)flag != 12) {}  // want(spin) hang budget
    *out = 1;
}

// host(device_leak) memory leak
int main(int, char **argv) {
    Bug bug = RIGHT;
    for (int i = 0; i < 16; i++)
        if (!strcmp(argv[1], names[i])) bug = (Bug)i;
    const int rows = 200, bins = 8;
    std::vector<int> start{0}, column, levels(rows, -1);
    for (int r = 0; r < rows; r++) {
        for (int k = 1; k <= 1 + r * 7 % 9; k++) column.push_back((r * 3 + k * 11) % rows);
        start.push_back(column.size());
    }
    int *dStart, *dColumn, *level, *frontier, *next, *count, *hist, *largest;
    float *value, *sum;
    cudaMalloc(&dStart, start.size() * sizeof(int));
    cudaMalloc(&dColumn, column.size() * sizeof(int));
    cudaMalloc(&level, rows * sizeof(int));
    cudaMalloc(&frontier, rows * sizeof(int));
    cudaMalloc(&next, rows * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMalloc(&hist, bins * sizeof(int));
    cudaMalloc(&largest, 64 * sizeof(int));  // want(leak) memory leak
    cudaMalloc(&value, rows * sizeof(float));
    cudaMalloc(&sum, rows * sizeof(float));
    cudaMemcpy(dStart, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dColumn, column.data(), column.size() * sizeof(int), bug == WRONG_WAY ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);  // want(wrong_way) memory bad-copy
    if (bug == WRONG_WAY) cudaMemset(dColumn, 0, column.size() * sizeof(int));
    Graph g = {rows, dStart, dColumn};
    cudaMemset(value, 0, rows * sizeof(float));
    if (bug != NO_LEVELS) cudaMemset(level, -1, rows * sizeof(int));
    int zero = 0, size = 1, depth = 1;
    cudaMemcpy(frontier, &zero, sizeof zero, cudaMemcpyHostToDevice);
    if (bug != NO_LEVELS) cudaMemcpy(level, &zero, sizeof zero, cudaMemcpyHostToDevice);
    while (size > 0 && depth < 20) {
        if (bug != NO_COUNTER) cudaMemset(count, 0, sizeof(int));
        expand<<<(size + 63) / 64, 64>>>(g, frontier, size, level, depth++, next, count);
        if (bug == NO_COUNTER || bug == NO_LEVELS) break;
        cudaMemcpy(&size, count, sizeof size, cudaMemcpyDeviceToHost);
        std::swap(frontier, next);
    }
    neighbors<<<(rows + 3) / 4, 128>>>(g, value, sum, bug);
    size_t shared = bug == TOO_MUCH_SHARED ? 64 << 10 : bins * sizeof(int);
    degrees<<<1, bug == TOO_MANY ? 1056 : 32, shared>>>(g, hist, largest, bins, bug);  // want(too_much_shared) launch rejected // want(too_many) launch rejected
    cudaGetLastError();
    copies<<<1, 16>>>(g, largest, bug);
    if (bug == SPIN) wait_for<<<1, 32>>>(largest, largest + 1);
    cudaDeviceSynchronize();
    int bad = 0;
    if (bug == RIGHT) {
        cudaMemcpy(levels.data(), level, rows * sizeof(int), cudaMemcpyDeviceToHost);
        for (int l : levels) bad += l < 0;
    }
    if (bug != LEAK) cudaFree(largest);
    cudaFree(dStart); cudaFree(dColumn); cudaFree(level); cudaFree(frontier); cudaFree(next);
    cudaFree(count); cudaFree(hist); cudaFree(value); cudaFree(sum);
    if (bug == FREED) cudaMemcpy(levels.data(), sum, sizeof(float), cudaMemcpyDeviceToHost);  // want(freed) memory bad-copy
    return bad > 0;
}
