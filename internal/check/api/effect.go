package api

// effect is what a failed call means for the rest of the program.
type effect int

const (
	// goesOn is for calls without a more precise effect.
	goesOn effect = iota
	noMemory
	noTransfer
	noFree
	noLaunch
	noHandle
	noWait
	noDevice
)

var effectTexts = [...]string{
	goesOn:     "the call had no effect, and the program continues as if it had succeeded",
	noMemory:   "nothing was allocated: the pointer keeps its old value",
	noTransfer: "nothing was written: the destination keeps its old contents",
	noFree:     "nothing was freed",
	noLaunch:   "the kernel does not run: its output keeps its old contents",
	noHandle:   "nothing was created: the handle keeps its old value",
	noDevice:   "the device did not change: later calls use the one that was current before",
	noWait:     "the host may not have waited for the device",
}

func (e effect) text() string { return effectTexts[e] }

// effects are those of the API functions, by name, without versions.
var effects = func() map[string]effect {
	m := map[string]effect{}
	for e, names := range map[effect][]string{
		noMemory: {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocPitch", "cudaMalloc3D",
			"cudaMallocArray", "cudaMalloc3DArray", "cudaMallocMipmappedArray", "cudaMallocAsync", "cudaMallocFromPoolAsync",
			"cuMemAlloc", "cuMemAllocManaged", "cuMemAllocHost", "cuMemHostAlloc", "cuMemAllocPitch", "cuMemAllocAsync",
			"cuMemAllocFromPoolAsync", "cuArrayCreate", "cuArray3DCreate", "cuMipmappedArrayCreate", "cuMemCreate"},
		noTransfer: {"cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemcpy2DAsync", "cudaMemcpy3D", "cudaMemcpy3DAsync",
			"cudaMemcpyPeer", "cudaMemcpyPeerAsync", "cudaMemcpy3DPeer", "cudaMemcpy3DPeerAsync", "cudaMemcpyToSymbol",
			"cudaMemcpyToSymbolAsync", "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync", "cudaMemcpyToArray",
			"cudaMemcpyFromArray", "cudaMemcpy2DToArray", "cudaMemcpy2DToArrayAsync", "cudaMemcpy2DFromArray",
			"cudaMemcpy2DFromArrayAsync", "cudaMemset", "cudaMemsetAsync", "cudaMemset2D", "cudaMemset2DAsync", "cudaMemset3D",
			"cudaMemset3DAsync", "cuMemcpy", "cuMemcpyAsync", "cuMemcpyHtoD", "cuMemcpyHtoDAsync", "cuMemcpyDtoH",
			"cuMemcpyDtoHAsync", "cuMemcpyDtoD", "cuMemcpyDtoDAsync", "cuMemcpy2D", "cuMemcpy2DAsync", "cuMemcpy2DUnaligned",
			"cuMemcpy3D", "cuMemcpy3DAsync", "cuMemcpyPeer", "cuMemcpyPeerAsync", "cuMemsetD8", "cuMemsetD8Async", "cuMemsetD16",
			"cuMemsetD16Async", "cuMemsetD32", "cuMemsetD32Async", "cuMemsetD2D8", "cuMemsetD2D16", "cuMemsetD2D32"},
		noFree: {"cudaFree", "cudaFreeHost", "cudaFreeArray", "cudaFreeMipmappedArray", "cudaFreeAsync", "cuMemFree", "cuMemFreeHost",
			"cuMemFreeAsync", "cuArrayDestroy", "cuMemRelease"},
		noLaunch: {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchKernelEx", "cudaLaunchCooperativeKernel", "cudaLaunch",
			"cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel", "cuLaunchGrid", "cuLaunchGridAsync", "cuLaunch"},
		noHandle: {"cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cudaEventCreate",
			"cudaEventCreateWithFlags", "cudaGraphCreate", "cudaGraphInstantiate", "cudaCreateTextureObject", "cudaCreateSurfaceObject",
			"cuStreamCreate", "cuStreamCreateWithPriority", "cuEventCreate", "cuCtxCreate", "cuModuleLoad", "cuModuleLoadData",
			"cuModuleLoadDataEx", "cuModuleLoadFatBinary", "cuModuleGetFunction", "cuModuleGetGlobal", "cuTexObjectCreate", "cuSurfObjectCreate"},
		noDevice: {"cudaSetDevice", "cuCtxSetCurrent", "cuCtxPushCurrent"},
		noWait: {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaStreamWaitEvent", "cudaEventRecord",
			"cudaThreadSynchronize", "cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize", "cuStreamWaitEvent", "cuEventRecord"},
	} {
		for _, n := range names {
			m[n] = e
		}
	}
	return m
}()

func effectOf(call string) effect { return effects[call] }

// isDependedOn reports whether what a program does later depends on a call: on the memory, the
// handle or the device that it should have set. Other rules report transfers, frees and launches
// that fail.
func isDependedOn(call string) bool {
	e := effectOf(call)
	return e == noMemory || e == noHandle || e == noDevice
}
