package work

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Programmatic dependent launches ("CUDA C++ Programming Guide", "Programmatic
// Dependent Launch and Synchronization"; PTX ISA, "griddepcontrol"). Such a launch
// may begin as soon as every block of the kernel that it depends on has triggered
// (griddepcontrol.launch_dependents) or ended. What it does before its wait is
// ordered after what that kernel's trigger is ordered after, no more; what it does
// after the wait is ordered after the end of that kernel. The end of a kernel that
// did not wait itself says nothing about the kernels before it.
//
// A launch of this kind breaks the rule that the work of a stream is known up to a
// number: it can be known to be complete while work before it is not. It therefore
// has a key of its own in clocks.

// dependence is what a launch that may begin early adds to its work.
type dependence struct {
	// key is its own in clocks, 0 for work that begins when all before it in its
	// stream has ended.
	key uint64
	// waits is what its wait orders, before the kernel that it depends on.
	waits  hb.StreamClock
	before *piece
	// on is what it may overlap with, pending what its events say; both until it has ended:
	// whether these have waited themselves is known only then.
	on      *piece
	pending []*piece
	// wait and trigger are griddepcontrol instructions that it executed; first says
	// that one of its blocks waited before it triggered, so that its dependents
	// begin after what it waits for.
	wait, trigger *trace.Site
	first         bool
}

// keyDevice stands for the device in the keys of dependent launches.
const keyDevice = -3

func keyOf(key uint64) trace.Stream { return trace.Stream{Device: keyDevice, ID: key} }

// complete reports whether work is complete by a clock.
func complete(c hb.StreamClock, w *piece) bool {
	return w.n <= c[w.Stream] || w.dep.key > 0 && c[keyOf(w.dep.key)] > 0
}

// triggered is the clock with which the dependents of a launch may begin.
func (w *piece) triggered() hb.StreamClock {
	m := maps.Clone(w.after)
	if w.dep.first {
		m.Join(w.dep.waits)
	}
	return m
}

// ended is the clock of all that has ended with a launch.
func (w *piece) ended() hb.StreamClock {
	m := maps.Clone(w.after)
	if w.dep.key == 0 {
		m[w.Stream] = w.n
		return m
	}
	m[keyOf(w.dep.key)] = 1
	if w.dep.wait != nil {
		m.Join(w.dep.waits)
	}
	return m
}

// settle makes what a stream's dependent launch waited for part of what all later
// work of the stream is ordered after.
func (st *stream) settle() {
	if st.last != nil && st.last.dep.key > 0 {
		st.clock.Join(st.last.ended())
	}
}

// beginDependent numbers a launch that may begin before what it depends on has ended:
// the kernel before it in its stream, or kernels whose programmatic events the
// stream waits for.
func (ss *streams) beginDependent(w *piece, programmatic bool) {
	st := ss.get(w.Stream)
	if last := st.last; programmatic && last != nil && last.launch {
		w.after = maps.Clone(ss.ready(w.Stream))
		w.dep.waits = maps.Clone(w.after)
		w.after.Join(last.triggered())
		w.dep.waits.Join(last.ended())
		w.dep.before, last.dep.before = last, nil
		w.dep.on = last
	} else {
		st.settle()
		w.after = maps.Clone(ss.ready(w.Stream))
		w.after[w.Stream] = st.n
		w.dep.waits = maps.Clone(w.after)
	}
	for _, p := range st.pending {
		w.dep.waits.Join(p.ended())
		w.dep.before = p
	}
	w.dep.pending = st.pending
	ss.keys++
	w.dep.key = ss.keys
	st.pending, st.last = nil, w
	st.n++
	w.n = st.n
	ss.keyed[keyOf(w.dep.key)] = place{w.Stream, w.n}
	ss.trim(w.after)
	ss.trim(w.dep.waits)
}

// resolve completes what a dependent launch is ordered after, when it has ended and so have
// those that it depends on.
func (ss *streams) resolve(w *piece) {
	if on := w.dep.on; on != nil {
		w.after.Join(on.triggered())
		w.dep.waits.Join(on.ended())
	}
	for _, p := range w.dep.pending {
		w.dep.waits.Join(p.ended())
	}
	if w.dep.key > 0 {
		ss.trim(w.after)
		ss.trim(w.dep.waits)
	}
	w.dep.on, w.dep.pending = nil, nil
}

// place is where a dependent launch is in its stream.
type place struct {
	stream trace.Stream
	n      uint64
}

// trim drops the keys of launches that a clock covers by their number.
func (ss *streams) trim(m hb.StreamClock) {
	for k := range m {
		if p, ok := ss.keyed[k]; ok && p.n <= m[p.stream] {
			delete(m, k)
		}
	}
}

// forgetKeys drops the keys of launches that the host has waited for.
func (ss *streams) forgetKeys() {
	for k, p := range ss.keyed {
		if p.n <= ss.host[p.stream] {
			delete(ss.keyed, k)
		}
	}
}

// gridControls is what the threads of a slot's block have done to order their grid.
type gridControls struct {
	// waited has the lanes by warp that are ordered after a wait; early:
	// one triggered that is not.
	waited []uint32
	any    bool
	early  bool

	wait, trigger *trace.Site
	first         bool
}

func (g *gridControls) begin(b *trace.Block) {
	g.waited = append(g.waited[:0], make([]uint32, b.Launch.Warps())...)
	g.any, g.early = false, false
}

func (g *gridControls) end() { g.first = g.first || g.any && !g.early }

func (g *gridControls) control(e *trace.GridControl) {
	if e.Wait {
		g.wait = earlier(g.wait, e.Site)
		g.waited[e.Warp] |= e.Mask
		g.any = true
		return
	}
	g.trigger = earlier(g.trigger, e.Site)
	g.early = g.early || e.Mask&^g.waited[e.Warp] != 0
}

// earlier is the one of two sites, which may be nil, that comes first in the kernel.
func earlier(a, b *trace.Site) *trace.Site {
	if a == nil || b != nil && b.ID < a.ID {
		return b
	}
	return a
}

// barrier orders those who waited at a barrier after the wait for other grids of one that
// took part.
func (g *gridControls) barrier(e *trace.Barrier) {
	if !g.any {
		return
	}
	known := false
	for w, lanes := range e.Arrived {
		known = known || lanes&g.waited[w] != 0
	}
	for w, lanes := range e.Synced {
		if known {
			g.waited[w] |= lanes
		}
	}
}

func (g *gridControls) warpSync(e *trace.WarpSync) {
	if g.waited[e.Warp]&e.Mask != 0 {
		g.waited[e.Warp] |= e.Mask
	}
}

// merge takes over what another slot's blocks did.
func (d *dependence) merge(g *gridControls) {
	d.wait, d.trigger = earlier(d.wait, g.wait), earlier(d.trigger, g.trigger)
	d.first = d.first || g.first
}
