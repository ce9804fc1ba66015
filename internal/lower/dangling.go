package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// A function that stores the address of one of its local variables, or returns it, may leave a pointer behind to what ends with
// it. Only then accesses to local memory are compared with the calls that are under way. To pass an address
// down to a call leaves nothing behind, but where a function calls itself and the call may return what it got.

// noteDangling notes the frame of a function whose addresses may outlive it.
func (e *emitter) noteDangling(index int32) {
	f := e.f
	if index == 0 || f.frameSize == 0 || !e.leavesAddress() {
		return
	}
	d := program.Frame{Func: index, Lo: f.base, Hi: f.base + f.frameSize, Reentrant: f.baseSlot != program.NoSlot}
	for _, v := range e.findFrame().Vars {
		if at, ok := f.locals[v.Depot]; ok && v.Name != "-" && parts[v.Kind] == trace.NoPart {
			d.Vars = append(d.Vars, trace.Variable{Name: v.Name, Addr: at + v.Offset, Size: v.Type.Size, Type: v.Type})
		}
	}
	e.u.prog.Frames = append(e.u.prog.Frames, d)
}

// leavesAddress reports whether the function stores the address of a local variable in memory, or returns it.
func (e *emitter) leavesAddress() bool {
	s := e.sets()
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			if in.Kind() == inst.Store && len(in.Args) == 2 && e.isLocal(s, in.Args[1]) && (e.f.reentrant || !e.passes(in)) {
				return true
			}
		}
	}
	return false
}

// isLocal reports whether a value may be the address of one of the function's own variables.
func (e *emitter) isLocal(s *objectSets, o ptx.Operand) bool {
	set := e.objectsIn(s, o)
	for i := range s.list {
		if set>>i&1 != 0 && s.list[i].space == trace.SpaceLocal && !s.list[i].fixed {
			return true
		}
	}
	return false
}

// passes reports whether in is a store to a parameter that is not the function's own result: one of a call.
func (e *emitter) passes(in *ptx.Instr) bool {
	if !in.OnParam(inst.Store) {
		return false
	}
	k, ok := e.paramKey(in.Args[0])
	return ok && !slices.ContainsFunc(e.f.g.PTX.Ret, func(v *ptx.Variable) bool { return v.Name == k.param })
}
