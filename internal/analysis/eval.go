package analysis

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Expr is the value of v as seen from block at: where a loop around v has been
// left, its iterator stands for its last round.
func (a *Analysis) Expr(v *ssa.Value, at *ssa.Block) *Expr {
	return a.seen(a.value(v), at)
}

// seen is an expression as seen from block at.
func (a *Analysis) seen(e *Expr, at *ssa.Block) *Expr {
	outside := false
	for _, l := range e.loops {
		outside = outside || !l.Contains(at)
	}
	if !outside {
		return e
	}
	memo := a.left[at.Loop]
	if memo == nil {
		memo = map[*Expr]*Expr{}
		a.left[at.Loop] = memo
	}
	return a.subst(e, func(s *Sym) *Expr { return a.leave(s, at) }, memo)
}

// leave is a symbol seen from block at, nil if it is the same there.
func (a *Analysis) leave(s *Sym, at *ssa.Block) *Expr {
	switch {
	case s.Kind == Iter && !s.Loop.Contains(at):
		return a.lastRound(s.Loop, s.W)
	case (s.Kind == Opaque || s.Kind == Large) && s.Level < Thread:
		for _, l := range s.Loops {
			// Threads that left the loop in different rounds saw different values.
			if !l.Contains(at) && a.ends[l] == Thread {
				return a.stale(s)
			}
		}
	}
	return nil
}

// stale is an opaque value of a loop that threads left in different rounds.
func (a *Analysis) stale(s *Sym) *Expr {
	key := "stale " + s.Name
	if e := a.named[key]; e != nil {
		return e
	}
	t := *s
	t.Level, t.Name = Thread, s.Name+" at the end"
	e := a.symbol(&t)
	a.named[key] = e
	return e
}

// value is the expression of v in its own block.
func (a *Analysis) value(v *ssa.Value) *Expr {
	if e := a.values[v]; e != nil {
		return e
	}
	e := a.unknown
	if !a.spent() {
		e = a.make
	}
	a.values[v] = e(v)
	return a.values[v]
}

// plainWidths reports whether v is an operation on values of up to 64 bits.
func plainWidths(v *ssa.Value) bool {
	for _, x := range v.Args {
		if w := x.Width(); w == 0 || w > 64 {
			return false
		}
	}
	return true
}

func (a *Analysis) make(v *ssa.Value) *Expr {
	w := v.Width()
	if w == 0 || w > 64 {
		return a.unknown(v)
	}
	switch v.Op {
	case ssa.Const:
		return a.Const(w, v.Const)
	case ssa.Special:
		return a.special(v.Name, w)
	case ssa.Param:
		return a.param(v)
	case ssa.Addr:
		return a.Add(a.object(v.Object, w), a.Const(w, v.Const))
	case ssa.ToGeneric, ssa.FromGeneric: // the same place by another name
		return a.Expr(v.Args[0], v.Block)
	case ssa.Phi:
		return a.phi(v)
	case ssa.Pure:
		return a.pure(v)
	case ssa.Load:
		return a.load(v)
	case ssa.Elem:
		if x := v.Args[0]; x.Op == ssa.Load || x.Op == ssa.Pure {
			return a.element(v)
		}
	}
	if v.Op >= ssa.Add && v.Op <= ssa.Select && plainWidths(v) {
		args := make([]*Expr, len(v.Args))
		for i, x := range v.Args {
			args[i] = a.Expr(x, v.Block)
		}
		return a.Apply(v.Op, w, "", args...)
	}
	return a.unknown(v)
}

// pure is a function of its arguments that has no meaning here.
func (a *Analysis) pure(v *ssa.Value) *Expr {
	return a.app(ssa.Pure, v.Width(), v.Name, a.args(v)...)
}

func (a *Analysis) args(v *ssa.Value) []*Expr {
	args := make([]*Expr, len(v.Args))
	for i, x := range v.Args {
		args[i] = a.Expr(x, v.Block)
	}
	return args
}

// load is what memory holds at an address: a function of the address, and
// unless nothing writes there, of the place in the program and the time.
func (a *Analysis) load(v *ssa.Value) *Expr {
	if v.Mem.Space == ptx.Local {
		return a.unknown(v)
	}
	addr := a.address(v.Mem, v.Block)
	name := "load." + v.Mem.Elem.String()
	if v.Mem.ReadOnly {
		return a.app(ssa.Pure, v.Width(), name, addr)
	}
	return a.app(ssa.Pure, v.Width(), name, addr, a.instance(v))
}

// instance stands for the moment at which a warp executes v.
func (a *Analysis) instance(v *ssa.Value) *Expr {
	if e := a.opaque[v]; e != nil {
		return e
	}
	e := a.symbol(&Sym{Kind: Opaque, Name: fmt.Sprintf("at v%d", v.ID), W: 32, Level: Warp, Value: v, Hi: 1<<32 - 1, Loops: loopsOf(v.Block)})
	a.opaque[v] = e
	return e
}

// loopsOf lists the loops around a block, outer ones first.
func loopsOf(b *ssa.Block) []*ssa.Loop {
	var list []*ssa.Loop
	for l := b.Loop; l != nil; l = l.Parent {
		list = append([]*ssa.Loop{l}, list...)
	}
	return list
}

// element is one result of several.
func (a *Analysis) element(v *ssa.Value) *Expr {
	x := v.Args[0]
	if x.Mem != nil && x.Mem.Space == ptx.Local || x.Width() == 0 {
		return a.unknown(v)
	}
	name := fmt.Sprintf("%s.%d", x.Name, v.Const)
	args := []*Expr{a.Const(32, v.Const)}
	if x.Op == ssa.Load {
		args = append(args, a.value(x))
	} else {
		args = append(args, a.args(x)...)
	}
	return a.app(ssa.Pure, v.Width(), name, args...)
}

// address is where an access in block b goes.
func (a *Analysis) address(m *ssa.Mem, b *ssa.Block) *Expr {
	if m.Base == nil {
		return a.Const(64, uint64(m.Offset))
	}
	base := a.Expr(m.Base, b)
	return a.Add(base, a.Const(base.W, uint64(m.Offset)))
}

// phi is a loop's induction, or a choice between the values that its
// predecessors bring.
func (a *Analysis) phi(v *ssa.Value) *Expr {
	b := v.Block
	if l := b.Loop; l != nil && l.Header == b {
		for _, i := range l.Inductions {
			if i.Phi == v {
				return a.induction(i)
			}
		}
		return a.unknown(v)
	}
	if b.Tangled {
		return a.unknown(v)
	}
	vals, same := make([]*Expr, len(v.Args)), true
	for i, x := range v.Args {
		vals[i] = a.seen(a.Expr(x, b.Preds[i]), b)
		same = same && vals[i] == vals[0]
	}
	if same {
		return vals[0]
	}
	if r := a.region(b); r != nil {
		if e := r.choose(vals); e != nil {
			return a.seen(e, b)
		}
	}
	return a.unknown(v)
}
