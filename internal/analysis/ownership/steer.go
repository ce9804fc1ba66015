package ownership

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// steered reports whether what threads read of an array by plain loads, and others of
// the launch write, decides where they continue or what they access next: blocks that
// meet there, in a list or a table, do other things in another order.
func (p *prover) steered(r *array) bool {
	return slices.ContainsFunc(r.list, func(x *access) bool {
		return x.acc.Reads && !x.acc.Atomic && x.acc.Mem.Order == "" && p.steers(x.acc.Value)
	})
}

// steers reports whether a value reaches a branch or an address by arithmetic.
func (p *prover) steers(v *ssa.Value) bool {
	if p.uses == nil {
		p.uses, p.controls = p.f.Uses(), map[*ssa.Value]bool{}
		for _, b := range p.f.Blocks {
			if b.Control != nil {
				p.controls[b.Control] = true
			}
		}
	}
	seen := map[*ssa.Value]bool{v: true}
	for work := []*ssa.Value{v}; len(work) > 0; {
		v, work = work[len(work)-1], work[:len(work)-1]
		if p.controls[v] {
			return true
		}
		for _, u := range p.uses[v.ID] {
			switch {
			case u.Mem != nil && u.Mem.Base == v, u.Mem2 != nil && u.Mem2.Base == v:
				return true
			case u.Mem == nil && !seen[u]:
				seen[u] = true
				work = append(work, u)
			}
		}
	}
	return false
}
