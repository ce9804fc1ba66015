// What the kernels share: the entry points for the four types, and elements of matrices.
#pragma once

#include "types.h"

using namespace blas;

// A kernel for each type, as BLAS names them: sNAME, dNAME, cNAME, zNAME.
#define KERNEL(letter, type, name, Params) \
  extern "C" __global__ void letter##name(const Params<type> p) { name(p); }
#define REAL_KERNELS(name, Params) KERNEL(s, float, name, Params) KERNEL(d, double, name, Params)
#define KERNELS(name, Params) \
  REAL_KERNELS(name, Params) KERNEL(c, Complex<float>, name, Params) KERNEL(z, Complex<double>, name, Params)

// The first index of a thread of a grid, and the distance to the next.
__device__ inline long long firstIndex() { return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; }
__device__ inline long long indexStep() { return gridDim.x * static_cast<long long>(blockDim.x); }

// Where element (i, j) of a stored matrix lies, which must be stored.
template <class E> __device__ __forceinline__ E &stored(const Matrix<E> &a, int i, int j) {
  switch (a.storage) {
  case Band: return a.data[a.ku + i - j + j * a.ld];
  case Packed:
    return a.data[a.upper ? i + static_cast<long long>(j) * (j + 1) / 2
                          : i + static_cast<long long>(j) * (2 * static_cast<long long>(a.rows) - j - 1) / 2];
  default: return a.data[i + j * a.ld];
  }
}

// Element (i, j) of op(A) for a matrix of any shape; elements that are not stored are not read.
template <class E> __device__ __forceinline__ E element(const Matrix<const E> &a, int i, int j) {
  bool conjugated = conjugates(a.op);
  if (transposes(a.op)) {
    int t = i;
    i = j;
    j = t;
  }
  if (a.storage == Band && a.shape == General && (i - j > a.kl || j - i > a.ku)) return E(0);
  if (a.shape == Triangular) {
    if (a.upper ? i > j : i < j) return E(0);
    if (i == j && a.unit) return E(1);
    if (a.storage == Band && (i - j > a.kl || j - i > a.ku)) return E(0);
  } else if (a.shape != General) {
    if (a.upper ? i > j : i < j) {
      int t = i;
      i = j;
      j = t;
      if (a.shape == Hermitian) conjugated = !conjugated;
    }
    if (a.storage == Band && (i - j > a.kl || j - i > a.ku)) return E(0);
    if (a.shape == Hermitian && i == j) return E(realPart(stored(a, i, j)));
  }
  E e = stored(a, i, j);
  return conjugated ? conj(e) : e;
}
