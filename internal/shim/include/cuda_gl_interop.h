/* Interoperation with OpenGL ("CUDA Runtime API", "OpenGL Interoperability"):
 * declared, so that programs compile; a call is not supported. */
#ifndef __CUDA_GL_INTEROP_H__
#define __CUDA_GL_INTEROP_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};

enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };

/* A GLuint is an unsigned int, a GLenum too; <GL/gl.h> is not needed. */
cudaError_t cudaGLGetDevices(unsigned int *count, int *devices, unsigned int room, enum cudaGLDeviceList list);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t *resource, unsigned int image, unsigned int target,
                                        unsigned int flags);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t *resource, unsigned int buffer, unsigned int flags);
cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(unsigned int buffer);
cudaError_t cudaGLMapBufferObject(void **devPtr, unsigned int buffer);
cudaError_t cudaGLUnmapBufferObject(unsigned int buffer);
cudaError_t cudaGLUnregisterBufferObject(unsigned int buffer);
cudaError_t cudaGLSetBufferObjectMapFlags(unsigned int buffer, unsigned int flags);
cudaError_t cudaGLMapBufferObjectAsync(void **devPtr, unsigned int buffer, cudaStream_t stream);
cudaError_t cudaGLUnmapBufferObjectAsync(unsigned int buffer, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
