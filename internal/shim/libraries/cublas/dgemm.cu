// Products of matrices of double: gemm, and those in which a matrix is symmetric, Hermitian or
// triangular, or of which a triangle is written.
#include "gemm.h"

using Element = double;
using Params = Gemm<Element, Element, Element>;

extern "C" __global__ void dgemm(const Params p) { gemm<Element, Element, 4, false>(p); }
extern "C" __global__ void dgemmSmall(const Params p) { gemm<Element, Element, 1, false>(p); }
extern "C" __global__ void dproduct(const Params p) { gemm<Element, Element, 2, true>(p); }
