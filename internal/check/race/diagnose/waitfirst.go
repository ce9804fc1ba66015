package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A thread that waits for the other one only after its access has the right wait at the wrong place.

// tooLate is a wait that comes after the access that it is for.
type tooLate struct {
	access, wait *trace.Site
	// set is the write that the thread waits for, of a thread that has made its access before; nil for copies.
	set *evidence.Release
	// other is the access that the wait is for.
	other *trace.Site
}

// waitsTooLate: one of two threads of different blocks waits for a flag that the other one sets after its access, but only after its own.
func waitsTooLate(d *diagnosis) bool { return d.cause == BlocksUnordered && d.tooLate() != nil }

// tooLate returns the first such wait, nil for none.
func (d *diagnosis) tooLate() *tooLate {
	if !d.run.InTurn {
		return nil
	}
	first, then := &d.w.First, &d.w.Then
	for _, x := range [][2]*evidence.Access{{then, first}, {first, then}} {
		access, other := x[0], x[1]
		for _, q := range d.run.Acquired[access.Block] {
			if set := d.setsFor(q, access, other); set != nil {
				return &tooLate{access.Site, q.Site, set, other.Site}
			}
		}
	}
	return nil
}

// setsFor returns what another block has released after its access for what a thread has acquired by waiting after its own access; nil
// for none. Where the thread comes to its access again behind the wait, it waits for what it does then.
func (d *diagnosis) setsFor(q evidence.Acquire, access, other *evidence.Access) *evidence.Release {
	if q.Site == nil || q.Thread != access.Number() || !d.facts.Waits(hb.GuardSite(q.Site)) || !d.comesBefore(access.Site, q.Site) {
		return nil
	}
	r, ok := d.run.Released[evidence.ReleaseKey{Word: q.Word, Block: other.Block}]
	if !ok || !evidence.Follows(other.Site, r.Site) || r.Interval < other.Interval || r.Interval == other.Interval && r.Tick <= other.Tick {
		return nil
	}
	return &r
}

// comesBefore reports whether a thread comes from a to z, and not from z to a.
func (d *diagnosis) comesBefore(a, z *trace.Site) bool {
	w := d.ways(d.run.Launch)
	return w != nil && evidence.Follows(a, z) && w.route(a, z, false) != nil && w.route(z, a, false) == nil
}

// waitFirst moves the wait, with the fences or the orders that the flag lacks.
func waitFirst(d *diagnosis) mend {
	l := d.tooLate()
	f, w := fencing{call: d.fence()}, d.ways(d.run.Launch)
	if !releases(l.set.Site.Order) && !w.fenced(l.other, l.set.Site) {
		f.release(l.set.Site)
	}
	m := f.mend(finding.WaitFirst, fmt.Sprintf("wait first: move the wait of %s before %s", d.where(l.wait), d.where(l.access)))
	m.At, m.To = point(l.wait), point(l.access)
	switch {
	case acquires(l.wait.Order):
	case f.order(l.wait, finding.Acquire):
		m.Orders = f.orders
	default:
		m.Then = f.call
		m.help += ", with " + f.call + " between"
	}
	if t := f.text(d.file()); t != "" {
		m.help += "; " + t
	}
	return m
}

// waitsForCopyTooLate: the copies that are in flight are tracked by an mbarrier, at which the thread waits only after its access.
func waitsForCopyTooLate(d *diagnosis) bool { return inFlight(d) && d.copyWait() != nil }

// passesCopyWait is the same for a copy that its own thread has waited for.
func passesCopyWait(d *diagnosis) bool {
	return d.cause == NoBarrier && d.w.First.Site.Op.Kind == inst.CopyAsync && d.copyWait() != nil
}

// copyWait is that wait, nil for none.
func (d *diagnosis) copyWait() *trace.Site {
	copied, access := &d.w.First, &d.w.Then
	for _, s := range d.copies {
		if s.Op.Kind != inst.CopyArrive || !evidence.Behind(copied.Site, s) && s.Loc.Pos != copied.Site.Loc.Pos {
			continue
		}
		for _, wait := range d.run.Visits.WaitsFor(s, access) {
			if d.comesBefore(access.Site, wait) {
				return wait
			}
		}
	}
	return nil
}

// waitForCopyFirst moves the wait for tracked copies.
func waitForCopyFirst(d *diagnosis) mend {
	wait := d.copyWait()
	m := by(finding.WaitFirst, fmt.Sprintf("wait first: move the wait of %s, for the mbarrier that tracks the copy, before %s", d.where(wait), d.where(d.w.Then.Site)))
	m.At, m.To = point(wait), point(d.w.Then.Site)
	return m
}
