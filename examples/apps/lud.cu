// Blocked LU decomposition in place, without pivoting: the diagonal tile, then
// the tiles of its row and column, then everything to the lower right, three
// launches for each step along the diagonal.

#include "../check.h"

const int TILE = 16;

__global__ void diagonal(float *m, int n, int at) {
    __shared__ float s[TILE][TILE];
    int t = threadIdx.x;
    for (int r = 0; r < TILE; r++) s[r][t] = m[(at + r) * n + at + t];
    __syncthreads();
    for (int k = 0; k < TILE - 1; k++) {
        if (t > k) {
            float factor = s[t][k] / s[k][k];
            s[t][k] = factor;
            for (int c = k + 1; c < TILE; c++) s[t][c] -= factor * s[k][c];
        }
        __syncthreads();
    }
    for (int r = 0; r < TILE; r++) m[(at + r) * n + at + t] = s[r][t];
}

// perimeter solves one row tile (the first TILE threads) and one column tile
// (the others) against the diagonal tile.
__global__ void perimeter(float *m, int n, int at) {
    __shared__ float diag[TILE][TILE];
    __shared__ float row[TILE][TILE];
    __shared__ float col[TILE][TILE + 1];
    int t = threadIdx.x % TILE;
    bool isRow = threadIdx.x < TILE;
    int other = at + (blockIdx.x + 1) * TILE;

    for (int r = 0; r < TILE; r++) {
        if (isRow) {
            diag[r][t] = m[(at + r) * n + at + t];
            row[r][t] = m[(at + r) * n + other + t];
        } else {
            col[r][t] = m[(other + r) * n + at + t];
        }
    }
    __syncthreads();
    if (isRow) { // forward substitution down column t
        for (int r = 1; r < TILE; r++)
            for (int k = 0; k < r; k++) row[r][t] -= diag[r][k] * row[k][t];
    } else { // division along row t
        for (int c = 0; c < TILE; c++) {
            for (int k = 0; k < c; k++) col[t][c] -= col[t][k] * diag[k][c];
            col[t][c] /= diag[c][c];
        }
    }
    __syncthreads();
    for (int r = 0; r < TILE; r++) {
        if (isRow)
            m[(at + r) * n + other + t] = row[r][t];
        else
            m[(other + r) * n + at + t] = col[r][t];
    }
}

__global__ void interior(float *m, int n, int at) {
    __shared__ float row[TILE][TILE];
    __shared__ float col[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int r0 = at + (blockIdx.y + 1) * TILE, c0 = at + (blockIdx.x + 1) * TILE;
    row[y][x] = m[(at + y) * n + c0 + x];
    col[y][x] = m[(r0 + y) * n + at + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < TILE; k++) sum += col[y][k] * row[k][x];
    m[(r0 + y) * n + c0 + x] -= sum;
}

static void ludHost(std::vector<float> &m, int n) {
    for (int k = 0; k < n; k++)
        for (int r = k + 1; r < n; r++) {
            m[r * n + k] /= m[k * n + k];
            for (int c = k + 1; c < n; c++) m[r * n + c] -= m[r * n + k] * m[k * n + c];
        }
}

int main() {
    const int n = 96;
    Random random;
    std::vector<float> m(n * n);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) m[r * n + c] = random.uniform() + (r == c ? n : 0);

    float *dM = toDevice(m);
    for (int at = 0; at < n; at += TILE) {
        int rest = (n - at) / TILE - 1;
        diagonal<<<1, TILE>>>(dM, n, at);
        if (rest > 0) {
            perimeter<<<rest, 2 * TILE>>>(dM, n, at);
            interior<<<dim3(rest, rest), dim3(TILE, TILE)>>>(dM, n, at);
        }
        CHECK_LAUNCH();
    }
    ludHost(m, n);
    bool ok = same("lud", toHost(dM, n * n), m, 1e-3);
    CHECK(cudaFree(dM));
    return ok ? 0 : 1;
}
