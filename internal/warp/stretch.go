package warp

import "github.com/warpgrind/warpgrind/internal/trace"

// split is where lanes of a warp diverged: those of mask were together before.
// The splits of a group, from the innermost outward, say at which branch each
// lane that is not in it diverged from it.
type split struct {
	site   *trace.Site
	mask   uint32
	parent *split
}

// stretch is what observers of partings need of the lanes that run: since when
// they do, in Env.WarpInstrs.
type stretch struct {
	mask  uint32
	split *split
	from  uint64
	// ended are the lanes that exited while others continued.
	ended []trace.Idle
	event trace.Stretch
}

// part notes that a group's lanes are about to part at a branch, for observers.
func (w *Warp) part(gi int32, taken uint32, site *trace.Site) {
	if !w.Env.watchesStretches() {
		return
	}
	g := &w.groups[gi]
	ev := trace.Divergence{Branch: site, Warp: w.Index, Mask: g.mask, Taken: taken}
	for s := g.split; s != nil; s = s.parent {
		ev.Again = ev.Again || s.site == site
	}
	g.split = &split{site, g.mask, g.split}
	if f := w.Env.On.Diverged; f != nil {
		f(&ev)
	}
}

// began notes that the lanes of a group run from here on, for observers.
func (w *Warp) stretchBegan(gi int32) {
	if !w.Env.watchesStretches() {
		return
	}
	w.stretchEnded()
	g := &w.groups[gi]
	for g.split != nil && g.split.mask&w.Live&^g.mask == 0 { // all are back
		g.split = g.split.parent
	}
	w.run.mask, w.run.split, w.run.from = g.mask, g.split, w.Env.WarpInstrs
}

// ended tells observers what the running lanes did since they began.
func (w *Warp) stretchEnded() {
	x := &w.run
	mask, n := x.mask, w.Env.WarpInstrs-x.from
	x.mask = 0 // until others begin
	if mask == 0 || n == 0 {
		return
	}
	ev := &x.event
	ev.Warp, ev.Mask, ev.Instrs, ev.Idle = w.Index, mask, n, ev.Idle[:0]
	rest := ^mask
	for s := x.split; s != nil; s = s.parent {
		rest = x.idle(s.site, s.mask, rest)
	}
	for _, e := range x.ended {
		rest = x.idle(e.Branch, e.Mask, rest)
	}
	x.idle(nil, rest, rest)
	if f := w.Env.On.Stretch; f != nil {
		f(ev)
	}
}

// exits notes at which branch lanes m diverged from others that continue when they
// exit.
func (w *Warp) stretchExits(gi int32, m uint32) {
	if s := w.groups[gi].split; s != nil && w.Env.watchesStretches() {
		w.run.ended = append(w.run.ended, trace.Idle{Branch: s.site, Mask: m})
	}
}

// idle adds those of lanes that are still to be explained, and returns the
// others of them.
func (x *stretch) idle(branch *trace.Site, lanes, rest uint32) uint32 {
	if lanes &= rest; lanes == 0 {
		return rest
	}
	for i := range x.event.Idle {
		if e := &x.event.Idle[i]; e.Branch == branch {
			e.Mask |= lanes
			return rest &^ lanes
		}
	}
	x.event.Idle = append(x.event.Idle, trace.Idle{Branch: branch, Mask: lanes})
	return rest &^ lanes
}
