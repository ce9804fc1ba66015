#include "program.h"

static __device__ int digitOf(char c) {
  for (int d = 0; d < 10; d++)
    if (digits[d] == c) return d;
  return -1;
}

static __device__ Token number(const char *text, int *pos) {
  Token t = {kNumber, 0};
  for (int d; (d = digitOf(text[*pos])) >= 0; ++*pos) t.value = t.value * 10 + d;
  return t;
}

__device__ Token nextToken(const char *text, int *pos) {
  while (text[*pos] == ' ') ++*pos;
  Token t = {kBad, 0};
  if (digitOf(text[*pos]) >= 0) {
    t = number(text, pos);
  } else {
    switch (text[*pos]) {
    case 0: t.kind = kEnd; break;
    case '+': t.kind = kPlus; break;
    case '-': t.kind = kMinus; break;
    case '*': t.kind = kTimes; break;
    }
    if (t.kind != kEnd) ++*pos;
  }
  countToken(t.kind);
  return t;
}
