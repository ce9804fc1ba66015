// The parameters of NCCL's kernels. Copies between devices need none.
#pragma once

namespace nccl {

constexpr int kMostRanks = 64;

// ncclRedOp_t, and the operator that ncclRedOpCreatePreMulSum makes.
enum Operator { Sum, Prod, Max, Min, Avg, PreMulSum };

// What a rank's elements are multiplied by before the sum: a value of the elements' type, or where device
// code reads it.
struct Factor {
  unsigned long long bits;
  const void *from;
};

// out[i] is reduced from in[0][i] ... in[ranks - 1][i], in this order.
struct Reduction {
  const void *in[kMostRanks];
  Factor factors[kMostRanks]; // of PreMulSum
  void *out;
  unsigned long long count;
  int ranks;
  Operator op;
};

} // namespace nccl
