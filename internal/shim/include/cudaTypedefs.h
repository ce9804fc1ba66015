/* Types of the driver API's functions, for cuGetProcAddress: PFN_ and the name
 * for the form that the version of CUDA has, and with the version that brought it. */
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include "cuda.h"
#include "warpgrind/driver_pfn.h"

typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char *, void **, int, cuuint64_t);
typedef __typeof__(&cuCtxCreate_v3) PFN_cuCtxCreate_v11040;
typedef __typeof__(&cuStreamGetCtx_v2) PFN_cuStreamGetCtx_v12050;

/* What has two forms; the types of the old ones are in driver13.h. */
#if CUDA_VERSION >= 13000
#define __WG_PFN(name, was, newer, version) \
  typedef __typeof__(&newer) PFN_##name##_v##version, PFN_##name;
#else
#define __WG_PFN(name, was, newer, version)            \
  typedef __typeof__(&newer) PFN_##name##_v##version;  \
  typedef PFN_##name##_v##was PFN_##name;
#endif
__WG_PFN(cuCtxCreate, 3020, cuCtxCreate_v4, 12050)
__WG_PFN(cuGraphAddDependencies, 10000, cuGraphAddDependencies_v2, 12030)
__WG_PFN(cuGraphAddNode, 12020, cuGraphAddNode_v2, 12030)
__WG_PFN(cuGraphGetEdges, 10000, cuGraphGetEdges_v2, 12030)
__WG_PFN(cuGraphNodeGetDependencies, 10000, cuGraphNodeGetDependencies_v2, 12030)
__WG_PFN(cuGraphNodeGetDependentNodes, 10000, cuGraphNodeGetDependentNodes_v2, 12030)
__WG_PFN(cuGraphRemoveDependencies, 10000, cuGraphRemoveDependencies_v2, 12030)
__WG_PFN(cuMemAdvise, 8000, cuMemAdvise_v2, 12020)
__WG_PFN(cuMemcpyBatchAsync, 12080, cuMemcpyBatchAsync_v2, 13000)
__WG_PFN(cuMemPrefetchAsync, 8000, cuMemPrefetchAsync_v2, 12020)
__WG_PFN(cuStreamGetCaptureInfo, 11030, cuStreamGetCaptureInfo_v3, 12030)
__WG_PFN(cuStreamUpdateCaptureDependencies, 11030, cuStreamUpdateCaptureDependencies_v2, 12030)
#undef __WG_PFN

#endif
