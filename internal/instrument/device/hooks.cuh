// ---------------------------------------------------------------- hooks

// wgi_tell tells the scheme of an access to the memory that it watches. With
// WGI_PARTS the scheme counts accesses of compiled code, which copies an object
// in parts as large as its alignment.
WGI_NOINLINE void wgi_tell(int site, int kind, unsigned long long address, unsigned size, unsigned part) {
  wgi_block *b = wgi_current();
#if WGI_BLOCK_STATE
  if (!b) return;
  address = wgi_offset(address);
  if (address + size > b->shared_bytes) {
    wgi_count(wgi_outside, 1);
    return;
  }
#endif
#if WGI_COUNT
  atomicAdd(&wgi_site_count[site][3], 1ull);
#endif
#if WGI_PARTS
  for (unsigned at = 0; at < size; at += part) wgi_access(b, site, kind, address + at, part);
#else
  wgi_access(b, site, kind, address, size);
#endif
}

// wgi_touch sorts out accesses to other memory.
WGI_FN void wgi_touch(int site, int kind, const void *p, unsigned size, unsigned part) {
  if (WGI_WATCH == WGI_GLOBAL && __isGlobal(p)) wgi_tell(site, kind, (unsigned long long)p, size, part);
  if (WGI_WATCH == WGI_SHARED && __isShared(p)) wgi_tell(site, kind, wgi_window(p), size, part);
}

WGI_FN bool wgi_first_lane() { return wgi_thread() % 32 == (unsigned)__ffs((int)__activemask()) - 1; }

// wgi_visit is wgi_touch for a place with flags. seen is the last interval in
// which the thread was here, plus one; where no barrier is in the loop, any but 0.
// A thread has been here too if another one of its warp was watched for it: the
// lanes stay together.
template <int F> WGI_FN void wgi_visit(int site, int kind, const void *p, unsigned size, unsigned align, unsigned *seen) {
#ifdef __CUDA_ARCH__
  asm volatile(""); // is convergent: no compiler duplicates what follows for some of the lanes
  if (F & WGI_UNBROKEN) {
    if (*seen) return;
    *seen = 1;
  } else if (F & WGI_ONE_ITER) {
    wgi_block *b = wgi_current();
    if (!b || *seen == b->interval + 1) return;
    *seen = b->interval + 1;
  }
  if (F & WGI_ONE_THREAD && !wgi_first_lane()) return;
  wgi_touch(site, kind, p, size, align < 16 ? align : 16);
#endif
}

template <class T> WGI_HOOK const void *wgi_address(T &x) {
  return (const void *)&reinterpret_cast<const volatile char &>(x);
}

#ifdef __CUDA_ARCH__
#define WGI_DO(F, kind, p, T, seen) if (WGI_AT_RUN_TIME) wgi_visit<F>(site, kind, p, sizeof(T), alignof(T), seen)
#else
#define WGI_DO(F, kind, p, T, seen) (void)site
#endif

#define WGI_ON_LVALUE(name, kind)                                                             \
  template <int F = 0, class T> WGI_HOOK WGI_CONSTEXPR T &&name(int site, T &&x) {            \
    WGI_DO(F, kind, wgi_address(x), T, nullptr);                                              \
    return static_cast<T &&>(x);                                                              \
  }                                                                                           \
  template <int F, class T> WGI_HOOK WGI_CONSTEXPR T &&name(int site, unsigned &seen, T &&x) { \
    WGI_DO(F, kind, wgi_address(x), T, &seen);                                                \
    return static_cast<T &&>(x);                                                              \
  }
WGI_ON_LVALUE(wgi_r, WGI_READ)
WGI_ON_LVALUE(wgi_w, WGI_WRITE)
WGI_ON_LVALUE(wgi_u, WGI_READ | WGI_WRITE)

#define WGI_ON_POINTER(name, kind)                                                            \
  template <int F = 0, class T> WGI_HOOK WGI_CONSTEXPR T *name(int site, T *p) {              \
    WGI_DO(F, kind, (const void *)p, T, nullptr);                                             \
    return p;                                                                                 \
  }                                                                                           \
  template <int F, class T> WGI_HOOK WGI_CONSTEXPR T *name(int site, unsigned &seen, T *p) {  \
    WGI_DO(F, kind, (const void *)p, T, &seen);                                               \
    return p;                                                                                 \
  }
WGI_ON_POINTER(wgi_a, WGI_READ | WGI_WRITE | WGI_ATOMIC)
WGI_ON_POINTER(wgi_pr, WGI_READ)
WGI_ON_POINTER(wgi_pw, WGI_WRITE)

// Classes are of this source alone: one program may have several sources.
namespace {

// wgi_each is an array, or an object whose begin() is a pointer, whose elements a
// range-based for copies; what else such a loop goes through stays what it is.
template <int F, class T> struct wgi_element {
  T *p;
  int site;
  WGI_HOOK_IN T &operator*() const { return wgi_r<F>(site, *p); }
  WGI_HOOK_IN wgi_element &operator++() { return ++p, *this; }
  WGI_HOOK_IN bool operator!=(const wgi_element &end) const { return p != end.p; }
};
template <int F, class T> struct wgi_elements {
  wgi_element<F, T> first, last;
  WGI_HOOK_IN wgi_element<F, T> begin() const { return first; }
  WGI_HOOK_IN wgi_element<F, T> end() const { return last; }
};
} // namespace

template <int F = 0, class T, size_t N> WGI_HOOK WGI_CONSTEXPR wgi_elements<F, T> wgi_each(int site, T (&a)[N]) {
  return {{a, site}, {a + N, site}};
}
template <class T> struct wgi_pointee {};
template <class T> struct wgi_pointee<T *> { typedef T type; };
#if defined(__NVCC__) && !defined(__clang__)
#pragma nv_exec_check_disable // begin() may be of the device alone, and is called there alone
#endif
template <int F = 0, class T>
WGI_HOOK WGI_CONSTEXPR wgi_elements<F, typename wgi_pointee<decltype(static_cast<T *>(0)->begin())>::type> wgi_each(int site, T &x) {
  return {{x.begin(), site}, {x.end(), site}};
}
template <int F = 0, class T> WGI_HOOK WGI_CONSTEXPR T wgi_each(int, T &&x) { return static_cast<T &&>(x); }

WGI_HOOK void wgi_barrier(int) {
#ifdef __CUDA_ARCH__
  wgi_pass();
#endif
}

template <class T> WGI_HOOK T wgi_barrier_value(int, T value) {
#ifdef __CUDA_ARCH__
  wgi_pass();
#endif
  return value;
}

namespace {

// The first thing in a kernel's body: its life is the kernel's.
struct wgi_kernel {
  __device__ __forceinline__ explicit wgi_kernel(int k) { wgi_note(k), wgi_enter(k); }
  __device__ __forceinline__ ~wgi_kernel() { wgi_leave(); }
  static __device__ __forceinline__ void wgi_note(int k) {
    if (wgi_thread() == 0 && wgi_block_index() == 0) {
      unsigned *e = wgi_extent[k];
      atomicExch(e, blockDim.x), atomicExch(e + 1, blockDim.y), atomicExch(e + 2, blockDim.z);
      atomicExch(e + 3, gridDim.x), atomicExch(e + 4, gridDim.y), atomicExch(e + 5, gridDim.z);
      wgi_mirror *kept = *(wgi_mirror *volatile *)&wgi_kept;
      for (int i = 0; kept && i < 6; i++) kept->extent[k][i] = e[i];
    }
  }
};

// The same for a kernel whose end all threads reach.
struct wgi_kernel_all {
  __device__ __forceinline__ explicit wgi_kernel_all(int k) { wgi_kernel::wgi_note(k), wgi_enter(k); }
  __device__ __forceinline__ ~wgi_kernel_all() { wgi_leave_all(); }
};

} // namespace
