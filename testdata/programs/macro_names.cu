// flags: --std c++17 -D A=1 -D B=1 -D C=1 -D D=1 -D E=1 -D F=1 -D G=1 -D H=1 -D I=1 -D J=1 -D K=1 -D L=1 -D M=1 -D N=1 -D O=1 -D P=1 -D Q=1 -D R=1 -D S=1 -D T=1 -D U=1 -D V=1 -D W=1 -D X=1 -D Y=1 -D Z=1 -D SIZE=1 -D BLOCK=1 -D BLOCKS=1 -D THREADS=1 -D WIDTH=1 -D HEIGHT=1 -D DEPTH=1 -D TILE=1 -D TILES=1 -D ROWS=1 -D COLS=1 -D COUNT=1 -D LENGTH=1 -D NUM=1 -D DIM=1 -D RADIUS=1 -D STRIDE=1 -D LANES=1 -D WARP=1 -D STEPS=1 -D DATA=1 -D TYPE=1 -D REAL=1 -D FLOAT=1 -D INDEX=1 -D ARG=1 -D ARGS=1 -D FN=1 -D OP=1 -D ALIGN=1 -D BYTES=1 -D BITS=1 -D HI=1 -D LO=1 -D PTR=1 -D VAL=1 -D KEY=1 -D EPS=1 -D PI=1 -D DEBUG=1 -D VERBOSE=1 -D HOST=1 -D DEVICE=1 -D GRID=1 -D NX=1 -D NY=1 -D NZ=1 -D TX=1 -D TY=1 -D BX=1 -D BY=1
// Every header, where the program uses short and common names for macros.
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <common_functions.h>
#include <cooperative_groups.h>
#include <cooperative_groups/async.h>
#include <cooperative_groups/details/async.h>
#include <cooperative_groups/details/coalesced_reduce.h>
#include <cooperative_groups/details/coalesced_scan.h>
#include <cooperative_groups/details/helpers.h>
#include <cooperative_groups/details/info.h>
#include <cooperative_groups/details/partitioning.h>
#include <cooperative_groups/details/reduce.h>
#include <cooperative_groups/details/scan.h>
#include <cooperative_groups/details/sync.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <crt/device_functions.h>
#include <crt/host_config.h>
#include <crt/host_defines.h>
#include <crt/math_functions.h>
#include <crt/mma.h>
#include <crt/sm_70_rt.hpp>
#include <cuComplex.h>
#include <cublas.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/cinttypes>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/compare>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/ctime>
#include <cuda/std/exception>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/latch>
#include <cuda/std/limits>
#include <cuda/std/memory>
#include <cuda/std/new>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ranges>
#include <cuda/std/ratio>
#include <cuda/std/semaphore>
#include <cuda/std/source_location>
#include <cuda/std/span>
#include <cuda/std/string_view>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>
#include <cuda/std/version>
#include <cuda/version>
#include <cudaGL.h>
#include <cudaProfiler.h>
#include <cudaTypedefs.h>
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_helpers.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_device_runtime_api.h>
#include <cuda_fp16.h>
#include <cuda_fp16.hpp>
#include <cuda_fp8.h>
#include <cuda_gl_interop.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_helpers.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <cuda_stdint.h>
#include <cuda_surface_types.h>
#include <cuda_texture_types.h>
#include <cuda_vdpau_interop.h>
#include <cuda_version.h>
#include <cudart_platform.h>
#include <cufft.h>
#include <cufftw.h>
#include <curand.h>
#include <curand_globals.h>
#include <curand_kernel.h>
#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_uniform.h>
#include <cusolverDn.h>
#include <cusolver_common.h>
#include <cusparse.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <device_types.h>
#include <driver_functions.h>
#include <driver_types.h>
#include <host_config.h>
#include <host_defines.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <math_functions.hpp>
#include <mma.h>
#include <nccl.h>
#include <nv/target>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#include <nvToolsExtSync.h>
#include <nvfunctional>
#include <nvml.h>
#include <nvrtc.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
#include <omp.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <surface_functions.h>
#include <surface_indirect_functions.h>
#include <surface_types.h>
#include <texture_fetch_functions.h>
#include <texture_indirect_functions.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_functions.hpp>
#include <vector_types.h>

#include <cstdio>

// The names of macros work as such, also as arguments of templates.
template <int COUNTED> __global__ void add(int *out) { out[threadIdx.x] += COUNTED + N + SIZE; }

int main() {
    int *data, host[32];
    if (cudaMalloc(&data, sizeof host) != cudaSuccess || cudaMemset(data, 0, sizeof host) != cudaSuccess) return 1;
    add<T><<<A, 32 * B>>>(data);
    if (cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int v : host)
        if (v != 3) return puts("FAIL"), 1;
    cudaFree(data);
    puts("PASS");
}
