// Products of matrices of Complex<float>: gemm, and those in which a matrix is symmetric, Hermitian or
// triangular, or of which a triangle is written.
#include "gemm.h"

using Element = Complex<float>;
using Params = Gemm<Element, Element, Element>;

extern "C" __global__ void cgemm(const Params p) { gemm<Element, Element, 4, false>(p); }
extern "C" __global__ void cgemmSmall(const Params p) { gemm<Element, Element, 1, false>(p); }
extern "C" __global__ void cproduct(const Params p) { gemm<Element, Element, 2, true>(p); }
