package warp

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// group is a set of lanes at one place.
type group struct {
	pc    int32
	mask  uint32
	join  int32 // innermost reconvergence point, -1 for none
	frame int32 // innermost call, -1 for none
	state groupState
	// sync is the index of the operation waited at.
	sync int32
	want uint32 // member mask waited for
	owed uint32 // lanes of it that were there when these came
	// since is what the warp had done for others, but for exits, when these came.
	since uint64
	// split is where others diverged from the lanes, if an observer wants to know.
	split *split
	// saved holds the uniform part of the slab while other lanes run, shaded the
	// shadow of it, empty where all of it is defined.
	saved, shaded []uint64
}

type groupState uint8

const (
	groupFree groupState = iota
	groupReady
	groupBarrier
	groupSync
	groupWarps // waits for other warps of the block, and then executes its step again
)

// join is a place where diverged lanes meet. rpc is the step, atReturn for
// the end of a call.
type join struct {
	rpc               int32
	expected, arrived uint32
	parent, frame     int32
	split             *split // of those that arrived
}

const atReturn int32 = -2

// frame is a call in progress.
type frame struct {
	ret    int32
	parent int32
	// join is the reconvergence point at the call's end.
	join  int32
	call  *program.Call
	site  *trace.Site // of the call
	fn    *program.Func
	saved []uint64
	// shaded is the shadow of saved, empty where all of it is defined.
	shaded []uint64
	// depth is about the stack that a thread would need here, in bytes.
	depth int
	used  bool
	// serial tells the calls of a warp apart, calls counts those around.
	serial, calls uint64
}

func (w *Warp) newGroup(g group) int32 {
	g.state = groupReady
	w.nlive++
	for i := range w.groups {
		if w.groups[i].state == groupFree {
			g.saved = w.groups[i].saved[:0]
			w.groups[i] = g
			return int32(i)
		}
	}
	w.groups = append(w.groups, g)
	return int32(len(w.groups) - 1)
}

// spawn makes a group that runs next. It begins with the uniform values of
// the running one: as they are when it reaches run where only sides of the
// same branch run in between (see the package lower), else with a copy.
func (w *Warp) spawn(g group) {
	i := w.newGroup(g)
	w.ready = append(w.ready, i)
	if w.loose {
		w.suspend(i)
	}
}

func (w *Warp) endGroup(i int32) {
	w.groups[i].state = groupFree
	w.nlive--
}

func (w *Warp) newJoin(j join) int32 {
	if n := len(w.spare); n > 0 {
		i := w.spare[n-1]
		w.spare = w.spare[:n-1]
		w.joins[i] = j
		return i
	}
	w.joins = append(w.joins, j)
	return int32(len(w.joins) - 1)
}

// suspend keeps the uniform values of a group that stops while other lanes of
// the warp may run.
func (w *Warp) suspend(i int32) {
	g := &w.groups[i]
	if g.saved = g.saved[:0]; w.nlive > 1 {
		if v := w.Env.native.code; v != nil {
			w.fillRows(v.Rows())
		}
		g.saved = append(g.saved, w.uniform()...)
		g.shaded = w.taint.Suspend(g.shaded)
	}
}

func (w *Warp) uniform() []uint64 {
	return w.Words(0, w.Prog.Uniform)
}

// diverge splits the current group: lanes t go to target, the rest of its
// mask to fall. It returns the step where the current group continues.
func (w *Warp) diverge(gi int32, t uint32, target, fall, meet int32) int32 {
	g := &w.groups[gi]
	if meet >= 0 && (g.join < 0 || w.joins[g.join].rpc != meet) {
		g.join = w.newJoin(join{rpc: meet, expected: g.mask, parent: g.join, frame: g.frame})
		g = &w.groups[gi]
	}
	n := g.mask &^ t
	switch {
	case meet >= 0 && target == meet:
		w.joins[g.join].arrived |= t
		w.joins[g.join].split = g.split
		g.mask = n
		return fall
	case meet >= 0 && fall == meet:
		w.joins[g.join].arrived |= n
		w.joins[g.join].split = g.split
		g.mask = t
		return target
	}
	child := group{pc: target, mask: t, join: g.join, frame: g.frame, split: g.split}
	g.mask = n
	w.spawn(child)
	return fall
}

// arrive brings the group to its reconvergence point. It returns true if the group
// continues, now with all lanes that met.
func (w *Warp) arrive(gi int32) bool {
	g := &w.groups[gi]
	j := &w.joins[g.join]
	j.arrived |= g.mask
	j.split = g.split
	if j.arrived != j.expected {
		w.endGroup(gi)
		return false
	}
	w.spare = append(w.spare, g.join)
	g.mask, g.join = j.expected, j.parent
	w.yields = 0
	return true
}

// leave takes lanes out of the reconvergence points from the innermost outward,
// up to but without the one named stop (-1 for all).
func (w *Warp) leave(from int32, lanes uint32, stop int32) {
	for i := from; i >= 0 && i != stop; {
		j := &w.joins[i]
		next := j.parent
		j.expected &^= lanes
		switch {
		case j.expected == 0:
			w.dropJoin(i)
		case j.arrived == j.expected:
			w.release(i)
		}
		i = next
	}
}

func (w *Warp) dropJoin(i int32) {
	if j := &w.joins[i]; j.rpc == atReturn {
		w.frames[j.frame].used = false
	}
	w.spare = append(w.spare, i)
}

// release makes the lanes that arrived at a join a group of their own.
func (w *Warp) release(i int32) {
	j := w.joins[i]
	g := group{pc: j.rpc, mask: j.arrived, join: j.parent, frame: j.frame, split: j.split}
	if j.rpc == atReturn {
		f := &w.frames[j.frame]
		g.pc, g.frame = f.ret, f.parent
		if j.arrived == j.expected {
			f.used = false
		}
	}
	if j.arrived == j.expected {
		w.spare = append(w.spare, i)
	} else {
		w.joins[i].expected &^= j.arrived
		w.joins[i].arrived = 0
	}
	w.spawn(g)
}

// Waiting calls f for each group that waits at a barrier or for other lanes.
func (w *Warp) Waiting(f func(site *trace.Site, mask uint32, barrier bool)) {
	w.spread()
	for _, i := range w.inOrder() {
		switch g := &w.groups[i]; g.state {
		case groupBarrier:
			f(w.Prog.Bars[g.sync].Site, g.mask, true)
		case groupSync:
			f(w.Prog.Syncs[g.sync].Site, g.mask, false)
		case groupWarps:
			f(w.siteAfter(g.pc), g.mask, true)
		}
	}
}

// Resume lets a group that waited at a barrier continue; value is a reduction's
// result.
func (w *Warp) Resume(a Arrival, value uint32) {
	if w.converged {
		w.barrierResult(a.Bar, w.Live, value)
		w.Progress++
		w.waits = none
		return
	}
	if a.group == none {
		a.group = w.waiting()
	}
	g := &w.groups[a.group]
	w.barrierResult(a.Bar, g.mask, value)
	g.state = groupReady
	w.Progress++
	if k := w.mergeable(a.group); k >= 0 {
		w.groups[k].mask |= g.mask
		w.endGroup(a.group)
		return
	}
	w.ready = append(w.ready, a.group)
}

// rejoin takes the ready groups at the place of the running one into it: lanes that
// waited there for the same continue together, however long they were apart.
func (w *Warp) rejoin(gi int32) {
	g := &w.groups[gi]
	if w.nlive < 2 || g.frame >= 0 || !slices.ContainsFunc(w.ready, func(k int32) bool { return w.beside(gi, k) }) {
		return
	}
	if v := w.Env.native.code; v != nil {
		w.fillRows(v.Rows())
	}
	now := w.uniform()
	w.ready = slices.DeleteFunc(w.ready, func(k int32) bool {
		h := &w.groups[k]
		if !w.beside(gi, k) || len(h.saved) != len(now) || !w.Prog.SameUniform(g.pc, now, h.saved) {
			return false
		}
		g.mask |= h.mask
		w.endGroup(k)
		return true
	})
}

// beside reports whether two groups are at one place.
func (w *Warp) beside(i, k int32) bool {
	g, h := &w.groups[i], &w.groups[k]
	return i != k && h.pc == g.pc && h.join == g.join && h.frame == g.frame
}

// sameState reports whether groups at one place would do the same from there on.
func (w *Warp) sameState(g, h *group) bool {
	if equal(g.saved, h.saved) {
		return true
	}
	return g.frame < 0 && len(g.saved) == len(h.saved) && w.Prog.SameUniform(g.pc, g.saved, h.saved)
}

// mergeable finds a ready group at the same place in the same state.
func (w *Warp) mergeable(i int32) int32 {
	g := &w.groups[i]
	found := int32(none)
	for k := range w.groups {
		h := &w.groups[k]
		if h.state == groupReady && w.beside(i, int32(k)) && w.sameState(g, h) &&
			(found == none || vec.Lowest(h.mask) < vec.Lowest(w.groups[found].mask)) {
			found = int32(k)
		}
	}
	return found
}

// inOrder lists the groups by their lowest lanes: their numbers depend on who
// ran them, generated code or the interpreter. It is valid until the next call.
func (w *Warp) inOrder() []int32 {
	list := w.Env.order[:0]
	for i := range w.groups {
		if w.groups[i].state != groupFree {
			list = append(list, int32(i))
		}
	}
	slices.SortFunc(list, func(a, b int32) int { return vec.Lowest(w.groups[a].mask) - vec.Lowest(w.groups[b].mask) })
	w.Env.order = list
	return list
}

func equal(a, b []uint64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Ready reports whether some lanes can continue.
func (w *Warp) Ready() bool {
	return len(w.ready) > 0 || w.converged && w.waits == none && w.Live != 0
}

// Diverged reports whether lanes are at different places.
func (w *Warp) Diverged() bool { return w.nlive > 1 || len(w.joins) > len(w.spare) }

// unfold makes joins and groups of what generated code has left diverged. gi is
// the group that ran; its lanes of now continue first.
func (w *Warp) unfold(gi, pc int32) {
	c := &w.Env.native.ctx
	n := int(c.Depth) / int(native.DivergedSize)
	g := &w.groups[gi]
	frame := g.frame
	var at [native.MaxDiverged + 1]int32
	at[0] = g.join
	for i := range n {
		rpc := c.Meet
		if i+1 < n {
			rpc = c.Joins[i+1].Outer
		}
		x := &c.Joins[i]
		at[i+1] = w.newJoin(join{rpc: int32(rpc), expected: x.Expected, arrived: x.Arrived, parent: at[i], frame: frame})
	}
	g.pc, g.mask, g.join = pc, uint32(c.Mask), at[n]
	for i := range int(c.Waiting) / int(native.DivergedSize) {
		s := &c.Sides[i]
		w.spawn(group{pc: s.PC, mask: s.Mask, join: at[int(s.Join)/int(native.DivergedSize)], frame: frame})
	}
}

// StepAgain lets the lanes that wait for other warps execute their step again.
func (w *Warp) StepAgain() {
	for i := range w.groups {
		if w.groups[i].state == groupWarps {
			w.groups[i].state = groupReady
			w.ready = append(w.ready, int32(i))
		}
	}
}
