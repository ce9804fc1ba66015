package warp

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Nudge gives other lanes of the warp a chance when the running ones only
// wait for them: the next ready group comes first, or lanes that wait at a
// reconvergence point continue without the others (independent thread scheduling,
// CUDA C++ Programming Guide, "SIMT Architecture"). It reports whether it
// changed anything.
//
// Where the running ones cannot be waiting, as their loops end by counting, nothing is
// changed; where that is unlikely, only if they are calm: they came back to a state that
// they had before.
func (w *Warp) Nudge(calm bool) bool {
	w.spread()
	if !w.Env.Arch.Independent {
		return false
	}
	if a := w.awaits(); a == program.AwaitsNothing || a == program.AwaitsWeak && !calm {
		return false
	}
	if w.nudges++; w.nudges < len(w.ready) {
		return false // the next one's turn comes first
	}
	w.nudges = 0
	return w.releaseWaiting()
}

// awaits is what the groups that run may wait for.
func (w *Warp) awaits() (most program.Awaited) {
	l := w.Prog.Loops()
	for _, i := range w.ready {
		g := &w.groups[i]
		most = max(most, l.Awaits(g.pc))
		for f := g.frame; f >= 0; f = w.frames[f].parent {
			most = max(most, l.Awaits(w.frames[f].ret))
		}
	}
	return most
}

// Unblock lets lanes that wait at a reconvergence point continue, where the others of
// their warp wait at a barrier. It reports whether there are any.
func (w *Warp) Unblock() bool { return w.Env.Arch.Independent && w.releaseWaiting() }

// Reunite lets lanes continue that wait at a reconvergence point for lanes which wait, at a
// warp-level operation, for them. It reports whether there are any. Where they have nothing
// left but their exit, the operation then completes without them.
func (w *Warp) Reunite() bool {
	if w.converged || len(w.ready) > 0 || !w.Env.Arch.Independent || len(w.joins) == len(w.spare) {
		return false
	}
	waits := slices.ContainsFunc(w.groups, func(g group) bool { return g.state == groupSync })
	return waits && w.releaseWaiting()
}

// turnReady makes the ready group that is to run next the last one.
func (w *Warp) turnReady() bool {
	last := len(w.ready) - 1
	if last < 1 {
		return false
	}
	top := w.ready[last]
	copy(w.ready[1:], w.ready[:last])
	w.ready[0] = top
	return true
}

// yielded puts a group back whose turn is over. The others come first, and
// after many turns lanes that wait at a reconvergence point need wait no longer:
// what runs may be waiting for them.
func (w *Warp) yielded(gi int32) {
	w.suspend(gi)
	w.ready = append(w.ready, gi)
	if !w.Env.Arch.Independent {
		return
	}
	w.turnReady()
	if w.yields++; w.yields >= w.Env.SpinLimit {
		w.yields = 0
		if w.awaits() != program.AwaitsNothing {
			w.releaseWaiting()
		}
	}
}

// spinningTurns is how many turns that a spinning warp ended are as many as SpinLimit others.
const spinningTurns = 8

// Spins reports whether a warp whose turn is over, and that has only read in it, seems to
// spin: a loop in which it is waits for what strong operations read. Lanes that wait at a
// reconvergence point may soon continue then. Compilers move the critical section of a lock
// behind the loop that takes it, so that the lanes that have it wait there for those that
// want it.
func (w *Warp) Spins() bool {
	if w.awaits() != program.AwaitsStrong {
		return false
	}
	w.yields += w.Env.SpinLimit / spinningTurns
	return true
}

// releaseWaiting frees the lanes of the innermost reconvergence points of running
// groups.
func (w *Warp) releaseWaiting() bool {
	for _, k := range w.inOrder() {
		g := &w.groups[k]
		for i := g.join; i >= 0; i = w.joins[i].parent {
			if w.joins[i].arrived != 0 {
				if j := &w.joins[i]; j.rpc < 0 || j.frame >= 0 || !w.endsAt(j.rpc) {
					w.Ahead |= j.arrived
				}
				w.loosen(-1)
				w.release(i)
				// They continue with what the lanes that they leave have.
				h := &w.groups[w.ready[len(w.ready)-1]]
				h.saved = append(h.saved[:0], w.groups[k].saved...)
				return true
			}
		}
	}
	return false
}

// loosen keeps the uniform values of all groups but the running one, since
// from now on groups run that are not sides of one branch.
func (w *Warp) loosen(running int32) {
	w.loose = true
	w.nlive++ // the group to come
	for i := range w.groups {
		g := &w.groups[i]
		if g.state != groupFree && len(g.saved) == 0 && int32(i) != running {
			w.suspend(int32(i))
		}
	}
	w.nlive--
}

// Hash covers all that decides what the warp does next, as long as it stays
// in the loops in which it is, but for the memory that it shares with others:
// the same hash twice, with nothing written in between, means that it continues
// like this forever. A counter that no condition of a loop depends on does not
// count. words is what had to be examined.
func (w *Warp) Hash(l *program.Loops) (hash uint64, words int) {
	w.spread()
	h := hasher{sum: uint64(w.Live)}
	if n := len(w.local) / 8; n > 0 {
		h.words(unsafe.Slice((*uint64)(unsafe.Pointer(&w.local[0])), n))
	}
	whole := false
	for _, i := range w.inOrder() {
		g := &w.groups[i]
		h.word(uint64(g.pc)<<32 | uint64(g.mask))
		h.word(uint64(g.state)<<32 | uint64(uint32(g.join)))
		whole = w.hashValues(&h, g, l) || whole
	}
	if whole {
		h.words(w.Words(0, w.Prog.Slab))
	}
	for _, i := range w.ready {
		h.word(uint64(i))
	}
	for i := range w.joins {
		h.word(uint64(w.joins[i].arrived)<<32 | uint64(w.joins[i].expected))
	}
	w.async.Stills(func(turns int) { h.word(uint64(turns)) })
	for i := range w.frames {
		if w.frames[i].used {
			h.words(w.frames[i].saved)
		}
	}
	return h.sum, h.n
}

// hashValues adds the registers that decide what a group does; it returns true
// if these may be all. Lanes that wait do nothing.
func (w *Warp) hashValues(h *hasher, g *group, l *program.Loops) (all bool) {
	if g.state != groupReady {
		return false
	}
	x := l.At(g.pc)
	if x == nil || x.Whole {
		h.words(g.saved)
		return true
	}
	if g.frame >= 0 { // the loop may be left and entered again in another call
		h.word(w.frames[g.frame].serial)
	}
	for _, s := range x.Decides {
		w.hashSlot(h, g, s)
	}
	return false
}

// hashSlot adds the lanes of one slot. Constants and special registers do not
// change.
func (w *Warp) hashSlot(h *hasher, g *group, s int32) {
	if s < w.Prog.Uniform {
		if len(g.saved) > 0 {
			h.word(g.saved[s/8])
		} else {
			h.word(*w.S64(s))
		}
		return
	}
	for i := range w.Prog.Areas {
		a := &w.Prog.Areas[i]
		if s < a.Lo || s >= a.Hi {
			continue
		}
		if s >= a.Preds {
			h.word(uint64(*w.Pred(s) & g.mask))
			return
		}
		for m := g.mask; m != 0; m &= m - 1 {
			if l := vec.Lowest(m); s < a.Wide {
				h.word(uint64(w.V32(s)[l]))
			} else {
				h.word(w.V64(s)[l])
			}
		}
		return
	}
}

type hasher struct {
	sum uint64
	n   int // words
}

func (h *hasher) word(v uint64) {
	h.sum = bits.RotateLeft64(h.sum^v, 23) * 0x9e3779b97f4a7c15
	h.n++
}

func (h *hasher) words(list []uint64) {
	for _, v := range list {
		h.word(v)
	}
}
