// Systems of equations with sparse matrices. A warp solves one at a time.
#include "types.h"

using namespace sparse;

#define KERNEL(letter, type, name, Params) \
  extern "C" __global__ void letter##name(const Params<type> p) { name(p); }
#define KERNELS(name, Params)                                     \
  KERNEL(s, float, name, Params) KERNEL(d, double, name, Params)  \
  KERNEL(c, Complex<float>, name, Params) KERNEL(z, Complex<double>, name, Params)

__device__ inline float shuffled(float v, int half) { return __shfl_xor_sync(~0u, v, half); }
__device__ inline double shuffled(double v, int half) { return __shfl_xor_sync(~0u, v, half); }
template <class R> __device__ Complex<R> shuffled(Complex<R> v, int half) { return {shuffled(v.x, half), shuffled(v.y, half)}; }

// The sum of a warp's values, in each lane.
template <class V> __device__ V warpSum(V v) {
  for (int half = 16; half > 0; half /= 2) v = v + shuffled(v, half);
  return v;
}

// The first of the sorted rows of COO that is not less than row.
template <class E> __device__ long long firstOf(const Rows<E> &a, long long row) {
  long long low = 0, high = a.count;
  while (low < high) {
    const long long middle = (low + high) / 2;
    if (a.row[middle] - a.base < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

template <class E> __device__ Row sortedRow(const Rows<E> &a, long long i) {
  if (!a.row.data) return rowOf(a, i);
  const long long first = firstOf(a, i);
  return {first, firstOf(a, i + 1) - first};
}

template <class E> __device__ void solve(const Solve<E> &p) {
  const E alpha = p.alpha.get();
  const int lane = threadIdx.x;
  for (int side = blockIdx.x; side < p.sides; side += gridDim.x) {
    for (int i = lane; i < p.n; i += 32) {
      const E x = p.x.get(i, side);
      p.y.at(i, side) = alpha * (p.conjugatedX ? conj(x) : x);
    }
    __syncwarp();
    for (int t = 0; t < p.n; t++) {
      const int i = p.upper ? p.n - 1 - t : t;
      const Row row = sortedRow(p.a, i);
      E sum = E(0), diagonal = E(0);
      for (long long k = lane; k < row.count; k += 32) {
        const Entry e = entryOf(p.a, row, i, k);
        if (e.col == i) {
          if (!p.unit) diagonal = diagonal + p.a.values.get(e.at);
        } else if (!p.transposed && e.col >= 0 && (p.upper ? e.col > i : e.col < i)) {
          const E v = p.a.values.get(e.at);
          sum = sum + (p.conjugated ? conj(v) : v) * p.y.at(e.col, side);
        }
      }
      diagonal = warpSum(diagonal);
      if (p.conjugated) diagonal = conj(diagonal);
      E y = p.y.at(i, side);
      if (!p.transposed) y = y - warpSum(sum);
      if (!p.unit) y = y / diagonal;
      __syncwarp();
      if (lane == 0) p.y.at(i, side) = y;
      if (p.transposed) // the row is a column of op(A)
        for (long long k = lane; k < row.count; k += 32) {
          const Entry e = entryOf(p.a, row, i, k);
          if (e.col < 0 || (p.upper ? e.col >= i : e.col <= i)) continue;
          const E v = p.a.values.get(e.at);
          E &to = p.y.at(e.col, side);
          to = to - (p.conjugated ? conj(v) : v) * y;
        }
      __syncwarp();
    }
  }
}

// Where a column of a row of CSR is, whose columns ascend; -1 if it has none.
template <class E> __device__ long long find(const Rows<E> &a, const Row &row, long long col) {
  long long low = row.first, high = row.first + row.count;
  while (low < high) {
    const long long middle = (low + high) / 2;
    if (a.col[middle] - a.base < col)
      low = middle + 1;
    else
      high = middle;
  }
  return low < row.first + row.count && a.col[low] - a.base == col ? low : -1;
}

template <class E> __device__ void findPivots(const Incomplete<E> &p) {
  for (int i = threadIdx.x; i < p.a.rows; i += 32)
    if (find(p.a, rowOf(p.a, i), i) < 0) atomicMin(p.pivot, static_cast<unsigned>(i + p.a.base));
}

// Row i less multiples of the rows before it.
template <class E> __device__ void csrilu02(const Incomplete<E> &p) {
  for (int i = 0; i < p.a.rows; i++) {
    const Row row = rowOf(p.a, i);
    for (long long l = 0; l < row.count; l++) {
      const long long at = row.first + l, k = p.a.col[at] - p.a.base;
      if (k >= i) break;
      const Row above = rowOf(p.a, k);
      const long long diagonal = find(p.a, above, k);
      if (diagonal < 0) continue;
      const E factor = p.a.values.get(at) / p.a.values.get(diagonal);
      __syncwarp();
      if (threadIdx.x == 0) p.a.values.set(at, factor);
      for (long long n = diagonal + 1 + threadIdx.x; n < above.first + above.count; n += 32) {
        const long long to = find(p.a, row, p.a.col[n] - p.a.base);
        if (to >= 0) p.a.values.set(to, p.a.values.get(to) - factor * p.a.values.get(n));
      }
      __syncwarp();
    }
    if (threadIdx.x == 0) {
      const long long diagonal = find(p.a, row, i);
      if (diagonal < 0 || p.a.values.get(diagonal) == E(0)) atomicMin(p.pivot, static_cast<unsigned>(i + p.a.base));
    }
    __syncwarp();
  }
}

// The sum of products of the elements before column k that two rows have.
template <class E> __device__ E product(const Rows<E> &a, const Row &row, const Row &other, long long k) {
  E sum = E(0);
  for (long long n = other.first + threadIdx.x; n < other.first + other.count; n += 32) {
    const long long col = a.col[n] - a.base;
    if (col >= k) continue;
    const long long at = find(a, row, col);
    if (at >= 0) sum = sum + a.values.get(at) * conj(a.values.get(n));
  }
  return warpSum(sum);
}

template <class E> __device__ void csric02(const Incomplete<E> &p) {
  for (int i = 0; i < p.a.rows; i++) {
    const Row row = rowOf(p.a, i);
    long long pivot = -1;
    for (long long l = 0; l < row.count; l++) {
      const long long at = row.first + l, k = p.a.col[at] - p.a.base;
      if (k > i) break;
      if (k == i) {
        pivot = at;
        break;
      }
      const Row above = rowOf(p.a, k);
      const long long diagonal = find(p.a, above, k);
      const E sum = product(p.a, row, above, k);
      if (threadIdx.x == 0 && diagonal >= 0) p.a.values.set(at, (p.a.values.get(at) - sum) / p.a.values.get(diagonal));
      __syncwarp();
    }
    const E sum = product(p.a, row, row, i);
    if (threadIdx.x == 0) {
      const Real<E> left = pivot < 0 ? Real<E>(0) : realPart(p.a.values.get(pivot) - sum);
      if (!(left > 0)) atomicMin(p.pivot, static_cast<unsigned>(i + p.a.base));
      if (pivot >= 0) p.a.values.set(pivot, E(sqrt(left)));
    }
    __syncwarp();
  }
}

// A system by each thread: elimination with the largest pivot of a column. Row i of its band has the columns from i - below on.
template <class E> __device__ void banded(const Banded<E> &p) {
  const int below = p.below, width = 3 * below + 1;
  for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < p.systems; s += gridDim.x * blockDim.x) {
    E *band = p.band + static_cast<long long>(s) * p.n * width;
    const auto at = [&](int i, int j) -> E & { return band[static_cast<long long>(i) * width + j - i + below]; };
    const auto x = [&](int i, int side) -> E & { return p.x[i * p.step + s * p.next + side * p.side]; };
    for (int i = 0; i < p.n; i++)
      for (int d = 0; d < width; d++) {
        const int j = i - below + d;
        band[static_cast<long long>(i) * width + d] = d <= 2 * below && j >= 0 && j < p.n ? p.diagonals[d][i * p.step + s * p.next] : E(0);
      }
    for (int k = 0; k < p.n; k++) {
      const int last = min(k + below, p.n - 1), most = min(k + 2 * below, p.n - 1);
      int best = k;
      for (int i = k + 1; i <= last; i++)
        if (sizeOf(at(i, k)) > sizeOf(at(best, k))) best = i;
      if (best != k) {
        for (int j = k; j <= most; j++) {
          const E t = at(k, j);
          at(k, j) = at(best, j), at(best, j) = t;
        }
        for (int side = 0; side < p.sides; side++) {
          const E t = x(k, side);
          x(k, side) = x(best, side), x(best, side) = t;
        }
      }
      for (int i = k + 1; i <= last; i++) {
        const E factor = at(i, k) / at(k, k);
        for (int j = k + 1; j <= most; j++) at(i, j) = at(i, j) - factor * at(k, j);
        for (int side = 0; side < p.sides; side++) x(i, side) = x(i, side) - factor * x(k, side);
      }
    }
    for (int side = 0; side < p.sides; side++)
      for (int i = p.n - 1; i >= 0; i--) {
        E sum = x(i, side);
        for (int j = i + 1; j <= min(i + 2 * below, p.n - 1); j++) sum = sum - at(i, j) * x(j, side);
        x(i, side) = sum / at(i, i);
      }
  }
}

KERNELS(solve, Solve)
KERNELS(findPivots, Incomplete)
KERNELS(csrilu02, Incomplete)
KERNELS(csric02, Incomplete)
KERNELS(banded, Banded)
