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

#else

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

#endif
