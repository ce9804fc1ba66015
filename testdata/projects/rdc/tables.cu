#include "program.h"

static __device__ int plus(int a, int b) { return a + b; }
static __device__ int minus(int a, int b) { return a - b; }
static __device__ int times(int a, int b) { return a * b; }

__device__ Operation operations[kBad] = {nullptr, nullptr, plus, minus, times};
__constant__ char digits[10] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'};
