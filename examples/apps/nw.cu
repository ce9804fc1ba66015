// Needleman-Wunsch sequence alignment: tiles along one anti-diagonal are
// independent and share a launch; within a tile, threads sweep its
// anti-diagonals in shared memory with a barrier after each.

#include "../check.h"
#include <algorithm>

const int TILE = 16, GAP = 2, MATCH = 3, MISMATCH = -1;

__host__ __device__ int best(int diagonal, int up, int left, bool match) {
    int a = diagonal + (match ? MATCH : MISMATCH);
    int b = (up > left ? up : left) - GAP;
    return a > b ? a : b;
}

// score is (n+1) x (n+1); tiles with row + column == diag are filled.
__global__ void fill(const char *a, const char *b, int *score, int n, int diag, int firstRow) {
    __shared__ int s[TILE + 1][TILE + 1];
    __shared__ char sa[TILE], sb[TILE];
    int tileRow = firstRow + blockIdx.x, tileCol = diag - tileRow;
    int t = threadIdx.x, stride = n + 1;
    int *corner = score + tileRow * TILE * stride + tileCol * TILE;

    if (t == 0) s[0][0] = corner[0];
    s[0][t + 1] = corner[t + 1];
    s[t + 1][0] = corner[(t + 1) * stride];
    sa[t] = a[tileRow * TILE + t];
    sb[t] = b[tileCol * TILE + t];
    __syncthreads();

    for (int d = 0; d < 2 * TILE - 1; d++) {
        int row = t, col = d - t;
        if (col >= 0 && col < TILE)
            s[row + 1][col + 1] =
                best(s[row][col], s[row][col + 1], s[row + 1][col], sa[row] == sb[col]);
        __syncthreads();
    }
    for (int row = 1; row <= TILE; row++) corner[row * stride + t + 1] = s[row][t + 1];
}

int main() {
    const int n = 128, tiles = n / TILE, stride = n + 1;
    Random random;
    std::vector<char> a(n), b(n);
    for (int i = 0; i < n; i++) {
        a[i] = "ACGT"[random.below(4)];
        b[i] = "ACGT"[random.below(4)];
    }
    std::vector<int> score(stride * stride);
    for (int i = 0; i <= n; i++) score[i] = score[i * stride] = -i * GAP;

    char *dA = toDevice(a), *dB = toDevice(b);
    int *dScore = toDevice(score);
    for (int diag = 0; diag < 2 * tiles - 1; diag++) {
        int firstRow = std::max(0, diag - tiles + 1), lastRow = std::min(diag, tiles - 1);
        fill<<<lastRow - firstRow + 1, TILE>>>(dA, dB, dScore, n, diag, firstRow);
    }
    CHECK_LAUNCH();

    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            score[i * stride + j] =
                best(score[(i - 1) * stride + j - 1], score[(i - 1) * stride + j],
                     score[i * stride + j - 1], a[i - 1] == b[j - 1]);
    bool ok = same("nw", toHost(dScore, score.size()), score);
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dScore));
    return ok ? 0 : 1;
}
