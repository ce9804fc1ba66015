// How the values of protocol.h go over the socket: the C++ side of
// internal/host/protocol, which says how values are laid out.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "driver_types.h"
#include "vector_types.h"

namespace warpgrind {

// The number under which the engine knows a stream: cudaStreamPerThread, and
// 0 where that stands for it, differ by thread.
uint64_t streamNumber(cudaStream_t stream);

namespace protocol {

// An address, or a handle that programs hold as a pointer.
class Pointer {
public:
  Pointer() = default;
  Pointer(const volatile void *p) : value_(reinterpret_cast<uintptr_t>(p)) {}
  Pointer(uint64_t value) : value_(value) {}
  uint64_t value() const { return value_; }
  template <class T> operator T *() const { return reinterpret_cast<T *>(static_cast<uintptr_t>(value_)); }

private:
  uint64_t value_ = 0;
};

// A stream's number.
class StreamNumber {
public:
  StreamNumber(cudaStream_t stream) : value_(streamNumber(stream)) {}
  StreamNumber(uint64_t number) : value_(number) {}
  uint64_t value() const { return value_; }

private:
  uint64_t value_;
};

// The extents of a grid, a block or a cluster.
struct Dim3 {
  uint32_t x = 0, y = 0, z = 0;
  Dim3() = default;
  Dim3(const dim3 &d) : x(d.x), y(d.y), z(d.z) {}
};

// Bytes of the caller.
struct Blob {
  const void *data;
  uint64_t size;
  Blob(const void *data, uint64_t size) : data(data), size(size) {}
};

// Bytes that were received.
struct Bytes : std::string {};

// Numbers of the caller.
template <class T> struct List {
  const T *data;
  uint32_t size;
  List(const T *data, uint32_t size) : data(data), size(size) {}
};

// Elements that are encoded as they are added.
template <class T> class Batch {
public:
  Batch &add(const T &element);
  template <class Range> Batch &addAll(const Range &elements) {
    for (const auto &e : elements) add(e);
    return *this;
  }
  bool empty() const { return size_ == 0; }

private:
  template <class Out> friend class Writer;
  uint32_t size_ = 0;
  std::string encoded_;
};

// Writes values to the end of Out, which has append as std::string does.
template <class Out> class Writer {
public:
  explicit Writer(Out &out) : out_(out) {}

  template <class... T> void operator()(const T &...v) { (put(v), ...); }
  uint64_t stream() const { return stream_; } // the last one written

private:
  void raw(const void *p, size_t n) { out_.append(static_cast<const char *>(p), n); }
  template <class T> void put(const T &v) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      raw(&v, sizeof v);
    else
      v.fields(*this);
  }
  void put(const Pointer &p) { put(p.value()); }
  void put(const StreamNumber &s) { put(stream_ = s.value()); }
  void put(const Dim3 &d) { put(d.x), put(d.y), put(d.z); }
  void put(const std::string_view &s) {
    put(static_cast<uint32_t>(s.size()));
    raw(s.data(), s.size());
  }
  void put(const Blob &b) {
    put(b.size);
    raw(b.data, b.size);
  }
  template <class T> void put(const List<T> &l) {
    put(l.size);
    raw(l.data, l.size * sizeof(T));
  }
  template <class T> void put(const Batch<T> &b) {
    put(b.size_);
    raw(b.encoded_.data(), b.encoded_.size());
  }
  template <class T, size_t N> void put(const std::array<T, N> &a) {
    for (const T &v : a) put(v);
  }

  Out &out_;
  uint64_t stream_ = 0;
};

// Appends an element.
template <class T> Batch<T> &Batch<T>::add(const T &element) {
  Writer<std::string>{encoded_}(element);
  size_++;
  return *this;
}

// Reads values; beyond the end they are zero.
class Reader {
public:
  explicit Reader(std::string_view in) : in_(in) {}

  template <class... T> void operator()(T &...v) { (get(v), ...); }
  std::string_view rest() const { return in_; }

private:
  std::string_view take(uint64_t n) {
    if (n > in_.size()) {
      in_ = {};
      return {};
    }
    std::string_view v = in_.substr(0, n);
    in_.remove_prefix(n);
    return v;
  }
  template <class T> T number() {
    T v{};
    std::string_view bytes = take(sizeof v);
    if (!bytes.empty()) memcpy(&v, bytes.data(), sizeof v);
    return v;
  }
  template <class T> void get(T &v) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      v = number<T>();
    else
      v.fields(*this);
  }
  void get(Pointer &p) { p = number<uint64_t>(); }
  void get(Dim3 &d) { get(d.x), get(d.y), get(d.z); }
  void get(std::string &s) { s = take(number<uint32_t>()); }
  void get(Bytes &b) { b.assign(take(number<uint64_t>())); }
  template <class T, size_t N> void get(std::array<T, N> &a) {
    for (T &v : a) get(v);
  }
  template <class T> void get(std::vector<T> &v) {
    for (uint32_t n = number<uint32_t>(); n > 0 && !in_.empty(); n--) get(v.emplace_back());
  }

  std::string_view in_;
};

} // namespace protocol
} // namespace warpgrind
