// The parameters of cuFFT's kernels. A transform of several dimensions is one of each dimension in
// turn; a transform of one dimension is of lines of elements, in one pass for each of its factors
// ("Stockham autosort"), or by Bluestein's algorithm where a factor is large.
#pragma once

#include "../numbers.h"

namespace fft {

// Where the elements of lines lie. The lines are counted through the other dimensions and the batch.
struct Layout {
  long long step;     // from one element of a line to the next
  int counts[3];      // how many lines there are along each of these
  long long steps[3]; // and their distances
};

// What elements are in memory: complex, or real, or complex for the first half of a line only,
// whose other half are the conjugates.
enum Form { Whole, RealOnly, HalfOnly };

// Elements as a pass reads or writes them.
template <class R> struct Array {
  void *data; // R or Complex<R>
  Layout layout;
  int form;
  bool conjugated; // an inverse transform is one of conjugates, conjugated
};

constexpr int kMostFactor = 61;

template <class R> struct Pass {
  Array<R> in, out;
  int n, lines;
  int radix, before;       // the factor of this pass, the product of those before it
  const Complex<R> *roots; // exp(-2 pi i k / n)
};

// The steps around the transforms of length m in Bluestein's algorithm, whose lines are contiguous.
template <class R> struct Chirp {
  Array<R> user;
  Complex<R> *work;
  int n, m, lines;
  const Complex<R> *chirp, *filter;
};

} // namespace fft
