/* The operations of nvcuda::wmma, one PTX instruction each. Included by mma.h.
 * Inline assembly keeps each access in its place, whatever is optimized. */
#ifndef __WARPGRIND_WMMA_H__
#define __WARPGRIND_WMMA_H__

#define __WG_D static __device__ __forceinline__

/* Registers 1, 2, 4 or 8 of an operand: their names from the N-th on in the
 * text, and the operands themselves. */
#define __WG_OUT1(r, c) c((r)[0])
#define __WG_OUT2(r, c) c((r)[0]), c((r)[1])
#define __WG_OUT4(r, c) __WG_OUT2(r, c), c((r)[2]), c((r)[3])
#define __WG_OUT8(r, c) __WG_OUT4(r, c), c((r)[4]), c((r)[5]), c((r)[6]), c((r)[7])
#define __WG_IN1 __WG_OUT1
#define __WG_IN2 __WG_OUT2
#define __WG_IN4 __WG_OUT4
#define __WG_IN8 __WG_OUT8

/* Names %0, %1 ... of the operands of a load or a store. */
#define __WG_NAMES1 "{%0}"
#define __WG_NAMES2 "{%0,%1}"
#define __WG_NAMES4 "{%0,%1,%2,%3}"
#define __WG_NAMES8 "{%0,%1,%2,%3,%4,%5,%6,%7}"

namespace nvcuda {
namespace wmma {
namespace details {

/* A fragment's storage as registers of 32 bits (64 for double). */
template <int n> struct words { unsigned r[n]; };
template <int n> struct doubles { double r[n]; };

template <class __wg_R, class __wg_F> __WG_D __wg_R registers(const __wg_F &f) {
  static_assert(sizeof(__wg_R) == sizeof f.x, "registers of a fragment");
  __wg_R r;
  __builtin_memcpy(&r, f.x, sizeof r);
  return r;
}
template <class __wg_R, class __wg_F> __WG_D void set(__wg_F &f, const __wg_R &r) {
  static_assert(sizeof(__wg_R) == sizeof f.x, "registers of a fragment");
  __builtin_memcpy(f.x, &r, sizeof r);
}

} // namespace details

#define __WG_W(x) "=r"(x)
#define __WG_R(x) "r"(x)
#define __WG_WD(x) "=d"(x)
#define __WG_RD(x) "d"(x)

/* load: role, the fragment's template arguments, memory type, PTX names, and
 * how many registers of which kind. */
#define __WG_LOAD(role, use, m, n, k, __wg_T, Layout, layout, __wg_P, type, num, kind, __wg_W)           \
  __WG_D void load_matrix_sync(fragment<use, m, n, k, __wg_T, Layout> &f, const __wg_P *p, unsigned ldm) {         \
    details::kind<num> v;                                                                                \
    asm volatile("wmma.load." #role ".sync.aligned." #layout ".m" #m "n" #n "k" #k "." #type " "         \
                 __WG_NAMES##num ", [%[p]], %[ldm];"                                                     \
                 : __WG_OUT##num(v.r, __wg_W) : [p] "l"(p), [ldm] "r"(ldm) : "memory");                  \
    details::set(f, v);                                                                                  \
  }
#define __WG_LOADS(role, use, m, n, k, __wg_T, __wg_P, type, num, kind, __wg_W)                          \
  __WG_LOAD(role, use, m, n, k, __wg_T, row_major, row, __wg_P, type, num, kind, __wg_W)                 \
  __WG_LOAD(role, use, m, n, k, __wg_T, col_major, col, __wg_P, type, num, kind, __wg_W)

/* load and store of an accumulator, whose layout is known at run time */
#define __WG_ACC(m, n, k, __wg_T, type, num, kind, __wg_W, __wg_R)                                       \
  __WG_D void load_matrix_sync(fragment<accumulator, m, n, k, __wg_T> &f, const __wg_T *p, unsigned ldm,           \
                               layout_t layout) {                                                        \
    details::kind<num> v;                                                                                \
    if (layout == mem_row_major)                                                                         \
      asm volatile("wmma.load.c.sync.aligned.row.m" #m "n" #n "k" #k "." #type " " __WG_NAMES##num       \
                   ", [%[p]], %[ldm];" : __WG_OUT##num(v.r, __wg_W) : [p] "l"(p), [ldm] "r"(ldm) : "memory"); \
    else                                                                                                 \
      asm volatile("wmma.load.c.sync.aligned.col.m" #m "n" #n "k" #k "." #type " " __WG_NAMES##num       \
                   ", [%[p]], %[ldm];" : __WG_OUT##num(v.r, __wg_W) : [p] "l"(p), [ldm] "r"(ldm) : "memory"); \
    details::set(f, v);                                                                                  \
  }                                                                                                      \
  __WG_D void store_matrix_sync(__wg_T *p, const fragment<accumulator, m, n, k, __wg_T> &f, unsigned ldm,          \
                                layout_t layout) {                                                       \
    details::kind<num> v = details::registers<details::kind<num>>(f);                                    \
    if (layout == mem_row_major)                                                                         \
      asm volatile("wmma.store.d.sync.aligned.row.m" #m "n" #n "k" #k "." #type " [%[p]], "              \
                   __WG_NAMES##num ", %[ldm];"                                                           \
                   :: __WG_IN##num(v.r, __wg_R), [p] "l"(p), [ldm] "r"(ldm) : "memory");                 \
    else                                                                                                 \
      asm volatile("wmma.store.d.sync.aligned.col.m" #m "n" #n "k" #k "." #type " [%[p]], "              \
                   __WG_NAMES##num ", %[ldm];"                                                           \
                   :: __WG_IN##num(v.r, __wg_R), [p] "l"(p), [ldm] "r"(ldm) : "memory");                 \
  }

/* Names of D, A, B and C by their numbers of registers: D has n of them. */
#define __WG_TEXT_8_8_8_8                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "                                         \
  "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27,%28,%29,%30,%31};"
#define __WG_TEXT_4_8_8_4                                                                                \
  "{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, {%20,%21,%22,%23};"
#define __WG_TEXT_8_8_8_4                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "                                         \
  "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27};"
#define __WG_TEXT_4_8_8_8                                                                                \
  "{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, "                      \
  "{%20,%21,%22,%23,%24,%25,%26,%27};"
#define __WG_TEXT_8_4_4_8                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23};"
#define __WG_TEXT_8_8_2_8                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17}, "                              \
  "{%18,%19,%20,%21,%22,%23,%24,%25};"
#define __WG_TEXT_8_2_8_8                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13,%14,%15,%16,%17}, "                              \
  "{%18,%19,%20,%21,%22,%23,%24,%25};"
#define __WG_TEXT_8_2_2_8                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19};"
#define __WG_TEXT_8_4_1_8                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12}, {%13,%14,%15,%16,%17,%18,%19,%20};"
#define __WG_TEXT_8_1_4_8                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8}, {%9,%10,%11,%12}, {%13,%14,%15,%16,%17,%18,%19,%20};"
#define __WG_TEXT_2_1_1_2 "{%0,%1}, {%2}, {%3}, {%4,%5};"

/* The body of a multiplication: op is the text before the operands. */
#define __WG_MUL_BODY(op, d, a, b, c, kind, __wg_W, __wg_R)                                              \
  asm volatile(op " " __WG_TEXT_##d##_##a##_##b##_##c                                                    \
               : __WG_OUT##d(vd.r, __wg_W) : __WG_IN##a(va.r, __wg_R), __WG_IN##b(vb.r, __wg_R), __WG_IN##c(vc.r, __wg_R));
#define __WG_MUL_REGS(da, db, dc, dd, kind)                                                              \
  details::kind<da> va = details::registers<details::kind<da>>(a);                                       \
  details::kind<db> vb = details::registers<details::kind<db>>(b);                                       \
  details::kind<dc> vc = details::registers<details::kind<dc>>(c);                                       \
  details::kind<dd> vd;

/* mma_sync for one pair of layouts; sat is the text of saturation, "" if the
 * type has none. */
#define __WG_MUL(m, n, k, __wg_D, __wg_T, __wg_C, La, la, Lb, lb, types, sat, nd, na, nb, nc, kind, __wg_W, __wg_R)               \
  __WG_D void mma_sync(fragment<accumulator, m, n, k, __wg_D> &d, const fragment<matrix_a, m, n, k, __wg_T, La> &a,\
                       const fragment<matrix_b, m, n, k, __wg_T, Lb> &b,                                 \
                       const fragment<accumulator, m, n, k, __wg_C> &c, bool satf = false) {             \
    __WG_MUL_REGS(na, nb, nc, nd, kind)                                                                  \
    if (satf)                                                                                            \
      __WG_MUL_BODY("wmma.mma.sync.aligned." #la "." #lb ".m" #m "n" #n "k" #k types sat, nd, na, nb,    \
                    nc, kind, __wg_W, __wg_R)                                                            \
    else                                                                                                 \
      __WG_MUL_BODY("wmma.mma.sync.aligned." #la "." #lb ".m" #m "n" #n "k" #k types, nd, na, nb, nc,    \
                    kind, __wg_W, __wg_R)                                                                \
    details::set(d, vd);                                                                                 \
  }
#define __WG_MULS(m, n, k, __wg_D, __wg_T, __wg_C, types, sat, nd, na, nb, nc, kind, __wg_W, __wg_R)     \
  __WG_MUL(m, n, k, __wg_D, __wg_T, __wg_C, row_major, row, row_major, row, types, sat, nd, na, nb, nc, kind, __wg_W, __wg_R)     \
  __WG_MUL(m, n, k, __wg_D, __wg_T, __wg_C, row_major, row, col_major, col, types, sat, nd, na, nb, nc, kind, __wg_W, __wg_R)     \
  __WG_MUL(m, n, k, __wg_D, __wg_T, __wg_C, col_major, col, row_major, row, types, sat, nd, na, nb, nc, kind, __wg_W, __wg_R)     \
  __WG_MUL(m, n, k, __wg_D, __wg_T, __wg_C, col_major, col, col_major, col, types, sat, nd, na, nb, nc, kind, __wg_W, __wg_R)

/* All of a shape of 16 in k: half, and, with the numbers of registers of A and
 * B, bfloat16 and bytes. */
#define __WG_HALF(m, n)                                                                                  \
  __WG_LOADS(a, matrix_a, m, n, 16, __half, __half, f16, 8, words, __WG_W)                               \
  __WG_LOADS(b, matrix_b, m, n, 16, __half, __half, f16, 8, words, __WG_W)                               \
  __WG_ACC(m, n, 16, __half, f16, 4, words, __WG_W, __WG_R)                                              \
  __WG_ACC(m, n, 16, float, f32, 8, words, __WG_W, __WG_R)                                               \
  __WG_MULS(m, n, 16, float, __half, float, ".f32.f32", ".satfinite", 8, 8, 8, 8, words, __WG_W, __WG_R) \
  __WG_MULS(m, n, 16, __half, __half, __half, ".f16.f16", ".satfinite", 4, 8, 8, 4, words, __WG_W, __WG_R)\
  __WG_MULS(m, n, 16, float, __half, __half, ".f32.f16", ".satfinite", 8, 8, 8, 4, words, __WG_W, __WG_R)\
  __WG_MULS(m, n, 16, __half, __half, float, ".f16.f32", ".satfinite", 4, 8, 8, 8, words, __WG_W, __WG_R)
#define __WG_BYTE(m, n, __wg_T, t, na, nb)                                                               \
  __WG_LOADS(a, matrix_a, m, n, 16, __wg_T, __wg_T, t, na, words, __WG_W)                                \
  __WG_LOADS(b, matrix_b, m, n, 16, __wg_T, __wg_T, t, nb, words, __WG_W)                                \
  __WG_MULS(m, n, 16, int, __wg_T, int, ".s32." #t "." #t ".s32", ".satfinite", 8, na, nb, 8, words, __WG_W, __WG_R)
#define __WG_BYTES(m, n, na, nb)                                                                         \
  __WG_ACC(m, n, 16, int, s32, 8, words, __WG_W, __WG_R)                                                 \
  __WG_BYTE(m, n, signed char, s8, na, nb)                                                               \
  __WG_BYTE(m, n, unsigned char, u8, na, nb)
#define __WG_BF16(m, n, na, nb)                                                                          \
  __WG_LOADS(a, matrix_a, m, n, 16, __nv_bfloat16, __nv_bfloat16, bf16, na, words, __WG_W)               \
  __WG_LOADS(b, matrix_b, m, n, 16, __nv_bfloat16, __nv_bfloat16, bf16, nb, words, __WG_W)               \
  __WG_MULS(m, n, 16, float, __nv_bfloat16, float, ".f32.bf16.bf16.f32", "", 8, na, nb, 8, words, __WG_W, __WG_R)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__WG_HALF(16, 16)
__WG_HALF(32, 8)
__WG_HALF(8, 32)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
__WG_BYTES(16, 16, 2, 2)
__WG_BYTES(32, 8, 4, 1)
__WG_BYTES(8, 32, 1, 4)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__WG_BF16(16, 16, 4, 4)
__WG_BF16(32, 8, 8, 2)
__WG_BF16(8, 32, 2, 8)

__WG_LOADS(a, matrix_a, 16, 16, 8, precision::tf32, float, tf32, 4, words, __WG_W)
__WG_LOADS(b, matrix_b, 16, 16, 8, precision::tf32, float, tf32, 4, words, __WG_W)
__WG_ACC(16, 16, 8, float, f32, 8, words, __WG_W, __WG_R)
__WG_MULS(16, 16, 8, float, precision::tf32, float, ".f32.tf32.tf32.f32", "", 8, 4, 4, 8, words, __WG_W, __WG_R)

__WG_LOADS(a, matrix_a, 8, 8, 4, double, double, f64, 1, doubles, __WG_WD)
__WG_LOADS(b, matrix_b, 8, 8, 4, double, double, f64, 1, doubles, __WG_WD)
__WG_ACC(8, 8, 4, double, f64, 2, doubles, __WG_WD, __WG_RD)
__WG_MULS(8, 8, 4, double, double, double, ".rn.f64.f64.f64.f64", "", 2, 1, 1, 2, doubles, __WG_WD, __WG_RD)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
#define __WG_NIBBLE(__wg_T, t)                                                                           \
  __WG_LOAD(a, matrix_a, 8, 8, 32, experimental::precision::__wg_T, row_major, row, void, t, 1, words, __WG_W)\
  __WG_LOAD(b, matrix_b, 8, 8, 32, experimental::precision::__wg_T, col_major, col, void, t, 1, words, __WG_W)\
  __WG_MUL(8, 8, 32, int, experimental::precision::__wg_T, int, row_major, row, col_major, col,          \
           ".s32." #t "." #t ".s32", ".satfinite", 2, 1, 1, 2, words, __WG_W, __WG_R)
__WG_NIBBLE(s4, s4)
__WG_NIBBLE(u4, u4)
__WG_ACC(8, 8, 32, int, s32, 2, words, __WG_W, __WG_R)
#undef __WG_NIBBLE

__WG_LOAD(a, matrix_a, 8, 8, 128, experimental::precision::b1, row_major, row, void, b1, 1, words, __WG_W)
__WG_LOAD(b, matrix_b, 8, 8, 128, experimental::precision::b1, col_major, col, void, b1, 1, words, __WG_W)
__WG_ACC(8, 8, 128, int, s32, 2, words, __WG_W, __WG_R)

__WG_D void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                      const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                      const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                      const fragment<accumulator, 8, 8, 128, int> &c,
                      experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                      experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  __WG_MUL_REGS(1, 1, 2, 2, words)
  if (op == experimental::bmmaBitOpXOR)
    __WG_MUL_BODY("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", 2, 1, 1, 2, words, __WG_W, __WG_R)
  else
    __WG_MUL_BODY("wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", 2, 1, 1, 2, words, __WG_W, __WG_R)
  details::set(d, vd);
}
#endif

} // namespace wmma
} // namespace nvcuda

#undef __WG_D
#undef __WG_OUT1
#undef __WG_OUT2
#undef __WG_OUT4
#undef __WG_OUT8
#undef __WG_IN1
#undef __WG_IN2
#undef __WG_IN4
#undef __WG_IN8
#undef __WG_NAMES1
#undef __WG_NAMES2
#undef __WG_NAMES4
#undef __WG_NAMES8
#undef __WG_W
#undef __WG_R
#undef __WG_WD
#undef __WG_RD
#undef __WG_LOAD
#undef __WG_LOADS
#undef __WG_ACC
#undef __WG_TEXT_8_8_8_8
#undef __WG_TEXT_4_8_8_4
#undef __WG_TEXT_8_8_8_4
#undef __WG_TEXT_4_8_8_8
#undef __WG_TEXT_8_4_4_8
#undef __WG_TEXT_8_8_2_8
#undef __WG_TEXT_8_2_8_8
#undef __WG_TEXT_8_2_2_8
#undef __WG_TEXT_8_4_1_8
#undef __WG_TEXT_8_1_4_8
#undef __WG_TEXT_2_1_1_2
#undef __WG_MUL_BODY
#undef __WG_MUL_REGS
#undef __WG_MUL
#undef __WG_MULS
#undef __WG_HALF
#undef __WG_BYTE
#undef __WG_BYTES
#undef __WG_BF16

#endif
