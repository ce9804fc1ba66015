// C++ in device code: virtual functions on objects made on the device, a
// function pointer table, recursion, and memory from the device heap.

#include "../check.h"

class Shape {
  public:
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
};

class Square : public Shape {
  public:
    __device__ explicit Square(float side) : side_(side) {}
    __device__ float area() const override { return side_ * side_; }

  private:
    float side_;
};

class Triangle : public Shape {
  public:
    __device__ Triangle(float base, float height) : base_(base), height_(height) {}
    __device__ float area() const override { return 0.5f * base_ * height_; }

  private:
    float base_, height_;
};

__global__ void areas(float *out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    Shape *shape;
    if (i % 2 == 0)
        shape = new Square(i);
    else
        shape = new Triangle(i, 3);
    out[i] = shape->area();
    delete shape;
}

__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__device__ int factorial(int v) { return v < 2 ? 1 : v * factorial(v - 1); }

typedef int (*Operation)(int);
__device__ Operation operations[3] = {twice, square, factorial};

__global__ void apply(int *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = operations[i % 3](i % 10);
}

int main() {
    const int n = 30;
    float *dAreas;
    int *dApplied;
    CHECK(cudaMalloc(&dAreas, n * sizeof(float)));
    CHECK(cudaMalloc(&dApplied, n * sizeof(int)));
    areas<<<1, 32>>>(dAreas, n);
    apply<<<1, 32>>>(dApplied, n);
    CHECK_LAUNCH();

    std::vector<float> wantAreas(n);
    std::vector<int> wantApplied(n);
    for (int i = 0; i < n; i++) {
        wantAreas[i] = i % 2 == 0 ? i * i : 1.5f * i;
        int v = i % 10, f = 1;
        for (int k = 2; k <= v; k++) f *= k;
        wantApplied[i] = i % 3 == 0 ? 2 * v : i % 3 == 1 ? v * v : f;
    }
    bool ok = same("objects", toHost(dAreas, n), wantAreas, 1e-6);
    ok &= same("function pointers", toHost(dApplied, n), wantApplied);
    CHECK(cudaFree(dAreas));
    CHECK(cudaFree(dApplied));
    return ok ? 0 : 1;
}
