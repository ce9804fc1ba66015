/* Address-space predicates and conversions ("CUDA C++ Programming Guide",
 * "Address Space Predicate Functions" and "Address Space Conversion
 * Functions"). */
#ifndef __WARPGRIND_SPACES_H__
#define __WARPGRIND_SPACES_H__

#define __WG_FN static __device__ __forceinline__

__WG_FN unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
__WG_FN unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
__WG_FN unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
__WG_FN unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
__WG_FN unsigned int __isGridConstant(const void *p) {
#if __CUDA_ARCH__ >= 700
  unsigned int is;
  asm("{ .reg .pred p; isspacep.param p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
  return is;
#else
  return 0;
#endif
}

#define __WG_CVTA(name, space)                                                       \
  __WG_FN size_t __cvta_generic_to_##name(const void *p) {                           \
    return (size_t)(void __attribute__((address_space(space))) *)p;                  \
  }                                                                                  \
  __WG_FN void *__cvta_##name##_to_generic(size_t p) {                               \
    return (void *)(void __attribute__((address_space(space))) *)p;                  \
  }
__WG_CVTA(global, 1)
__WG_CVTA(shared, 3)
__WG_CVTA(constant, 4)
__WG_CVTA(local, 5)
#undef __WG_CVTA

#endif
