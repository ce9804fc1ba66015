/* The C++ interface of NVTX, after its reference: see ../nvToolsExt.h. */
#ifndef NVTX3_HPP
#define NVTX3_HPP

#include <cstdint>
#include <string>

#include "../nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct rgb {
  std::uint8_t red, green, blue;
  constexpr rgb(std::uint8_t r, std::uint8_t g, std::uint8_t b) : red(r), green(g), blue(b) {}
};

struct color {
  std::uint32_t value;
  explicit constexpr color(std::uint32_t argb) : value(argb) {}
  constexpr color(rgb c)
      : value(0xff000000u | std::uint32_t{c.red} << 16 | std::uint32_t{c.green} << 8 | std::uint32_t{c.blue}) {}
};

struct category {
  std::uint32_t id;
  explicit constexpr category(std::uint32_t i) : id(i) {}
};

struct payload {
  template <class __wg_T> explicit constexpr payload(__wg_T) {}
};

/* The macro by which programs ask whether this version of the interface is there. */
#define NVTX3_CPP_DEFINITIONS_V1_0

struct domain {
  struct global {};
  template <class __wg_D = global> static const domain &get() {
    static const domain d;
    return d;
  }
};

template <class __wg_D = domain::global> class registered_string_in {
public:
  explicit registered_string_in(const char *) noexcept {}
  explicit registered_string_in(const std::string &) noexcept {}
  template <class __wg_M> static const registered_string_in &get() {
    static const registered_string_in s{__wg_M::message};
    return s;
  }
};
using registered_string = registered_string_in<>;

struct message {
  message(const char *) {}
  message(const std::string &) {}
  template <class __wg_D> message(const registered_string_in<__wg_D> &) {}
};

struct event_attributes {
  template <class... __wg_A> explicit event_attributes(const __wg_A &...) {}
};

/* A range that lasts as long as the object. */
template <class __wg_D = domain::global> class scoped_range_in {
public:
  template <class... __wg_A> explicit scoped_range_in(const __wg_A &...) { wgNvtxPush(); }
  ~scoped_range_in() { wgNvtxPop(); }
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
};
using scoped_range = scoped_range_in<>;
using thread_range = scoped_range;

template <class __wg_D = domain::global> class unique_range_in {
public:
  template <class... __wg_A> explicit unique_range_in(const __wg_A &...) {}
};
using unique_range = unique_range_in<>;

template <class... __wg_A> inline void mark(const __wg_A &...) {}
template <class __wg_D, class... __wg_A> inline void mark_in(const __wg_A &...) {}

} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ::nvtx3::scoped_range wgNvtxRange { __func__ }
#define NVTX3_FUNC_RANGE_IN(__wg_D) ::nvtx3::scoped_range_in<__wg_D> wgNvtxRange { __func__ }

#define NVTX3_V1_FUNC_RANGE NVTX3_FUNC_RANGE
#define NVTX3_V1_FUNC_RANGE_IN NVTX3_FUNC_RANGE_IN

#endif
