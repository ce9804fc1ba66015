// What tensors compute element by element, in kernels that are checked as the candidate's are. Both operands of a binary operator have
// one type: promotion between types is absent.
#pragma once

namespace warpgrind_judge {

constexpr int maxDims = 8;

// View is a tensor in a kernel's argument.
struct View {
  char *data;
  int64_t strides[maxDims];
};

// Shape divides a number into coordinates.
struct Shape {
  int dims;
  int64_t sizes[maxDims], elements;
};

template <class T> __device__ T *elementOf(const View &v, const Shape &s, int64_t i) {
  int64_t at = 0;
  for (int d = s.dims; d-- > 0; i /= s.sizes[d]) at += i % s.sizes[d] * v.strides[d];
  return reinterpret_cast<T *>(v.data) + at;
}

// Computed is the type in which an operator computes: that of PyTorch's kernels.
template <class T> using Computed = std::conditional_t<std::is_same_v<T, c10::Half> || std::is_same_v<T, c10::BFloat16>, float, T>;

// Cast converts as PyTorch does: numbers of 16 bits by way of float.
template <class To, class From> __device__ To cast(From v) {
  if constexpr (std::is_same_v<To, bool>) return static_cast<Computed<From>>(v) != Computed<From>(0);
  else return static_cast<To>(static_cast<Computed<To>>(static_cast<Computed<From>>(v)));
}

template <class To, class A, class F> __global__ void unaryKernel(View out, View a, Shape s, F f) {
  int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < s.elements) *elementOf<To>(out, s, i) = cast<To>(f(static_cast<Computed<A>>(*elementOf<A>(a, s, i))));
}
template <class T, class F> __global__ void binaryKernel(View out, View a, View b, Shape s, F f) {
  int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < s.elements)
    *elementOf<T>(out, s, i) = cast<T>(f(static_cast<Computed<T>>(*elementOf<T>(a, s, i)), static_cast<Computed<T>>(*elementOf<T>(b, s, i))));
}

inline Shape shapeOf(const at::Tensor &t) {
  if (t.dim() > maxDims) absent("an operator on more than 8 dimensions");
  if (!t.is_cuda()) absent("an operator on the host");
  Shape s{int(t.dim()), {}, t.numel()};
  for (int d = 0; d < s.dims; d++) s.sizes[d] = t.size(d);
  return s;
}
inline View viewOf(const at::Tensor &t) {
  View v{static_cast<char *>(t.data_ptr()), {}};
  for (int d = 0; d < t.dim(); d++) v.strides[d] = t.stride(d);
  return v;
}
inline std::vector<int64_t> broadcast(const at::Tensor &a, const at::Tensor &b) {
  const at::Tensor &more = a.dim() >= b.dim() ? a : b, &less = a.dim() >= b.dim() ? b : a;
  std::vector<int64_t> s = more.sizeVector();
  for (int64_t d = 0, by = more.dim() - less.dim(); d < less.dim(); d++) {
    int64_t &want = s[d + by], other = less.size(d);
    WG_CHECK(want == other || want == 1 || other == 1, "The size of tensor a (", a.dim(), " dimensions) must match the size of tensor b at dimension ", d + by);
    if (want == 1) want = other;
  }
  return s;
}
constexpr int threads = 256;
inline unsigned blocksFor(const Shape &s) { return unsigned((s.elements + threads - 1) / threads); }

template <class F> void onReal(const char *what, at::ScalarType t, F f) {
  switch (t) {
  case at::ScalarType::Half: return f(c10::Half{});
  case at::ScalarType::BFloat16: return f(c10::BFloat16{});
  case at::ScalarType::Float: return f(0.0f);
  case at::ScalarType::Double: return f(0.0);
  default: absent(what);
  }
}
template <class F> void onAny(const char *what, at::ScalarType t, F f) {
  switch (t) {
  case at::ScalarType::Int: return f(0);
  case at::ScalarType::Long: return f(int64_t(0));
  case at::ScalarType::Short: return f(int16_t(0));
  case at::ScalarType::Char: return f(int8_t(0));
  case at::ScalarType::Byte: return f(uint8_t(0));
  case at::ScalarType::Bool: return f(false);
  default: return onReal(what, t, f);
  }
}
template <class F> void onNumber(const char *what, at::ScalarType t, F f) {
  if (t == at::ScalarType::Bool) absent(what);
  onAny(what, t, [&](auto v) {
    if constexpr (!std::is_same_v<decltype(v), bool>) f(v);
  });
}

// launchUnary computes out[i] = f(a[i]); From and To are the types of elements.
template <class To, class From, class F> void launchUnary(const at::Tensor &out, const at::Tensor &a, F f) {
  Shape s = shapeOf(a);
  if (s.elements) unaryKernel<To, From><<<blocksFor(s), threads>>>(viewOf(out), viewOf(a), s, f);
  C10_CUDA_CHECK(cudaGetLastError());
}
template <class T, class F> __global__ void fillKernel(View out, Shape s, F f) {
  int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < s.elements) *elementOf<T>(out, s, i) = cast<T>(f(Computed<T>(0)));
}
template <class T, class F> void launchFill(const at::Tensor &out, F f) { // reads nothing: the memory is uninitialized
  Shape s = shapeOf(out);
  if (s.elements) fillKernel<T><<<blocksFor(s), threads>>>(viewOf(out), s, f);
  C10_CUDA_CHECK(cudaGetLastError());
}
template <class T, class F> void launchBinary(const at::Tensor &out, const at::Tensor &a, const at::Tensor &b, F f) {
  Shape s = shapeOf(out);
  if (!a.is_cuda() || !b.is_cuda()) absent("an operator on the host");
  if (s.elements) binaryKernel<T><<<blocksFor(s), threads>>>(viewOf(out), viewOf(a.expand(out.sizeVector())), viewOf(b.expand(out.sizeVector())), s, f);
  C10_CUDA_CHECK(cudaGetLastError());
}

template <class T> struct Same { __device__ T operator()(T v) const { return v; } };
template <class T> struct Constant { T to; __device__ T operator()(T) const { return to; } };
template <class T> struct Clamp { T least, most; bool low, high; __device__ T operator()(T v) const { v = low && v < least ? least : v; return high && v > most ? most : v; } };
#define WG_UNARY(Name, value) \
  template <class T> struct Name { __device__ T operator()(T v) const { return T(value); } };
WG_UNARY(neg, -v) WG_UNARY(abs, v < T(0) ? -v : v) WG_UNARY(relu, v < T(0) ? T(0) : v) WG_UNARY(square, v * v)
WG_UNARY(sigmoid, T(1) / (T(1) + ::exp(-v))) WG_UNARY(tanh, ::tanh(v)) WG_UNARY(exp, ::exp(v)) WG_UNARY(log, ::log(v)) WG_UNARY(sqrt, ::sqrt(v))
WG_UNARY(rsqrt, ::rsqrt(v)) WG_UNARY(reciprocal, T(1) / v) WG_UNARY(sin, ::sin(v)) WG_UNARY(cos, ::cos(v)) WG_UNARY(erf, ::erf(v))
#undef WG_UNARY
template <class T> struct Sum { T by; __device__ T operator()(T a, T b) const { return T(a + by * b); } };
template <class T> struct Difference { T by; __device__ T operator()(T a, T b) const { return T(a - by * b); } };
template <class T> struct Product { T by; __device__ T operator()(T a, T b) const { return T(a * b); } };
template <class T> struct Quotient { T by; __device__ T operator()(T a, T b) const { return T(a / b); } };
template <class T> struct Larger { T by; __device__ T operator()(T a, T b) const { return a != a || a > b ? a : b; } };
template <class T> struct Smaller { T by; __device__ T operator()(T a, T b) const { return a != a || a < b ? a : b; } };

template <template <class> class F, bool real> at::Tensor binary(const char *what, const at::Tensor &a, const at::Tensor &b, at::Scalar by) {
  if (a.scalar_type() != b.scalar_type()) absent(what);
  at::Tensor out = at::Tensor::make(broadcast(a, b), a.options());
  auto launch = [&](auto v) {
    using T = decltype(v);
    launchBinary<T>(out, a, b, F<Computed<T>>{by.to<Computed<T>>()});
  };
  if constexpr (real) onReal(what, a.scalar_type(), launch);
  else onNumber(what, a.scalar_type(), launch);
  return out;
}
// With a number, which has the type of the tensor's elements unless these are whole and it is not.
template <template <class> class F, bool real> at::Tensor binary(const char *what, const at::Tensor &a, at::Scalar b, at::Scalar by) {
  if (!a.is_floating_point() && (b.isFloatingPoint() || by.isFloatingPoint())) absent(what);
  at::Tensor one = at::Tensor::make({}, a.options());
  one.fill_(b);
  return binary<F, real>(what, a, one, by);
}
template <template <class> class F, bool real> at::Tensor unary(const char *what, const at::Tensor &a) {
  at::Tensor out = at::Tensor::make(a.sizeVector(), a.options());
  auto launch = [&](auto v) {
    using T = decltype(v);
    launchUnary<T, T>(out, a, F<Computed<T>>{});
  };
  if constexpr (real) onReal(what, a.scalar_type(), launch);
  else onNumber(what, a.scalar_type(), launch);
  return out;
}

} // namespace warpgrind_judge

namespace at {

inline Scalar Tensor::item() const {
  WG_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  Scalar got = 0;
  warpgrind_judge::onAny("at::Tensor::item", type_, [&](auto v) {
    C10_CUDA_CHECK(cudaMemcpy(&v, data_ptr(), sizeof v, cudaMemcpyDefault));
    got = Scalar(v);
  });
  return got;
}

inline Tensor Tensor::clone(MemoryFormat f) const {
  if (f != MemoryFormat::Contiguous && f != MemoryFormat::Preserve) warpgrind_judge::absent("at::Tensor::clone(MemoryFormat::ChannelsLast)");
  Tensor t = make(sizes_, options());
  if (is_contiguous()) t.copyBytes(*this);
  else t.copy_(*this);
  return t;
}

inline Tensor &Tensor::copy_(const Tensor &from, bool) {
  if (sizes_ == from.sizes_ && type_ == from.type_ && is_contiguous() && from.is_contiguous()) {
    copyBytes(from);
    return *this;
  }
  if (device() != from.device()) warpgrind_judge::absent("at::Tensor::copy_ between devices and types or strides");
  Tensor wide = from.expand(sizes_);
  warpgrind_judge::onAny("at::Tensor::copy_", type_, [&](auto to) {
    warpgrind_judge::onAny("at::Tensor::copy_", from.type_, [&](auto v) {
      using V = decltype(v);
      warpgrind_judge::launchUnary<decltype(to), V>(*this, wide, warpgrind_judge::Same<warpgrind_judge::Computed<V>>{});
    });
  });
  return *this;
}

inline Tensor &Tensor::fill_(Scalar v) {
  warpgrind_judge::onAny("at::Tensor::fill_", type_, [&](auto t) {
    using T = decltype(t);
    using C = warpgrind_judge::Computed<T>;
    if (is_cuda()) warpgrind_judge::launchFill<T>(*this, warpgrind_judge::Constant<C>{v.to<C>()});
    else if (is_contiguous()) std::fill_n(static_cast<T *>(data_ptr()), numel(), T(v.to<C>()));
    else warpgrind_judge::absent("at::Tensor::fill_ of strided memory on the host");
  });
  return *this;
}

inline Tensor Tensor::to(ScalarType t, bool, bool copy) const {
  if (t == type_ && !copy) return *this;
  Tensor out = make(sizes_, TensorOptions(t).device(device()));
  return out.copy_(*this);
}
inline Tensor Tensor::to(Device d, bool, bool copy) const {
  if (d.type() == device().type() && !copy) return *this;
  Tensor out = make(sizes_, TensorOptions(type_).device(d));
  return out.copy_(contiguous());
}

#define WG_UNARY(name, real) \
  inline Tensor Tensor::name() const { return warpgrind_judge::unary<warpgrind_judge::name, real>("at::" #name, *this); } \
  constexpr auto name = [](const Tensor &a) { return a.name(); };
WG_UNARY(neg, false) WG_UNARY(abs, false) WG_UNARY(relu, false) WG_UNARY(square, false) WG_UNARY(sigmoid, true) WG_UNARY(tanh, true) WG_UNARY(exp, true)
WG_UNARY(log, true) WG_UNARY(sqrt, true) WG_UNARY(rsqrt, true) WG_UNARY(reciprocal, true) WG_UNARY(sin, true) WG_UNARY(cos, true) WG_UNARY(erf, true)
#undef WG_UNARY

#define WG_BINARY(name, F, real) \
  inline Tensor Tensor::name(const Tensor &o) const { return warpgrind_judge::binary<warpgrind_judge::F, real>("at::" #name, *this, o, 1); } \
  inline Tensor Tensor::name(Scalar o) const { return warpgrind_judge::binary<warpgrind_judge::F, real>("at::" #name, *this, o, 1); } \
  constexpr auto name = [](const Tensor &a, const auto &b) { return a.name(b); };
WG_BINARY(mul, Product, false) WG_BINARY(div, Quotient, true) WG_BINARY(maximum, Larger, false) WG_BINARY(minimum, Smaller, false)
#undef WG_BINARY
#define WG_BINARY(name, F) \
  inline Tensor Tensor::name(const Tensor &o, Scalar by) const { return warpgrind_judge::binary<warpgrind_judge::F, false>("at::" #name, *this, o, by); } \
  inline Tensor Tensor::name(Scalar o, Scalar by) const { return warpgrind_judge::binary<warpgrind_judge::F, false>("at::" #name, *this, o, by); } \
  constexpr auto name = [](const Tensor &a, const auto &b, Scalar by = 1) { return a.name(b, by); };
WG_BINARY(add, Sum) WG_BINARY(sub, Difference)
#undef WG_BINARY

inline Tensor Tensor::clamp(std::optional<Scalar> least, std::optional<Scalar> most) const {
  Tensor out = make(sizes_, options());
  warpgrind_judge::onNumber("at::clamp", type_, [&](auto v) {
    using C = warpgrind_judge::Computed<decltype(v)>;
    warpgrind_judge::launchUnary<decltype(v), decltype(v)>(out, *this, warpgrind_judge::Clamp<C>{least ? least->to<C>() : C(0), most ? most->to<C>() : C(0), least.has_value(), most.has_value()});
  });
  return out;
}
constexpr auto clamp = [](const Tensor &a, std::optional<Scalar> least, std::optional<Scalar> most = std::nullopt) { return a.clamp(least, most); };
constexpr auto clamp_min = [](const Tensor &a, Scalar v) { return a.clamp_min(v); };
constexpr auto clamp_max = [](const Tensor &a, Scalar v) { return a.clamp_max(v); };

inline Tensor full(const IntArrayRef &sizes, Scalar v, TensorOptions o = {}) { return Tensor::make(sizes, o).fill_(v); }
inline Tensor ones(const IntArrayRef &sizes, TensorOptions o = {}) { return full(sizes, 1, o); }
inline Tensor full_like(const Tensor &t, Scalar v) { return full(t.sizes(), v, t.options()); }
inline Tensor full_like(const Tensor &t, Scalar v, TensorOptions o) { return full(t.sizes(), v, o); }
inline Tensor ones_like(const Tensor &t) { return full_like(t, 1); }
inline Tensor ones_like(const Tensor &t, TensorOptions o) { return full_like(t, 1, o); }

#define WG_OPERATOR(op, name) \
  inline Tensor operator op(const Tensor &a, const Tensor &b) { return a.name(b); } \
  inline Tensor operator op(const Tensor &a, Scalar b) { return a.name(b); }
WG_OPERATOR(+, add) WG_OPERATOR(-, sub) WG_OPERATOR(*, mul) WG_OPERATOR(/, div)
#undef WG_OPERATOR
inline Tensor operator+(Scalar a, const Tensor &b) { return b.add(a); }
inline Tensor operator*(Scalar a, const Tensor &b) { return b.mul(a); }
inline Tensor operator-(Scalar a, const Tensor &b) { return b.neg().add(a); }

} // namespace at
