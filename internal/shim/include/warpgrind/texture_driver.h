/* CUDA arrays, textures and surfaces of the driver API ("CUDA Driver API",
 * "Memory Management", "Texture Object Management", "Surface Object
 * Management", "Texture Reference Management"). Part of cuda.h. */
#ifndef __WARPGRIND_TEXTURE_DRIVER_H__
#define __WARPGRIND_TEXTURE_DRIVER_H__

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_2DARRAY 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
#define CUDA_ARRAY3D_DEPTH_TEXTURE 0x10
#define CUDA_ARRAY3D_COLOR_ATTACHMENT 0x20
#define CUDA_ARRAY3D_SPARSE 0x40
#define CUDA_ARRAY3D_DEFERRED_MAPPING 0x80
#define CUDA_ARRAY3D_VIDEO_ENCODE_DECODE 0x100
#define CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL 0x1

#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
  size_t Width, Height;
  CUarray_format Format;
  unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned int NumChannels;
  unsigned int Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

typedef struct CUDA_RESOURCE_DESC_st {
  CUresourcetype resType;
  union {
    struct {
      CUarray hArray;
    } array;
    struct {
      CUmipmappedArray hMipmappedArray;
    } mipmap;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned int numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned int numChannels;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
} CUDA_RESOURCE_DESC;

typedef struct CUDA_TEXTURE_DESC_st {
  CUaddress_mode addressMode[3];
  CUfilter_mode filterMode;
  unsigned int flags;
  unsigned int maxAnisotropy;
  CUfilter_mode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC_st {
  CUresourceViewFormat format;
  size_t width, height, depth;
  unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
  unsigned int reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array);
CUresult cuArrayDestroy(CUarray array);
CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc, unsigned int levels);
CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array, unsigned int i);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray array);
CUresult cuMemcpyDtoA(CUarray dst, size_t dstOffset, CUdeviceptr src, size_t bytes);
CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t srcOffset, size_t bytes);
CUresult cuMemcpyHtoA(CUarray dst, size_t dstOffset, const void *src, size_t bytes);
CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t srcOffset, size_t bytes);
CUresult cuMemcpyAtoA(CUarray dst, size_t dstOffset, CUarray src, size_t srcOffset, size_t bytes);
CUresult cuMemcpyHtoAAsync(CUarray dst, size_t dstOffset, const void *src, size_t bytes, CUstream stream);
CUresult cuMemcpyAtoHAsync(void *dst, CUarray src, size_t srcOffset, size_t bytes, CUstream stream);

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view);
CUresult cuTexObjectDestroy(CUtexObject object);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object);
CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource);
CUresult cuSurfObjectDestroy(CUsurfObject object);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object);

CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name);
CUresult cuModuleGetSurfRef(CUsurfref *ref, CUmodule module, const char *name);
CUresult cuTexRefSetArray(CUtexref ref, CUarray array, unsigned int flags);
CUresult cuTexRefSetMipmappedArray(CUtexref ref, CUmipmappedArray array, unsigned int flags);
CUresult cuTexRefSetAddress(size_t *offset, CUtexref ref, CUdeviceptr address, size_t bytes);
CUresult cuTexRefSetAddress2D(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr address, size_t pitch);
CUresult cuTexRefSetFormat(CUtexref ref, CUarray_format format, int channels);
CUresult cuTexRefSetAddressMode(CUtexref ref, int dim, CUaddress_mode mode);
CUresult cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode);
CUresult cuTexRefSetFlags(CUtexref ref, unsigned int flags);
CUresult cuSurfRefSetArray(CUsurfref ref, CUarray array, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
