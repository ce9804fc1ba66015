// C = A*B^T by tiles of 128 by 128 by 64 in two ways, for the bench: by wgmma on tiles that TMA loads, with a producer
// warp and two warpgroups, and by mma.sync on tiles that cp.async loads. It prints the best kernel time in seconds.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <vector>

namespace ptx = cuda::ptx;

constexpr int M = 256, N = 256, BM = 128, BN = 128, BK = 64;
constexpr int STAGES = 3, CONSUMERS = 256;  // of wgmma
constexpr int PITCH = BK + 8, THREADS = 256;  // of mma.sync

__device__ unsigned shared(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

struct Stage {
    half a[BM * BK], b[BN * BK];
};
struct Ring {
    Stage stages[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};

// A descriptor of rows of 128 bytes in the swizzle of 128 bytes.
__device__ uint64_t descriptor(const void *tile) { return (shared(tile) & 0x3ffff) >> 4 | 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62; }

// d += a * b, 64 by 128 by 16.
__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,"
        " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31,"
        " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47,"
        " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
          "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
          "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
        : "l"(a), "l"(b));
}

__device__ void wait(uint64_t *bar, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

struct Place {  // in the ring
    int slot = 0;
    unsigned phase;
    __device__ void next() {
        if (++slot == STAGES) {
            slot = 0;
            phase ^= 1;
        }
    }
};

__device__ void produce(Ring &r, const CUtensorMap &a, const CUtensorMap &b, int top, int left, int depth) {
    Place at{0, 1};
    for (int k = 0; k < depth; k += BK, at.next()) {
        wait(&r.empty[at.slot], at.phase);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &r.full[at.slot], sizeof(Stage));
        const int atA[] = {k, top}, atB[] = {k, left};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, r.stages[at.slot].a, &a, atA, &r.full[at.slot]);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, r.stages[at.slot].b, &b, atB, &r.full[at.slot]);
    }
}

__device__ void consume(Ring &r, float *c, int depth) {
    float d[64] = {};
    int group = threadIdx.x / 128, t = threadIdx.x % 128;
    Place at{0, 0};
    for (int k = 0; k < depth; k += BK, at.next()) {
        wait(&r.full[at.slot], at.phase);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int i = 0; i < BK; i += 16) multiply(d, descriptor(r.stages[at.slot].a + group * 64 * BK + i), descriptor(r.stages[at.slot].b + i));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (t == 0) ptx::mbarrier_arrive(&r.empty[at.slot]);
    }
    int row = group * 64 + t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    for (int i = 0; i < 64; i++) c[(row + i / 2 % 2 * 8) * N + column + i / 4 * 8 + i % 2] = d[i];
}

__global__ void __launch_bounds__(CONSUMERS + 32) wgmma(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c, int depth) {
    extern __shared__ __align__(1024) char memory[];
    Ring &r = *reinterpret_cast<Ring *>(memory);
    int top = blockIdx.y * BM, left = blockIdx.x * BN;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            ptx::mbarrier_init(&r.full[i], 1);
            ptx::mbarrier_init(&r.empty[i], CONSUMERS / 128);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x < CONSUMERS) consume(r, c + top * N + left, depth);
    else if (threadIdx.x == CONSUMERS) produce(r, a, b, top, left, depth);
}

struct Tiles {
    half a[BM][PITCH], b[BN][PITCH];
};

__device__ void fetch(Tiles &t, const half *a, const half *b, int depth) {
    for (int i = threadIdx.x; i < BM * BK / 8; i += THREADS) {
        int row = i / (BK / 8), column = i % (BK / 8) * 8;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(&t.a[row][column])), "l"(a + row * depth + column) : "memory");
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(&t.b[row][column])), "l"(b + row * depth + column) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__global__ void __launch_bounds__(THREADS) mma(const half *a, const half *b, float *c, int depth) {
    extern __shared__ __align__(1024) char memory[];
    Tiles *tiles = reinterpret_cast<Tiles *>(memory);
    int top = blockIdx.y * BM, left = blockIdx.x * BN, lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 64;
    float d[2][8][4] = {};
    a += top * depth;
    b += left * depth;
    fetch(tiles[0], a, b, depth);
    for (int k = 0; k < depth; k += BK) {
        Tiles &t = tiles[k / BK % 2];
        if (k + BK < depth) {
            fetch(tiles[1 - k / BK % 2], a + k + BK, b + k + BK, depth);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < BK; i += 16) {
            unsigned fa[2][4], fb[8][2];
            for (int y = 0; y < 2; y++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(fa[y][0]), "=r"(fa[y][1]), "=r"(fa[y][2]), "=r"(fa[y][3])
                             : "r"(shared(&t.a[row + 16 * y + lane % 16][i + lane / 16 * 8])) : "memory");
            for (int x = 0; x < 8; x++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(fb[x][0]), "=r"(fb[x][1])
                             : "r"(shared(&t.b[column + 8 * x + lane % 8][i + lane / 8 % 2 * 8])) : "memory");
            for (int y = 0; y < 2; y++)
                for (int x = 0; x < 8; x++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                                 : "+f"(d[y][x][0]), "+f"(d[y][x][1]), "+f"(d[y][x][2]), "+f"(d[y][x][3])
                                 : "r"(fa[y][0]), "r"(fa[y][1]), "r"(fa[y][2]), "r"(fa[y][3]), "r"(fb[x][0]), "r"(fb[x][1]));
        }
        __syncthreads();
    }
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 8; x++)
            for (int i = 0; i < 4; i++) c[(top + row + 16 * y + lane / 4 + i / 2 * 8) * N + left + column + 8 * x + lane % 4 * 2 + i % 2] = d[y][x][i];
}

static CUtensorMap map_of(half *matrix, int depth, int rows, int box) {
    CUtensorMap map;
    cuuint64_t size[] = {static_cast<cuuint64_t>(depth), static_cast<cuuint64_t>(rows)}, stride[] = {depth * sizeof(half)};
    cuuint32_t boxes[] = {BK, static_cast<cuuint32_t>(box)}, step[] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, size, stride, boxes, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

int main(int, char **argv) {
    bool async = !strcmp(argv[1], "wgmma");
    int depth = atoi(argv[2]), repetitions = atoi(argv[3]);
    std::vector<half> a(M * depth), b(N * depth);
    std::vector<float> c(M * N);
    for (size_t i = 0; i < a.size(); i++) a[i] = __float2half(static_cast<float>(i * 7 % 13) - 6);
    for (size_t i = 0; i < b.size(); i++) b[i] = __float2half(static_cast<float>(i * 5 % 11) - 5);
    half *da, *db;
    float *dc;
    cudaMalloc(&da, a.size() * sizeof(half));
    cudaMalloc(&db, b.size() * sizeof(half));
    cudaMalloc(&dc, c.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
    cudaFuncSetAttribute(reinterpret_cast<const void *>(wgmma), cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring));
    cudaFuncSetAttribute(reinterpret_cast<const void *>(mma), cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * sizeof(Tiles));
    CUtensorMap mapA = map_of(da, depth, M, BM), mapB = map_of(db, depth, N, BN);
    double best = 1e9;
    for (int r = 0; r < repetitions; r++) {
        auto begin = std::chrono::steady_clock::now();
        if (async) wgmma<<<dim3(N / BN, M / BM), CONSUMERS + 32, sizeof(Ring)>>>(mapA, mapB, dc, depth);
        else mma<<<dim3(N / BN, M / BM), THREADS, 2 * sizeof(Tiles)>>>(da, db, dc, depth);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < M; i += 37)
        for (int j = 0; j < N; j += 29) {
            double want = 0;  // all values are small integers
            for (int k = 0; k < depth; k++) want += __half2float(a[i * depth + k]) * __half2float(b[j * depth + k]);
            if (c[i * N + j] != want) return 2;
        }
    printf("%.6f\n", best);
}
