package diagnose

import (
	"cmp"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Repairs that are fences at several places: around a flag, a ticket or a lock.

// fencing collects them.
type fencing struct {
	call string
	adds []finding.Addition
}

func (f *fencing) before(s *trace.Site) {
	f.adds = append(f.adds, finding.Addition{Call: f.call, Before: point(s)})
}

func (f *fencing) after(s *trace.Site) {
	f.adds = append(f.adds, finding.Addition{Call: f.call, After: point(s)})
}

func (f *fencing) mend(k Repair, help string) mend {
	m := by(k, help)
	m.Adds = f.adds
	return m
}

func point(s *trace.Site) *finding.Point { return &finding.Point{Pos: s.Loc.Pos, PTXLine: s.PTXLine} }

// ticketFences are those of a ticket or a lock.
func ticketFences(d *diagnosis) mend {
	s := d.unfenced()
	at, f := d.where(s), fencing{call: "__threadfence()"}
	if s.PTXLine > min(d.early.Site.PTXLine, d.late.Site.PTXLine) {
		f.before(s)
		if !d.config.Policy.FenceToAcquire {
			return f.mend(AddFence, "add __threadfence() before "+at)
		}
		f.after(s)
		return f.mend(AddFence, "add __threadfence() before and after "+at)
	}
	f.after(s)
	if u := cmp.Or(d.unlock(s), d.onlySetter(s)); u != nil {
		f.before(u)
		return f.mend(AddFence, "add __threadfence() after "+at+" and before "+d.where(u))
	}
	return f.mend(AddFence, "add __threadfence() after "+at+", and before the write that lets others continue")
}

// acquires reports whether an access of an order needs no fence behind it.
func acquires(o trace.Order) bool { return o == trace.OrderAcquire || o >= trace.OrderAcqRel }

// fenced reports whether a fence or a barrier may lie between two accesses of a thread, or that is unknown.
func (w *ways) fenced(a, z *trace.Site) bool {
	r := w.route(a, z, false)
	if r == nil {
		return true
	}
	walk := walker{goal: r.to, fences: true, seen: map[*ssa.Block]bool{}}
	walk.from(r.from, r.loop)
	return walk.fence
}

// signalFences are those of a flag, which the two accesses are.
func signalFences(d *diagnosis) mend {
	f := fencing{call: d.fence()}
	d.around(&f, d.writer(), d.reader())
	return f.mend(AddFence, "add "+f.call+" before the variable is written and after it is read")
}

// around adds fences before a flag is set and after it is seen.
func (d *diagnosis) around(f *fencing, set, seen *trace.Site) {
	if set != nil {
		f.before(set)
	}
	if seen != nil {
		f.after(seen)
	}
}

// volatileFlag makes a flag that is polled by plain reads one, with the fences for what it publishes.
func volatileFlag(d *diagnosis) mend {
	f := fencing{call: "__threadfence()"}
	if d.run.Shared {
		f.call = "__threadfence_block()"
	}
	seen, set := d.waits, d.setter()
	if seen == nil {
		seen, set = d.reader(), d.writer()
	}
	d.around(&f, set, seen)
	m := f.mend(MakeVolatile, "make the flag volatile or a cuda::atomic_ref on both sides, with "+f.call+" before it is set and after it is seen")
	if set != nil && seen != nil {
		m.From, m.To = point(set), point(seen)
	}
	return m
}

func halfVolatile(d *diagnosis) bool { return d.half != nil }

func whyHalfVolatile(d *diagnosis) string {
	return fmt.Sprintf("%s waits for a flag that %s sets by a plain write, which orders nothing", d.where(d.half.wait), d.where(d.half.set))
}

func originHalf(d *diagnosis) string { return d.originAt("plain", d.half.set) }

// volatileWrite makes the plain write of a flag as strong as the reads that wait for it.
func volatileWrite(d *diagnosis) mend {
	h, f := d.half, fencing{call: d.fence()}
	first, then := d.early.Site, d.late.Site
	if !evidence.Follows(first, h.set) || !evidence.Follows(h.wait, then) {
		first, then = then, first
	}
	if h.wait != first && h.wait != then { // the pair is what the flag is for
		w := d.ways(d.run.Launch)
		if !w.fenced(first, h.set) {
			f.before(h.set)
		}
		if !w.fenced(h.wait, then) {
			f.after(h.wait)
		}
	}
	m := f.mend(MakeVolatile, fmt.Sprintf("set the flag at %s by a volatile write or a cuda::atomic_ref, as %s reads it, with %s before it and after the wait",
		d.where(h.set), d.where(h.wait), f.call))
	m.From, m.To = point(h.set), point(h.wait)
	return m
}

// setter is the write of the flag that a thread waits for, nil where that is unknown.
func (d *diagnosis) setter() *trace.Site {
	switch d.waits {
	case nil:
		return nil
	case d.early.Site:
		return d.late.Site
	case d.late.Site:
		return d.early.Site
	}
	for _, f := range d.flags {
		if f.wait == d.waits {
			return f.set
		}
	}
	return nil
}

// writeFirst moves an access before the flag that is set too early, with a fence between the two.
func writeFirst(d *diagnosis) mend {
	m := by(AddFence, "write it first, then "+d.fence()+", then "+d.where(d.w.Link.Site))
	m.From, m.At, m.Then = point(d.w.First.Site), point(d.w.Link.Site), d.fence()
	return m
}
