/* Interoperation of the driver API with OpenGL: declared; a call is not
 * supported. */
#ifndef CUDAGL_H
#define CUDAGL_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, unsigned int buffer, unsigned int flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *resource, unsigned int image, unsigned int target,
                                   unsigned int flags);
CUresult cuGLCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);

#ifdef __cplusplus
}
#endif

#endif
