// Tensors for candidates whose host code is written for PyTorch's C++ extensions: the part of that interface
// that functions use which allocate outputs and launch kernels. Names and meanings are those of
// https://docs.pytorch.org/cppdocs; nothing of PyTorch is in here, and nothing computes.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace c10 {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class ScalarType : int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16, UInt16, UInt32, UInt64, Undefined };
enum class DeviceType : int8_t { CPU, CUDA };

using Half = __half;
using BFloat16 = __nv_bfloat16;
using std::optional;
constexpr std::nullopt_t nullopt = std::nullopt;
using string_view = std::string;

template <class T> struct TypeOf;
#define WG_TYPE(T, name) \
  template <> struct TypeOf<T> { static constexpr ScalarType value = ScalarType::name; }
WG_TYPE(uint8_t, Byte); WG_TYPE(int8_t, Char); WG_TYPE(int16_t, Short); WG_TYPE(int, Int); WG_TYPE(int64_t, Long); WG_TYPE(long long, Long);
WG_TYPE(Half, Half); WG_TYPE(float, Float); WG_TYPE(double, Double); WG_TYPE(bool, Bool); WG_TYPE(BFloat16, BFloat16);
WG_TYPE(uint16_t, UInt16); WG_TYPE(uint32_t, UInt32); WG_TYPE(uint64_t, UInt64);
#undef WG_TYPE

inline int64_t elementSize(ScalarType t) {
  static const int8_t sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 1, 2, 2, 4, 8, 0};
  return sizes[int(t)];
}

inline const char *toString(ScalarType t) {
  static const char *const names[] = {"Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double", "Bool", "BFloat16", "UInt16", "UInt32", "UInt64", "Undefined"};
  return names[int(t)];
}

struct Device {
  DeviceType type_ = DeviceType::CUDA;
  int8_t index_ = 0;
  Device(DeviceType t = DeviceType::CUDA, int8_t index = 0) : type_(t), index_(index) {}
  Device(const char *name) : type_(name[0] == 'c' && name[1] == 'u' ? DeviceType::CUDA : DeviceType::CPU) {}
  Device(const std::string &name) : Device(name.c_str()) {}
  DeviceType type() const { return type_; }
  int8_t index() const { return index_; }
  bool is_cuda() const { return type_ == DeviceType::CUDA; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  bool operator==(const Device &o) const { return type_ == o.type_ && index_ == o.index_; }
  bool operator!=(const Device &o) const { return !(*this == o); }
};

// Extents, owned: a function may keep them longer than the list that it got.
struct IntArrayRef : std::vector<int64_t> {
  IntArrayRef() = default;
  IntArrayRef(std::initializer_list<int64_t> l) : vector(l) {}
  IntArrayRef(const std::vector<int64_t> &v) : vector(v) {}
  IntArrayRef(int64_t n) : vector(1, n) {}
  std::vector<int64_t> vec() const { return *this; }
};

inline std::string show(const std::vector<int64_t> &v) {
  std::string s = "[";
  for (size_t i = 0; i < v.size(); i++) s += (i ? ", " : "") + std::to_string(v[i]);
  return s + "]";
}

template <class... A> std::string text(const char *condition, const A &...parts) {
  std::ostringstream s;
  if constexpr (sizeof...(parts) == 0) s << "Expected " << condition << " to be true, but got false.";
  (s << ... << parts);
  return s.str();
}

struct TensorOptions {
  ScalarType type = ScalarType::Float;
  Device where = DeviceType::CPU;
  TensorOptions() = default;
  TensorOptions(ScalarType t) : type(t), where(DeviceType::CUDA) {}
  TensorOptions(Device d) : where(d) {}
  TensorOptions(DeviceType d) : where(d) {}
  TensorOptions dtype(ScalarType t) const { TensorOptions o = *this; o.type = t; return o; }
  TensorOptions device(Device d) const { TensorOptions o = *this; o.where = d; return o; }
  TensorOptions device(DeviceType d, int8_t = 0) const { return device(Device(d)); }
  TensorOptions requires_grad(bool) const { return *this; }
  ScalarType dtype() const { return type; }
  Device device() const { return where; }
};

} // namespace c10

#define WG_CHECK(condition, ...) \
  do { \
    if (!(condition)) throw ::c10::Error(::c10::text(#condition, ##__VA_ARGS__)); \
  } while (0)
#define TORCH_CHECK(condition, ...) WG_CHECK(condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) WG_CHECK(condition, ##__VA_ARGS__)
#define AT_ASSERTM(condition, ...) WG_CHECK(condition, ##__VA_ARGS__)
#define AT_ASSERT(condition, ...) WG_CHECK(condition, ##__VA_ARGS__)
#define AT_ERROR(...) throw ::c10::Error(::c10::text("", ##__VA_ARGS__))
#define TORCH_WARN(...) ((void)0)
#define C10_CUDA_CHECK(call) \
  do { \
    cudaError_t wg_error = (call); \
    WG_CHECK(wg_error == cudaSuccess, "CUDA error: ", cudaGetErrorString(wg_error)); \
  } while (0)
#define AT_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())

namespace at {

using namespace c10;

class Tensor {
  struct Memory {
    void *at = nullptr;
    bool own = false;
    Device where;
    ~Memory() {
      if (own && where.is_cuda()) cudaFree(at);
      if (own && where.is_cpu()) free(at);
    }
  };
  std::shared_ptr<Memory> memory_;
  int64_t offset_ = 0; // in elements
  std::vector<int64_t> sizes_, strides_;
  ScalarType type_ = ScalarType::Undefined;

  static std::vector<int64_t> dense(const std::vector<int64_t> &sizes) {
    std::vector<int64_t> s(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;) s[i - 1] = s[i] * sizes[i];
    return s;
  }
  int64_t wrap(int64_t d, int64_t n) const {
    WG_CHECK(d >= -n && d < n, "Dimension out of range: ", d);
    return d < 0 ? d + n : d;
  }

public:
  Tensor() = default;

  static Tensor make(const std::vector<int64_t> &sizes, TensorOptions o, void *at = nullptr) {
    Tensor t;
    t.sizes_ = sizes, t.strides_ = dense(sizes), t.type_ = o.type;
    t.memory_ = std::make_shared<Memory>();
    t.memory_->where = o.where, t.memory_->own = !at, t.memory_->at = at;
    size_t n = std::max<size_t>(t.nbytes(), 1);
    if (!at && o.where.is_cpu()) t.memory_->at = malloc(n);
    if (!at && o.where.is_cuda()) C10_CUDA_CHECK(cudaMalloc(&t.memory_->at, n));
    return t;
  }

  bool defined() const { return bool(memory_); }
  const std::vector<int64_t> &sizeVector() const { return sizes_; }
  IntArrayRef sizes() const { return sizes_; }
  IntArrayRef strides() const { return strides_; }
  int64_t size(int64_t d) const { return sizes_[wrap(d, dim())]; }
  int64_t stride(int64_t d) const { return strides_[wrap(d, dim())]; }
  int64_t dim() const { return int64_t(sizes_.size()); }
  int64_t ndimension() const { return dim(); }
  int64_t numel() const { return std::accumulate(sizes_.begin(), sizes_.end(), int64_t(1), std::multiplies<int64_t>()); }
  int64_t element_size() const { return elementSize(type_); }
  int64_t itemsize() const { return element_size(); }
  size_t nbytes() const { return size_t(numel() * element_size()); }
  ScalarType scalar_type() const { return type_; }
  ScalarType dtype() const { return type_; }
  Device device() const { return memory_->where; }
  int64_t get_device() const { return device().index(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_floating_point() const {
    return type_ == ScalarType::Half || type_ == ScalarType::Float || type_ == ScalarType::Double || type_ == ScalarType::BFloat16;
  }
  bool requires_grad() const { return false; }
  TensorOptions options() const { return TensorOptions(type_).device(device()); }
  bool is_contiguous() const {
    std::vector<int64_t> want = dense(sizes_);
    for (int64_t d = 0; d < dim(); d++)
      if (sizes_[d] != 1 && strides_[d] != want[d]) return false;
    return true;
  }

  void *data_ptr() const { return static_cast<char *>(memory_->at) + offset_ * element_size(); }
  template <class T> T *data_ptr() const {
    WG_CHECK(TypeOf<std::remove_const_t<T>>::value == type_, "expected scalar type ", toString(TypeOf<std::remove_const_t<T>>::value), " but found ", toString(type_));
    return static_cast<T *>(data_ptr());
  }
  template <class T> const T *const_data_ptr() const { return data_ptr<T>(); }
  template <class T> T *mutable_data_ptr() const { return data_ptr<T>(); }
  const void *const_data_ptr() const { return data_ptr(); }
  void *mutable_data_ptr() const { return data_ptr(); }
  template <class T> T *data() const { return data_ptr<T>(); }

  Tensor view(const std::vector<int64_t> &sizes) const {
    WG_CHECK(is_contiguous(), "view of a tensor that is not contiguous");
    Tensor t = *this;
    t.sizes_ = sizes;
    int64_t known = 1, open = -1;
    for (size_t i = 0; i < sizes.size(); i++)
      if (sizes[i] == -1) open = int64_t(i);
      else known *= sizes[i];
    if (open >= 0 && known > 0) t.sizes_[open] = numel() / known;
    WG_CHECK(t.numel() == numel(), "shape ", show(sizes), " is invalid for input of size ", numel());
    t.strides_ = dense(t.sizes_);
    return t;
  }
  Tensor reshape(const std::vector<int64_t> &sizes) const { return contiguous().view(sizes); }
  Tensor flatten() const { return reshape({numel()}); }
  Tensor transpose(int64_t a, int64_t b) const {
    Tensor t = *this;
    a = wrap(a, dim()), b = wrap(b, dim());
    std::swap(t.sizes_[a], t.sizes_[b]), std::swap(t.strides_[a], t.strides_[b]);
    return t;
  }
  Tensor t() const { return dim() < 2 ? *this : transpose(0, 1); }
  Tensor unsqueeze(int64_t d) const {
    Tensor t = *this;
    d = wrap(d, dim() + 1);
    t.strides_.insert(t.strides_.begin() + d, d < dim() ? sizes_[d] * strides_[d] : 1);
    t.sizes_.insert(t.sizes_.begin() + d, 1);
    return t;
  }
  Tensor squeeze(int64_t d) const {
    Tensor t = *this;
    d = wrap(d, dim());
    if (sizes_[d] == 1) t.sizes_.erase(t.sizes_.begin() + d), t.strides_.erase(t.strides_.begin() + d);
    return t;
  }
  Tensor contiguous() const { return is_contiguous() ? *this : clone(); }
  Tensor detach() const { return *this; }
  Tensor clone() const {
    Tensor t = make(sizes_, options());
    if (is_contiguous()) {
      t.copyBytes(*this);
      return t;
    }
    std::vector<int64_t> at(sizes_.size(), 0); // element by element
    for (int64_t i = 0, n = numel(); i < n; i++) {
      int64_t from = 0;
      for (int64_t d = 0; d < dim(); d++) from += at[d] * strides_[d];
      C10_CUDA_CHECK(cudaMemcpyAsync(static_cast<char *>(t.data_ptr()) + i * element_size(), static_cast<char *>(data_ptr()) + from * element_size(), element_size(), cudaMemcpyDefault, 0));
      for (int64_t d = dim(); d-- > 0 && ++at[d] == sizes_[d];) at[d] = 0;
    }
    return t;
  }
  void copyBytes(const Tensor &from) { if (nbytes()) C10_CUDA_CHECK(cudaMemcpyAsync(data_ptr(), from.data_ptr(), nbytes(), cudaMemcpyDefault, 0)); }
  Tensor &copy_(const Tensor &from, bool = false) {
    WG_CHECK(sizes_ == from.sizes_ && type_ == from.type_, "copy_ between tensors of other shapes or types");
    copyBytes(from.contiguous());
    return *this;
  }
  Tensor &zero_() {
    WG_CHECK(is_contiguous(), "zero_ of a tensor that is not contiguous");
    if (nbytes()) C10_CUDA_CHECK(cudaMemsetAsync(data_ptr(), 0, nbytes(), 0));
    return *this;
  }
};

using TensorList = std::vector<Tensor>;

inline Tensor empty(const IntArrayRef &sizes, TensorOptions o = {}) { return Tensor::make(sizes, o); }
inline Tensor zeros(const IntArrayRef &sizes, TensorOptions o = {}) { return Tensor::make(sizes, o).zero_(); }
inline Tensor empty_like(const Tensor &t, TensorOptions o) { return empty(t.sizes(), o); }
inline Tensor empty_like(const Tensor &t) { return empty(t.sizes(), t.options()); }
inline Tensor zeros_like(const Tensor &t, TensorOptions o) { return zeros(t.sizes(), o); }
inline Tensor zeros_like(const Tensor &t) { return zeros(t.sizes(), t.options()); }
inline Tensor from_blob(void *at, const IntArrayRef &sizes, TensorOptions o = {}) { return Tensor::make(sizes, o, at); }

constexpr DeviceType kCUDA = DeviceType::CUDA, kCPU = DeviceType::CPU;
constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short, kInt = ScalarType::Int, kLong = ScalarType::Long,
                     kHalf = ScalarType::Half, kFloat = ScalarType::Float, kDouble = ScalarType::Double, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16,
                     kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong, kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble,
                     kUInt16 = ScalarType::UInt16, kUInt32 = ScalarType::UInt32, kUInt64 = ScalarType::UInt64;

template <class T> T ceil_div(T a, T b) { return (a + b - 1) / b; }

} // namespace at

namespace c10::cuda {

struct CUDAStream {
  cudaStream_t stream() const { return nullptr; }
  operator cudaStream_t() const { return nullptr; }
};
inline CUDAStream getCurrentCUDAStream(int8_t = 0) { return {}; }
inline CUDAStream getDefaultCUDAStream(int8_t = 0) { return {}; }
struct CUDAGuard {
  CUDAGuard(Device) {}
  CUDAGuard(int8_t) {}
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() {}
  OptionalCUDAGuard(std::optional<Device>) {}
};

} // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
}

// What PYBIND11_MODULE defines is never called.
namespace pybind11 {
struct module_ {
  template <class... A> module_ &def(A &&...) { return *this; }
  template <class T> T &attr(T &&v) { return v; }
  const char *doc() const { return ""; }
};
struct arg {
  arg(const char *) {}
  template <class T> arg &operator=(T &&) { return *this; }
};
} // namespace pybind11
namespace py = pybind11;
#define PYBIND11_MODULE(name, m) [[maybe_unused]] static void warpgrind_bindings(pybind11::module_ &m)
#define TORCH_EXTENSION_NAME extension

namespace torch {
using namespace at;
using Dtype = c10::ScalarType;
namespace cuda {
inline void synchronize(int64_t = -1) { C10_CUDA_CHECK(cudaDeviceSynchronize()); }
} // namespace cuda
} // namespace torch

#define WG_CASE(name, T, ...) \
  case c10::ScalarType::name: { \
    using scalar_t = T; \
    __VA_ARGS__(); \
    break; \
  }
#define WG_SWITCH(type, what, cases) \
  switch (type) { \
    cases default : throw c10::Error(std::string("\"") + what + "\" not implemented for '" + c10::toString(type) + "'"); \
  }
#define AT_DISPATCH_FLOATING_TYPES(type, what, ...) \
  [&] { c10::ScalarType wg_type = type; WG_SWITCH(wg_type, what, WG_CASE(Float, float, __VA_ARGS__) WG_CASE(Double, double, __VA_ARGS__)) }()
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, what, ...) \
  [&] { c10::ScalarType wg_type = type; WG_SWITCH(wg_type, what, WG_CASE(Float, float, __VA_ARGS__) WG_CASE(Double, double, __VA_ARGS__) WG_CASE(Half, c10::Half, __VA_ARGS__)) }()
#define AT_DISPATCH_INTEGRAL_TYPES(type, what, ...) \
  [&] { c10::ScalarType wg_type = type; WG_SWITCH(wg_type, what, WG_CASE(Byte, uint8_t, __VA_ARGS__) WG_CASE(Char, int8_t, __VA_ARGS__) WG_CASE(Short, int16_t, __VA_ARGS__) WG_CASE(Int, int, __VA_ARGS__) WG_CASE(Long, int64_t, __VA_ARGS__)) }()
#define AT_DISPATCH_ALL_TYPES(type, what, ...) \
  [&] { c10::ScalarType wg_type = type; WG_SWITCH(wg_type, what, WG_CASE(Byte, uint8_t, __VA_ARGS__) WG_CASE(Char, int8_t, __VA_ARGS__) WG_CASE(Short, int16_t, __VA_ARGS__) WG_CASE(Int, int, __VA_ARGS__) WG_CASE(Long, int64_t, __VA_ARGS__) WG_CASE(Float, float, __VA_ARGS__) WG_CASE(Double, double, __VA_ARGS__)) }()

// What the program around a candidate does with the results of a function: they become the outputs.
namespace warpgrind_judge {

inline void store(const std::vector<torch::Tensor> &out, const std::vector<torch::Tensor> &got) {
  WG_CHECK(out.size() == got.size(), "the function returns ", got.size(), " tensors, and the job has ", out.size(), " outputs");
  for (size_t i = 0; i < out.size(); i++) {
    torch::Tensor o = out[i];
    WG_CHECK(got[i].defined() && got[i].is_cuda() && got[i].scalar_type() == o.scalar_type() && got[i].numel() == o.numel(), "result ", i, " is ",
             c10::toString(got[i].scalar_type()), c10::show(got[i].sizeVector()), ", and the output ", c10::toString(o.scalar_type()), c10::show(o.sizeVector()));
    o.copyBytes(got[i].contiguous());
  }
}
inline void store(const std::vector<torch::Tensor> &out, const torch::Tensor &got) { store(out, std::vector<torch::Tensor>{got}); }
template <class... T> void store(const std::vector<torch::Tensor> &out, const std::tuple<T...> &got) {
  store(out, std::apply([](auto &...t) { return std::vector<torch::Tensor>{t...}; }, got));
}
template <size_t N> void store(const std::vector<torch::Tensor> &out, const std::array<torch::Tensor, N> &got) {
  store(out, std::vector<torch::Tensor>(got.begin(), got.end()));
}

template <class F> void keep(const std::vector<torch::Tensor> &out, F f) {
  if constexpr (std::is_void_v<decltype(f())>) {
    f();
    WG_CHECK(out.empty(), "the function returns nothing, and the job has ", out.size(), " outputs that it does not take");
  } else {
    store(out, f());
  }
}

} // namespace warpgrind_judge
