/* Graphs of the driver API and capture into them. Part of cuda.h. Reference:
 * "CUDA Driver API", "Graph Management" and "Stream Management". */
#ifndef __WG_DRIVER_GRAPH_H__
#define __WG_DRIVER_GRAPH_H__

/* Functions whose parameters changed between CUDA's versions: the names stand
 * for those of CUDA 12. */
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuGraphClone(CUgraph *clone, CUgraph original);
CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone);
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type);
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, size_t *count);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *dependencies, CUgraphEdgeData *data,
                                       size_t *count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependents, size_t *count);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *dependents, CUgraphEdgeData *data,
                                         size_t *count);
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count);
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count);
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count);
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *data, size_t count);
CUresult cuGraphDestroyNode(CUgraphNode node);
CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags);

/* Nodes */
CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        CUgraphNodeParams *params);
CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *params);
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params);
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *params, CUcontext context);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params);
CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params);
CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count);
CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  CUgraph child);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph);
CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                   CUevent event);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                 CUevent event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                               CUdeviceptr address);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address);
CUresult cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                                size_t count, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode node, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                              size_t count, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode node, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,
                                        unsigned int defaultLaunchValue, unsigned int flags);

/* Executable graphs */
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params);
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags);
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params,
                                        CUcontext context);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
                                        CUcontext context);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                          const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params);
CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                        const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params);
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *enabled);
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info);
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream);
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream);
CUresult cuGraphExecDestroy(CUgraphExec exec);

/* What graphs hold */
CUresult cuUserObjectCreate(CUuserObject *object, void *p, CUhostFn destroy, unsigned int count, unsigned int flags);
CUresult cuUserObjectRetain(CUuserObject object, unsigned int count);
CUresult cuUserObjectRelease(CUuserObject object, unsigned int count);
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags);
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);
CUresult cuDeviceGraphMemTrim(CUdevice device);
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value);
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value);

/* Capture */
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode);
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                const CUgraphNode **dependencies, size_t *count);
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count);
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count,
                                           unsigned int flags);
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                              size_t count, unsigned int flags);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);

#endif
