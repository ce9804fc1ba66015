// What the driver API's modules, libraries and kernels share: a library is a
// module and a kernel its function, on the device that uses them.
#pragma once

#include "driver.h"

namespace warpgrind {

CUresult loadModule(const char *api, CUmodule *out, const void *image, unsigned count, CUjit_option *options,
                    void **values);
CUresult checkModule(const char *api, CUmodule m);
CUresult functionOf(const char *api, CUfunction *out, CUmodule m, const char *name);
CUresult globalOf(const char *api, CUdeviceptr *out, size_t *bytes, CUmodule m, const char *name);

} // namespace warpgrind
