// A stencil that streams planes of a volume through shared memory with
// cuda::pipeline: while a plane is worked on, the next ones are on their way.
// Each thread copies and waits for itself; a barrier then shows the plane to
// the others. The last kernel does the same with the pipeline primitives.
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include "../check.h"

constexpr int NX = 64, NY = 8, NZ = 12;
constexpr int kPlane = NX * NY;
constexpr int kStages = 4;  // three planes in use, one on its way

__device__ float at(const float *plane, int x, int y) {
    return x >= 0 && x < NX && y >= 0 && y < NY ? plane[y * NX + x] : 0.0f;
}

// point is the stencil: a plane's four neighbors, and those above and below.
__device__ float point(const float *below, const float *here, const float *above, int x, int y) {
    return here[y * NX + x] * 2 + at(here, x - 1, y) + at(here, x + 1, y) + at(here, x, y - 1) + at(here, x, y + 1) -
           (below ? below[y * NX + x] : 0.0f) - (above ? above[y * NX + x] : 0.0f);
}

__global__ void __launch_bounds__(kPlane / 4) streamed(const float *in, float *out) {
    __shared__ __align__(16) float planes[kStages][kPlane];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int mine = threadIdx.x * 4;
    auto fetch = [&](int z) {
        pipe.producer_acquire();
        if (z < NZ) {
            cuda::memcpy_async(&planes[z % kStages][mine], &in[z * kPlane + mine],
                               cuda::aligned_size_t<16>(4 * sizeof(float)), pipe);
        }
        pipe.producer_commit();
    };
    fetch(0);
    fetch(1);
    for (int z = 0; z < NZ; z++) {
        fetch(z + 2);
        // Planes up to z+1 are needed, z+2 may still be on its way.
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        const float *below = z > 0 ? planes[(z - 1) % kStages] : nullptr;
        const float *above = z + 1 < NZ ? planes[(z + 1) % kStages] : nullptr;
        for (int i = mine; i < mine + 4; i++)
            out[z * kPlane + i] = point(below, planes[z % kStages], above, i % NX, i / NX);
        pipe.consumer_release();
        __syncthreads();  // plane z-1's place is filled again
    }
}

// primitives smooths each plane with one buffer more than is worked on.
__global__ void __launch_bounds__(kPlane / 4) primitives(const float *in, float *out) {
    __shared__ alignas(16) float planes[2][kPlane];
    int mine = threadIdx.x * 4;
    __pipeline_memcpy_async(&planes[0][mine], &in[mine], 16);
    __pipeline_commit();
    for (int z = 0; z < NZ; z++) {
        if (z + 1 < NZ) __pipeline_memcpy_async(&planes[(z + 1) % 2][mine], &in[(z + 1) * kPlane + mine], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = mine; i < mine + 4; i++)
            out[z * kPlane + i] = point(nullptr, planes[z % 2], nullptr, i % NX, i / NX);
        __syncthreads();
    }
}

int main() {
    Random random(11);
    std::vector<float> in(NZ * kPlane), want(in.size()), plain(in.size());
    for (auto &v : in) v = float(random.below(100));
    auto get = [&](int x, int y, int z) {
        bool inside = x >= 0 && x < NX && y >= 0 && y < NY && z >= 0 && z < NZ;
        return inside ? in[z * kPlane + y * NX + x] : 0.0f;
    };
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                float v = get(x, y, z) * 2 + get(x - 1, y, z) + get(x + 1, y, z) + get(x, y - 1, z) + get(x, y + 1, z);
                plain[z * kPlane + y * NX + x] = v;
                want[z * kPlane + y * NX + x] = v - get(x, y, z - 1) - get(x, y, z + 1);
            }
    float *din = toDevice(in), *dout = nullptr;
    CHECK(cudaMalloc(&dout, in.size() * sizeof(float)));
    streamed<<<1, kPlane / 4>>>(din, dout);
    CHECK_LAUNCH();
    bool ok = same("stencil with cuda::pipeline", toHost(dout, want.size()), want);
    primitives<<<1, kPlane / 4>>>(din, dout);
    CHECK_LAUNCH();
    ok &= same("stencil with primitives", toHost(dout, plain.size()), plain);
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    return ok ? 0 : 1;
}
