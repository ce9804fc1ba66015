package static

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Access is one access to shared or global memory in a kernel.
type Access struct {
	Value *ssa.Value
	Mem   *ssa.Mem
	// Reads and Writes say what it does; both for an atomic operation.
	Reads, Writes, Atomic bool
	// Root is the variable or parameter that the address comes from, nil where
	// there is none or more than one.
	Root *ssa.Value
	// Local is the local variable, nil for accesses to memory that threads share.
	Local *cfg.Local
	// variables are those that the address may be in, nil where that is not known.
	variables []*ssa.Object
	// ThreadInvariant is set if the address is the same for all threads that
	// execute the access together. InvariantLoops is in how many of the Loops
	// around it the address is the same in all rounds (GRace, Algorithm 1).
	ThreadInvariant       bool
	Loops, InvariantLoops int

	index int // among the kernel's accesses
}

// Name is the root's name as PTX has it, "" where there is none.
func (a *Access) Name() string {
	switch {
	case a.Root == nil:
		return ""
	case a.Root.Op == ssa.Addr:
		return a.Root.Object.Name
	}
	return a.Root.Name
}

// kernel is what all queries about a kernel share.
type kernel struct {
	f        *ssa.Func
	accesses []*Access
	isRoot   map[int]bool
	places   map[*ssa.Object]uint64
	placed   uint64 // the end of the last of them
	params   map[string]int
	rounds   map[uint32]*solve.Term
	named    map[string]*solve.Term
	terms    *solve.Interner
	post     *tree // of post-dominators, once it is asked for
	// assumes are what the program assumes.
	assumes []*ssa.Value
	// causes says of each opaque variable why its value is not known.
	causes map[string]cause
	// soon are conditions on which loops end before their counters run around, by the names of their rounds.
	soon map[string][]*solve.Term
	// writesTo are the roots that the kernel writes to, nil among them for an
	// unknown one.
	writesTo map[any]bool
	// ordered is set if something beside barriers may order accesses.
	ordered string
	// hidden is set if there are accesses that are not seen, and barrier if
	// there may be such a barrier.
	hidden  string
	barrier bool
}

func newKernel(f *ssa.Func) *kernel {
	k := &kernel{f: f, isRoot: map[int]bool{}, places: map[*ssa.Object]uint64{}, placed: 2 * farApart, params: map[string]int{},
		causes: map[string]cause{}, rounds: map[uint32]*solve.Term{}, named: map[string]*solve.Term{}, terms: solve.NewInterner(), writesTo: map[any]bool{}, soon: map[string][]*solve.Term{}, assumes: assumptions(f)}
	for i, p := range f.PTX.Params {
		k.params[p.Name] = i
	}
	pointers := f.Pointers()
	fence, signals := false, false
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range accessesOf(v) {
				k.findRoots(a, pointers)
				a.index = len(k.accesses)
				k.accesses = append(k.accesses, a)
			}
			k.noteOrder(v)
			k.noteHidden(v)
			fence = fence || v.Op == ssa.Fence
		}
	}
	for _, a := range k.accesses {
		signals = signals || strong(a)
	}
	if fence && signals {
		k.ordered = "a memory fence"
	}
	return k
}

// accessesOf are the accesses of a value to shared or global memory.
func accessesOf(v *ssa.Value) []*Access {
	if v.Mem == nil {
		return accessesAnywhere(v)
	}
	var out []*Access
	if watched(v.Mem.Space) {
		out = append(out, &Access{Value: v, Mem: v.Mem, Reads: v.Reads(), Writes: v.Writes(), Atomic: v.IsAtomic()})
	}
	if v.Mem2 != nil && watched(v.Mem2.Space) {
		out = append(out, &Access{Value: v, Mem: v.Mem2, Reads: true})
	}
	return out
}

// accessesAnywhere are the accesses of an operation of which only the spaces are
// known: one to each.
func accessesAnywhere(v *ssa.Value) (out []*Access) {
	if v.Op != ssa.Effect {
		return nil
	}
	for _, s := range []struct {
		set   inst.Spaces
		space ptx.Space
	}{{inst.Shared, ptx.Shared}, {inst.Global, ptx.Global}} {
		if v.Does.Touches()&s.set != 0 {
			out = append(out, &Access{Value: v, Mem: &ssa.Mem{Space: s.space},
				Reads: v.Does.Reads&s.set != 0, Writes: v.Does.Writes&s.set != 0})
		}
	}
	return out
}

func watched(s ptx.Space) bool { return s == ptx.Shared || s == ptx.Global || s == ptx.NoSpace }

// noteOrder notes what orders threads beside the barriers of the whole block:
// ordered operations, barriers of a part of the block, and what is not
// understood. A fence does together with volatile, relaxed or atomic accesses
// that others look at, and by itself orders no threads (PTX ISA, section "Memory
// Consistency Model", synchronizes-with).
func (k *kernel) noteOrder(v *ssa.Value) {
	switch {
	case v.Op == ssa.OpBarrier && !wholeBlock(v):
		k.ordered = "a barrier for only some threads of the block"
	case v.Op == ssa.OpCall && v.Call.Barrier:
		k.ordered, k.barrier = "a barrier in a function that is not looked into", true
	case v.Op == ssa.Effect && v.Does.Effect().Has(inst.Waits):
		k.ordered = "mbarrier operations"
	case v.Mem != nil && slices.Contains([]string{"acquire", "release", "acq_rel"}, v.Mem.Order):
		k.ordered = "acquire and release operations"
	}
}

// noteHidden notes calls of functions that are not looked into and access memory.
func (k *kernel) noteHidden(v *ssa.Value) {
	if v.Op == ssa.OpCall && (v.Call.Shared || v.Call.Global) {
		k.hidden = "accesses in a function that is not looked into (" + v.Call.Why + ")"
		k.writesTo[nil] = true
	}
}

// wholeBlock reports whether v is a barrier that all threads of the block wait at.
func wholeBlock(v *ssa.Value) bool {
	return v.Op == ssa.OpBarrier && v.Bar.WholeBlock()
}

// fullWarp reports whether v is a __syncwarp of all lanes that a warp of the launch has.
func fullWarp(v *ssa.Value, l Launch) bool {
	if v.Op != ssa.WarpSync {
		return false
	}
	all := ^uint32(0)
	if n := uint64(l.Block[0]) * uint64(l.Block[1]) * uint64(l.Block[2]); n > 0 && n < 32 {
		all = 1<<n - 1
	}
	mask, ok := v.Args[0].IsConst()
	return ok && uint32(mask)&all == all
}

// unwritten reports whether v is a load from a place that the kernel surely does not write:
// read-only memory, or a variable whose name no store has, if no store is
// through an unknown pointer.
func (k *kernel) unwritten(v *ssa.Value) bool {
	if v.Mem.ReadOnly || v.Mem.Space == ptx.Const || v.Mem.Space == ptx.Param {
		return true
	}
	if len(k.writesTo) == 0 {
		return v.Mem.Space != ptx.Local
	}
	return false
}

// paramIndex is the index of a kernel parameter, -1 for another name.
func (k *kernel) paramIndex(name string) int {
	if i, ok := k.params[name]; ok {
		return i
	}
	return -1
}

// round is the one term of a constant round.
func (k *kernel) round(n uint32) *solve.Term {
	t := k.rounds[n]
	if t == nil {
		t = word(n)
		k.rounds[n] = t
	}
	return t
}

// variable is the one variable of 32 bits with a name.
func (k *kernel) variable(name string) *solve.Term {
	t := k.named[name]
	if t == nil {
		t = solve.Var(name, 32)
		k.named[name] = t
	}
	return t
}

// after is the one term of the round after a round that is a variable.
func (k *kernel) after(round *solve.Term) *solve.Term {
	name := round.Name() + " + 1"
	t := k.named[name]
	if t == nil {
		t = solve.Add(round, word(1))
		k.named[name] = t
	}
	return t
}
