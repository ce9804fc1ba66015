package diagnose

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// What follows from the evidence together with what the kernel decides by reading memory.

// test is a place that threads test and then write, one after the other where it
// has to be one operation.
type test struct {
	guards.Test
	read, write *trace.Site
}

// testOf returns the test that the two sites belong to, nil for none. Several threads have
// to do both, as a thread that waits for another one and then answers tests and writes too.
func (d *diagnosis) testOf() *test {
	l, across := d.run.Launch, d.reachesOut()
	a, z := l.Sites[d.key.A], l.Sites[d.key.B]
	for _, w := range []*trace.Site{z, a} {
		if w.Kind != trace.Write {
			continue
		}
		t, ok := d.facts.Test(hb.GuardSite(w))
		if !ok || t.Moved && !across { // a barrier can order the two
			continue
		}
		r, other := d.at[t.Read], a
		if w == a {
			other = z
		}
		if r == nil {
			continue
		}
		reads := other == r || d.facts.SamePlace(hb.GuardSite(other), t.Read) || slices.Contains(t.Others, hb.GuardSite(other))
		if o, ok := d.facts.Test(hb.GuardSite(other)); !reads && !(ok && o.Read == t.Read) {
			continue
		}
		if d.raced(w, w) || t.Last && (reads || d.raced(r, w)) {
			return &test{t, r, w}
		}
	}
	return nil
}

// rewrite is a volatile read and a write to the same place of a value that is computed from
// what was read, by one thread.
type rewrite struct{ read, write *trace.Site }

// updatesOf are the updates of the kernel that a site belongs to.
func (d *diagnosis) updatesOf(s *trace.Site) (list []rewrite) {
	writes := d.volatiles
	if s.Kind == trace.Write {
		writes = []*trace.Site{s}
	}
	for _, w := range writes {
		if w.Kind != trace.Write || hb.StrengthOf(w) != hb.Volatile {
			continue
		}
		if at, ok := d.facts.Update(hb.GuardSite(w)); ok && (w == s || at == hb.GuardSite(s)) {
			list = append(list, rewrite{d.at[at], w})
		}
	}
	return list
}

// lostOf returns the update of which others are lost where two volatile sites race, nil for
// none: each belongs to an update, and the writes of the two race. A lock or a flag
// that connects the threads keeps their updates apart.
func (d *diagnosis) lostOf() *rewrite {
	if d.test != nil || !d.volatile || d.w.Lock.Both || d.w.Link.OK {
		return nil
	}
	late := d.updatesOf(d.late.Site)
	for _, u := range d.updatesOf(d.early.Site) {
		for _, v := range late {
			if d.raced(u.write, v.write) {
				return &u
			}
		}
	}
	return nil
}

// waitOf returns the plain read by which one thread waits for another, and that
// one of the two sites is or that should order them: the flag that it waits for is set
// after the first access, and the second one follows the read. nil for none.
func (d *diagnosis) waitOf() *trace.Site {
	a, z := d.early.Site, d.late.Site
	for _, s := range []*trace.Site{a, z} {
		if d.places.waits[s] {
			return s
		}
	}
	for _, f := range d.flags {
		if evidence.Follows(a, f.set) && evidence.Follows(f.wait, z) || evidence.Follows(z, f.set) && evidence.Follows(f.wait, a) {
			return f.wait
		}
	}
	return nil
}

// halfOf returns the flag that a thread waits for by strong reads and another one sets by a plain write, which the two sites are or which
// should order them; nil for none.
func (d *diagnosis) halfOf() *flag {
	a, z := d.early.Site, d.late.Site
	for i, f := range d.halves {
		if f.wait == a && f.set == z || f.wait == z && f.set == a ||
			evidence.Follows(a, f.set) && evidence.Follows(f.wait, z) || evidence.Follows(z, f.set) && evidence.Follows(f.wait, a) {
			return &d.halves[i]
		}
	}
	return nil
}

// retried reports whether the accesses are a read and a strong operation that may happen in any order: a
// compare-and-swap repeats what the thread did if the value is no longer there.
// This is how the CUDA C++ Programming Guide makes atomic operations of others
// ("Atomic Functions"), with a read that is not volatile. If the swap is for an element of
// the word, that holds for any write: one to the element races with the swap itself.
func (d *diagnosis) retried() bool {
	a, z := d.early.Site, d.late.Site
	if a.Kind != trace.Read {
		a, z = z, a
	}
	if a.Kind != trace.Read || a.Size != a.Elem {
		return false
	}
	return hb.IsStrong(z) && d.facts.Retried(hb.GuardSite(a)) || d.facts.Rebuilt(hb.GuardSite(a))
}

// plainAmong returns the plain one of two accesses where the other is a relaxed load or
// store, and threads come to the plain one from such an access to what it races for too: it is
// in the midst of them, and not an initialization or a last read.
func (d *diagnosis) plainAmong() *trace.Site {
	if !d.reachesOut() {
		return nil
	}
	var p *trace.Site
	switch x, y := d.strengths(); {
	case x == hb.Weak && y == hb.Strong:
		p = d.early.Site
	case y == hb.Weak && x == hb.Strong:
		p = d.late.Site
	case x == hb.Weak && y == hb.Weak:
		p = d.writer()
	default:
		return nil
	}
	for _, o := range d.strong {
		if o.Kind != trace.Atomic && d.raced(o, p) && evidence.Behind(o, p) {
			return p
		}
	}
	return nil
}

// unfenced returns the ticket or the lock that lies between the two accesses
// in the program, or before both, in a kernel without fences; nil for none. It
// is an atomic whose result is used and that single threads execute; before both, one
// that takes a lock or waits for a turn.
func (d *diagnosis) unfenced() *trace.Site {
	lo, hi := d.early.Site.PTXLine, d.late.Site.PTXLine
	for _, s := range d.atomics {
		if !d.run.Single[s.ID] || s.Func != d.early.Site.Func {
			continue
		}
		waits := evidence.TakesLock(s) || d.facts.Waits(hb.GuardSite(s))
		if s.PTXLine < hi && (s.PTXLine > lo && !waits || s.PTXLine < lo && waits) {
			return s
		}
	}
	return nil
}

// unlock is the strong write after both accesses that gives back what an atomic took, nil
// for none.
func (d *diagnosis) unlock(taken *trace.Site) *trace.Site {
	after := max(d.early.Site.PTXLine, d.late.Site.PTXLine)
	for _, u := range d.strong {
		if u.Kind != trace.Read && u.Func == taken.Func && u.PTXLine > after {
			return u
		}
	}
	return nil
}

// onlySetter is the one strong write of a kernel besides what waits for it, nil where there are several.
func (d *diagnosis) onlySetter(waits *trace.Site) (only *trace.Site) {
	if !d.facts.Waits(hb.GuardSite(waits)) {
		return nil
	}
	for _, u := range d.strong {
		switch {
		case u == waits || u.Kind == trace.Read:
		case only != nil || u.Func != waits.Func:
			return nil
		default:
			only = u
		}
	}
	return only
}

// arrival is a wait for other blocks that does not order two accesses of theirs.
type arrival struct {
	// wait is where one block waits, arrive where the other one arrives, after its access;
	// access is that of the block that waits.
	wait, arrive, access *trace.Site
	// alone: only another thread of the block waits.
	alone bool
}

// arrivalOf looks for one where no flag orders the two accesses: a block that continues
// before the other one has arrived, or a thread of it that does not wait with
// it. It returns nil for none.
func (d *diagnosis) arrivalOf() *arrival {
	first, then := &d.w.First, &d.w.Then
	if d.w.Link.OK || !d.run.InTurn || first.Block == then.Block {
		return nil
	}
	for _, acquire := range slices.Backward(d.w.Waited) {
		if a := d.waitOfBlock(acquire, first, then); a != nil {
			return a
		}
	}
	for _, acquire := range slices.Backward(d.run.Acquired[then.Block]) {
		if a := d.waitOfBlock(acquire, then, first); a != nil && a.alone {
			return a
		}
	}
	return nil
}

// waitOfBlock looks at what the block of an access has acquired last, and at what the
// block of the other one has released since.
func (d *diagnosis) waitOfBlock(q evidence.Acquire, access, other *evidence.Access) *arrival {
	if q.Site == nil || evidence.TakesLock(q.Site) || q.Interval > access.Interval || !d.facts.Waits(hb.GuardSite(q.Site)) || !evidence.Follows(q.Site, access.Site) {
		return nil
	}
	r, ok := d.run.Released[evidence.ReleaseKey{Word: q.Word, Block: other.Block}]
	if !ok || r.Interval < other.Interval || r.Interval == other.Interval && r.Tick <= other.Tick {
		return nil
	}
	return &arrival{q.Site, r.Site, access.Site, q.Interval == access.Interval && q.Thread != access.Number()}
}

// commits reports whether the kernel makes groups of its asynchronous copies.
func (d *diagnosis) commits() bool {
	return slices.ContainsFunc(d.copies, func(s *trace.Site) bool { return s.Op.Kind == inst.CopyCommit })
}

// neverLands: the earlier access is an asynchronous copy, and nothing in the kernel waits for one. The copy is over
// once its thread has exited, which may be before the other thread comes to its access.
func neverLands(d *diagnosis) bool {
	if !d.run.Shared || d.across() || d.early.Site.Op.Kind != inst.CopyAsync {
		return false
	}
	return !slices.ContainsFunc(d.copies, func(s *trace.Site) bool { return s.Op.Kind == inst.CopyWait || s.Op.Kind == inst.CopyArrive })
}

// lastWait is the last wait for groups of copies before the later access in the program,
// nil for none, and how many groups it leaves in flight.
func (d *diagnosis) lastWait() (wait *trace.Site, left uint64) {
	access := d.late.Site
	for _, s := range d.copies {
		if s.Func != access.Func || s.PTXLine > access.PTXLine || wait != nil && s.PTXLine < wait.PTXLine {
			continue
		}
		if s.Op.Kind == inst.CopyWait && !s.Op.All {
			wait, left = s, uint64(s.Op.Groups)
		}
	}
	return wait, left
}
