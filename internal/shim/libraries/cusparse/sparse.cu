// Sparse matrices. Where several threads add to one element, they do so by atomic additions.
#include "types.h"

using namespace sparse;

#define KERNEL(letter, type, name, Params) \
  extern "C" __global__ void letter##name(const Params<type> p) { name(p); }
#define KERNELS(name, Params)                                     \
  KERNEL(s, float, name, Params) KERNEL(d, double, name, Params)  \
  KERNEL(c, Complex<float>, name, Params) KERNEL(z, Complex<double>, name, Params)

__device__ inline long long firstIndex() { return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; }
__device__ inline long long indexStep() { return gridDim.x * static_cast<long long>(blockDim.x); }

__device__ inline void add(float &to, float v) { atomicAdd(&to, v); }
__device__ inline void add(double &to, double v) { atomicAdd(&to, v); }
template <class R> __device__ void add(Complex<R> &to, Complex<R> v) {
  atomicAdd(&to.x, v.x);
  atomicAdd(&to.y, v.y);
}

template <class E> __device__ __forceinline__ E valueOf(const Rows<E> &a, long long at, bool conjugated) {
  const E v = a.values.get(at);
  return conjugated ? conj(v) : v;
}
template <class E> __device__ __forceinline__ E elementOf(const Product<E> &p, long long i, int j) {
  const E v = p.b.get(i, j);
  return p.conjugatedB ? conj(v) : v;
}

// An element of C by each thread: the rows of op(A) are those that are stored.
template <class E> __device__ void gatherRows(const Product<E> &p) {
  const E alpha = p.alpha.get(), beta = p.beta.get();
  for (long long at = firstIndex(); at < static_cast<long long>(p.m) * p.n; at += indexStep()) {
    const int i = static_cast<int>(at % p.m), j = static_cast<int>(at / p.m);
    E sum = E(0);
    if (alpha != E(0)) {
      const Row row = rowOf(p.a, i);
      for (long long k = 0; k < row.count; k++) {
        const Entry e = entryOf(p.a, row, i, k);
        if (e.col >= 0) sum = sum + valueOf(p.a, e.at, p.conjugated) * elementOf(p, e.col, j);
      }
    }
    p.c.set(i, j, beta == E(0) ? alpha * sum : alpha * sum + beta * p.c.get(i, j));
  }
}

// C = beta * C, before values are added to it.
template <class E> __device__ void scale(const Product<E> &p) {
  const E beta = p.beta.get();
  for (long long at = firstIndex(); at < static_cast<long long>(p.m) * p.n; at += indexStep()) {
    const long long i = at % p.m, j = at / p.m;
    p.c.set(i, j, beta == E(0) ? E(0) : beta * p.c.get(i, j));
  }
}

// A row that is a column of op(A), and one column of B, by each thread.
template <class E> __device__ void scatterRows(const Product<E> &p) {
  const E alpha = p.alpha.get();
  if (alpha == E(0)) return;
  for (long long at = firstIndex(); at < static_cast<long long>(p.a.rows) * p.n; at += indexStep()) {
    const int i = static_cast<int>(at % p.a.rows), j = static_cast<int>(at / p.a.rows);
    const Row row = rowOf(p.a, i);
    if (row.count <= 0) continue;
    const E x = alpha * elementOf(p, i, j);
    for (long long k = 0; k < row.count; k++) {
      const Entry e = entryOf(p.a, row, i, k);
      if (e.col >= 0) add(p.c.at(e.col, j), valueOf(p.a, e.at, p.conjugated) * x);
    }
  }
}

// A value of COO and one column of B by each thread.
template <class E> __device__ void scatterValues(const Product<E> &p) {
  const E alpha = p.alpha.get();
  if (alpha == E(0)) return;
  for (long long at = firstIndex(); at < p.a.count * p.n; at += indexStep()) {
    const long long k = at % p.a.count;
    const int j = static_cast<int>(at / p.a.count);
    add(p.c.at(p.a.row[k] - p.a.base, j), alpha * valueOf(p.a, k, p.conjugated) * elementOf(p, p.a.col[k] - p.a.base, j));
  }
}

// The values that C has, of a product of dense matrices: a warp has one row, a lane one of its values.
template <class E> __device__ void sampled(const Sampled<E> &p) {
  const E alpha = p.alpha.get(), beta = p.beta.get();
  for (long long i = firstIndex() / 32; i < p.c.rows; i += indexStep() / 32) {
    const Row row = rowOf(p.c, i);
    for (long long k = threadIdx.x % 32; k < row.count; k += 32) {
      const Entry e = entryOf(p.c, row, i, k);
      if (e.col < 0) continue;
      E sum = E(0);
      if (alpha != E(0))
        for (int l = 0; l < p.depth; l++) {
          const E a = p.a.get(i, l), b = p.b.get(l, e.col);
          sum = sum + (p.conjugatedA ? conj(a) : a) * (p.conjugatedB ? conj(b) : b);
        }
      p.c.values.set(e.at, beta == E(0) ? alpha * sum : alpha * sum + beta * p.c.values.get(e.at));
    }
  }
}

// Rows to a dense matrix, which holds zeros.
template <class E> __device__ void toDense(const Convert<E> &p) {
  if (p.a.row.data) {
    for (long long k = firstIndex(); k < p.a.count; k += indexStep()) p.dense.set(p.a.row[k] - p.a.base, p.a.col[k] - p.a.base, p.a.values.get(k));
    return;
  }
  for (long long i = firstIndex(); i < p.a.rows; i += indexStep()) {
    const Row row = rowOf(p.a, i);
    for (long long k = 0; k < row.count; k++) {
      const Entry e = entryOf(p.a, row, i, k);
      if (e.col >= 0) p.dense.set(i, e.col, p.a.values.get(e.at));
    }
  }
}

template <class E> __device__ void zero(const Convert<E> &p) {
  for (long long at = firstIndex(); at < static_cast<long long>(p.a.rows) * p.a.cols; at += indexStep()) p.dense.set(at % p.a.rows, at / p.a.rows, E(0));
}

// The elements of a dense matrix that blocks have room for; those of a block without a column are zeros.
template <class E> __device__ void toBlocks(const Convert<E> &p) {
  for (long long i = firstIndex(); i < p.a.rows; i += indexStep()) {
    const Row row = rowOf(p.a, i);
    for (long long k = 0; k < row.count; k++) {
      const Entry e = entryOf(p.a, row, i, k);
      p.a.values.set(e.at, e.col < 0 ? E(0) : p.dense.get(i, e.col));
    }
  }
}

// How many values each row of a dense matrix has that are not zero.
template <class E> __device__ void countDense(const Convert<E> &p) {
  for (long long i = firstIndex(); i < p.a.rows; i += indexStep()) {
    int n = 0;
    for (int j = 0; j < p.a.cols; j++) n += p.dense.get(i, j) != E(0);
    p.counts[i] = n;
  }
}

// Those values as rows, at the offsets in counts.
template <class E> __device__ void fromDense(const Convert<E> &p) {
  for (long long i = firstIndex(); i < p.a.rows; i += indexStep()) {
    long long k = p.counts[i];
    if (p.a.offsets.data) {
      p.a.offsets.set(i, k + p.a.base);
      if (i == p.a.rows - 1) p.a.offsets.set(i + 1, p.counts[i + 1] + p.a.base);
    }
    for (int j = 0; j < p.a.cols; j++) {
      const E v = p.dense.get(i, j);
      if (v == E(0)) continue;
      if (p.a.row.data) p.a.row.set(k, i + p.a.base);
      p.a.col.set(k, j + p.a.base);
      p.a.values.set(k++, v);
    }
  }
}

// Counts to offsets, in place, by one thread; there is one more of them.
extern "C" __global__ void offsets(const Compress p) {
  int sum = 0;
  for (int i = 0; i < p.rows; i++) {
    const int n = p.out[i];
    p.out[i] = sum;
    sum += n;
  }
  p.out[p.rows] = sum;
}

template <class E> __device__ void countColumns(const Transpose<E> &p) {
  for (long long k = firstIndex(); k < p.from.count; k += indexStep()) atomicAdd(&p.next[p.from.col[k] - p.from.base], 1);
}

// next holds offsets, and ends as the offsets of the rows after.
template <class E> __device__ void transpose(const Transpose<E> &p) {
  for (long long i = firstIndex(); i < p.from.rows; i += indexStep())
    for (long long k = p.from.offsets[i] - p.from.base, end = p.from.offsets[i + 1] - p.from.base; k < end; k++) {
      const int to = atomicAdd(&p.next[p.from.col[k] - p.from.base], 1);
      p.to.col.set(to, i + p.to.base);
      if (p.values) p.to.values.set(to, p.from.values.get(k));
    }
}

// Sorts each row of the transpose, whose values came in any order, and writes its offsets.
template <class E> __device__ void sortRows(const Transpose<E> &p) {
  for (long long i = firstIndex(); i < p.to.rows; i += indexStep()) {
    const int from = i == 0 ? 0 : p.next[i - 1], end = p.next[i];
    p.to.offsets.set(i, from + p.to.base);
    if (i == p.to.rows - 1) p.to.offsets.set(i + 1, end + p.to.base);
    for (int k = from + 1; k < end; k++) {
      const long long col = p.to.col[k];
      E v = p.values ? p.to.values.get(k) : E(0);
      int at = k;
      for (; at > from && p.to.col[at - 1] > col; at--) {
        p.to.col.set(at, p.to.col[at - 1]);
        if (p.values) p.to.values.set(at, p.to.values.get(at - 1));
      }
      p.to.col.set(at, col);
      if (p.values) p.to.values.set(at, v);
    }
  }
}

// The first of sorted rows that is not less than each row, and the other way.
extern "C" __global__ void compress(const Compress p) {
  for (long long i = firstIndex(); i <= p.rows; i += indexStep()) {
    int low = 0, high = p.count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (p.in[middle] - p.base < i)
        low = middle + 1;
      else
        high = middle;
    }
    p.out[i] = low + p.base;
  }
}

extern "C" __global__ void expand(const Compress p) {
  for (long long i = firstIndex(); i < p.rows; i += indexStep())
    for (int k = p.in[i] - p.base, end = p.in[i + 1] - p.base; k < end; k++) p.out[k] = static_cast<int>(i) + p.base;
}

// The least column of a row of A * B that is greater than last, and its value; -1 if there is none.
template <class E> __device__ int nextColumn(const Multiply<E> &p, long long i, int last, E *value) {
  int best = -1;
  E sum = E(0);
  for (long long k = p.a.offsets[i] - p.a.base, end = p.a.offsets[i + 1] - p.a.base; k < end; k++) {
    const long long row = p.a.col[k] - p.a.base;
    for (long long l = p.b.offsets[row] - p.b.base, most = p.b.offsets[row + 1] - p.b.base; l < most; l++) {
      const int col = static_cast<int>(p.b.col[l] - p.b.base);
      if (col <= last || (best >= 0 && col > best)) continue;
      if (col != best) sum = E(0);
      best = col;
      if (value) sum = sum + p.a.values.get(k) * p.b.values.get(l);
    }
  }
  if (value) *value = sum;
  return best;
}

template <class E> __device__ void countProduct(const Multiply<E> &p) {
  for (long long i = firstIndex(); i < p.a.rows; i += indexStep()) {
    int n = 0;
    for (int col = nextColumn<E>(p, i, -1, nullptr); col >= 0; col = nextColumn<E>(p, i, col, nullptr)) n++;
    p.counts[i] = n;
  }
}

// How many pairs of values each row of the product adds.
template <class E> __device__ void countPairs(const Multiply<E> &p) {
  for (long long i = firstIndex(); i < p.a.rows; i += indexStep()) {
    int n = 0;
    for (long long k = p.a.offsets[i] - p.a.base, end = p.a.offsets[i + 1] - p.a.base; k < end; k++) {
      const long long row = p.a.col[k] - p.a.base;
      n += static_cast<int>(p.b.offsets[row + 1] - p.b.offsets[row]);
    }
    p.counts[i] = n;
  }
}

template <class E> __device__ void product(const Multiply<E> &p) {
  const E alpha = p.alpha.get(), beta = p.beta.get();
  for (long long i = firstIndex(); i < p.a.rows; i += indexStep()) {
    long long k = p.counts[i];
    p.c.offsets.set(i, k + p.c.base);
    if (i == p.a.rows - 1) p.c.offsets.set(i + 1, p.counts[i + 1] + p.c.base);
    E v;
    for (int col = nextColumn(p, i, -1, &v); col >= 0; col = nextColumn(p, i, col, &v), k++) {
      p.c.col.set(k, col + p.c.base);
      if (!p.valueless) p.c.values.set(k, beta == E(0) ? alpha * v : alpha * v + beta * p.c.values.get(k));
    }
  }
}

template <class E> __device__ void gather(const Vectors<E> &p) {
  for (long long k = firstIndex(); k < p.count; k += indexStep()) p.x[k] = p.y[p.index[k] - p.base];
}
template <class E> __device__ void scatter(const Vectors<E> &p) {
  for (long long k = firstIndex(); k < p.count; k += indexStep()) p.y[p.index[k] - p.base] = p.x[k];
}
// y = alpha * x + beta * y
template <class E> __device__ void scaleVector(const Vectors<E> &p) {
  const E beta = p.beta.get();
  for (long long i = firstIndex(); i < p.size; i += indexStep()) p.y[i] = beta == E(0) ? E(0) : beta * p.y[i];
}
template <class E> __device__ void addVector(const Vectors<E> &p) {
  const E alpha = p.alpha.get();
  for (long long k = firstIndex(); k < p.count; k += indexStep()) {
    E &to = p.y[p.index[k] - p.base];
    to = to + alpha * p.x[k];
  }
}
// x' = c x + s y, y' = c y - s x, of the elements that x has
template <class E> __device__ void rotate(const Vectors<E> &p) {
  const E c = p.alpha.get(), s = p.beta.get();
  for (long long k = firstIndex(); k < p.count; k += indexStep()) {
    E &y = p.y[p.index[k] - p.base];
    const E before = p.x[k];
    p.x[k] = c * before + s * y;
    y = c * y - s * before;
  }
}
// By one block.
template <class E> __device__ void dot(const Vectors<E> &p) {
  __shared__ E part[256];
  E sum = E(0);
  for (long long k = threadIdx.x; k < p.count; k += 256) sum = sum + (p.conjugated ? conj(p.x[k]) : p.x[k]) * p.y[p.index[k] - p.base];
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *p.result = part[0];
}

KERNELS(gatherRows, Product)
KERNELS(scale, Product)
KERNELS(scatterRows, Product)
KERNELS(scatterValues, Product)
KERNELS(toDense, Convert)
KERNELS(zero, Convert)
KERNELS(countDense, Convert)
KERNELS(fromDense, Convert)
KERNELS(countColumns, Transpose)
KERNELS(transpose, Transpose)
KERNELS(sortRows, Transpose)
KERNELS(countProduct, Multiply)
KERNELS(product, Multiply)
KERNELS(gather, Vectors)
KERNELS(scatter, Vectors)
KERNELS(scaleVector, Vectors)
KERNELS(addVector, Vectors)
KERNELS(rotate, Vectors)
KERNELS(dot, Vectors)
KERNELS(sampled, Sampled)
KERNELS(toBlocks, Convert)
KERNELS(countPairs, Multiply)
