/* std::span of C++20 for C++17 (libcu++, "Standard API", "Containers"). */
#ifndef __WARPGRIND_CUDA_STD_SPAN_H__
#define __WARPGRIND_CUDA_STD_SPAN_H__

#include <array>
#include <cstddef>
#include <type_traits>

#define __WG_SPAN __host__ __device__ constexpr

namespace cuda {
namespace std {

constexpr size_t dynamic_extent = static_cast<size_t>(-1);

template <class __wg_T, size_t __wg_N = dynamic_extent> class span {
  __wg_T *data_ = nullptr;
  size_t size_ = __wg_N == dynamic_extent ? 0 : __wg_N;

public:
  using element_type = __wg_T;
  using value_type = ::std::remove_cv_t<__wg_T>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using pointer = __wg_T *;
  using reference = __wg_T &;
  using iterator = __wg_T *;
  static constexpr size_t extent = __wg_N;

  __WG_SPAN span() noexcept {}
  __WG_SPAN span(__wg_T *p, size_t n) : data_(p), size_(n) {}
  __WG_SPAN span(__wg_T *from, __wg_T *to) : data_(from), size_(static_cast<size_t>(to - from)) {}
  template <size_t __wg_M> __WG_SPAN span(__wg_T (&a)[__wg_M]) noexcept : data_(a), size_(__wg_M) {}
  /* What has data() and size(): arrays, vectors on the host, other spans. */
  template <class __wg_C, class = ::std::enable_if_t<::std::is_convertible<
                              decltype(::std::declval<__wg_C &>().data()), __wg_T *>::value>>
  __WG_SPAN span(__wg_C &&c) : data_(c.data()), size_(c.size()) {}

  __WG_SPAN __wg_T *data() const noexcept { return data_; }
  __WG_SPAN size_t size() const noexcept { return size_; }
  __WG_SPAN size_t size_bytes() const noexcept { return size_ * sizeof(__wg_T); }
  __WG_SPAN bool empty() const noexcept { return size_ == 0; }
  __WG_SPAN __wg_T *begin() const noexcept { return data_; }
  __WG_SPAN __wg_T *end() const noexcept { return data_ + size_; }
  __WG_SPAN __wg_T &operator[](size_t i) const { return data_[i]; }
  __WG_SPAN __wg_T &front() const { return data_[0]; }
  __WG_SPAN __wg_T &back() const { return data_[size_ - 1]; }
  __WG_SPAN span<__wg_T> first(size_t n) const { return {data_, n}; }
  __WG_SPAN span<__wg_T> last(size_t n) const { return {data_ + (size_ - n), n}; }
  __WG_SPAN span<__wg_T> subspan(size_t at, size_t n = dynamic_extent) const {
    return {data_ + at, n == dynamic_extent ? size_ - at : n};
  }
};

template <class __wg_T, size_t __wg_N> span(__wg_T (&)[__wg_N]) -> span<__wg_T, __wg_N>;
template <class __wg_T, size_t __wg_N> span(::std::array<__wg_T, __wg_N> &) -> span<__wg_T, __wg_N>;
template <class __wg_T, size_t __wg_N> span(const ::std::array<__wg_T, __wg_N> &) -> span<const __wg_T, __wg_N>;
template <class __wg_T> span(__wg_T *, size_t) -> span<__wg_T>;

} // namespace std
} // namespace cuda

#undef __WG_SPAN
#endif
