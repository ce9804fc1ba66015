package static

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

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

// findRoots sets the roots of an access, and notes what the kernel writes to.
func (k *kernel) findRoots(a *Access, pointers *ssa.Pointers) {
	roots := pointers.Roots(a.Mem.Base)
	if len(roots) == 1 {
		a.Root = roots[0]
		k.isRoot[a.Root.ID] = true
	}
	if !slices.ContainsFunc(roots, func(r *ssa.Value) bool { return r.Op != ssa.Addr }) {
		for _, r := range roots {
			if !slices.Contains(a.variables, r.Object) {
				a.variables = append(a.variables, r.Object)
			}
		}
	}
	if !a.Writes {
		return
	}
	if len(roots) == 0 {
		k.writesTo[nil] = true
	}
	for _, r := range roots {
		k.writesTo[rootKey(r)] = true
	}
}

// havePlaces reports whether a is an access to variables of one space for all of whose bytes
// there are addresses.
func (k *kernel) havePlaces(a *Access) bool {
	for _, o := range a.variables {
		at := k.span(o)
		switch {
		case o.Space != a.Mem.Space || o.Size == 0 && !external(o):
			return false
		case o.Space == ptx.Shared && at[0]+at[1] > 1<<32: // its addresses have 32 bits
			return false
		}
	}
	return a.variables != nil
}

// sameRoot reports whether two accesses are surely to one variable or array.
func sameRoot(a, b *Access) bool {
	switch {
	case a.Root == nil || b.Root == nil:
		return false
	case a.external() && b.external():
		return true
	case a.Root.Op == ssa.Addr || b.Root.Op == ssa.Addr:
		return rootKey(a.Root) == rootKey(b.Root)
	}
	return rootKey(a.Root) == rootKey(b.Root) && a.Root.Const == b.Root.Const
}

// external reports dynamic shared memory, of which there is one whatever the
// names.
func (a *Access) external() bool {
	return a.Root != nil && a.Root.Op == ssa.Addr && external(a.Root.Object)
}

func external(o *ssa.Object) bool { return o.Extern && o.Space == ptx.Shared }

// apart reports whether two accesses are surely to different variables.
func apart(a, b *Access) bool {
	if a.Mem.Space != b.Mem.Space && a.Mem.Space != ptx.NoSpace && b.Mem.Space != ptx.NoSpace {
		return true
	}
	return a.variables != nil && b.variables != nil && len(inBoth(a, b)) == 0
}

// inBoth are the variables that both accesses may be to.
func inBoth(a, b *Access) (both []*ssa.Object) {
	for _, x := range a.variables {
		if slices.ContainsFunc(b.variables, func(y *ssa.Object) bool { return x == y || external(x) && external(y) }) {
			both = append(both, x)
		}
	}
	return both
}

// placed reports whether p is a pair of accesses of which one is to several variables: their
// addresses are compared where the variables lie.
func (p *Pair) placed() bool { return !sameRoot(p.A, p.B) }

// farApart is how far variables lie from each other at least, in bytes.
const farApart = 1 << 20

// placeOf is an address for a variable, far from those of others.
func (k *kernel) placeOf(o *ssa.Object) uint64 {
	if external(o) {
		return farApart
	}
	if k.places[o] == 0 {
		k.places[o] = k.placed
		k.placed += (uint64(o.Size)/farApart + 1) * farApart
	}
	return k.places[o]
}

// span is the place of a variable and its size, which may not be known.
func (k *kernel) span(o *ssa.Object) [2]uint64 {
	size := uint64(o.Size)
	if size == 0 {
		size = farApart
	}
	return [2]uint64{k.placeOf(o), size}
}

// inVariable is the condition that both addresses are in one of the variables that both
// accesses may be to.
func (q *query) inVariable(x, y *solve.Term) *solve.Term {
	var any []*solve.Term
	for _, o := range inBoth(q.p.A, q.p.B) {
		w, at := int(x.Sort()), q.c.span(o)
		in := func(t *solve.Term) *solve.Term {
			return solve.ULt(solve.Sub(t, solve.BV(at[0], w)), solve.BV(at[1], w))
		}
		any = append(any, solve.And(in(x), in(y)))
	}
	return solve.Or(any...)
}

// variableAt is the variable in which a placed address is, and the offset there.
func (q *query) variableAt(addr uint64) (o *ssa.Object, offset uint64) {
	for _, o := range inBoth(q.p.A, q.p.B) {
		if at := q.c.span(o); addr-at[0] < at[1] {
			return o, addr - at[0]
		}
	}
	return nil, addr
}
