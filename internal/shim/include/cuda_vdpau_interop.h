/* Interoperation with VDPAU ("CUDA Runtime API", "VDPAU Interoperability"):
 * declared; a call is not supported. */
#ifndef __CUDA_VDPAU_INTEROP_H__
#define __CUDA_VDPAU_INTEROP_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* VdpDevice and the surfaces are 32-bit handles. */
cudaError_t cudaVDPAUGetDevice(int *device, unsigned int vdpDevice, void *getProcAddress);
cudaError_t cudaVDPAUSetVDPAUDevice(int device, unsigned int vdpDevice, void *getProcAddress);
cudaError_t cudaGraphicsVDPAURegisterVideoSurface(cudaGraphicsResource_t *resource, unsigned int surface,
                                                  unsigned int flags);
cudaError_t cudaGraphicsVDPAURegisterOutputSurface(cudaGraphicsResource_t *resource, unsigned int surface,
                                                   unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
