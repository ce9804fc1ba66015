package warp

// A Warp is the state of its lanes; what works on one side of it has the methods
// for that. Each unit is the warp itself, seen from that side.
type (
	// memoryUnit carries out loads, stores and atomics, and reports them as events.
	memoryUnit struct{ *Warp }
	// accessFaults decides what an invalid access means: a fault, a defect, or lanes
	// that read zeros.
	accessFaults struct{ *Warp }
	// textureUnit reads textures and surfaces.
	textureUnit struct{ *Warp }
	// deviceRuntime has the functions that device code calls: printf, malloc, child
	// grids, math.
	deviceRuntime struct{ *Warp }
	// taintTracker follows undefined bits through registers and memory.
	taintTracker struct{ *Warp }
	// syncUnit performs shuffles, votes and the other operations with a member mask.
	syncUnit struct{ *Warp }
	// barrierUnit brings lanes to the block's barriers.
	barrierUnit struct{ *Warp }
	// divergence keeps the groups of lanes that run apart, and where they reconverge.
	divergence struct{ *Warp }
	// callStack enters functions and returns from them.
	callStack struct{ *Warp }
	// asyncUnit lands asynchronous copies and finds the mbarriers they complete on.
	asyncUnit struct{ *Warp }
	// productUnit has the products of warpgroups: operands in shared memory, groups, order.
	productUnit struct{ *Warp }
	// tensorUnit executes the instructions of tensor memory.
	tensorUnit struct{ *Warp }
	// nativeUnit enters native code and takes over what it did.
	nativeUnit struct{ *Warp }
)

func (w *Warp) memory() memoryUnit     { return memoryUnit{w} }
func (w *Warp) refusals() accessFaults { return accessFaults{w} }
func (w *Warp) textures() textureUnit  { return textureUnit{w} }
func (w *Warp) runtime() deviceRuntime { return deviceRuntime{w} }
func (w *Warp) taints() taintTracker   { return taintTracker{w} }
func (w *Warp) collectives() syncUnit  { return syncUnit{w} }
func (w *Warp) barriers() barrierUnit  { return barrierUnit{w} }
func (w *Warp) divergence() divergence { return divergence{w} }
func (w *Warp) stack() callStack       { return callStack{w} }
func (w *Warp) copies() asyncUnit      { return asyncUnit{w} }
func (w *Warp) generated() nativeUnit  { return nativeUnit{w} }
