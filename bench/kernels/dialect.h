/* One source for CUDA and OpenCL C: the words in which the two differ. */
#ifdef __OPENCL_VERSION__

#define KERNEL __kernel void
#define GLOBAL __global
#define LOCAL __local
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define TX ((int)get_local_id(0))
#define TY ((int)get_local_id(1))
#define BX ((int)get_group_id(0))
#define BY ((int)get_group_id(1))
#define BLOCK ((int)get_local_size(0))
#define BLOCKS ((int)get_num_groups(0))
#define ATOMIC_ADD(p, v) atomic_add(p, v)
#define ATOMIC_CAS(p, was, v) atomic_cmpxchg(p, was, v)
#define ATOMIC_XCHG(p, v) atomic_xchg(p, v)
#define SQRT(x) sqrt(x)
#define sqrtf(x) sqrt(x)
#define RSQRT(x) rsqrt(x)
#define EXP(x) exp(x)
#define LOG(x) log(x)
#define ABS(x) fabs(x)
#define VEC4(p) (*(GLOBAL float4 *)(p))
/* Without sub-groups, which OpenCL 1.2 does not have, the threads of a warp exchange values in local memory: the
 * whole block must call these, with an array of a word for each thread. */
#define EXCHANGE(words) LOCAL int words[LINE_BLOCK]
inline float warp_sum(float v, LOCAL float *words)
{
  for (int d = WARP / 2; d > 0; d /= 2) {
    words[TX] = v;
    BARRIER();
    v += words[TX ^ d];
    BARRIER();
  }
  return v;
}
inline unsigned ballot(int p, LOCAL int *words)
{
  if (TX % WARP == 0) words[TX / WARP] = 0;
  BARRIER();
  if (p) atomic_or(&words[TX / WARP], (int)(1u << TX % WARP));
  BARRIER();
  unsigned mask = (unsigned)words[TX / WARP];
  BARRIER();
  return mask;
}
#define WARP_SUM(v, words) warp_sum(v, (LOCAL float *)(words))
#define BALLOT(p, words) ballot(p, words)
#define POPC(x) ((int)popcount(x))
/* Copies to shared memory are made at once; a barrier is all that there is to wait for. */
#define COPY4(to, from) (*(LOCAL float4 *)(to) = *(GLOBAL const float4 *)(from))
#define COPIED() ((void)0)
#define AWAIT(n) ((void)0)
#define PHASES(bar)
#define PHASES_INIT(bar)
#define PHASE(bar) BARRIER()

#else

#include <cuda/barrier>
#include <cuda_pipeline.h>

#define KERNEL __global__ void
#define GLOBAL
#define LOCAL __shared__
#define BARRIER() __syncthreads()
#define FENCE() __threadfence()
#define TX ((int)threadIdx.x)
#define TY ((int)threadIdx.y)
#define BX ((int)blockIdx.x)
#define BY ((int)blockIdx.y)
#define BLOCK ((int)blockDim.x)
#define BLOCKS ((int)gridDim.x)
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define ATOMIC_CAS(p, was, v) atomicCAS(p, was, v)
#define ATOMIC_XCHG(p, v) atomicExch(p, v)
#define SQRT(x) sqrtf(x)
#define RSQRT(x) rsqrtf(x)
#define EXP(x) expf(x)
#define LOG(x) logf(x)
#define ABS(x) fabsf(x)
#define VEC4(p) (*(float4 *)(p))
#define EXCHANGE(words)
static __device__ float warp_sum(float v) {
  for (int d = WARP / 2; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}
#define WARP_SUM(v, words) warp_sum(v)
#define BALLOT(p, words) __ballot_sync(~0u, p)
#define POPC(x) __popc(x)
#define COPY4(to, from) __pipeline_memcpy_async(to, from, 16)
#define COPIED() __pipeline_commit()
#define AWAIT(n) __pipeline_wait_prior(n)
#define PHASES(bar) __shared__ cuda::barrier<cuda::thread_scope_block> bar
#define PHASES_INIT(bar) \
  if (threadIdx.x == 0) init(&bar, blockDim.x); \
  __syncthreads()
#define PHASE(bar) bar.arrive_and_wait()

#endif
