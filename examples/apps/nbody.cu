// One step of a gravitational n-body simulation. Bodies are float4 (position
// and mass), so each load is one 16-byte access; a tile of them at a time goes
// through shared memory.

#include "../check.h"

const int TILE = 64;
const float SOFTENING = 0.01f;

__host__ __device__ float inverseRoot(float x) {
#ifdef __CUDA_ARCH__
    return rsqrtf(x);
#else
    return 1.0f / sqrtf(x);
#endif
}

__host__ __device__ void attract(float4 a, float4 b, float3 &force) {
    float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    float inv = inverseRoot(dx * dx + dy * dy + dz * dz + SOFTENING);
    float strength = b.w * inv * inv * inv;
    force.x += dx * strength;
    force.y += dy * strength;
    force.z += dz * strength;
}

__global__ void forces(const float4 *bodies, float3 *out, int n) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 force = make_float3(0, 0, 0);
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < TILE; k++) attract(me, tile[k], force);
        __syncthreads();
    }
    if (i < n) out[i] = force;
}

int main() {
    const int n = 500;
    Random random;
    std::vector<float4> bodies(n);
    for (float4 &b : bodies)
        b = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform());

    float4 *dBodies = toDevice(bodies);
    float3 *dForces;
    CHECK(cudaMalloc(&dForces, n * sizeof(float3)));
    forces<<<(n + TILE - 1) / TILE, TILE>>>(dBodies, dForces, n);
    CHECK_LAUNCH();

    std::vector<float3> result = toHost(dForces, n);
    std::vector<float> got, want;
    for (int i = 0; i < n; i++) {
        float3 force = make_float3(0, 0, 0);
        for (int j = 0; j < n; j++) attract(bodies[i], bodies[j], force);
        got.insert(got.end(), {result[i].x, result[i].y, result[i].z});
        want.insert(want.end(), {force.x, force.y, force.z});
    }
    bool ok = same("nbody", got, want, 1e-3);
    CHECK(cudaFree(dBodies));
    CHECK(cudaFree(dForces));
    return ok ? 0 : 1;
}
