package static

import (
	"slices"
	"strings"

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
	// ThreadInvariant says that the address is the same for all threads that
	// execute the access together. InvariantLoops is in how many of the Loops
	// around it the address is the same in all rounds (GRace, Algorithm 1).
	ThreadInvariant       bool
	Loops, InvariantLoops int
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
	params   map[string]int
	rounds   map[uint32]*solve.Term
	named    map[string]*solve.Term
	terms    *solve.Interner
	post     *tree // of post-dominators, once it is asked for
	// writesTo are the roots that the kernel writes to, nil among them for an
	// unknown one.
	writesTo map[any]bool
	// ordered says that something beside barriers may order accesses.
	ordered string
	// hidden says that there are accesses that are not seen, and barrier that
	// there may be such a barrier.
	hidden  string
	barrier bool
}

func newKernel(f *ssa.Func) *kernel {
	k := &kernel{f: f, isRoot: map[int]bool{}, places: map[*ssa.Object]uint64{}, params: map[string]int{},
		rounds: map[uint32]*solve.Term{}, named: map[string]*solve.Term{}, terms: solve.NewInterner(), writesTo: map[any]bool{}}
	for i, p := range f.PTX.Params {
		k.params[p.Name] = i
	}
	converted := conversions(f)
	fence, signals := false, false
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range accessesOf(v) {
				a.Root = rootOf(a.Mem.Base, converted)
				if a.Root != nil {
					k.isRoot[a.Root.ID] = true
				}
				if a.Writes {
					k.writesTo[rootKey(a.Root)] = true
				}
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
		return nil
	}
	var out []*Access
	if watched(v.Mem.Space) {
		out = append(out, &Access{Value: v, Mem: v.Mem, Reads: v.Reads(), Writes: v.Writes(), Atomic: v.Op == ssa.Atomic})
	}
	if v.Mem2 != nil && watched(v.Mem2.Space) {
		out = append(out, &Access{Value: v, Mem: v.Mem2, Reads: true})
	}
	return out
}

func watched(s ptx.Space) bool { return s == ptx.Shared || s == ptx.Global || s == ptx.NoSpace }

// noteOrder notes what orders threads beside the barriers of the whole block:
// ordered operations, barriers of a part of the block, and what is not
// understood. A fence does together with volatile, relaxed or atomic accesses
// that others look at, and by itself orders nobody (PTX ISA, section "Memory
// Consistency Model", synchronizes-with).
func (k *kernel) noteOrder(v *ssa.Value) {
	switch {
	case v.Op == ssa.OpBarrier && !wholeBlock(v):
		k.ordered = "a barrier of a part of the block"
	case v.Op == ssa.OpCall && v.Call.Barrier:
		k.ordered, k.barrier = "a barrier in a function that is not looked into", true
	case v.Op == ssa.Effect && strings.HasPrefix(v.Name, "mbarrier"):
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

// wholeBlock reports a barrier that all threads of the block wait at.
func wholeBlock(v *ssa.Value) bool {
	return v.Op == ssa.OpBarrier && v.Bar.Count == nil && (v.Bar.Kind == "sync" || v.Bar.Kind == "red")
}

// fullWarp reports a __syncwarp of all lanes.
func fullWarp(v *ssa.Value) bool {
	if v.Op != ssa.WarpSync {
		return false
	}
	mask, ok := v.Args[0].IsConst()
	return ok && uint32(mask) == ^uint32(0)
}

// conversions are the values whose address space is converted: pointers.
func conversions(f *ssa.Func) map[int]bool {
	out := map[int]bool{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.ToGeneric || v.Op == ssa.FromGeneric {
				out[v.ID], out[v.Args[0].ID] = true, true
			}
		}
	}
	return out
}

// rootOf is the one variable, parameter or other pointer that an address is
// computed from by adding.
func rootOf(base *ssa.Value, converted map[int]bool) *ssa.Value {
	if base == nil {
		return nil
	}
	found := map[*ssa.Value]bool{}
	seen := map[int]bool{}
	var visit func(v *ssa.Value) bool
	visit = func(v *ssa.Value) bool {
		if seen[v.ID] {
			return true
		}
		seen[v.ID] = true
		switch v.Op {
		case ssa.Addr, ssa.Param:
			found[v] = true
		case ssa.Add:
			a, b := pointerLike(v.Args[0], converted, 0), pointerLike(v.Args[1], converted, 0)
			switch {
			case a > b:
				return visit(v.Args[0])
			case b > a:
				return visit(v.Args[1])
			}
			return false
		case ssa.Sub:
			return visit(v.Args[0])
		case ssa.Phi:
			for _, a := range v.Args {
				if !visit(a) {
					return false
				}
			}
		case ssa.Select:
			return visit(v.Args[1]) && visit(v.Args[2])
		case ssa.ToGeneric, ssa.FromGeneric:
			return visit(v.Args[0])
		default:
			return false
		}
		return true
	}
	if !visit(base) || len(found) != 1 {
		return nil
	}
	for v := range found {
		return v
	}
	return nil
}

// pointerLike says how sure it is that a value is the pointer of a sum: 3 for a
// variable's address or what is converted to another space, 2 for a parameter
// of 64 bits, 1 for what a sum or a choice is made of, 0 for numbers.
func pointerLike(v *ssa.Value, converted map[int]bool, depth int) int {
	switch {
	case v.Op == ssa.Addr || converted[v.ID]:
		return 3
	case v.Op == ssa.Param && v.Width() == 64:
		return 2
	case depth > 20:
		return 0
	}
	best := 0
	switch v.Op {
	case ssa.Add, ssa.Phi:
		for _, a := range v.Args {
			best = max(best, pointerLike(a, converted, depth+1))
		}
	case ssa.Sub:
		best = pointerLike(v.Args[0], converted, depth+1)
	case ssa.Select:
		best = max(pointerLike(v.Args[1], converted, depth+1), pointerLike(v.Args[2], converted, depth+1))
	}
	return best
}

// rootKey identifies what a root points to.
func rootKey(v *ssa.Value) any {
	switch {
	case v == nil:
		return nil
	case v.Op == ssa.Addr:
		return v.Object
	}
	return v.Name
}

// sameRoot reports whether two accesses are surely to one variable or array.
func sameRoot(a, b *Access) bool {
	return a.Root != nil && b.Root != nil && (rootKey(a.Root) == rootKey(b.Root) && a.Root.Const == b.Root.Const || a.external() && b.external())
}

// external reports dynamic shared memory, of which there is one whatever the
// names.
func (a *Access) external() bool {
	return a.Root != nil && a.Root.Op == ssa.Addr && a.Root.Object.Extern && a.Root.Object.Space == ptx.Shared
}

// apart reports whether two accesses are surely to different variables.
func apart(a, b *Access) bool {
	if a.Mem.Space != b.Mem.Space && a.Mem.Space != ptx.NoSpace && b.Mem.Space != ptx.NoSpace {
		return true
	}
	if a.Root == nil || b.Root == nil || a.Root.Op != ssa.Addr || b.Root.Op != ssa.Addr {
		return false
	}
	return a.Root.Object != b.Root.Object && !(a.external() && b.external())
}

// unwritten reports a load from a place that the kernel surely does not write:
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

// placeOf is an address for a variable, far from those of others.
func (k *kernel) placeOf(o *ssa.Object) uint64 {
	if o.Extern && o.Space == ptx.Shared {
		return 1 << 20
	}
	if k.places[o] == 0 {
		k.places[o] = uint64(len(k.places)+2) << 20
	}
	return k.places[o]
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
