// Products of matrices of Complex<double>: gemm, and those in which a matrix is symmetric, Hermitian or
// triangular, or of which a triangle is written.
#include "gemm.h"

using Element = Complex<double>;
using Params = Gemm<Element, Element, Element>;

extern "C" __global__ void zgemm(const Params p) { gemm<Element, Element, 4, false>(p); }
extern "C" __global__ void zgemmSmall(const Params p) { gemm<Element, Element, 1, false>(p); }
extern "C" __global__ void zproduct(const Params p) { gemm<Element, Element, 2, true>(p); }
