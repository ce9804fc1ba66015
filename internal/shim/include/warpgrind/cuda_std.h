/* cuda::std takes the host's standard library, which is compiled for the device
 * as well: constexpr functions are anyway, and most other headers are read as if
 * all in them were. What is declared in cuda::std itself (atomics, barriers)
 * comes first in name lookup. */
#ifndef __WARPGRIND_CUDA_STD_H__
#define __WARPGRIND_CUDA_STD_H__

#include "../cuda_runtime.h"

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda

#endif
