// Objects in shared memory: structures of arrays of structures, unions, bit-fields,
// members that are references, copies of objects of all sizes, vector types.

#include <cstdio>

const int THREADS = 96;

struct Cell {
    int value[3];
    union {
        float real;
        unsigned bits;
        struct {
            unsigned short low, high;
        };
    };
    unsigned char flags[4];
};

struct Row {
    Cell cell[4];
    double sum;
};

struct Marks { // no reference to a bit-field can be had
    unsigned kind : 3;
    unsigned weight : 13;
    int plain;
};

struct Pair {
    long long first;
    int second;
};

struct alignas(16) Wide {
    float x[8];
};

// View has a reference and a pointer to shared memory.
struct View {
    Row &row;
    int *counts;

    __device__ int &value(int i, int j) const { return row.cell[i].value[j]; }
    __device__ float real(int i) const { return row.cell[i].real; }
    __device__ void add(int i, int by) { counts[i] += by; }
};

__global__ void structures(int *out) {
    __shared__ Row rows[THREADS];
    __shared__ int counts[THREADS + 1];
    int t = threadIdx.x, next = (t + 1) % THREADS;
    Row &mine = rows[t];
    View view{mine, counts + t};
    counts[t] = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) view.value(i, j) = t * 100 + i * 10 + j;
        mine.cell[i].real = t + i * 0.5f;
        mine.cell[i].flags[t % 4] = static_cast<unsigned char>(i);
    }
    mine.sum = 0;
    __syncthreads();
    int (&theirs)[3] = rows[next].cell[t % 4].value;
    int sum = theirs[0] + theirs[1] + theirs[2];
    Cell copy = rows[next].cell[3];
    sum += copy.low + static_cast<int>(rows[next].cell[1].bits >> 20) + copy.flags[next % 4];
    __syncthreads();
    auto &[cells, total] = mine; // names for members
    total += cells[2].value[1];
    view.add(0, static_cast<int>(total));
    view.add(0, static_cast<int>(view.real(2)));
    __syncthreads();
    out[t] = sum + counts[next];
}

__global__ void bitFields(int *out) {
    __shared__ Marks marks[THREADS];
    int t = threadIdx.x;
    marks[t] = Marks{};
    marks[t].kind = t % 8;
    marks[t].weight = t * 7;
    marks[t].plain = t;
    __syncthreads();
    Marks m = marks[THREADS - 1 - t];
    out[t] = m.kind * 100000 + m.weight * 10 + marks[(t + 5) % THREADS].plain % 10;
}

template <class T> __global__ void copies(T *out, const T *in) {
    __shared__ T buffer[THREADS];
    int t = threadIdx.x;
    buffer[t] = in[t];
    __syncthreads();
    T local = buffer[(t + 3) % THREADS];
    __syncthreads();
    buffer[t] = local;
    out[t] = buffer[t];
}

__global__ void vectors(float4 *out, const float4 *in, const float3 *three, const uchar2 *small) {
    __shared__ float4 quads[THREADS];
    __shared__ float3 triples[THREADS];
    __shared__ uchar2 bytes[THREADS];
    int t = threadIdx.x;
    quads[t] = in[t];
    triples[t] = three[t];
    bytes[t] = small[t];
    quads[t].w += 1;
    __syncthreads();
    float3 a = triples[(t * 2) % THREADS];
    float4 b = quads[THREADS - 1 - t];
    b.x += a.x * a.y + a.z + bytes[(t + 1) % THREADS].y;
    out[t] = make_float4(b.x, b.y, b.z, b.w);
}

// racing has races in members, in lines of their own; its results are not examined.
__global__ void racing(int *out) {
    __shared__ Row rows[THREADS];
    __shared__ Pair pairs[THREADS];
    int t = threadIdx.x, next = (t + 37) % THREADS;
    rows[t].cell[1].value[2] = t;
    rows[t].cell[1].value[1] = t;
    pairs[t] = {t, t};
    int read = rows[next].cell[1].value[2];
    Pair p = pairs[next];
    __syncthreads();
    out[t] = read + p.second + rows[next].cell[1].value[1];
}

template <class T> bool copiesMatch() {
    T *in, *out;
    cudaMallocManaged(&in, THREADS * sizeof(T));
    cudaMallocManaged(&out, THREADS * sizeof(T));
    unsigned char *bytes = reinterpret_cast<unsigned char *>(in);
    for (unsigned i = 0; i < THREADS * sizeof(T); i++) bytes[i] = static_cast<unsigned char>(i * 31);
    copies<<<1, THREADS>>>(out, in);
    cudaDeviceSynchronize();
    bool same = true;
    for (int t = 0; t < THREADS; t++) {
        const T &a = in[(t + 3) % THREADS], &b = out[t];
        same = same && __builtin_memcmp(&a, &b, sizeof(T)) == 0;
    }
    return same;
}

struct Three {
    short a, b, c;
};

int main() {
    int *out;
    cudaMallocManaged(&out, THREADS * sizeof(int));
    structures<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int t = 0; t < THREADS; t++) sum = sum * 31 % 1000003 + out[t];
    printf("structures: %lld\n", sum);
    bitFields<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    for (int t = 0; t < THREADS; t++) sum = sum * 31 % 1000003 + out[t];
    printf("bit-fields: %lld\n", sum);
    printf("copies: %d%d%d%d%d%d\n", copiesMatch<Wide>(), copiesMatch<Three>(), copiesMatch<double2>(), copiesMatch<uchar3>(),
           copiesMatch<long long>(), copiesMatch<Cell>());
    float4 *quads, *quadsOut;
    float3 *triples;
    uchar2 *small;
    cudaMallocManaged(&quads, THREADS * sizeof(float4));
    cudaMallocManaged(&quadsOut, THREADS * sizeof(float4));
    cudaMallocManaged(&triples, THREADS * sizeof(float3));
    cudaMallocManaged(&small, THREADS * sizeof(uchar2));
    for (int t = 0; t < THREADS; t++) {
        quads[t] = make_float4(t, t + 1, t + 2, t + 3);
        triples[t] = make_float3(t, 2, 1);
        small[t] = make_uchar2(t, 2 * t);
    }
    vectors<<<1, THREADS>>>(quadsOut, quads, triples, small);
    cudaDeviceSynchronize();
    float total = 0;
    for (int t = 0; t < THREADS; t++) total += quadsOut[t].x + 2 * quadsOut[t].w;
    printf("vectors: %.1f\n", total);
    racing<<<1, THREADS>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
