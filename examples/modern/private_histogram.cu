// Histograms of the channels of an image, privatised twice: each warp counts in
// its own copy in shared memory, as atomics of different warps on one bin are
// slow; the block then adds up its copies and adds the sums to the result. The
// last block to finish equalises: it turns the histogram into a table of new
// values, which a second kernel applies.
//
// With -D BUG the copies are added up before all warps have counted.

#include "../check.h"

const int BINS = 64, CHANNELS = 3, WARPS = 4, WARP = 32, THREADS = WARPS * WARP;

struct Result {
    unsigned bins[CHANNELS][BINS];
    unsigned char table[CHANNELS][BINS];
    unsigned done;
};

__device__ int binOf(unsigned char v) { return v * BINS / 256; }

__device__ void countPixels(unsigned *mine, const uchar4 *pixels, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 p = pixels[i];
        atomicAdd(&mine[0 * BINS + binOf(p.x)], 1u);
        atomicAdd(&mine[1 * BINS + binOf(p.y)], 1u);
        atomicAdd(&mine[2 * BINS + binOf(p.z)], 1u);
    }
}

// equalise makes a channel's table: bins in proportion to how many pixels lie
// below. One warp does it, with a scan over its bins.
__device__ void equalise(Result *r, int channel, int n) {
    int lane = threadIdx.x % WARP;
    unsigned below = 0;
    for (int base = 0; base < BINS; base += WARP) {
        unsigned v = r->bins[channel][base + lane], sum = v;
        for (int d = 1; d < WARP; d *= 2) {
            unsigned x = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d) sum += x;
        }
        r->table[channel][base + lane] = static_cast<unsigned char>((below + sum) * 255ull / n);
        below += __shfl_sync(0xffffffff, sum, WARP - 1);
    }
}

__global__ void __launch_bounds__(THREADS) histogram(const uchar4 *pixels, int n, Result *result) {
    __shared__ unsigned copies[WARPS][CHANNELS * BINS];
    __shared__ bool last;
    for (int i = threadIdx.x; i < WARPS * CHANNELS * BINS; i += THREADS) copies[0][i] = 0;
    __syncthreads();
    countPixels(copies[threadIdx.x / WARP], pixels, n);
#ifndef BUG
    __syncthreads();
#endif
    for (int b = threadIdx.x; b < CHANNELS * BINS; b += THREADS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++) sum += copies[w][b]; // want race RAW
        if (sum > 0) atomicAdd(&result->bins[0][b], sum);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&result->done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    if (threadIdx.x < CHANNELS * WARP) equalise(result, threadIdx.x / WARP, n);
}

__global__ void apply(const uchar4 *in, uchar4 *out, int n, const Result *result) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 p = in[i];
    out[i] = make_uchar4(result->table[0][binOf(p.x)], result->table[1][binOf(p.y)], result->table[2][binOf(p.z)], p.w);
}

// Image is a dark picture with a bright disc.
std::vector<uchar4> image(int width, int height) {
    Random random(width);
    std::vector<uchar4> pixels(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int dx = x - width / 2, dy = y - height / 3;
            int light = dx * dx + dy * dy < width * 4 ? 120 : 20;
            auto channel = [&](int most) { return static_cast<unsigned char>(light + random.below(most)); };
            pixels[y * width + x] = make_uchar4(channel(60), channel(90), channel(30), 255);
        }
    return pixels;
}

std::vector<unsigned> reference(const std::vector<uchar4> &pixels, std::vector<int> &table) {
    std::vector<unsigned> bins(CHANNELS * BINS);
    for (uchar4 p : pixels) {
        const unsigned char v[] = {p.x, p.y, p.z};
        for (int c = 0; c < CHANNELS; c++) bins[c * BINS + v[c] * BINS / 256]++;
    }
    for (int c = 0; c < CHANNELS; c++) {
        unsigned long long sum = 0;
        for (int b = 0; b < BINS; b++) {
            sum += bins[c * BINS + b];
            table.push_back(static_cast<unsigned char>(sum * 255 / pixels.size()));
        }
    }
    return bins;
}

bool run(int width, int height, int blocks) {
    std::vector<uchar4> pixels = image(width, height);
    int n = width * height;
    uchar4 *in = toDevice(pixels), *out;
    Result *result;
    CHECK(cudaMalloc(&out, n * sizeof(uchar4)));
    CHECK(cudaMalloc(&result, sizeof(Result)));
    CHECK(cudaMemset(result, 0, sizeof(Result)));
    histogram<<<blocks, THREADS>>>(in, n, result);
    apply<<<(n + 255) / 256, 256>>>(in, out, n, result);
    CHECK_LAUNCH();
    std::vector<Result> r = toHost(result, 1);
    std::vector<unsigned> bins(&r[0].bins[0][0], &r[0].bins[0][0] + CHANNELS * BINS);
    std::vector<int> table(&r[0].table[0][0], &r[0].table[0][0] + CHANNELS * BINS), wantTable, got, want;
    std::vector<unsigned> wantBins = reference(pixels, wantTable);
    std::vector<uchar4> after = toHost(out, n);
    for (int i = 0; i < n; i++) {
        got.push_back(after[i].y);
        want.push_back(wantTable[BINS + pixels[i].y * BINS / 256]);
    }
    bool ok = same("bins", bins, wantBins);
    ok = same("table", table, wantTable) && ok;
    ok = same("green", got, want) && ok;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(result));
    return ok;
}

int main() {
    bool ok = run(64, 48, 3);
    ok = run(101, 37, 6) && ok;
    return ok ? 0 : 1;
}
