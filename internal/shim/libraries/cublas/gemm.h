// The product of matrices: tiles of A and B are staged in shared memory. A block of 16 by 16
// threads makes a tile of 16 R by 16 R elements of D.
#pragma once

#include "kernels.h"

// Conversions between the types of elements and that of the arithmetic.
template <class A, class E> __device__ __forceinline__ A convert(E e) { return static_cast<A>(e); }

template <class E> __device__ __forceinline__ E activated(E v, int) { return v; }
__device__ __forceinline__ float activated(float v, int activation) {
  if (activation == Relu) return v > 0 ? v : 0;
  if (activation == Gelu) return 0.5f * v * (1 + tanhf(0.7978845608028654f * (v + 0.044715f * v * v * v)));
  return v;
}

// One tile's part of A or B for indices from k0 on: part[k][i] is element (i0 + i, k0 + k) of the
// first factor; of the second factor, whose transpose it is then, (k0 + k, i0 + i).
template <class A, int R, bool structured, class E>
__device__ __forceinline__ void stage(A (&part)[16][16 * R + 1], const Matrix<const E> &a, int i0, int k0, int rows, int depth, bool second) {
  const int t = threadIdx.x + 16 * threadIdx.y;
  // Neighboring threads read neighboring elements.
  const bool alongDepth = transposes(a.op) != second;
#pragma unroll
  for (int s = 0; s < R; s++) {
    const int at = t + 256 * s;
    const int k = alongDepth ? at % 16 : at / (16 * R), i = alongDepth ? at / 16 : at % (16 * R);
    A v = A(0);
    if (i0 + i < rows && k0 + k < depth) {
      const int row = second ? k0 + k : i0 + i, column = second ? i0 + i : k0 + k;
      if (structured) {
        v = convert<A>(element(a, row, column));
      } else {
        E e = a.data[transposes(a.op) ? column + row * a.ld : row + column * a.ld];
        v = convert<A>(conjugates(a.op) ? conj(e) : e);
      }
    }
    part[k][i] = v;
  }
}

// Adds op(A) * op(B) to what a thread has of a tile.
template <class A, int R, bool structured, class E>
__device__ __forceinline__ void multiply(A (&sum)[R][R], const Matrix<const E> &a, const Matrix<const E> &b, int m, int n, int depth,
                                         int i0, int j0) {
  __shared__ A left[16][16 * R + 1], right[16][16 * R + 1];
  for (int k0 = 0; k0 < depth; k0 += 16) {
    stage<A, R, structured>(left, a, i0, k0, m, depth, false);
    stage<A, R, structured>(right, b, j0, k0, n, depth, true);
    __syncthreads();
    const int most = depth - k0 < 16 ? depth - k0 : 16;
    for (int k = 0; k < most; k++) {
      A x[R], y[R];
#pragma unroll
      for (int r = 0; r < R; r++) x[r] = left[k][threadIdx.x + 16 * r], y[r] = right[k][threadIdx.y + 16 * r];
#pragma unroll
      for (int c = 0; c < R; c++)
#pragma unroll
        for (int r = 0; r < R; r++) sum[c][r] = sum[c][r] + x[r] * y[c];
    }
    __syncthreads();
  }
}

template <class A, class S, int R, bool structured, class E, class F> __device__ void gemm(const Gemm<E, F, S> &p) {
  const A alpha = convert<A>(p.alpha.get()), beta = convert<A>(p.beta.get());
  const int i0 = blockIdx.x * 16 * R, j0 = blockIdx.y * 16 * R;
  if ((p.part == 1 && i0 > j0 + 16 * R - 1) || (p.part == 2 && j0 > i0 + 16 * R - 1)) return;
  for (int batch = blockIdx.z; batch < p.batch; batch += gridDim.z) {
    Matrix<const E> a = p.a, b = p.b;
    a.data = p.as ? p.as[batch] : a.data + batch * p.strideA;
    b.data = p.bs ? p.bs[batch] : b.data + batch * p.strideB;
    A sum[R][R];
    for (auto &column : sum)
      for (auto &v : column) v = A(0);
    if (alpha != A(0)) multiply<A, R, structured>(sum, a, b, p.m, p.n, p.k, i0, j0);
    for (auto &column : sum)
      for (auto &v : column) v = alpha * v;
    if (structured && p.again && alpha != A(0)) { // B * op(A), with the conjugate of alpha where op is one
      Matrix<const E> first = b, second = a;
      first.op = a.op, second.op = b.op;
      A more[R][R];
      for (auto &column : more)
        for (auto &v : column) v = A(0);
      multiply<A, R, structured>(more, first, second, p.m, p.n, p.k, i0, j0);
      const A factor = p.hermitian ? conj(alpha) : alpha;
      for (int c = 0; c < R; c++)
        for (int r = 0; r < R; r++) sum[c][r] = sum[c][r] + factor * more[c][r];
    }
    const F *in = p.cs ? p.cs[batch] : p.c + batch * p.strideC;
    F *out = p.ds ? p.ds[batch] : p.cs ? p.cs[batch] : p.d + batch * p.strideD;
#pragma unroll
    for (int c = 0; c < R; c++)
#pragma unroll
      for (int r = 0; r < R; r++) {
        const int i = i0 + threadIdx.x + 16 * r, j = j0 + threadIdx.y + 16 * c;
        if (i >= p.m || j >= p.n || (p.part == 1 && i > j) || (p.part == 2 && i < j)) continue;
        A v = sum[c][r];
        if (beta != A(0)) v = v + beta * convert<A>(in[i + j * p.ldc]);
        if (p.hermitian && i == j) v = A(realPart(v));
        if (p.bias) v = v + convert<A>(p.bias[i]);
        if (p.activation) v = activated(v, p.activation);
        out[i + j * p.ldd] = convert<F>(v);
      }
  }
}
