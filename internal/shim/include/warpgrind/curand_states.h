/* The states of the generators, which host code may name as well. */
#ifndef __WARPGRIND_CURAND_STATES_H__
#define __WARPGRIND_CURAND_STATES_H__

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* Of a Sobol sequence: the number i of the next element, its value x, and c, which scrambles it. */
struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/* MTGP32 takes parameter sets that its authors' search program has found, which are
 * not part of warpgrind. */
typedef struct curandStateMtgp32 curandStateMtgp32
    __attribute__((unavailable("MTGP32 is not supported by warpgrind: use XORWOW, MRG32k3a or Philox")));
typedef struct curandStateMtgp32 curandStateMtgp32_t
    __attribute__((unavailable("MTGP32 is not supported by warpgrind: use XORWOW, MRG32k3a or Philox")));

#endif
