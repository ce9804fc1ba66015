/* Surface references and the functions that read and write surfaces ("CUDA C++
 * Programming Guide", "Surface Functions"). x counts bytes. */
#ifndef __WARPGRIND_SURFACE_H__
#define __WARPGRIND_SURFACE_H__

template <class __wg_T, int dim = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __host__ surface() : surfaceReference() {}
};
template <int dim> struct __attribute__((device_builtin_surface_type)) surface<void, dim> : public surfaceReference {
  __host__ surface() : surfaceReference() {}
};

#define __WG_L(...) __VA_ARGS__

/* A load or store of sizeof(T) bytes. */
#define __WG_SULD(geom, mode, at, operands)                                                          \
  if (sizeof(__wg_T) == 1)                                                                           \
    asm volatile("suld.b." geom ".b8." mode " %[h], [%[s], " at "];"                                 \
                 : [h] "=h"(h) : [s] "l"(s), __WG_L operands : "memory");                            \
  else if (sizeof(__wg_T) == 2)                                                                      \
    asm volatile("suld.b." geom ".b16." mode " %[h], [%[s], " at "];"                                \
                 : [h] "=h"(h) : [s] "l"(s), __WG_L operands : "memory");                            \
  else if (sizeof(__wg_T) == 4)                                                                      \
    asm volatile("suld.b." geom ".b32." mode " %[a], [%[s], " at "];"                                \
                 : [a] "=r"(v[0]) : [s] "l"(s), __WG_L operands : "memory");                         \
  else if (sizeof(__wg_T) == 8)                                                                      \
    asm volatile("suld.b." geom ".v2.b32." mode " {%[a], %[b]}, [%[s], " at "];"                     \
                 : [a] "=r"(v[0]), [b] "=r"(v[1]) : [s] "l"(s), __WG_L operands : "memory");         \
  else                                                                                               \
    asm volatile("suld.b." geom ".v4.b32." mode " {%[a], %[b], %[c], %[d]}, [%[s], " at "];"         \
                 : [a] "=r"(v[0]), [b] "=r"(v[1]), [c] "=r"(v[2]), [d] "=r"(v[3])                    \
                 : [s] "l"(s), __WG_L operands : "memory")
#define __WG_SUST(geom, mode, at, operands)                                                          \
  if (sizeof(__wg_T) == 1)                                                                           \
    asm volatile("sust.b." geom ".b8." mode " [%[s], " at "], %[h];" ::[h] "h"(h), [s] "l"(s),       \
                 __WG_L operands : "memory");                                                        \
  else if (sizeof(__wg_T) == 2)                                                                      \
    asm volatile("sust.b." geom ".b16." mode " [%[s], " at "], %[h];" ::[h] "h"(h), [s] "l"(s),      \
                 __WG_L operands : "memory");                                                        \
  else if (sizeof(__wg_T) == 4)                                                                      \
    asm volatile("sust.b." geom ".b32." mode " [%[s], " at "], %[a];" ::[a] "r"(v[0]), [s] "l"(s),   \
                 __WG_L operands : "memory");                                                        \
  else if (sizeof(__wg_T) == 8)                                                                      \
    asm volatile("sust.b." geom ".v2.b32." mode " [%[s], " at "], {%[a], %[b]};" ::[a] "r"(v[0]),    \
                 [b] "r"(v[1]), [s] "l"(s), __WG_L operands : "memory");                             \
  else                                                                                               \
    asm volatile("sust.b." geom ".v4.b32." mode " [%[s], " at "], {%[a], %[b], %[c], %[d]};" ::      \
                     [a] "r"(v[0]), [b] "r"(v[1]), [c] "r"(v[2]), [d] "r"(v[3]), [s] "l"(s),         \
                 __WG_L operands : "memory")
#define __WG_MODES(op, geom, at, operands)                                                           \
  switch (mode) {                                                                                    \
  case cudaBoundaryModeZero: op(geom, "zero", at, operands); break;                                  \
  case cudaBoundaryModeClamp: op(geom, "clamp", at, operands); break;                                \
  default: op(geom, "trap", at, operands); break;                                                    \
  }

/* Reading and writing in one geometry, by object and by reference. */
#define __WG_SURF(name, dim, geom, at, params, args, operands)                                       \
  template <class __wg_T>                                                                            \
  __WG_FN __wg_T name##read(cudaSurfaceObject_t s, __WG_L params,                                    \
                       enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    static_assert(sizeof(__wg_T) <= 16 && (sizeof(__wg_T) & (sizeof(__wg_T) - 1)) == 0, "no element of a surface"); \
    unsigned int v[4];                                                                               \
    unsigned short h;                                                                                \
    __wg_T r;                                                                                        \
    __WG_MODES(__WG_SULD, geom, at, operands)                                                        \
    if (sizeof(__wg_T) <= 2) v[0] = h;                                                               \
    __builtin_memcpy(&r, v, sizeof r);                                                               \
    return r;                                                                                        \
  }                                                                                                  \
  template <class __wg_T>                                                                            \
  __WG_FN void name##read(__wg_T *r, cudaSurfaceObject_t s, __WG_L params,                           \
                          enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    *r = name##read<__wg_T>(s, __WG_L args, mode);                                                   \
  }                                                                                                  \
  template <class __wg_T>                                                                            \
  __WG_FN void name##write(__wg_T value, cudaSurfaceObject_t s, __WG_L params,                       \
                           enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    static_assert(sizeof(__wg_T) <= 16 && (sizeof(__wg_T) & (sizeof(__wg_T) - 1)) == 0, "no element of a surface"); \
    unsigned int v[4] = {};                                                                          \
    __builtin_memcpy(v, &value, sizeof value);                                                       \
    unsigned short h = (unsigned short)v[0];                                                         \
    __WG_MODES(__WG_SUST, geom, at, operands)                                                        \
  }                                                                                                  \
  template <class __wg_T, class __wg_E>                                                              \
  __WG_FN __wg_T name##read(surface<__wg_E, dim> s, __WG_L params,                                   \
                       enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    return name##read<__wg_T>(__wg_handle(s), __WG_L args, mode);                                    \
  }                                                                                                  \
  template <class __wg_T, class __wg_E>                                                              \
  __WG_FN void name##read(__wg_T *r, surface<__wg_E, dim> s, __WG_L params,                          \
                          enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    *r = name##read<__wg_T>(__wg_handle(s), __WG_L args, mode);                                      \
  }                                                                                                  \
  template <class __wg_T, class __wg_E>                                                              \
  __WG_FN void name##write(__wg_T value, surface<__wg_E, dim> s, __WG_L params,                      \
                           enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    name##write(value, __wg_handle(s), __WG_L args, mode);                                           \
  }

__WG_SURF(surf1D, cudaSurfaceType1D, "1d", "{%[x]}", (int x), (x), ([x] "r"(x)))
__WG_SURF(surf2D, cudaSurfaceType2D, "2d", "{%[x], %[y]}", (int x, int y), (x, y), ([x] "r"(x), [y] "r"(y)))
__WG_SURF(surf3D, cudaSurfaceType3D, "3d", "{%[x], %[y], %[z], %[z]}", (int x, int y, int z), (x, y, z),
          ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
__WG_SURF(surf1DLayered, cudaSurfaceType1DLayered, "a1d", "{%[l], %[x]}", (int x, int layer), (x, layer),
          ([x] "r"(x), [l] "r"(layer)))
__WG_SURF(surf2DLayered, cudaSurfaceType2DLayered, "a2d", "{%[l], %[x], %[y], %[y]}", (int x, int y, int layer),
          (x, y, layer), ([x] "r"(x), [y] "r"(y), [l] "r"(layer)))
/* The faces of a cubemap are layers, six for each cubemap. */
__WG_SURF(surfCubemap, cudaSurfaceTypeCubemap, "a2d", "{%[l], %[x], %[y], %[y]}", (int x, int y, int face),
          (x, y, face), ([x] "r"(x), [y] "r"(y), [l] "r"(face)))
__WG_SURF(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, "a2d", "{%[l], %[x], %[y], %[y]}",
          (int x, int y, int layerFace), (x, y, layerFace), ([x] "r"(x), [y] "r"(y), [l] "r"(layerFace)))

#undef __WG_SURF
#undef __WG_MODES
#undef __WG_SUST
#undef __WG_SULD
#undef __WG_L

/* Binding references: typed forms of the C function. */
template <class __wg_T, int dim>
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaBindSurfaceToArray(const surface<__wg_T, dim> &surf, cudaArray_const_t array, const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindSurfaceToArray(&surf, array, &desc);
}
template <class __wg_T, int dim>
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaBindSurfaceToArray(const surface<__wg_T, dim> &surf, cudaArray_const_t array) {
  return ::cudaBindSurfaceToArray(&surf, array, nullptr);
}

#endif
