/* Bodies for those mathematical functions that are an instruction or two
 * ("CUDA Math API"; "Parallel Thread Execution ISA", the floating-point and
 * integer arithmetic instructions). The others stay external calls of __nv_*,
 * which the engine implements. */
#ifndef __WARPGRIND_LIBDEVICE_H__
#define __WARPGRIND_LIBDEVICE_H__

#define __WG_NV __device__ inline __attribute__((always_inline))

extern "C" {

/* Integers. */
__WG_NV int __nv_abs(int a) { return a < 0 ? (int)(0u - (unsigned)a) : a; }
__WG_NV long long __nv_llabs(long long a) { return a < 0 ? (long long)(0ull - (unsigned long long)a) : a; }
__WG_NV int __nv_max(int a, int b) { return a > b ? a : b; }
__WG_NV int __nv_min(int a, int b) { return a < b ? a : b; }
__WG_NV unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
__WG_NV unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
__WG_NV long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
__WG_NV long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
__WG_NV unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
__WG_NV unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__WG_NV int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
__WG_NV unsigned int __nv_umulhi(unsigned int a, unsigned int b) { return __nvvm_mulhi_ui(a, b); }
__WG_NV long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__WG_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
__WG_NV int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
__WG_NV unsigned int __nv_umul24(unsigned int a, unsigned int b) { return __nvvm_mul24_ui(a, b); }
__WG_NV int __nv_popc(int a) { return __builtin_popcount((unsigned)a); }
__WG_NV int __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
__WG_NV int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
__WG_NV int __nv_clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
__WG_NV int __nv_ffs(int a) { return a == 0 ? 0 : 1 + __builtin_ctz((unsigned)a); }
__WG_NV int __nv_ffsll(long long a) { return a == 0 ? 0 : 1 + __builtin_ctzll((unsigned long long)a); }
__WG_NV int __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
__WG_NV long long __nv_brevll(long long a) { return (long long)__builtin_bitreverse64((unsigned long long)a); }
__WG_NV int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__WG_NV int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__WG_NV int __nv_uhadd(unsigned int a, unsigned int b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
__WG_NV unsigned int __nv_urhadd(unsigned int a, unsigned int b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
__WG_NV int __nv_byte_perm(int a, int b, int c) { int r; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 0x7777)); return r; }
__WG_NV int __nv_sad(int a, int b, int c) { return (int)((a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + (unsigned)c); }
__WG_NV unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }

/* Bits of floating-point values. */
__WG_NV int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
__WG_NV unsigned int __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned int, a); }
__WG_NV float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
__WG_NV float __nv_uint_as_float(unsigned int a) { return __builtin_bit_cast(float, a); }
__WG_NV unsigned long long __nv_double_as_longlong(double a) { return __builtin_bit_cast(unsigned long long, a); }
__WG_NV double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
__WG_NV int __nv_double2hiint(double a) { return (int)(__builtin_bit_cast(unsigned long long, a) >> 32); }
__WG_NV int __nv_double2loint(double a) { return (int)__builtin_bit_cast(unsigned long long, a); }
__WG_NV double __nv_hiloint2double(int a, int b) { return __builtin_bit_cast(double, (unsigned long long)(unsigned)a << 32 | (unsigned)b); }
__WG_NV int __nv_isnanf(float a) { return __builtin_isnan(a); }
__WG_NV int __nv_isnand(double a) { return __builtin_isnan(a); }
__WG_NV int __nv_isinff(float a) { return __builtin_isinf(a) != 0; }
__WG_NV int __nv_isinfd(double a) { return __builtin_isinf(a) != 0; }
__WG_NV int __nv_finitef(float a) { return __builtin_isfinite(a); }
__WG_NV int __nv_isfinited(double a) { return __builtin_isfinite(a); }
__WG_NV int __nv_signbitf(float a) { return __builtin_bit_cast(unsigned int, a) >> 31; }
__WG_NV int __nv_signbitd(double a) { return (int)(__builtin_bit_cast(unsigned long long, a) >> 63); }

/* Single instructions. */
__WG_NV float __nv_fabsf(float a) { return __builtin_fabsf(a); }
__WG_NV float __nv_floorf(float a) { return __builtin_floorf(a); }
__WG_NV float __nv_ceilf(float a) { return __builtin_ceilf(a); }
__WG_NV float __nv_truncf(float a) { return __builtin_truncf(a); }
__WG_NV float __nv_rintf(float a) { return __builtin_rintf(a); }
__WG_NV float __nv_nearbyintf(float a) { return __builtin_nearbyintf(a); }
__WG_NV float __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
__WG_NV float __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__WG_NV float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
__WG_NV float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__WG_NV double __nv_fabs(double a) { return __builtin_fabs(a); }
__WG_NV double __nv_floor(double a) { return __builtin_floor(a); }
__WG_NV double __nv_ceil(double a) { return __builtin_ceil(a); }
__WG_NV double __nv_trunc(double a) { return __builtin_trunc(a); }
__WG_NV double __nv_rint(double a) { return __builtin_rint(a); }
__WG_NV double __nv_nearbyint(double a) { return __builtin_nearbyint(a); }
__WG_NV double __nv_fmin(double a, double b) { return __builtin_fmin(a, b); }
__WG_NV double __nv_fmax(double a, double b) { return __builtin_fmax(a, b); }
__WG_NV double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
__WG_NV double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__WG_NV float __nv_sqrtf(float a) { return __builtin_sqrtf(a); }
__WG_NV double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
__WG_NV float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
__WG_NV double __nv_rsqrt(double a) { return 1.0 / __nvvm_sqrt_rn_d(a); }
__WG_NV float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
__WG_NV float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
__WG_NV float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
__WG_NV float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
__WG_NV float __nv_fast_tanf(float a) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a)); }
__WG_NV float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504088896340736f); }
__WG_NV float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192809488736234787f); }
__WG_NV float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
__WG_NV float __nv_fast_logf(float a) { return __nvvm_lg2_approx_f(a) * 0.69314718055994530942f; }
__WG_NV float __nv_fast_log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.30102999566398119521f; }
__WG_NV float __nv_fast_powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }

/* Arithmetic with a rounding mode; PTX calls down rm and up rp. */
__WG_NV float __nv_fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
__WG_NV float __nv_fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
__WG_NV float __nv_fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
__WG_NV float __nv_fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
__WG_NV float __nv_fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
__WG_NV float __nv_fmaf_ieee_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
__WG_NV float __nv_frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
__WG_NV float __nv_fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
__WG_NV double __nv_dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
__WG_NV double __nv_dsub_rn(double a, double b) { return __nvvm_add_rn_d(a, -b); }
__WG_NV double __nv_dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
__WG_NV double __nv_ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
__WG_NV double __nv_fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
__WG_NV double __nv_drcp_rn(double a) { return __nvvm_rcp_rn_d(a); }
__WG_NV double __nv_dsqrt_rn(double a) { return __nvvm_sqrt_rn_d(a); }
__WG_NV float __nv_fadd_rz(float a, float b) { return __nvvm_add_rz_f(a, b); }
__WG_NV float __nv_fsub_rz(float a, float b) { return __nvvm_add_rz_f(a, -b); }
__WG_NV float __nv_fmul_rz(float a, float b) { return __nvvm_mul_rz_f(a, b); }
__WG_NV float __nv_fdiv_rz(float a, float b) { return __nvvm_div_rz_f(a, b); }
__WG_NV float __nv_fmaf_rz(float a, float b, float c) { return __nvvm_fma_rz_f(a, b, c); }
__WG_NV float __nv_fmaf_ieee_rz(float a, float b, float c) { return __nvvm_fma_rz_f(a, b, c); }
__WG_NV float __nv_frcp_rz(float a) { return __nvvm_rcp_rz_f(a); }
__WG_NV float __nv_fsqrt_rz(float a) { return __nvvm_sqrt_rz_f(a); }
__WG_NV double __nv_dadd_rz(double a, double b) { return __nvvm_add_rz_d(a, b); }
__WG_NV double __nv_dsub_rz(double a, double b) { return __nvvm_add_rz_d(a, -b); }
__WG_NV double __nv_dmul_rz(double a, double b) { return __nvvm_mul_rz_d(a, b); }
__WG_NV double __nv_ddiv_rz(double a, double b) { return __nvvm_div_rz_d(a, b); }
__WG_NV double __nv_fma_rz(double a, double b, double c) { return __nvvm_fma_rz_d(a, b, c); }
__WG_NV double __nv_drcp_rz(double a) { return __nvvm_rcp_rz_d(a); }
__WG_NV double __nv_dsqrt_rz(double a) { return __nvvm_sqrt_rz_d(a); }
__WG_NV float __nv_fadd_rd(float a, float b) { return __nvvm_add_rm_f(a, b); }
__WG_NV float __nv_fsub_rd(float a, float b) { return __nvvm_add_rm_f(a, -b); }
__WG_NV float __nv_fmul_rd(float a, float b) { return __nvvm_mul_rm_f(a, b); }
__WG_NV float __nv_fdiv_rd(float a, float b) { return __nvvm_div_rm_f(a, b); }
__WG_NV float __nv_fmaf_rd(float a, float b, float c) { return __nvvm_fma_rm_f(a, b, c); }
__WG_NV float __nv_fmaf_ieee_rd(float a, float b, float c) { return __nvvm_fma_rm_f(a, b, c); }
__WG_NV float __nv_frcp_rd(float a) { return __nvvm_rcp_rm_f(a); }
__WG_NV float __nv_fsqrt_rd(float a) { return __nvvm_sqrt_rm_f(a); }
__WG_NV double __nv_dadd_rd(double a, double b) { return __nvvm_add_rm_d(a, b); }
__WG_NV double __nv_dsub_rd(double a, double b) { return __nvvm_add_rm_d(a, -b); }
__WG_NV double __nv_dmul_rd(double a, double b) { return __nvvm_mul_rm_d(a, b); }
__WG_NV double __nv_ddiv_rd(double a, double b) { return __nvvm_div_rm_d(a, b); }
__WG_NV double __nv_fma_rd(double a, double b, double c) { return __nvvm_fma_rm_d(a, b, c); }
__WG_NV double __nv_drcp_rd(double a) { return __nvvm_rcp_rm_d(a); }
__WG_NV double __nv_dsqrt_rd(double a) { return __nvvm_sqrt_rm_d(a); }
__WG_NV float __nv_fadd_ru(float a, float b) { return __nvvm_add_rp_f(a, b); }
__WG_NV float __nv_fsub_ru(float a, float b) { return __nvvm_add_rp_f(a, -b); }
__WG_NV float __nv_fmul_ru(float a, float b) { return __nvvm_mul_rp_f(a, b); }
__WG_NV float __nv_fdiv_ru(float a, float b) { return __nvvm_div_rp_f(a, b); }
__WG_NV float __nv_fmaf_ru(float a, float b, float c) { return __nvvm_fma_rp_f(a, b, c); }
__WG_NV float __nv_fmaf_ieee_ru(float a, float b, float c) { return __nvvm_fma_rp_f(a, b, c); }
__WG_NV float __nv_frcp_ru(float a) { return __nvvm_rcp_rp_f(a); }
__WG_NV float __nv_fsqrt_ru(float a) { return __nvvm_sqrt_rp_f(a); }
__WG_NV double __nv_dadd_ru(double a, double b) { return __nvvm_add_rp_d(a, b); }
__WG_NV double __nv_dsub_ru(double a, double b) { return __nvvm_add_rp_d(a, -b); }
__WG_NV double __nv_dmul_ru(double a, double b) { return __nvvm_mul_rp_d(a, b); }
__WG_NV double __nv_ddiv_ru(double a, double b) { return __nvvm_div_rp_d(a, b); }
__WG_NV double __nv_fma_ru(double a, double b, double c) { return __nvvm_fma_rp_d(a, b, c); }
__WG_NV double __nv_drcp_ru(double a) { return __nvvm_rcp_rp_d(a); }
__WG_NV double __nv_dsqrt_ru(double a) { return __nvvm_sqrt_rp_d(a); }

/* Conversions with a rounding mode. */
__WG_NV int __nv_float2int_rn(float a) { return __nvvm_f2i_rn(a); }
__WG_NV unsigned int __nv_float2uint_rn(float a) { return __nvvm_f2ui_rn(a); }
__WG_NV long long __nv_float2ll_rn(float a) { return __nvvm_f2ll_rn(a); }
__WG_NV unsigned long long __nv_float2ull_rn(float a) { return __nvvm_f2ull_rn(a); }
__WG_NV int __nv_double2int_rn(double a) { return __nvvm_d2i_rn(a); }
__WG_NV unsigned int __nv_double2uint_rn(double a) { return __nvvm_d2ui_rn(a); }
__WG_NV long long __nv_double2ll_rn(double a) { return __nvvm_d2ll_rn(a); }
__WG_NV unsigned long long __nv_double2ull_rn(double a) { return __nvvm_d2ull_rn(a); }
__WG_NV float __nv_double2float_rn(double a) { return __nvvm_d2f_rn(a); }
__WG_NV int __nv_float2int_rz(float a) { return __nvvm_f2i_rz(a); }
__WG_NV unsigned int __nv_float2uint_rz(float a) { return __nvvm_f2ui_rz(a); }
__WG_NV long long __nv_float2ll_rz(float a) { return __nvvm_f2ll_rz(a); }
__WG_NV unsigned long long __nv_float2ull_rz(float a) { return __nvvm_f2ull_rz(a); }
__WG_NV int __nv_double2int_rz(double a) { return __nvvm_d2i_rz(a); }
__WG_NV unsigned int __nv_double2uint_rz(double a) { return __nvvm_d2ui_rz(a); }
__WG_NV long long __nv_double2ll_rz(double a) { return __nvvm_d2ll_rz(a); }
__WG_NV unsigned long long __nv_double2ull_rz(double a) { return __nvvm_d2ull_rz(a); }
__WG_NV float __nv_double2float_rz(double a) { return __nvvm_d2f_rz(a); }
__WG_NV int __nv_float2int_rd(float a) { return __nvvm_f2i_rm(a); }
__WG_NV unsigned int __nv_float2uint_rd(float a) { return __nvvm_f2ui_rm(a); }
__WG_NV long long __nv_float2ll_rd(float a) { return __nvvm_f2ll_rm(a); }
__WG_NV unsigned long long __nv_float2ull_rd(float a) { return __nvvm_f2ull_rm(a); }
__WG_NV int __nv_double2int_rd(double a) { return __nvvm_d2i_rm(a); }
__WG_NV unsigned int __nv_double2uint_rd(double a) { return __nvvm_d2ui_rm(a); }
__WG_NV long long __nv_double2ll_rd(double a) { return __nvvm_d2ll_rm(a); }
__WG_NV unsigned long long __nv_double2ull_rd(double a) { return __nvvm_d2ull_rm(a); }
__WG_NV float __nv_double2float_rd(double a) { return __nvvm_d2f_rm(a); }
__WG_NV int __nv_float2int_ru(float a) { return __nvvm_f2i_rp(a); }
__WG_NV unsigned int __nv_float2uint_ru(float a) { return __nvvm_f2ui_rp(a); }
__WG_NV long long __nv_float2ll_ru(float a) { return __nvvm_f2ll_rp(a); }
__WG_NV unsigned long long __nv_float2ull_ru(float a) { return __nvvm_f2ull_rp(a); }
__WG_NV int __nv_double2int_ru(double a) { return __nvvm_d2i_rp(a); }
__WG_NV unsigned int __nv_double2uint_ru(double a) { return __nvvm_d2ui_rp(a); }
__WG_NV long long __nv_double2ll_ru(double a) { return __nvvm_d2ll_rp(a); }
__WG_NV unsigned long long __nv_double2ull_ru(double a) { return __nvvm_d2ull_rp(a); }
__WG_NV float __nv_double2float_ru(double a) { return __nvvm_d2f_rp(a); }
/* LLVM's own functions for these round to nearest, whatever their name. */
#define __WG_OF_INT(name, __wg_I, __wg_F, ptx, in, out)                              \
  __WG_NV __wg_F __nv_##name##_rn(__wg_I a) { return (__wg_F)a; }                    \
  __WG_NV __wg_F __nv_##name##_rz(__wg_I a) { __wg_F r; asm("cvt.rz." ptx " %0, %1;" : out(r) : in(a)); return r; }  \
  __WG_NV __wg_F __nv_##name##_rd(__wg_I a) { __wg_F r; asm("cvt.rm." ptx " %0, %1;" : out(r) : in(a)); return r; }  \
  __WG_NV __wg_F __nv_##name##_ru(__wg_I a) { __wg_F r; asm("cvt.rp." ptx " %0, %1;" : out(r) : in(a)); return r; }
__WG_OF_INT(int2float, int, float, "f32.s32", "r", "=f")
__WG_OF_INT(uint2float, unsigned int, float, "f32.u32", "r", "=f")
__WG_OF_INT(ll2float, long long, float, "f32.s64", "l", "=f")
__WG_OF_INT(ull2float, unsigned long long, float, "f32.u64", "l", "=f")
__WG_OF_INT(ll2double, long long, double, "f64.s64", "l", "=d")
__WG_OF_INT(ull2double, unsigned long long, double, "f64.u64", "l", "=d")
#undef __WG_OF_INT
__WG_NV double __nv_int2double_rn(int a) { return a; }
__WG_NV double __nv_uint2double_rn(unsigned int a) { return a; }
}

#undef __WG_NV

#endif
