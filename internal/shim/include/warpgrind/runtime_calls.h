/* Functions of the runtime API since CUDA 12 and those that programs rarely
 * call. Part of cuda_runtime_api.h. Reference: "CUDA Runtime API". */
#ifndef __WG_RUNTIME_CALLS_H__
#define __WG_RUNTIME_CALLS_H__

/* Libraries */
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions,
                                void **jitOptionValues, unsigned int numJitOptions, enum cudaLibraryOption *options,
                                void **optionValues, unsigned int numOptions);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, enum cudaJitOption *jitOptions,
                                    void **jitOptionValues, unsigned int numJitOptions,
                                    enum cudaLibraryOption *options, void **optionValues, unsigned int numOptions);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int count, cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void **devPtr, size_t *bytes, cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryGetManaged(void **devPtr, size_t *bytes, cudaLibrary_t library, const char *name);
cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *symbol);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device);

/* Memory */
cudaError_t cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                 struct cudaMemcpyAttributes *attrs, size_t *attrIndexes, size_t numAttrs,
                                 size_t *failed, cudaStream_t stream);
cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *list, size_t *failed,
                                   unsigned long long flags, cudaStream_t stream);
cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements, cudaArray_t array,
                                           int device);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements,
                                                    cudaMipmappedArray_t array, int device);
cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties, cudaArray_t array);
cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                  cudaMipmappedArray_t array);
cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned int index);

/* Names with a version */
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device);
cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaSignalExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *semaphores,
                                                 const struct cudaExternalSemaphoreSignalParams *params,
                                                 unsigned int count, cudaStream_t stream __dv(0));
cudaError_t cudaWaitExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *semaphores,
                                               const struct cudaExternalSemaphoreWaitParams *params,
                                               unsigned int count, cudaStream_t stream __dv(0));

/* Graphs whose edges have data */
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *data, size_t numDependencies,
                                struct cudaGraphNodeParams *params);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *data, size_t *numEdges);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                            cudaGraphEdgeData *data, size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                              cudaGraphEdgeData *data, size_t *count);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *data, size_t numDependencies);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *data, size_t numDependencies);
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id __dv(0), cudaGraph_t *graph __dv(0),
                                        const cudaGraphNode_t **dependencies __dv(0),
                                        const cudaGraphEdgeData **data __dv(0), size_t *numDependencies __dv(0));
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *data, size_t numDependencies,
                                                   unsigned int flags __dv(0));

/* Nodes of graphs */
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                 size_t count, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                   size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
                                                     const void *src, size_t count, size_t offset,
                                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                                       const void *symbol, size_t count, size_t offset,
                                                       enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                     const cudaGraphNode_t *dependencies, size_t numDependencies,
                                                     const struct cudaExternalSemaphoreSignalNodeParams *params);
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t node,
                                                           struct cudaExternalSemaphoreSignalNodeParams *params);
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t node,
                                                           const struct cudaExternalSemaphoreSignalNodeParams *params);
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                               const struct cudaExternalSemaphoreSignalNodeParams *params);
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                   const cudaGraphNode_t *dependencies, size_t numDependencies,
                                                   const struct cudaExternalSemaphoreWaitNodeParams *params);
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t node,
                                                         struct cudaExternalSemaphoreWaitNodeParams *params);
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t node,
                                                         const struct cudaExternalSemaphoreWaitNodeParams *params);
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                             const struct cudaExternalSemaphoreWaitNodeParams *params);

#endif
