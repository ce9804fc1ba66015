package warp

import (
	"math/bits"
	"unsafe"
)

// Nudge gives other lanes of the warp a chance when the running ones only
// wait for them: the next ready group comes first, or lanes that wait at a
// meeting point go on without the others (independent thread scheduling,
// CUDA C++ Programming Guide, "SIMT Architecture"). It reports whether it
// changed anything.
func (w *Warp) Nudge() bool {
	if !w.Env.Arch.Independent {
		return false
	}
	if w.nudges++; w.nudges < len(w.ready) {
		return w.turnReady()
	}
	w.nudges = 0
	return w.releaseWaiting() || w.turnReady()
}

// Unblock lets lanes that wait at a meeting point go on, where the others of
// their warp wait at a barrier. It reports whether there are any.
func (w *Warp) Unblock() bool { return w.Env.Arch.Independent && w.releaseWaiting() }

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
// after many turns lanes that wait at a meeting point need wait no longer:
// what runs may be waiting for them.
func (w *Warp) yielded(gi int32) {
	w.suspend(gi)
	w.ready = append(w.ready, gi)
	if !w.Env.Arch.Independent {
		return
	}
	w.turnReady()
	if w.yields++; w.yields >= w.Env.Patience {
		w.yields = 0
		w.releaseWaiting()
	}
}

// releaseWaiting frees the lanes of the innermost meeting points of running
// groups.
func (w *Warp) releaseWaiting() bool {
	for k := range w.groups {
		g := &w.groups[k]
		if g.state == groupFree {
			continue
		}
		for i := g.join; i >= 0; i = w.joins[i].parent {
			if w.joins[i].arrived != 0 {
				w.loosen(-1)
				w.release(i)
				// They go on with what the lanes that they leave have.
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

// Hash covers all that decides what the warp does next but for the memory
// that it shares with others.
func (w *Warp) Hash() uint64 {
	h := hasher(w.Live)
	h.words(w.words(0, w.Prog.Slab))
	if n := len(w.local) / 8; n > 0 {
		h.words(unsafe.Slice((*uint64)(unsafe.Pointer(&w.local[0])), n))
	}
	for i := range w.groups {
		if g := &w.groups[i]; g.state != groupFree {
			h.word(uint64(g.pc)<<32 | uint64(g.mask))
			h.word(uint64(g.state)<<32 | uint64(uint32(g.join)))
			h.words(g.saved)
		}
	}
	for _, i := range w.ready {
		h.word(uint64(i))
	}
	for i := range w.joins {
		h.word(uint64(w.joins[i].arrived)<<32 | uint64(w.joins[i].expected))
	}
	for i := range w.frames {
		if w.frames[i].used {
			h.words(w.frames[i].saved)
		}
	}
	return uint64(h)
}

type hasher uint64

func (h *hasher) word(v uint64) {
	*h = hasher(bits.RotateLeft64(uint64(*h)^v, 23) * 0x9e3779b97f4a7c15)
}

func (h *hasher) words(list []uint64) {
	for _, v := range list {
		h.word(v)
	}
}
