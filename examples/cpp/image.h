// The header of the two-file example: an owning buffer, a view that kernels
// take by value, and the operations that the other file implements.
#pragma once

#include "../check.h"

// View is a non-owning two-dimensional array, usable on both sides.
template <typename T>
struct View {
    T *data;
    int width, height;

    __host__ __device__ T &operator()(int x, int y) const { return data[y * width + x]; }
    __host__ __device__ bool contains(int x, int y) const {
        return x >= 0 && y >= 0 && x < width && y < height;
    }
};

// Image owns device memory for width x height elements.
template <typename T>
class Image {
  public:
    Image(int width, int height) : width_(width), height_(height) {
        CHECK(cudaMalloc(&data_, bytes()));
    }
    ~Image() { cudaFree(data_); }
    Image(const Image &) = delete;
    Image &operator=(const Image &) = delete;

    View<T> view() { return {data_, width_, height_}; }
    void upload(const std::vector<T> &host) {
        CHECK(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<T> download() const { return toHost(data_, (size_t)width_ * height_); }

  private:
    size_t bytes() const { return (size_t)width_ * height_ * sizeof(T); }
    T *data_ = nullptr;
    int width_, height_;
};

// threshold and blur are kernels of filters.cu after host functions.
void threshold(View<float> in, View<unsigned char> out, float level);
void blur(View<float> in, View<float> out);
