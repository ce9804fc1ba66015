package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Repairs that are fences at several places, or stronger orders: around a flag, a ticket or a lock.

// fencing collects them. An atomic operation that names its order gets a stronger one, others get a fence beside them.
type fencing struct {
	call   string
	adds   []finding.Addition
	orders []finding.Ordering
	// kinds are the words for the operations of orders.
	kinds []string
}

// release lets what a thread did before an operation be published by it.
func (f *fencing) release(s *trace.Site) {
	if !releases(s.Order) && !f.order(s, finding.Release) {
		f.adds = append(f.adds, finding.Addition{Call: f.call, Before: point(s)})
	}
}

// acquire lets what another thread has published be seen after an operation.
func (f *fencing) acquire(s *trace.Site) {
	if !acquires(s.Order) && !f.order(s, finding.Acquire) {
		f.adds = append(f.adds, finding.Addition{Call: f.call, After: point(s)})
	}
}

// both does the two for one operation.
func (f *fencing) both(s *trace.Site) {
	if !f.order(s, finding.AcqRel) {
		f.release(s)
		f.acquire(s)
	}
}

func (f *fencing) order(s *trace.Site, o finding.MemoryOrder) bool {
	if !s.Op.Ordered {
		return false
	}
	if o == finding.Release && acquires(s.Order) || o == finding.Acquire && releases(s.Order) {
		o = finding.AcqRel
	}
	f.orders = append(f.orders, finding.Ordering{At: callOf(s), Order: o})
	f.kinds = append(f.kinds, operations[s.Kind])
	return true
}

var operations = [...]string{trace.Read: "the read", trace.Write: "the write", trace.Atomic: "the atomic operation"}

// callOf is the place of a site in the program's own text: its call of a header library.
func callOf(s *trace.Site) *finding.Point {
	p := point(s)
	for _, at := range s.Loc.InlinedAt {
		if source.Library(p.File) == "" {
			break
		}
		p.Pos = at
	}
	return p
}

// mend is the repair that has all of them.
func (f *fencing) mend(k finding.RepairKind, help string) mend {
	m := by(k, help)
	m.Adds, m.Orders = f.adds, f.orders
	if k == finding.AddFence && len(f.adds) == 0 {
		m.Kind = finding.StrengthenOrder
	}
	return m
}

// text puts them into words, for a text about the file home.
func (f *fencing) text(home string) string {
	parts := []string{f.additions(home), f.orderings(home)}
	return strings.Join(slices.DeleteFunc(parts, func(t string) bool { return t == "" }), "; ")
}

// additions puts the fences into words: "add __threadfence() before line 5 and after line 9".
func (f *fencing) additions(home string) string {
	var at []string
	for i, a := range f.adds {
		where, p := "after", a.After
		if a.Before != nil {
			where, p = "before", a.Before
		}
		if next := i + 1; next < len(f.adds) && a.Before != nil && f.adds[next].After != nil && *f.adds[next].After == *a.Before {
			at = append(at, where) // and after the same
			continue
		}
		at = append(at, where+" "+check.WherePoint(p, home))
	}
	if len(at) == 0 {
		return ""
	}
	return "add " + f.call + " " + strings.Join(at, " and ")
}

// orderings puts the orders into words.
func (f *fencing) orderings(home string) string {
	var uses, names []string
	for i, o := range f.orders {
		uses = append(uses, fmt.Sprintf("%s order for %s of %s", o.Order, f.kinds[i], check.WherePoint(o.At, home)))
		if !slices.Contains(names, o.Order.Name()) {
			names = append(names, o.Order.Name())
		}
	}
	if len(uses) == 0 {
		return ""
	}
	return fmt.Sprintf("use %s (%s)", strings.Join(uses, " and "), strings.Join(names, ", "))
}

func point(s *trace.Site) *finding.Point { return &finding.Point{Pos: s.Loc.Pos, PTXLine: s.PTXLine} }

// ticketFences are those of a ticket or a lock.
func ticketFences(d *diagnosis) mend {
	s := d.unfenced()
	f := fencing{call: "__threadfence()"}
	if s.PTXLine > min(d.early.Site.PTXLine, d.late.Site.PTXLine) {
		if d.config.Policy.FenceToAcquire || s.Op.Ordered {
			f.both(s)
		} else {
			f.release(s)
		}
		return f.mend(finding.AddFence, f.text(d.file()))
	}
	f.acquire(s)
	if u := cmp.Or(d.unlock(s), d.onlySetter(s)); u != nil {
		f.release(u)
		return f.mend(finding.AddFence, f.text(d.file()))
	}
	return f.mend(finding.AddFence, f.text(d.file())+f.unknownRelease())
}

// unknownRelease is the end of a help whose other side has no known place.
func (f *fencing) unknownRelease() string {
	if len(f.adds) == 0 {
		return ", and release order for the write that lets others continue"
	}
	return ", and before the write that lets others continue"
}

// fenceAfterRead is the repair of a thread that has seen a flag and acquires nothing by it.
func fenceAfterRead(d *diagnosis) mend {
	seen := d.w.Link.Acquire.Site
	if !seen.Op.Ordered {
		return d.adding(finding.AddFence, d.fence(), seen, d.w.Then.Site)
	}
	f := fencing{call: d.fence()}
	f.acquire(seen)
	return f.mend(finding.AddFence, f.text(d.file()))
}

// fenceBeforeWrite is the repair of a thread that sets a flag which releases nothing, and of the one that sees it, where that
// acquires nothing either.
func fenceBeforeWrite(d *diagnosis) mend {
	set, seen := d.w.Link.Site, d.w.Link.Acquire.Site
	open := seen != nil && !acquires(seen.Order) && !d.ways(d.run.Launch).fenced(seen, d.w.Then.Site)
	f := fencing{call: d.fence()}
	f.release(set)
	if open {
		f.acquire(seen)
	}
	if len(f.orders) > 0 {
		return f.mend(finding.AddFence, f.text(d.file()))
	}
	m := d.adding(finding.AddFence, d.fence(), d.w.First.Site, set)
	if !open {
		return m
	}
	m.Adds = f.adds
	return m.instead(f.text(d.file()))
}

// acquires reports whether an access of an order needs no fence behind it, releases whether it needs none before it.
func acquires(o trace.Order) bool { return o == trace.OrderAcquire || o >= trace.OrderAcqRel }
func releases(o trace.Order) bool { return o >= trace.OrderRelease }

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
	seen := d.reader()
	if seen.Kind != trace.Read {
		seen = nil
	}
	d.around(&f, d.writer(), seen)
	return f.mend(finding.AddFence, "add "+f.call+" before the variable is written and after it is read")
}

// around adds fences before a flag is set and after it is seen.
func (d *diagnosis) around(f *fencing, set, seen *trace.Site) {
	if set != nil {
		f.release(set)
	}
	if seen != nil {
		f.acquire(seen)
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
	help := "make the flag volatile or a cuda::atomic_ref on both sides"
	switch strong := set != nil && seen != nil && len(f.adds) < 2; {
	case !strong:
		help += ", with " + f.call + " before it is set and after it is seen"
	case len(f.adds)+len(f.orders) > 0:
		help += "; " + f.text(d.file())
	}
	m := f.mend(finding.MakeVolatile, help)
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
			f.release(h.set)
		}
		if !w.fenced(h.wait, then) {
			f.acquire(h.wait)
		}
	}
	help := fmt.Sprintf("set the flag at %s by a volatile write or a cuda::atomic_ref, as %s reads it", d.where(h.set), d.where(h.wait))
	if len(f.orders) > 0 {
		help += "; " + f.text(d.file())
	} else {
		help += fmt.Sprintf(", with %s before it and after the wait", f.call)
	}
	m := f.mend(finding.MakeVolatile, help)
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
	m := by(finding.AddFence, "write it first, then "+d.fence()+", then "+d.where(d.w.Link.Site))
	m.From, m.At, m.Then = point(d.w.First.Site), point(d.w.Link.Site), d.fence()
	return m
}
