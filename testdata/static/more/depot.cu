// Arrays in local memory beside markers of shared rows: what is stored to constant places belongs to none of them.
struct Tiles {
    float a[2][16][20], b[2][16][32];
};

__device__ void load(Tiles &s, int buffer, const float *in, int at) {
    int t = threadIdx.x;
    s.a[buffer][t & 15][t >> 4] = in[at + t]; // want bank conflict
    s.b[buffer][t & 15][t >> 4] = in[at + t]; // want bank conflict
}

__global__ void zeroed(const float *in, float *out, int n, int k) {
    __shared__ Tiles s;
    float sum[4][4] = {};
    int t = threadIdx.x, buffer = 0;
    for (int at = 0; at < k; at++) {
        load(s, buffer, in, at * n);
        __syncthreads();
        for (int i = 0; i < 16; i++)
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 4; c++) sum[r][(c + at) & 3] += s.a[buffer][i][r] * s.b[buffer][i][c];
        buffer ^= 1;
    }
    float all = 0;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) all += sum[r][(c + n) & 3];
    out[t] = all;
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 64 * 64 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    zeroed<<<1, 64>>>(in, out, 64, 8);
    return 0;
}
