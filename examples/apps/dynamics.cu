// Molecular dynamics: steps of particles in a box with a Lennard-Jones potential, found by cells
// that are built anew for each step with atomic operations. The energy that the steps lose or gain
// is bounded.
#include "../check.h"

const int ROOM = 32; // particles in a cell
const float REACH = 2.5f;

__device__ int cell_of(float3 p, int side, float width) {
    auto along = [&](float x) { return min(max((int)(x / width), 0), side - 1); };
    return (along(p.z) * side + along(p.y)) * side + along(p.x);
}

__global__ void sort_in(const float3 *at, int n, int side, float width, int *used, int *members) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = cell_of(at[i], side, width), k = atomicAdd(&used[c], 1);
    if (k < ROOM) members[c * ROOM + k] = i;
}

__global__ void forces(const float3 *at, int n, int side, float width, float box, const int *used, const int *members, float3 *force, float *energy) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 p = at[i], f = {0, 0, 0};
    float e = 0;
    int c = cell_of(p, side, width), cx = c % side, cy = c / side % side, cz = c / side / side;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                int o = ((cz + z + side) % side * side + (cy + y + side) % side) * side + (cx + x + side) % side;
                for (int k = 0; k < min(used[o], ROOM); k++) {
                    int j = members[o * ROOM + k];
                    if (j == i) continue;
                    float3 q = at[j];
                    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
                    dx -= box * rintf(dx / box), dy -= box * rintf(dy / box), dz -= box * rintf(dz / box);
                    float r2 = dx * dx + dy * dy + dz * dz;
                    if (r2 >= REACH * REACH) continue;
                    float s = 1 / r2, s6 = s * s * s, g = (48 * s6 * s6 - 24 * s6) * s;
                    f.x += g * dx, f.y += g * dy, f.z += g * dz;
                    e += 2 * (s6 * s6 - s6);
                }
            }
    force[i] = f;
    energy[i] = e;
}

__global__ void move(float3 *at, float3 *speed, const float3 *force, int n, float box, float dt, float *kinetic) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 v = speed[i], f = force[i], p = at[i];
    kinetic[i] = 0.5f * (v.x * v.x + v.y * v.y + v.z * v.z);
    v.x += dt * f.x, v.y += dt * f.y, v.z += dt * f.z;
    p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;
    p.x -= box * floorf(p.x / box), p.y -= box * floorf(p.y / box), p.z -= box * floorf(p.z / box);
    at[i] = p, speed[i] = v;
}

int main(int argc, char **argv) {
    int edge = argc > 1 ? atoi(argv[1]) : 12, steps = argc > 2 ? atoi(argv[2]) : 4, n = edge * edge * edge;
    float spacing = 1.2f, box = edge * spacing, dt = 0.001f;
    int side = (int)(box / REACH), cells = side * side * side, blocks = (n + 127) / 128;
    float width = box / side;
    std::vector<float3> at(n), speed(n);
    unsigned state = 7;
    auto random = [&] { return (state = state * 1664525u + 1013904223u) / 4294967296.0f - 0.5f; };
    for (int i = 0; i < n; i++) {
        at[i] = {(i % edge + 0.5f) * spacing, (i / edge % edge + 0.5f) * spacing, (i / edge / edge + 0.5f) * spacing};
        speed[i] = {random(), random(), random()};
    }
    float3 *d_at, *d_speed, *d_force;
    float *d_energy, *d_kinetic;
    int *used, *members;
    CHECK(cudaMalloc(&d_at, n * sizeof(float3)));
    CHECK(cudaMalloc(&d_speed, n * sizeof(float3)));
    CHECK(cudaMalloc(&d_force, n * sizeof(float3)));
    CHECK(cudaMalloc(&d_energy, 4 * n));
    CHECK(cudaMalloc(&d_kinetic, 4 * n));
    CHECK(cudaMalloc(&used, 4 * cells));
    CHECK(cudaMalloc(&members, 4 * cells * ROOM));
    CHECK(cudaMemcpy(d_at, at.data(), n * sizeof(float3), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_speed, speed.data(), n * sizeof(float3), cudaMemcpyHostToDevice));
    double first = 0, last = 0;
    std::vector<float> potential(n), kinetic(n);
    for (int s = 0; s < steps; s++) {
        CHECK(cudaMemset(used, 0, 4 * cells));
        sort_in<<<blocks, 128>>>(d_at, n, side, width, used, members);
        forces<<<blocks, 128>>>(d_at, n, side, width, box, used, members, d_force, d_energy);
        move<<<blocks, 128>>>(d_at, d_speed, d_force, n, box, dt, d_kinetic);
        CHECK(cudaMemcpy(potential.data(), d_energy, 4 * n, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(kinetic.data(), d_kinetic, 4 * n, cudaMemcpyDeviceToHost));
        last = 0;
        for (int i = 0; i < n; i++) last += potential[i] + kinetic[i];
        if (s == 0) first = last;
    }
    bool good = std::fabs(last - first) <= 0.01 * std::fabs(first);
    printf("%s: %d particles, %d steps, energy %.1f to %.1f\n", good ? "PASS" : "FAIL", n, steps, first, last);
    cudaFree(d_at), cudaFree(d_speed), cudaFree(d_force), cudaFree(d_energy), cudaFree(d_kinetic), cudaFree(used), cudaFree(members);
    return !good;
}
