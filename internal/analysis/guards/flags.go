package guards

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Flag reports whether read is one by which a thread may learn that another one has reached a point:
// it waits with the read, or it goes by the value (a branch, a selection, an address) and
// can reach a fence afterwards, or it shares what it polls with its block. A read whose
// value is only computed with or stored is one of data. Reads of which nothing is known
// count as flags.
func (x *Facts) Flag(read Site) bool {
	if x == nil || x.waits[read] || len(x.at[read]) == 0 {
		return true
	}
	if flag, ok := x.flags.Load(read); ok {
		return flag.(bool)
	}
	flag := slices.ContainsFunc(x.at[read], func(r *ssa.Value) bool {
		return r.Op != ssa.Load || x.turn(r) || x.looksAgain(r) || x.shares(r) || x.fenced(r) && x.goesBy(r)
	})
	x.flags.Store(read, flag)
	return flag
}

// Announces reports whether a fence may follow write, as where a thread announces that it wants
// something before it looks whether others do (Dekker, Peterson); not one that it has
// decided on by a look at the same place. asked is set if threads wait by reads of that
// place.
func (x *Facts) Announces(write Site) (announces, asked bool) {
	if x == nil {
		return false, false
	}
	if _, tested := x.Test(write); tested {
		return false, false
	}
	for _, w := range x.at[write] {
		if w.Op != ssa.Store || !x.fenced(w) {
			return false, false
		}
		announces = true
		for s := range x.waits {
			asked = asked || slices.ContainsFunc(x.at[s], func(r *ssa.Value) bool { return r.Op == ssa.Load && sameAddress(r, w, 0) })
		}
	}
	return announces, asked
}

// fenced reports whether a fence may follow an access.
func (x *Facts) fenced(r *ssa.Value) bool {
	x.fencedOnce.Do(x.findFences)
	return fenceBehind(r.Block, r) || slices.ContainsFunc(r.Block.Succs, func(s *ssa.Block) bool { return x.toFence[s] })
}

// findFences goes back from the fences.
func (x *Facts) findFences() {
	x.toFence = map[*ssa.Block]bool{}
	var work []*ssa.Block
	for _, b := range x.f.Blocks {
		if slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.Fence }) {
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !x.toFence[b] {
			x.toFence[b] = true
			work = append(work, b.Preds...)
		}
	}
}

// fenceBehind reports whether a fence follows an access in its block.
func fenceBehind(b *ssa.Block, r *ssa.Value) bool {
	i := slices.Index(b.Values, r)
	return slices.ContainsFunc(b.Values[i+1:], func(v *ssa.Value) bool { return v.Op == ssa.Fence })
}

// goesBy reports whether a thread branches on what r has read, selects by it, or finds
// another place with it.
func (x *Facts) goesBy(r *ssa.Value) bool {
	in := func(v *ssa.Value) bool { return v != nil && (&search{want: r}).in(v) }
	for _, b := range x.f.Blocks {
		if in(b.Control) && !ranks(b.Control, r) {
			return true
		}
		for _, v := range b.Values {
			if v.Op == ssa.Select && in(v.Args[0]) && !ranks(v.Args[0], r) || v.Mem != nil && in(v.Mem.Base) {
				return true
			}
		}
	}
	return false
}

// ranks reports whether c is a comparison of a thread's element with another one of the same array, as
// for a maximum.
func ranks(c, r *ssa.Value) bool {
	own := r.Mem.Base
	return own != nil && finds(own, map[*ssa.Value]bool{}, isThreadCoordinate) &&
		finds(c, map[*ssa.Value]bool{}, func(v *ssa.Value) bool {
			return v != r && v.Op == ssa.Load && v.Mem.Base != nil && meet(arrays(v.Mem.Base, nil), arrays(own, nil))
		})
}

// finds looks for a value among those that v is computed from, up to what is read.
func finds(v *ssa.Value, seen map[*ssa.Value]bool, is func(*ssa.Value) bool) bool {
	if is(v) {
		return true
	}
	if seen[v] || v.Op == ssa.Load || v.Op == ssa.Atomic {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return finds(a, seen, is) })
}

// shares reports whether r is a read that a loop with a barrier repeats at one place, and whose value
// it puts into shared memory: one thread of a block polls for all.
func (x *Facts) shares(r *ssa.Value) bool {
	for _, l := range x.f.Loops {
		if !l.Contains(r.Block) || !stays(l, r.Args[:min(1, len(r.Args))]) {
			continue
		}
		barrier, shared := false, false
		for _, b := range l.Blocks {
			for _, v := range b.Values {
				barrier = barrier || v.Op == ssa.OpBarrier
				shared = shared || v.Op == ssa.Store && v.Mem.Space == ptx.Shared && computes(r, v) && !sameAddress(r, v, 0)
			}
		}
		if barrier && shared {
			return true
		}
	}
	return false
}

// isThreadCoordinate reports whether v differs between threads.
func isThreadCoordinate(v *ssa.Value) bool {
	return v.Op == ssa.Special && slices.ContainsFunc([]string{"%tid", "%ctaid", "%laneid", "%warpid", "%clusterid", "%cluster_ctaid"},
		func(name string) bool { return v.Name == name || strings.HasPrefix(v.Name, name+".") })
}

// Update returns the read of the place that a write goes to from which its value is
// computed. A thread that has waited there for its turn is alone with it.
func (x *Facts) Update(write Site) (read Site, ok bool) {
	if x == nil {
		return Site{}, false
	}
	for _, w := range x.at[write] {
		if w.Op != ssa.Store || x.turn(w) {
			continue
		}
		for _, r := range x.loadsLike(w) {
			if r.Mem.Space == w.Mem.Space && sameAddress(r, w, 0) && x.before(r, w) && computes(r, w) {
				return siteOf(x.f, r), true
			}
		}
	}
	return Site{}, false
}

// turn reports whether w is an access after a loop that waits at its place for a value of the thread's
// own: its number, or a ticket.
func (x *Facts) turn(w *ssa.Value) bool {
	own := func(v *ssa.Value) bool { return isThreadCoordinate(v) || v.Op == ssa.Atomic }
	for _, l := range x.f.Loops {
		for _, e := range l.Exits {
			c := e.From.Control
			if c == nil || !finds(c, map[*ssa.Value]bool{}, own) {
				continue
			}
			if finds(c, map[*ssa.Value]bool{}, func(v *ssa.Value) bool { return x.polls(v, w) }) {
				return true
			}
		}
	}
	return false
}

// polls reports whether v is a read that waits at the place of w, before it.
func (x *Facts) polls(v, w *ssa.Value) bool {
	return v.Op == ssa.Load && v.Instr != nil && x.waits[siteOf(x.f, v)] && sameAddress(v, w, 0) && x.before(v, w)
}

// looksAgain reports whether r is a read of a place where the thread has waited, unless it is that of an
// update.
func (x *Facts) looksAgain(r *ssa.Value) bool {
	polled := false
	for _, b := range x.f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.Store && sameAddress(r, v, 0) && x.before(r, v) && computes(r, v) {
				return false
			}
			polled = polled || x.polls(v, r)
		}
	}
	return polled
}
