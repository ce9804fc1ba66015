package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// What an emitter lowers falls into units; each is the emitter, seen from that
// side.
type (
	// arithEmitter lowers moves and computations on registers.
	arithEmitter struct{ *emitter }
	// memoryEmitter lowers loads, stores, atomics, fences and conversions of addresses.
	memoryEmitter struct{ *emitter }
	// stackEmitter lowers what needs local memory of a function: frames, parameters
	// whose address is taken.
	stackEmitter struct{ *emitter }
	// callEmitter lowers calls and returns.
	callEmitter struct{ *emitter }
	// syncEmitter lowers barriers and warp-level operations.
	syncEmitter struct{ *emitter }
	// asyncEmitter lowers asynchronous copies and mbarriers.
	asyncEmitter struct{ *emitter }
	// tensorEmitter lowers the operations on matrices.
	tensorEmitter struct{ *emitter }
	// textureEmitter lowers texture and surface instructions.
	textureEmitter struct{ *emitter }
	// provenance finds the objects that an address is computed from.
	provenance struct{ *emitter }
)

func (e *emitter) arith() arithEmitter    { return arithEmitter{e} }
func (e *emitter) memory() memoryEmitter  { return memoryEmitter{e} }
func (e *emitter) async() asyncEmitter    { return asyncEmitter{e} }
func (e *emitter) stack() stackEmitter    { return stackEmitter{e} }
func (e *emitter) calls() callEmitter     { return callEmitter{e} }
func (e *emitter) sync() syncEmitter      { return syncEmitter{e} }
func (e *emitter) provenance() provenance { return provenance{e} }

// on makes a lowering of a unit's method.
func on[U ~struct{ *emitter }](f func(U, *ptx.Instr, *cfg.Block) error) lowering {
	return func(e *emitter, in *ptx.Instr, b *cfg.Block) error { return f(U{e}, in, b) }
}
