// A vector of three numbers, for host and device.
#ifndef SIMULATION_VEC_H
#define SIMULATION_VEC_H

struct Vec3 {
  float x, y, z;
  Vec3() = default;
  __host__ __device__ Vec3(float x, float y, float z) : x(x), y(y), z(z) {}
  __host__ __device__ Vec3 &operator+=(const Vec3 &o) {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
  __host__ __device__ Vec3 operator*(float k) const { return Vec3(x * k, y * k, z * k); }
  __host__ __device__ float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

#endif
