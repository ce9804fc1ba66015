/* What the header <bit> of C++20 has, for earlier standards (libcu++, "Extended
 * API", "Bit"). */
#ifndef __WARPGRIND_CUDA_STD_BIT_H__
#define __WARPGRIND_CUDA_STD_BIT_H__

#include <limits>
#include <type_traits>

#define __WG_BIT template <class __wg_T> __host__ __device__ constexpr

namespace cuda {
namespace std {

enum class endian { little = 0, big = 1, native = little };

template <class __wg_To, class __wg_From> __host__ __device__ constexpr __wg_To bit_cast(const __wg_From &from) noexcept {
  static_assert(sizeof(__wg_To) == sizeof(__wg_From), "the types have one size");
  return __builtin_bit_cast(__wg_To, from);
}
__WG_BIT int popcount(__wg_T x) noexcept { return __builtin_popcountll(x); }
__WG_BIT int countl_zero(__wg_T x) noexcept {
  return x ? __builtin_clzll(x) - (64 - ::std::numeric_limits<__wg_T>::digits) : ::std::numeric_limits<__wg_T>::digits;
}
__WG_BIT int countr_zero(__wg_T x) noexcept { return x ? __builtin_ctzll(x) : ::std::numeric_limits<__wg_T>::digits; }
__WG_BIT int countl_one(__wg_T x) noexcept { return countl_zero(static_cast<__wg_T>(~x)); }
__WG_BIT int countr_one(__wg_T x) noexcept { return countr_zero(static_cast<__wg_T>(~x)); }
__WG_BIT bool has_single_bit(__wg_T x) noexcept { return x && !(x & (x - 1)); }
__WG_BIT int bit_width(__wg_T x) noexcept { return ::std::numeric_limits<__wg_T>::digits - countl_zero(x); }
__WG_BIT __wg_T bit_floor(__wg_T x) noexcept { return x ? static_cast<__wg_T>(__wg_T(1) << (bit_width(x) - 1)) : 0; }
__WG_BIT __wg_T bit_ceil(__wg_T x) noexcept {
  return x <= 1 ? 1 : static_cast<__wg_T>(__wg_T(1) << bit_width(static_cast<__wg_T>(x - 1)));
}
__WG_BIT __wg_T rotl(__wg_T x, int n) noexcept {
  constexpr unsigned bits = ::std::numeric_limits<__wg_T>::digits;
  unsigned r = static_cast<unsigned>(n) % bits;
  return r ? static_cast<__wg_T>(x << r | x >> (bits - r)) : x;
}
__WG_BIT __wg_T rotr(__wg_T x, int n) noexcept { return rotl(x, -n); }

} // namespace std
} // namespace cuda

#undef __WG_BIT
#endif
