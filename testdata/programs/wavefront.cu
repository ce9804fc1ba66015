// Smith-Waterman, blocks are columns strips; rows handed from block to block through flags in global memory.
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <vector>
#include <algorithm>
#define STRIP 64
#define MATCH 2
#define MISMATCH -1
#define GAP -1
__device__ int bestScore;
__global__ void sw(const char *a, int na, const char *b, int nb, int *edge, volatile int *progress) {
    // edge[blk * (na + 1) + row] right edge of strip blk; progress[blk] = rows finished
    __shared__ int up[2][STRIP + 1];
    __shared__ int left;
    int t = threadIdx.x, blk = blockIdx.x, col = blk * STRIP + t;
    int best = 0, cur = 0;
    for (int i = t; i <= STRIP; i += blockDim.x) { up[0][i] = 0; up[1][i] = 0; }
    __syncthreads();
    for (int row = 0; row < na + STRIP - 1; row++) {
        int r = row - t;                     // skewed: thread t works on row r
        if (t == 0 && r < na && blk > 0) {
            while (progress[blk - 1] <= r) { }
            __threadfence();
            left = edge[(blk - 1) * (na + 1) + r];
        } else if (t == 0 && r < na) left = 0;
        __syncthreads();
        int h = 0;
        static __shared__ int diag[STRIP + 1], above[STRIP + 1];
        if (row == 0) { diag[t] = 0; above[t] = 0; }
        if (r >= 0 && r < na && col < nb) {
            int l = t == 0 ? left : up[cur][t - 1];
            int d = diag[t] + (a[r] == b[col] ? MATCH : MISMATCH);
            h = std::max(std::max(0, d), std::max(above[t] + GAP, l + GAP));
            best = max(best, h);
            diag[t] = l; above[t] = h;
            up[1 - cur][t] = h;
            if (t == STRIP - 1) {
                edge[blk * (na + 1) + r] = h;
                __threadfence();
                progress[blk] = r + 1;
            }
        }
        cur = 1 - cur;
        __syncthreads();
    }
    for (int o = 16; o; o >>= 1) best = max(best, __shfl_xor_sync(~0u, best, o));
    if (t % 32 == 0) atomicMax(&bestScore, best);
}
int main() {
    int na = 120, nb = 4 * STRIP;
    std::vector<char> a(na), b(nb);
    for (int i = 0; i < na; i++) a[i] = "ACGT"[(i * i + i / 3) % 4];
    for (int i = 0; i < nb; i++) b[i] = "ACGT"[(i * 5 + i / 7) % 4];
    char *da, *db; int *edge, *prog;
    cudaMalloc(&da, na);
    cudaMalloc(&db, nb);
    cudaMalloc(&edge, 4 * (na + 1) * sizeof(int));
    cudaMalloc(&prog, 4 * sizeof(int));
    cudaMemcpy(da, a.data(), na, cudaMemcpyHostToDevice); cudaMemcpy(db, b.data(), nb, cudaMemcpyHostToDevice);
    cudaMemset(prog, 0, 4 * sizeof(int));
    int zero = 0; cudaMemcpyToSymbol(bestScore, &zero, sizeof zero);
    sw<<<4, STRIP>>>(da, na, db, nb, edge, prog);
    int got; cudaMemcpyFromSymbol(&got, bestScore, sizeof got);
    std::vector<int> H((na + 1) * (nb + 1), 0); int best = 0;
    for (int i = 1; i <= na; i++) for (int j = 1; j <= nb; j++) {
        int d = H[(i - 1) * (nb + 1) + j - 1] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH);
        int h = std::max(std::max(0, d), std::max(H[(i - 1) * (nb + 1) + j], H[i * (nb + 1) + j - 1]) + GAP);
        H[i * (nb + 1) + j] = h; best = std::max(best, h);
    }
    printf("%s %d %d\n", got == best ? "PASS" : "FAIL", got, best);
    return got != best;
}
