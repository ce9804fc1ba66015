package equivalent

import (
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// sameEvents reports whether all that happens in shared memory, and what orders
// it, is the same.
func (p *prover) sameEvents() bool {
	for _, b := range p.f.Blocks {
		if !p.live[b.ID] {
			continue
		}
		for _, v := range b.Values {
			if !p.quiet(v) && (p.under[b.ID] || p.doomed[b.ID] || !p.sameEvent(v)) {
				return false
			}
		}
	}
	return true
}

// quiet reports values that have nothing to do with shared memory.
func (p *prover) quiet(v *ssa.Value) bool {
	switch v.Op {
	case ssa.Load, ssa.Store, ssa.Atomic:
		return v.Mem.Space != ptx.Shared && v.Mem.Space != ptx.NoSpace
	case ssa.Copy, ssa.WarpSync, ssa.OpBarrier:
		return false
	case ssa.OpCall:
		return !v.Call.Shared && !v.Call.Barrier
	case ssa.Effect:
		return v.Does.Touches()&inst.Shared == 0 && v.Does.Effect()&(inst.Waits|inst.Orders) == 0
	}
	return true
}

// sameEvent reports whether v is an operation on shared memory, or one that orders such, of
// which the places and the threads that take part do not vary, if it runs.
func (p *prover) sameEvent(v *ssa.Value) bool {
	switch v.Op {
	case ssa.Load, ssa.Store, ssa.Atomic:
		return v.Mem.Space == ptx.Shared && p.sameAddress(v, v.Mem)
	case ssa.Copy:
		return v.Mem2 != nil && v.Mem.Space == ptx.Shared && v.Mem2.Space == ptx.Global && p.sameAddress(v, v.Mem)
	case ssa.WarpSync:
		return p.same(v.Args[0], v.Block)
	case ssa.OpBarrier: // others let it depend on the schedule who meets whom
		return v.Bar.WholeBlock() && p.same(v.Bar.ID, v.Block)
	case ssa.Effect:
		switch v.Does.Kind {
		case inst.CopyCommit, inst.CopyWait: // when copies are waited for
			return true
		case inst.MatrixLoad, inst.MatrixStore: // the stride and the address
			return v.Mem != nil && v.Mem.Space == ptx.Shared && p.sameAddress(v, v.Mem) && !p.anyVaries(v)
		}
	}
	return false
}

func (p *prover) sameAddress(v *ssa.Value, m *ssa.Mem) bool {
	return m.Base == nil || !p.variesAt(m.Base, v.Block) || p.sameExpr(p.a.Address(m, v.Block).Expr, v.Block)
}
