/* A floating-point type of 8 bits or fewer, its pair and its quadruple.
 * Included once for each, with these macros:
 *   __WG_T, __WG_T2, __WG_T4   the types
 *   __WG_S, __WG_S2, __WG_S4   their storage
 *   __WG_WIDTH                 the bits between two elements of a vector
 *   __WG_KIND                  the format, for small_float.h
 * Constructors round to nearest and saturate. */

struct __WG_T {
  __WG_S __x;
#if __cplusplus >= 201103L
  __WG_T() = default;
#else
  __host__ __device__ __WG_T() {}
#endif
#define __WG_FROM(__wg_I) \
  __host__ __device__ explicit __WG_T(__wg_I v) : __x((__WG_S)__wg_narrow(v, __WG_KIND, __WG_RN, true)) {}
  __WG_FROM(float)
  __WG_FROM(double)
  __WG_INTEGERS(__WG_FROM)
#undef __WG_FROM
  __host__ __device__ explicit __WG_T(__half h) : __x(__WG_T(__wg_float(h)).__x) {}
  __host__ __device__ explicit __WG_T(__nv_bfloat16 h) : __x(__WG_T(__wg_float(h)).__x) {}
#if __cplusplus >= 201103L
  __host__ __device__ explicit operator float() const { return __wg_widen(__x, __WG_KIND); }
  __host__ __device__ explicit operator double() const { return (double)__wg_widen(__x, __WG_KIND); }
  __host__ __device__ explicit operator __half() const { return __float2half((float)*this); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }
  __host__ __device__ explicit operator bool() const { return (float)*this != 0; }
#define __WG_TO(__wg_I) \
  __host__ __device__ explicit operator __wg_I() const { return __wg_integer<__wg_I>((float)*this, __WG_RZ); }
  __WG_CHARS(__WG_TO)
  __WG_INTEGERS(__WG_TO)
#undef __WG_TO
#endif
};

struct __align__(sizeof(__WG_S2)) __WG_T2 {
  __WG_S2 __x;
#if __cplusplus >= 201103L
  __WG_T2() = default;
#else
  __host__ __device__ __WG_T2() {}
#endif
#define __WG_FROM(__wg_V) \
  __host__ __device__ explicit __WG_T2(__wg_V v) : __x((__WG_S2)(__WG_T(v.x).__x | __WG_T(v.y).__x << __WG_WIDTH)) {}
  __WG_FROM(float2)
  __WG_FROM(double2)
  __WG_FROM(__half2)
  __WG_FROM(__nv_bfloat162)
#undef __WG_FROM
  __host__ __device__ __WG_T __wg_at(int i) const {
    __WG_T r;
    r.__x = (__WG_S)(__x >> i * __WG_WIDTH & ((1u << __WG_WIDTH) - 1));
    return r;
  }
#if __cplusplus >= 201103L
  __host__ __device__ explicit operator float2() const { return make_float2((float)__wg_at(0), (float)__wg_at(1)); }
  __host__ __device__ explicit operator __half2() const { return __half2((__half)__wg_at(0), (__half)__wg_at(1)); }
  __host__ __device__ explicit operator __nv_bfloat162() const {
    return __nv_bfloat162((__nv_bfloat16)__wg_at(0), (__nv_bfloat16)__wg_at(1));
  }
#endif
};

struct __align__(sizeof(__WG_S4)) __WG_T4 {
  __WG_S4 __x;
#if __cplusplus >= 201103L
  __WG_T4() = default;
#else
  __host__ __device__ __WG_T4() {}
#endif
#define __WG_FROM(__wg_V)                                                            \
  __host__ __device__ explicit __WG_T4(__wg_V v)                                     \
      : __x((__WG_S4)((unsigned)__WG_T(v.x).__x | (unsigned)__WG_T(v.y).__x << __WG_WIDTH |          \
                      (unsigned)__WG_T(v.z).__x << 2 * __WG_WIDTH | (unsigned)__WG_T(v.w).__x << 3 * __WG_WIDTH)) {}
  __WG_FROM(float4)
  __WG_FROM(double4)
#undef __WG_FROM
#define __WG_FROM(__wg_V)                                                            \
  __host__ __device__ __WG_T4(__wg_V lo, __wg_V hi)                                  \
      : __x((__WG_S4)((unsigned)__WG_T2(lo).__x | (unsigned)__WG_T2(hi).__x << 2 * __WG_WIDTH)) {}
  __WG_FROM(__half2)
  __WG_FROM(__nv_bfloat162)
#undef __WG_FROM
#if __cplusplus >= 201103L
  __host__ __device__ explicit operator float4() const {
    __WG_T2 lo, hi;
    lo.__x = (__WG_S2)(__x & ((1u << 2 * __WG_WIDTH) - 1));
    hi.__x = (__WG_S2)(__x >> 2 * __WG_WIDTH);
    return make_float4((float)lo.__wg_at(0), (float)lo.__wg_at(1), (float)hi.__wg_at(0), (float)hi.__wg_at(1));
  }
#endif
};

#undef __WG_T
#undef __WG_T2
#undef __WG_T4
#undef __WG_KIND
