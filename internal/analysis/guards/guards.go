// Package guards finds what a kernel's threads decide by reading memory: the
// reads that a thread waits with, the writes that follow a test of the place
// that they go to, and the reads that a compare-and-swap verifies. It also shows which
// values cannot matter: those that a read finds in some lanes (uses.go), and what registers
// hold before they are written (unset.go). Rules tell with it what a race is about, and
// leave out what is proved not to matter.
package guards

import (
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Site names an instruction: the function that holds it and its line in the PTX
// text.
type Site struct {
	Func string
	Line int
}

// Facts are those of one kernel.
type Facts struct {
	f     *ssa.Func
	at    map[Site][]*ssa.Value
	waits map[Site]bool
	swaps []*ssa.Value // compare-and-swaps
	// loads are the loads by the constant part of their address, in the order of the program.
	loads map[int64][]*ssa.Value

	flags      sync.Map // of Site to bool: a kernel is launched often
	used       sync.Map // of usedKey to []uint32
	usesOnce   sync.Once
	uses       [][]*ssa.Value // by Value.ID
	branches   map[*ssa.Value][]*ssa.Block
	fencedOnce sync.Once
	// toFence are the blocks from whose start a fence can be reached.
	toFence map[*ssa.Block]bool
}

// Find looks at a kernel.
func Find(f *ssa.Func) *Facts {
	x := &Facts{f: f, at: map[Site][]*ssa.Value{}, waits: map[Site]bool{}, loads: map[int64][]*ssa.Value{}}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.Load && v.Instr != nil {
				_, offset := base(v)
				x.loads[offset] = append(x.loads[offset], v)
			}
			if v.Mem != nil && v.Instr != nil && !local(v) {
				s := siteOf(f, v)
				x.at[s] = append(x.at[s], v)
				if v.Op == ssa.Atomic && v.Does.IsCAS() {
					x.swaps = append(x.swaps, v)
				}
			}
		}
	}
	for _, l := range f.Loops {
		x.findWaits(l)
	}
	return x
}

// loadsLike are the loads that may have the address of an access; see sameAddress.
func (x *Facts) loadsLike(w *ssa.Value) []*ssa.Value {
	_, offset := base(w)
	return x.loads[offset]
}

// Waits reports whether read is one that a loop can repeat at one place until it finds another
// value, while it writes nothing: a volatile or a plain one, or an atomic that
// only reads or that tries to take a lock.
func (x *Facts) Waits(read Site) bool { return x != nil && x.waits[read] }

// siteOf is where a value's instruction stands.
func siteOf(f *ssa.Func, v *ssa.Value) Site {
	s := Site{Func: f.Name, Line: v.Instr.Pos.Line}
	if v.Ctx != nil {
		s.Func = v.Ctx.Callee
	}
	return s
}

// findWaits notes the reads that a loop waits with.
func (x *Facts) findWaits(l *ssa.Loop) {
	var reads []*ssa.Value
	for _, b := range l.Blocks {
		for _, v := range b.Values {
			switch {
			case v.Opaque() || v.Op == ssa.OpBarrier || v.Op == ssa.Copy || v.Op == ssa.Store && !local(v):
				return
			case (v.Op == ssa.Load || v.Op == ssa.Atomic) && !local(v):
				if v.Op == ssa.Atomic && !asks(v) {
					return
				}
				reads = append(reads, v)
			}
		}
	}
	for _, v := range reads {
		if v.Instr != nil && stays(l, v.Args[:min(1, len(v.Args))]) && leaves(l, v) {
			x.waits[siteOf(x.f, v)] = true
		}
	}
}

// local reports whether v is an access to memory that no other thread sees, or that no thread
// writes.
func local(v *ssa.Value) bool {
	return v.Mem != nil && (v.Mem.Space == ptx.Local || v.Mem.Space == ptx.Param || v.Mem.ReadOnly)
}

// asks reports whether v is an atomic that leaves memory as it is, or that may fail to change
// it: an exchange or a compare-and-swap.
func asks(v *ssa.Value) bool {
	switch v.Does.Fn {
	case inst.FnCAS, inst.FnExch:
		return true
	case inst.FnAdd, inst.FnOr, inst.FnXor:
		x, ok := v.Args[len(v.Args)-1].IsConst()
		return ok && x == 0
	}
	return false
}

// stays reports values that a round of a loop can compute from the same ones as the
// round before: always, or where it carries on what it had, as one that
// continues to the next place only when it has found something.
func stays(l *ssa.Loop, vs []*ssa.Value) bool {
	for _, v := range vs {
		if l.Invariant(v) || v.Op == ssa.Phi && v.Block == l.Header && keeps(l, v) {
			continue
		}
		switch v.Op {
		case ssa.Phi, ssa.Load, ssa.Atomic, ssa.Lane, ssa.Clock, ssa.OpCall, ssa.Effect:
			return false
		}
		if !stays(l, v.Args) {
			return false
		}
	}
	return true
}

// keeps reports whether phi, of a loop's header, can be carried on as it is.
func keeps(l *ssa.Loop, phi *ssa.Value) bool {
	for i, p := range phi.Block.Preds {
		if l.Contains(p) && keptBy(l, phi.Args[i], phi, map[*ssa.Value]bool{}) {
			return true
		}
	}
	return false
}

func keptBy(l *ssa.Loop, v, phi *ssa.Value, seen map[*ssa.Value]bool) bool {
	if v == phi {
		return true
	}
	if seen[v] || !l.Contains(v.Block) {
		return false
	}
	seen[v] = true
	switch v.Op {
	case ssa.Phi:
		return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return keptBy(l, a, phi, seen) })
	case ssa.Select:
		return keptBy(l, v.Args[1], phi, seen) || keptBy(l, v.Args[2], phi, seen)
	case ssa.Add:
		return mayBeZero(v.Args[1]) && keptBy(l, v.Args[0], phi, seen) || mayBeZero(v.Args[0]) && keptBy(l, v.Args[1], phi, seen)
	}
	return false
}

// mayBeZero reports 0, or a selection that can be.
func mayBeZero(v *ssa.Value) bool {
	switch v.Op {
	case ssa.Const:
		return v.Const == 0
	case ssa.Select:
		return mayBeZero(v.Args[1]) || mayBeZero(v.Args[2])
	}
	return false
}

// leaves reports whether a test of v alone may end the loop.
func leaves(l *ssa.Loop, v *ssa.Value) bool {
	for _, e := range l.Exits {
		if e.From.Control != nil && (&search{loop: l, want: v}).in(e.From.Control) {
			return true
		}
	}
	return false
}

// search looks for a value among those that another one is computed from.
type search struct {
	loop *ssa.Loop // stay in it, nil for no bound
	want *ssa.Value
	seen map[*ssa.Value]bool
}

func (s *search) in(v *ssa.Value) bool {
	if v == s.want {
		return true
	}
	if s.seen[v] || s.loop != nil && !s.loop.Contains(v.Block) {
		return false
	}
	if s.seen == nil {
		s.seen = map[*ssa.Value]bool{}
	}
	s.seen[v] = true
	switch v.Op {
	case ssa.Load, ssa.Atomic, ssa.OpCall:
		return false // the value of another place
	case ssa.Phi:
		if s.loop != nil && v.Block == s.loop.Header && sums(s.loop, v) {
			return false
		}
	}
	for i, a := range v.Args {
		if s.in(a) {
			return s.loop == nil || v.Type == isa.Pred || !s.counts(v, i)
		}
	}
	return false
}

// counts reports whether v is a value that is computed from its argument i and from what the loop
// carries on to its next round: a sum is not a wait for its summand.
func (s *search) counts(v *ssa.Value, i int) bool {
	for k, a := range v.Args {
		if k != i && s.carried(a, map[*ssa.Value]bool{}) {
			return true
		}
	}
	return false
}

func (s *search) carried(v *ssa.Value, seen map[*ssa.Value]bool) bool {
	if seen[v] || !s.loop.Contains(v.Block) || v.Op == ssa.Load || v.Op == ssa.Atomic {
		return false
	}
	seen[v] = true
	if v.Op == ssa.Phi && v.Block == s.loop.Header {
		return true
	}
	return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return s.carried(a, seen) })
}

// sums reports whether the next value of phi, of a loop's header, is made from itself.
func sums(l *ssa.Loop, phi *ssa.Value) bool {
	for i, p := range phi.Block.Preds {
		a := phi.Args[i]
		if !l.Contains(p) || a == phi {
			continue
		}
		for _, x := range a.Args {
			if (&search{want: phi}).in(x) {
				return true
			}
		}
	}
	return false
}

// Func is the kernel.
func (x *Facts) Func() *ssa.Func { return x.f }

// At returns the accesses of an instruction to memory that threads share: several where
// its function is inlined more than once.
func (x *Facts) At(s Site) []*ssa.Value { return x.at[s] }
