package static

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// localAccesses are the accesses to local variables with an index that is not constant.
// The variables that stand for member arrays and rows are among them: an access beyond
// one is an index beyond that, and its conditions are part of the way to it.
func (k *kernel) localAccesses() (list []*Access) {
	for _, b := range k.f.Blocks {
		for _, v := range b.Values {
			if v.Mem == nil || v.Mem.Space != ptx.Local || v.Mem.Base == nil {
				continue
			}
			root, off, indexed := depotOf(v.Mem.Base)
			if !indexed && off == 0 && liesIn(root, uint64(v.Mem.Offset)) { // all variables are accessed from the depot's beginning
				continue
			}
			if l := localAt(root, off); l != nil && (indexed || l.Kind != pragma.Local) {
				k.isRoot[root.ID] = true
				list = append(list, &Access{Value: v, Mem: v.Mem, Reads: v.Reads(), Writes: v.Writes(), Root: root, Local: l})
			}
		}
	}
	return list
}

// constantAccesses are the accesses to constant memory, which no two threads race for.
func (k *kernel) constantAccesses() (list []*Access) {
	pointers := k.f.Pointers()
	for _, b := range k.f.Blocks {
		for _, v := range b.Values {
			if v.Mem != nil && v.Mem.Space == ptx.Const && v.Mem.Base != nil {
				a := &Access{Value: v, Mem: v.Mem, Reads: v.Reads()}
				k.findRoots(a, pointers)
				list = append(list, a)
			}
		}
	}
	return list
}

// depotOf takes an address apart: a depot's, the constant that is added to that first,
// and whether anything else is. Two depots, or two constants, are none.
func depotOf(base *ssa.Value) (root *ssa.Value, off uint64, indexed bool) {
	seen, known, numbers := map[*ssa.Value]bool{}, true, new(ssa.Pointers)
	var visit func(v *ssa.Value)
	leaf := func(addr *ssa.Value, n uint64) {
		known = known && (root == nil || root.Object == addr.Object && off == n)
		root, off = addr, n
	}
	visit = func(v *ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch v.Op {
		case ssa.Addr:
			leaf(v, v.Const)
		case ssa.ToGeneric, ssa.FromGeneric:
			visit(v.Args[0])
		case ssa.Phi:
			indexed = true
			for _, a := range v.Args {
				visit(a)
			}
		case ssa.Add:
			a, b := v.Args[0], v.Args[1]
			if numbers.Likeness(b) > numbers.Likeness(a) {
				a, b = b, a
			}
			if n, constant := b.IsConst(); constant {
				if addr := uncast(a); addr.Op == ssa.Addr {
					leaf(addr, addr.Const+n)
					return
				}
			}
			indexed = true
			visit(a)
		default:
			known = false
		}
	}
	if visit(base); !known {
		return nil, 0, false
	}
	return root, off, indexed
}

// uncast is an address before it was converted between the generic and another space.
func uncast(v *ssa.Value) *ssa.Value {
	for v.Op == ssa.ToGeneric || v.Op == ssa.FromGeneric {
		v = v.Args[0]
	}
	return v
}

// liesIn reports whether a constant place in a depot is in a variable other than that at its beginning.
func liesIn(root *ssa.Value, at uint64) bool {
	return root != nil && root.Object != nil && slices.ContainsFunc(root.Object.Locals, func(l cfg.Local) bool { return l.Offset > 0 && at-l.Offset < l.Type.Size })
}

// localAt is the variable that begins at an offset of a depot, nil where there is none,
// or several share the place.
func localAt(root *ssa.Value, off uint64) (at *cfg.Local) {
	if root == nil || root.Object == nil {
		return nil
	}
	for i, l := range root.Object.Locals {
		switch {
		case off-l.Offset >= l.Type.Size:
		case at != nil || l.Offset != off || l.Kind == pragma.Unset:
			return nil
		default:
			at = &root.Object.Locals[i]
		}
	}
	return at
}
