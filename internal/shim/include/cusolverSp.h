/* cuSOLVER for sparse matrices: its types and the names of its functions, so that
 * programs compile and link. The library is not included: a call is not supported. */
#ifndef CUSOLVERSP_H_
#define CUSOLVERSP_H_

#include "cusolver_common.h"
#include "cusparse.h"

typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;

#define __WG_RESULT cusolverStatus_t
#include "warpgrind/library_calls.h"
__WG_C_API(cusolverSpCreate)
__WG_C_API(cusolverSpDestroy)
__WG_C_API(cusolverSpSetStream)
__WG_C_API(cusolverSpGetStream)
__WG_C_API(cusolverSpXcsrissymHost)
__WG_C_API(cusolverSpXcsrsymrcmHost)
__WG_C_API(cusolverSpXcsrsymmdqHost)
__WG_C_API(cusolverSpXcsrsymamdHost)
__WG_C_API(cusolverSpXcsrmetisndHost)
__WG_C_API(cusolverSpXcsrperm_bufferSizeHost)
__WG_C_API(cusolverSpXcsrpermHost)
__WG_C_API(cusolverSpCreateCsrqrInfo)
__WG_C_API(cusolverSpDestroyCsrqrInfo)
__WG_C_API(cusolverSpXcsrqrAnalysisBatched)
__WG_C_API(cusolverSpScsrlsvluHost)
__WG_C_API(cusolverSpScsrlsvqr)
__WG_C_API(cusolverSpScsrlsvqrHost)
__WG_C_API(cusolverSpScsrlsvchol)
__WG_C_API(cusolverSpScsrlsvcholHost)
__WG_C_API(cusolverSpScsrlsqvqrHost)
__WG_C_API(cusolverSpScsreigvsi)
__WG_C_API(cusolverSpScsreigvsiHost)
__WG_C_API(cusolverSpScsreigsHost)
__WG_C_API(cusolverSpScsrzfdHost)
__WG_C_API(cusolverSpScsrqrBufferInfoBatched)
__WG_C_API(cusolverSpScsrqrsvBatched)
__WG_C_API(cusolverSpDcsrlsvluHost)
__WG_C_API(cusolverSpDcsrlsvqr)
__WG_C_API(cusolverSpDcsrlsvqrHost)
__WG_C_API(cusolverSpDcsrlsvchol)
__WG_C_API(cusolverSpDcsrlsvcholHost)
__WG_C_API(cusolverSpDcsrlsqvqrHost)
__WG_C_API(cusolverSpDcsreigvsi)
__WG_C_API(cusolverSpDcsreigvsiHost)
__WG_C_API(cusolverSpDcsreigsHost)
__WG_C_API(cusolverSpDcsrzfdHost)
__WG_C_API(cusolverSpDcsrqrBufferInfoBatched)
__WG_C_API(cusolverSpDcsrqrsvBatched)
__WG_C_API(cusolverSpCcsrlsvluHost)
__WG_C_API(cusolverSpCcsrlsvqr)
__WG_C_API(cusolverSpCcsrlsvqrHost)
__WG_C_API(cusolverSpCcsrlsvchol)
__WG_C_API(cusolverSpCcsrlsvcholHost)
__WG_C_API(cusolverSpCcsrlsqvqrHost)
__WG_C_API(cusolverSpCcsreigvsi)
__WG_C_API(cusolverSpCcsreigvsiHost)
__WG_C_API(cusolverSpCcsreigsHost)
__WG_C_API(cusolverSpCcsrzfdHost)
__WG_C_API(cusolverSpCcsrqrBufferInfoBatched)
__WG_C_API(cusolverSpCcsrqrsvBatched)
__WG_C_API(cusolverSpZcsrlsvluHost)
__WG_C_API(cusolverSpZcsrlsvqr)
__WG_C_API(cusolverSpZcsrlsvqrHost)
__WG_C_API(cusolverSpZcsrlsvchol)
__WG_C_API(cusolverSpZcsrlsvcholHost)
__WG_C_API(cusolverSpZcsrlsqvqrHost)
__WG_C_API(cusolverSpZcsreigvsi)
__WG_C_API(cusolverSpZcsreigvsiHost)
__WG_C_API(cusolverSpZcsreigsHost)
__WG_C_API(cusolverSpZcsrzfdHost)
__WG_C_API(cusolverSpZcsrqrBufferInfoBatched)
__WG_C_API(cusolverSpZcsrqrsvBatched)
#undef __WG_C_API
#undef __WG_RESULT

#endif
