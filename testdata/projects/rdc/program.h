// A machine with a stack that evaluates formulas in reverse Polish notation,
// one a thread.
#pragma once

enum Kind { kEnd, kNumber, kPlus, kMinus, kTimes, kBad };

struct Token {
  Kind kind;
  int value;
};

typedef int (*Operation)(int, int);

// lexer.cu: reads the token at *pos, which it moves on.
__device__ Token nextToken(const char *text, int *pos);

// tables.cu: the operations by kind.
extern __device__ Operation operations[kBad];
extern __constant__ char digits[10];

// machine.cu
__device__ int evaluate(const char *text, bool *ok);
__global__ void evaluateAll(const char *texts, int stride, int count, int *results);

// stats.cu: what was done, for the host to read.
struct Stats {
  unsigned tokens, errors;
};
extern __device__ Stats stats;
__device__ void countToken(Kind kind);
Stats readStats();
