// What the driver API's modules, libraries and kernels share: a library is a
// module and a kernel its function, on the device that uses them.
#pragma once

#include "driver.h"

namespace warpgrind {

// Loads a module from PTX text, a fat binary or warpgrind's blob; what is wrong with it
// goes to the logs that the options name. cudaErrorInvalidKernelImage where the image has
// no code for the device.
cudaError_t loadModule(CUmodule *out, const void *image, unsigned count, CUjit_option *options, void **values);

// Reports cudaErrorInvalidResourceHandle unless the module is loaded.
cudaError_t checkModule(CUmodule m);

// A kernel and a variable (its address and its size in bytes) of a module by name;
// CUDA_ERROR_NOT_FOUND if there is none. out and bytes of a variable may be null.
cudaError_t functionOf(CUfunction *out, CUmodule m, const char *name);
cudaError_t globalOf(CUdeviceptr *out, size_t *bytes, CUmodule m, const char *name);

} // namespace warpgrind
