package guards

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Undefined reports whether it may matter what the kernel's registers hold before they are written, and
// the loads from local memory that represent variables in registers. What arrays in local memory hold is not asked:
// that is known when it is read.
// It does not where the value comes to a join of paths on which a condition is known to have gone one
// way, and all that depends on it has an effect only where the same condition went the other way:
//
//	if (c) x = f();
//	...
//	if (c) use(x);
//
// The condition of the second branch is of the same turn of all loops as that of the first, since the first
// branch is on every way to the join, and the join on every way to the second branch.
func (x *Facts) Undefined() bool {
	x.usesOnce.Do(x.findUses)
	u := unset{facts: x, edges: map[*ssa.Value][]int{}}
	for _, b := range x.f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.Effect || v.Op == ssa.OpCall { // it may read registers that are not its arguments, as wgmma does its sums
				return true
			}
			if undefined := v.Op == ssa.Undef || v.Op == ssa.Load && isRegister(v); undefined && !u.joins(v) {
				return true
			}
		}
	}
	for phi, edges := range u.edges {
		if !u.guarded(phi, edges) {
			return true
		}
	}
	return false
}

// isRegister reports whether a load may represent a variable in registers. That has a constant place
// in the function's local memory; a place that is computed is of an array.
func isRegister(v *ssa.Value) bool {
	if v.Mem.Space == ptx.Global || v.Mem.Space == ptx.Shared || v.Mem.ReadOnly {
		return false
	}
	off, computed := uint64(v.Mem.Offset), false
	for at := v.Mem.Base; at != nil; {
		switch at.Op {
		case ssa.ToGeneric, ssa.FromGeneric:
			at = at.Args[0]
		case ssa.Add:
			a, b := at.Args[0], at.Args[1]
			if a.Op == ssa.Const {
				a, b = b, a
			}
			n, constant := b.IsConst()
			if !constant {
				computed = true
				if inLocal(b) {
					a = b
				}
			}
			at, off = a, off+n
		case ssa.Addr:
			return len(at.Object.Locals) == 0 || !computed && slices.ContainsFunc(at.Object.Locals, func(l cfg.Local) bool {
				return l.Kind == pragma.Unset && at.Const+off-l.Offset < l.Type.Size
			})
		default:
			return true
		}
	}
	return true
}

// inLocal reports whether a value is the address of local memory, and a number.
func inLocal(v *ssa.Value) bool {
	for v.Op == ssa.ToGeneric || v.Op == ssa.FromGeneric || v.Op == ssa.Add && v.Args[1].Op == ssa.Const {
		v = v.Args[0]
	}
	return v.Op == ssa.Addr
}

// unset is the search for values that may be undefined. edges has the phis where such values come to, with the edges.
type unset struct {
	facts *Facts
	edges map[*ssa.Value][]int
	// steps counts what was looked at. Past maxSteps no branch is known, and the proof fails.
	steps int
}

// maxSteps bounds the proof for kernels with many branches.
const maxSteps = 1 << 20

// joins notes where a value that may be undefined comes to phis. It returns false if it is used otherwise.
func (u *unset) joins(v *ssa.Value) bool {
	if len(u.facts.branches[v]) > 0 {
		return false
	}
	for _, use := range u.facts.uses[v.ID] {
		if use.Op != ssa.Phi {
			return false
		}
		for i, a := range use.Args {
			if a == v && !slices.Contains(u.edges[use], i) {
				u.edges[use] = append(u.edges[use], i)
			}
		}
	}
	return true
}

// outcome is a branch that went one way.
type outcome struct {
	at        *ssa.Block
	condition *ssa.Value
	holds     bool
}

// guarded reports whether a condition is known on the edges of a phi with undefined values, and nothing that
// depends on the phi has an effect unless it went the other way.
func (u *unset) guarded(phi *ssa.Value, edges []int) bool {
	for _, o := range u.outcomes(phi.Block.Preds[edges[0]], phi.Block) {
		if !u.facts.f.Dominates(o.at, phi.Block) {
			continue
		}
		known := func(edge int) bool {
			return slices.ContainsFunc(u.outcomes(phi.Block.Preds[edge], phi.Block), func(p outcome) bool { return p == o })
		}
		rest := slices.DeleteFunc(slices.Clone(edges), known)
		if len(rest) == 0 && u.onlyWhere(phi, phi, outcome{condition: o.condition, holds: !o.holds}, map[*ssa.Value]bool{}) {
			return true
		}
	}
	return false
}

// outcomes are the branches that have gone one way on an edge between two blocks, or in a block if to is nil.
func (u *unset) outcomes(from, to *ssa.Block) (all []outcome) {
	f := u.facts.f
	note := func(at, next *ssa.Block) {
		if at.Kind == ssa.If && at.Succs[0] != at.Succs[1] {
			condition, holds := positive(at.Control, at.Succs[0] == next)
			all = append(all, outcome{at, condition, holds})
		}
	}
	if to != nil {
		note(from, to)
	}
	for b := from; f.Idom[b.ID] >= 0; {
		if u.steps++; u.steps > maxSteps {
			return nil
		}
		d := f.Blocks[f.Idom[b.ID]]
		if len(b.Preds) == 1 && b.Preds[0] == d {
			note(d, b)
		}
		b = d
	}
	return all
}

// onlyWhere reports whether a value that depends on a phi is used only on paths from there on which a branch went as said.
func (u *unset) onlyWhere(v, phi *ssa.Value, o outcome, seen map[*ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	there := func(from, to *ssa.Block) bool {
		return slices.ContainsFunc(u.outcomes(from, to), func(p outcome) bool {
			return p.holds == o.holds && equal(p.condition, o.condition) && u.facts.f.Dominates(phi.Block, p.at)
		})
	}
	for _, b := range u.facts.branches[v] {
		if !there(b, nil) {
			return false
		}
	}
	for _, use := range u.facts.uses[v.ID] {
		switch {
		case use.Op == ssa.Phi:
			for i, a := range use.Args {
				if a == v && !there(use.Block.Preds[i], use.Block) {
					return false
				}
			}
		case there(use.Block, nil), use.Op == ssa.Select && chooses(use, v, o):
		case use.Op >= ssa.Load || use.Op == ssa.Lane || !u.onlyWhere(use, phi, o, seen):
			return false
		}
	}
	return true
}

// positive is a condition without negations.
func positive(v *ssa.Value, holds bool) (*ssa.Value, bool) {
	for v.Op == ssa.Not {
		v, holds = v.Args[0], !holds
	}
	return v, holds
}

// chooses reports whether a selection takes a value only if a condition went as said.
func chooses(choice, v *ssa.Value, o outcome) bool {
	if choice.Args[0] == v || choice.Args[1] == choice.Args[2] {
		return false
	}
	condition, holds := positive(choice.Args[0], choice.Args[1] == v)
	return holds == o.holds && equal(condition, o.condition)
}

// equal reports whether two values are computed in the same way from the same values, without memory.
func equal(a, b *ssa.Value) bool { return a == b || same(a, b, 0) && !reads(a, 0) }

func reads(v *ssa.Value, depth int) bool {
	return v.Op >= ssa.Load || depth <= deepest && slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return reads(a, depth+1) })
}
