/* Texture references and the functions that read textures ("CUDA C++
 * Programming Guide", "Texture Memory" and "Texture Functions"). */
#ifndef __WARPGRIND_TEXTURE_H__
#define __WARPGRIND_TEXTURE_H__

/* A texture reference: on the device it is a handle, on the host the settings
 * that binding it uses. */
template <class __wg_T, int dim = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<__wg_T>()) {}
  __host__ texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                   struct cudaChannelFormatDesc desc)
      : textureReference() {
    normalized = norm;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
};

/* Texels: what the four 32-bit results of a read become. */
template <class __wg_T, bool = __is_class(__wg_T)> struct __wg_texel {
  typedef __wg_T channel;
  static constexpr int channels = 1;
  static __device__ __forceinline__ __wg_T make(uint4 v);
};
template <class __wg_T> struct __wg_texel<__wg_T, true> {
  typedef decltype(__wg_T::x) channel;
  static constexpr int channels = sizeof(__wg_T) / sizeof(channel);
  static __device__ __forceinline__ __wg_T make(uint4 v);
};
template <class __wg_C> struct __wg_channel {
  static __device__ __forceinline__ __wg_C of(unsigned int v) { return (__wg_C)v; }
};
template <> struct __wg_channel<float> {
  static __device__ __forceinline__ float of(unsigned int v) { return __builtin_bit_cast(float, v); }
};
template <class __wg_T, bool c> __device__ __forceinline__ __wg_T __wg_texel<__wg_T, c>::make(uint4 v) {
  return __wg_channel<__wg_T>::of(v.x);
}
template <class __wg_T> __device__ __forceinline__ __wg_T __wg_texel<__wg_T, true>::make(uint4 v) {
  typedef __wg_channel<channel> __wg_C;
  channel all[4] = {__wg_C::of(v.x), __wg_C::of(v.y), __wg_C::of(v.z), __wg_C::of(v.w)};
  __wg_T r;
  __builtin_memcpy(&r, all, sizeof r);
  return r;
}

/* What reading a reference gives: its element, or floats. */
template <int n> struct __wg_floats;
template <> struct __wg_floats<1> { typedef float type; };
template <> struct __wg_floats<2> { typedef float2 type; };
template <> struct __wg_floats<3> { typedef float3 type; };
template <> struct __wg_floats<4> { typedef float4 type; };
template <class __wg_T, enum cudaTextureReadMode mode> struct __wg_read { typedef __wg_T type; };
template <class __wg_T> struct __wg_read<__wg_T, cudaReadModeNormalizedFloat> {
  typedef typename __wg_floats<__wg_texel<__wg_T>::channels>::type type;
};

/* The handle of a reference. */
template <class __wg_R> __device__ __forceinline__ cudaTextureObject_t __wg_handle(__wg_R reference) {
  cudaTextureObject_t h;
  asm("mov.b64 %0, %1;" : "=l"(h) : "l"(reference));
  return h;
}

#define __WG_L(...) __VA_ARGS__

/* One way of reading: an instruction with its coordinates (at and operands),
 * as a function of an object, of an object with the result in memory, of an
 * object that also says whether the texel is resident, and of a reference. */
#define __WG_TEX(name, dim, op, at, params, args, operands)                                          \
  __WG_FN uint4 __wg_##name(cudaTextureObject_t t, __WG_L params) {                                  \
    uint4 r;                                                                                         \
    asm volatile(op " {%0, %1, %2, %3}, [%4, " at ";"                                                \
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(t), __WG_L operands);            \
    return r;                                                                                        \
  }                                                                                                  \
  template <class __wg_T> __WG_FN __wg_T name(cudaTextureObject_t t, __WG_L params) {                \
    return __wg_texel<__wg_T>::make(__wg_##name(t, __WG_L args));                                    \
  }                                                                                                  \
  template <class __wg_T> __WG_FN void name(__wg_T *r, cudaTextureObject_t t, __WG_L params) {       \
    *r = __wg_texel<__wg_T>::make(__wg_##name(t, __WG_L args));                                      \
  }                                                                                                  \
  template <class __wg_T> __WG_FN __wg_T name(cudaTextureObject_t t, __WG_L params, bool *resident) {          \
    *resident = true;                                                                                \
    return __wg_texel<__wg_T>::make(__wg_##name(t, __WG_L args));                                    \
  }                                                                                                  \
  template <class __wg_T, enum cudaTextureReadMode mode>                                             \
  __WG_FN typename __wg_read<__wg_T, mode>::type name(texture<__wg_T, dim, mode> t, __WG_L params) {           \
    return __wg_texel<typename __wg_read<__wg_T, mode>::type>::make(__wg_##name(__wg_handle(t), __WG_L args));  \
  }

/* The same for a coordinate, a level and derivatives. */
#define __WG_TEX3(name, dim, geom, at, lod, grad, params, args, operands, __wg_D, derivatives)       \
  __WG_TEX(name, dim, "tex." geom ".v4.u32.f32", at "]", params, args, operands)                     \
  __WG_TEX(name##Lod, dim, "tex.level." geom ".v4.u32.f32", at "], " lod,                            \
           (__WG_L params, float level), (__WG_L args, level), (__WG_L operands, "f"(level)))        \
  __WG_TEX(name##Grad, dim, "tex.grad." geom ".v4.u32.f32", at "], " grad,                           \
           (__WG_L params, __wg_D dPdx, __wg_D dPdy), (__WG_L args, dPdx, dPdy), (__WG_L operands, __WG_L derivatives))

__WG_TEX(tex1Dfetch, cudaTextureType1D, "tex.1d.v4.u32.s32", "{%5}]", (int x), (x), ("r"(x)))

__WG_TEX3(tex1D, cudaTextureType1D, "1d", "{%5}", "%6", "{%6}, {%7}", (float x), (x), ("f"(x)), float,
          ("f"(dPdx), "f"(dPdy)))
__WG_TEX3(tex2D, cudaTextureType2D, "2d", "{%5, %6}", "%7", "{%7, %8}, {%9, %10}", (float x, float y), (x, y),
          ("f"(x), "f"(y)), float2, ("f"(dPdx.x), "f"(dPdx.y), "f"(dPdy.x), "f"(dPdy.y)))
__WG_TEX3(tex1DLayered, cudaTextureType1DLayered, "a1d", "{%5, %6}", "%7", "{%7}, {%8}", (float x, int layer),
          (x, layer), ("r"(layer), "f"(x)), float, ("f"(dPdx), "f"(dPdy)))
__WG_TEX3(tex2DLayered, cudaTextureType2DLayered, "a2d", "{%5, %6, %7, %7}", "%8", "{%8, %9}, {%10, %11}",
          (float x, float y, int layer), (x, y, layer), ("r"(layer), "f"(x), "f"(y)), float2,
          ("f"(dPdx.x), "f"(dPdx.y), "f"(dPdy.x), "f"(dPdy.y)))

#define __WG_D4 ("f"(dPdx.x), "f"(dPdx.y), "f"(dPdx.z), "f"(dPdy.x), "f"(dPdy.y), "f"(dPdy.z))
__WG_TEX3(tex3D, cudaTextureType3D, "3d", "{%5, %6, %7, %7}", "%8", "{%8, %9, %10, %10}, {%11, %12, %13, %13}",
          (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)), float4, __WG_D4)
__WG_TEX3(texCubemap, cudaTextureTypeCubemap, "cube", "{%5, %6, %7, %7}", "%8",
          "{%8, %9, %10, %10}, {%11, %12, %13, %13}", (float x, float y, float z), (x, y, z),
          ("f"(x), "f"(y), "f"(z)), float4, __WG_D4)
__WG_TEX3(texCubemapLayered, cudaTextureTypeCubemapLayered, "acube", "{%5, %6, %7, %8}", "%9",
          "{%9, %10, %11, %11}, {%12, %13, %14, %14}", (float x, float y, float z, int layer), (x, y, z, layer),
          ("r"(layer), "f"(x), "f"(y), "f"(z)), float4, __WG_D4)
#undef __WG_D4

/* Gathering takes the component as a parameter; its instruction does not. */
#define __WG_GATHER(c)                                                                               \
  asm volatile("tld4." c ".2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                          \
               : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(t), "f"(x), "f"(y))
__WG_FN uint4 __wg_tex2Dgather(cudaTextureObject_t t, float x, float y, int comp) {
  uint4 r;
  switch (comp) {
  case 1: __WG_GATHER("g"); break;
  case 2: __WG_GATHER("b"); break;
  case 3: __WG_GATHER("a"); break;
  default: __WG_GATHER("r"); break;
  }
  return r;
}
#undef __WG_GATHER
/* The result has the texels' channels: four of the element's type. */
template <class __wg_T> __WG_FN __wg_T tex2Dgather(cudaTextureObject_t t, float x, float y, int comp = 0) {
  return __wg_texel<__wg_T>::make(__wg_tex2Dgather(t, x, y, comp));
}
template <class __wg_T> __WG_FN void tex2Dgather(__wg_T *r, cudaTextureObject_t t, float x, float y, int comp = 0) {
  *r = tex2Dgather<__wg_T>(t, x, y, comp);
}
template <class __wg_T> __WG_FN __wg_T tex2Dgather(cudaTextureObject_t t, float x, float y, bool *resident, int comp = 0) {
  *resident = true;
  return tex2Dgather<__wg_T>(t, x, y, comp);
}
template <class __wg_C> struct __wg_four;
template <> struct __wg_four<char> { typedef char4 type; };
template <> struct __wg_four<signed char> { typedef char4 type; };
template <> struct __wg_four<unsigned char> { typedef uchar4 type; };
template <> struct __wg_four<short> { typedef short4 type; };
template <> struct __wg_four<unsigned short> { typedef ushort4 type; };
template <> struct __wg_four<int> { typedef int4 type; };
template <> struct __wg_four<unsigned int> { typedef uint4 type; };
template <> struct __wg_four<float> { typedef float4 type; };
template <class __wg_T, enum cudaTextureReadMode mode>
__WG_FN typename __wg_four<typename __wg_texel<typename __wg_read<__wg_T, mode>::type>::channel>::type
tex2Dgather(texture<__wg_T, cudaTextureType2D, mode> t, float x, float y, int comp = 0) {
  typedef typename __wg_four<typename __wg_texel<typename __wg_read<__wg_T, mode>::type>::channel>::type __wg_R;
  return __wg_texel<__wg_R>::make(__wg_tex2Dgather(__wg_handle(t), x, y, comp));
}

#undef __WG_TEX3
#undef __WG_TEX

/* Binding references: typed forms of the C functions. */
#define __WG_API static __inline__ __host__ __attribute__((unused)) cudaError_t
#define __WG_REF template <class __wg_T, int dim, enum cudaTextureReadMode mode> __WG_API
__WG_REF cudaBindTexture(size_t *offset, const texture<__wg_T, dim, mode> &tex, const void *p,
                         const struct cudaChannelFormatDesc &desc, size_t size = UINT_MAX) {
  return ::cudaBindTexture(offset, &tex, p, &desc, size);
}
__WG_REF cudaBindTexture(size_t *offset, const texture<__wg_T, dim, mode> &tex, const void *p, size_t size = UINT_MAX) {
  return ::cudaBindTexture(offset, &tex, p, &tex.channelDesc, size);
}
__WG_REF cudaBindTexture2D(size_t *offset, const texture<__wg_T, dim, mode> &tex, const void *p,
                           const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &tex, p, &desc, width, height, pitch);
}
__WG_REF cudaBindTexture2D(size_t *offset, const texture<__wg_T, dim, mode> &tex, const void *p, size_t width,
                           size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &tex, p, &tex.channelDesc, width, height, pitch);
}
__WG_REF cudaBindTextureToArray(const texture<__wg_T, dim, mode> &tex, cudaArray_const_t array,
                                const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToArray(&tex, array, &desc);
}
__WG_REF cudaBindTextureToArray(const texture<__wg_T, dim, mode> &tex, cudaArray_const_t array) {
  return ::cudaBindTextureToArray(&tex, array, nullptr);
}
__WG_REF cudaBindTextureToMipmappedArray(const texture<__wg_T, dim, mode> &tex, cudaMipmappedArray_const_t array,
                                         const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToMipmappedArray(&tex, array, &desc);
}
__WG_REF cudaBindTextureToMipmappedArray(const texture<__wg_T, dim, mode> &tex, cudaMipmappedArray_const_t array) {
  return ::cudaBindTextureToMipmappedArray(&tex, array, nullptr);
}
__WG_REF cudaUnbindTexture(const texture<__wg_T, dim, mode> &tex) { return ::cudaUnbindTexture(&tex); }
__WG_REF cudaGetTextureAlignmentOffset(size_t *offset, const texture<__wg_T, dim, mode> &tex) {
  return ::cudaGetTextureAlignmentOffset(offset, &tex);
}
#undef __WG_REF
#undef __WG_API
#undef __WG_L

#endif
