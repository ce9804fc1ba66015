/* Interoperation of the driver API with OpenGL: declared; a call is not
 * supported. */
#ifndef CUDAGL_H
#define CUDAGL_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CUgraphicsResource_st *CUgraphicsResource;

CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, unsigned int buffer, unsigned int flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *resource, unsigned int image, unsigned int target,
                                   unsigned int flags);
CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource);
CUresult cuGraphicsMapResources(unsigned int count, CUgraphicsResource *resources, CUstream stream);
CUresult cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource *resources, CUstream stream);
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *address, size_t *size, CUgraphicsResource resource);
CUresult cuGraphicsSubResourceGetMappedArray(CUarray *array, CUgraphicsResource resource, unsigned int index,
                                             unsigned int level);
CUresult cuGLCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);

#ifdef __cplusplus
}
#endif

#endif
