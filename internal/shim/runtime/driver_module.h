// What the driver API's modules, libraries and kernels share: a library is a
// module and a kernel its function, on the device that uses them.
#pragma once

#include "driver.h"

namespace warpgrind {

cudaError_t loadModule(const char *api, CUmodule *out, const void *image, unsigned count, CUjit_option *options,
                    void **values);
cudaError_t checkModule(const char *api, CUmodule m);
cudaError_t functionOf(const char *api, CUfunction *out, CUmodule m, const char *name);
cudaError_t globalOf(const char *api, CUdeviceptr *out, size_t *bytes, CUmodule m, const char *name);

} // namespace warpgrind
