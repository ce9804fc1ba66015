// A tile in shared memory with operators.
#pragma once

template <class T, int N> class Tile {
    T data_[N];

  public:
    __device__ T &operator[](int i) { return data_[i]; }
    __device__ const T &operator[](int i) const { return data_[i]; }
    __device__ T &operator()(int i, int j, int width) { return data_[i * width + j]; }
    __device__ Tile &operator+=(const T &by) {
        data_[threadIdx.x] += by;
        return *this;
    }
    __device__ explicit operator bool() const { return data_[0] != T(); }
    __device__ T *begin() { return data_; }
    __device__ T *end() { return data_ + N; }

    __device__ void load(const T *from) {
        data_[threadIdx.x] = from[threadIdx.x];
        __syncthreads();
    }
    __device__ void store(T *to) const;
};

template <class T, int N> __device__ void Tile<T, N>::store(T *to) const { to[threadIdx.x] = data_[threadIdx.x]; }

template <class T> __device__ inline void exchange(T &a, T &b) {
    T c = a;
    a = b, b = c;
}

struct Less {
    template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
