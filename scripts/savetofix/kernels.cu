// Six kernels that share data between the threads of a block, each checked against the host. The
// program has the length of a usual source: 300 lines.
//
// scripts/savetofix takes one barrier after the other away from it, and measures how long it takes
// until the language server offers it as a repair.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                          \
    do {                                                                     \
        cudaError_t err = (call);                                            \
        if (err != cudaSuccess) {                                            \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__,      \
                         #call, cudaGetErrorString(err));                    \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

constexpr int kTile = 16;
constexpr int kThreads = 128;
constexpr int kBins = 64;

// Device is an array in the device's memory.
template <typename T>
class Device {
public:
    explicit Device(size_t n) : size_(n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }

    explicit Device(const std::vector<T> &host) : Device(host.size()) {
        CHECK(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }

    ~Device() { cudaFree(data_); }

    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    T *get() const { return data_; }

    void clear() { CHECK(cudaMemset(data_, 0, size_ * sizeof(T))); }

    std::vector<T> host() const {
        std::vector<T> out(size_);
        CHECK(cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }

private:
    T *data_ = nullptr;
    size_t size_;
};

// sum adds the elements of each block's part of an array.
__global__ void sum(const float *in, float *out, int n) {
    __shared__ float part[kThreads];
    int t = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    part[t] = mine;
    __syncthreads(); // sum: all parts are there

    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads(); // sum: a step of the tree is done
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

// scan writes the inclusive prefix sums of each block's part of an array.
__global__ void scan(const int *in, int *out, int n) {
    __shared__ int a[2][kThreads];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int now = 0;
    a[now][t] = i < n ? in[i] : 0;
    __syncthreads(); // scan: the input is there

    for (int step = 1; step < blockDim.x; step *= 2) {
        int next = 1 - now;
        a[next][t] = a[now][t] + (t >= step ? a[now][t - step] : 0);
        __syncthreads(); // scan: a step is done
        now = next;
    }
    if (i < n) {
        out[i] = a[now][t];
    }
}

// transpose goes by way of a tile, so that both accesses to global memory are along rows.
__global__ void transpose(const float *in, float *out, int rows, int columns) {
    __shared__ float tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x;
    int y = blockIdx.y * kTile + threadIdx.y;
    if (x < columns && y < rows) {
        tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    }
    __syncthreads(); // transpose: the tile is there

    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    if (x < rows && y < columns) {
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
    }
}

// multiply computes the product of two square matrices by tiles.
__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float ta[kTile][kTile];
    __shared__ float tb[kTile][kTile];
    int column = blockIdx.x * kTile + threadIdx.x;
    int row = blockIdx.y * kTile + threadIdx.y;
    float dot = 0;
    for (int k = 0; k < n; k += kTile) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads(); // multiply: the tiles are there
        for (int i = 0; i < kTile; i++) {
            dot += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        }
        __syncthreads(); // multiply: the tiles may be replaced
    }
    c[row * n + column] = dot;
}

// histogram counts bytes in shared memory, and adds the counts to those of all blocks.
__global__ void histogram(const unsigned char *in, unsigned *out, int n) {
    __shared__ unsigned bins[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
        bins[b] = 0;
    }
    __syncthreads(); // histogram: the bins are empty

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[in[i] % kBins], 1u);
    }
    __syncthreads(); // histogram: all is counted

    for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
        atomicAdd(&out[b], bins[b]);
    }
}

// smooth averages each element with its neighbors, those at the ends with themselves.
__global__ void smooth(const float *in, float *out, int n) {
    __shared__ float line[kThreads + 2];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x + 1;
    line[t] = in[min(i, n - 1)];
    if (threadIdx.x == 0) {
        line[0] = in[max(i - 1, 0)];
    }
    if (threadIdx.x == blockDim.x - 1) {
        line[t + 1] = in[min(i + 1, n - 1)];
    }
    __syncthreads(); // smooth: the line is there

    if (i < n) {
        out[i] = (line[t - 1] + line[t] + line[t + 1]) / 3;
    }
}

// expect ends the program if a result is wrong.
static void expect(bool right, const char *what) {
    if (!right) {
        std::printf("%s: wrong\n", what);
        std::exit(1);
    }
    std::printf("%s: right\n", what);
}

// near reports whether a result is right up to what the order of additions changes.
static bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-3 * std::fmax(1.0, std::fabs(b));
}

// numbers are n numbers without an order that a mistake could hide in.
static std::vector<float> numbers(int n) {
    std::vector<float> out(n);
    for (int i = 0; i < n; i++) {
        out[i] = float(i * 37 % 101) / 10;
    }
    return out;
}

// The tests run their kernels in small grids, the last block of which is not full where the kernel
// takes any length.

static void testSum() {
    const int n = 2000, blocks = 4;
    std::vector<float> in = numbers(n);
    Device<float> from(in), to(blocks);
    sum<<<blocks, kThreads>>>(from.get(), to.get(), n);
    CHECK(cudaGetLastError());
    double want = 0, got = 0;
    for (float x : in) want += x;
    for (float x : to.host()) got += x;
    expect(near(got, want), "sum");
}

static void testScan() {
    const int n = 4 * kThreads;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = i % 7;
    Device<int> from(in), to(n);
    scan<<<n / kThreads, kThreads>>>(from.get(), to.get(), n);
    CHECK(cudaGetLastError());
    std::vector<int> got = to.host();
    bool right = true;
    for (int i = 0, all = 0; i < n; i++) {
        all = i % kThreads == 0 ? in[i] : all + in[i];
        right = right && got[i] == all;
    }
    expect(right, "scan");
}

static void testTranspose() {
    const int rows = 40, columns = 56;
    std::vector<float> in = numbers(rows * columns);
    Device<float> from(in), to(in.size());
    dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose<<<grid, dim3(kTile, kTile)>>>(from.get(), to.get(), rows, columns);
    CHECK(cudaGetLastError());
    std::vector<float> got = to.host();
    bool right = true;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            right = right && got[x * rows + y] == in[y * columns + x];
        }
    }
    expect(right, "transpose");
}

static void testMultiply() {
    const int n = 3 * kTile;
    std::vector<float> a = numbers(n * n), b = numbers(n * n);
    Device<float> da(a), db(b), dc(n * n);
    multiply<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(da.get(), db.get(), dc.get(), n);
    CHECK(cudaGetLastError());
    std::vector<float> got = dc.host();
    bool right = true;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            double dot = 0;
            for (int k = 0; k < n; k++) dot += double(a[y * n + k]) * b[k * n + x];
            right = right && near(got[y * n + x], dot);
        }
    }
    expect(right, "multiply");
}

static void testHistogram() {
    const int n = 3000;
    std::vector<unsigned char> in(n);
    for (int i = 0; i < n; i++) in[i] = (unsigned char)(i * i % 251);
    Device<unsigned char> from(in);
    Device<unsigned> to(kBins);
    to.clear();
    histogram<<<3, kThreads>>>(from.get(), to.get(), n);
    CHECK(cudaGetLastError());
    std::vector<unsigned> want(kBins);
    for (unsigned char x : in) want[x % kBins]++;
    expect(to.host() == want, "histogram");
}

static void testSmooth() {
    const int n = 1000;
    std::vector<float> in = numbers(n);
    Device<float> from(in), to(n);
    smooth<<<(n + kThreads - 1) / kThreads, kThreads>>>(from.get(), to.get(), n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to.host();
    bool right = true;
    for (int i = 0; i < n; i++) {
        double want = (double(in[i > 0 ? i - 1 : 0]) + in[i] + in[i < n - 1 ? i + 1 : n - 1]) / 3;
        right = right && near(got[i], want);
    }
    expect(right, "smooth");
}

// The program ends with 1 at the first result that is wrong.
int main() {
    testSum();
    testScan();
    testTranspose();
    testMultiply();
    testHistogram();
    testSmooth();

    std::printf("all results are right\n");
    return 0;
}
