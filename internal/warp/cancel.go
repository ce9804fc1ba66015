package warp

import (
	"encoding/binary"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// responseBytes is the size of what clusterlaunchcontrol.try_cancel writes.
const responseBytes = 16

// exec asks once for each lane for a cluster that has not begun. The response is written at the
// latest moment: when its mbarrier is looked at.
func (s *launchCancel) exec(w *Warp, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		if !s.issue(w.bulks(), vec.Lowest(b)&31) {
			return false
		}
	}
	return true
}

func (s *launchCancel) issue(w bulkUnit, l int) bool {
	at, own := w.shared(&s.Mem, l)
	if own == nil || !w.aligned(&s.Mem, l, "response", at, responseBytes) || !w.within(&s.Mem, l, at, responseBytes) {
		return false
	}
	bar, owner := w.shared(&s.Barrier, l)
	if owner == nil || !w.aligned(&s.Barrier, l, "mbarrier", bar, mbarrierBytes) || !w.within(&s.Barrier, l, bar, mbarrierBytes) {
		return false
	}
	if own != w.Env || owner != w.Env {
		return w.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, &s.Mem, l, at, "with an address in the shared memory of another block")
	}
	var response [responseBytes]byte
	if first, ok := w.Env.CancelNext(); ok {
		for i, x := range []uint32{first.X, first.Y, first.Z, 1 << (program.CanceledBit - 32)} {
			binary.LittleEndian.PutUint32(response[4*i:], x)
		}
	}
	if !s.All {
		s.answer(w, l, w.Env, at, bar, response)
		return true
	}
	for rank := range w.Env.Block.Launch.ClusterSize() {
		to := w.block(&s.Mem, l, at, rank)
		if to == nil {
			return false
		}
		s.answer(w, l, to, at, bar, response)
	}
	return true
}

// answer lets a block get the response.
func (s *launchCancel) answer(w bulkUnit, l int, to *Env, at, bar uint64, response [responseBytes]byte) {
	f := &flight{lane: l, length: responseBytes}
	w.began(f, to, &s.Mem, at)
	c := &Completion{Site: s.Mem.Site, Warp: w.Warp, Ops: []uint64{f.number}, Owner: to, At: bar, Bytes: responseBytes}
	c.Land = func() bool {
		copy(to.Block.Shared[at:], response[:])
		f.data = response[:]
		to.wroteShared(f, at)
		return true
	}
	c.Defer()
}

// exec decodes a response. What it says where nothing was canceled is undefined: it is 0 here, so that
// each run is the same.
func (s *firstBlock) exec(w *Warp, m uint32) bool {
	var vain uint32
	for b := m; b != 0; b &= b - 1 {
		if l := vec.Lowest(b) & 31; w.V64(s.High)[l]>>program.CanceledBit&1 == 0 {
			vain |= 1 << l
		}
	}
	s.decode(w, m)
	if vain != 0 {
		s.shadeVain(w, vain)
	}
	return true
}

// decode moves the coordinates to the results.
func (s *firstBlock) decode(w *Warp, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		low, high := w.V64(s.Low)[l], w.V64(s.High)[l] // a result may have the slot of the response
		for i, v := range [3]uint64{low, low >> 32, high} {
			if s.Dst[i] != program.NoSlot {
				w.V32(s.Dst[i])[l] = uint32(v)
			}
		}
	}
}

// follow moves undefined bits with the values.
func (s *firstBlock) follow(w *Warp, m uint32) {
	w.taint.FollowMove(m, s.Dst[:], alu.W32, []int32{s.Low, s.High}, alu.W64, func() { s.decode(w, m) })
}

// shadeVain makes undefined what lanes m have decoded from a response that canceled nothing.
func (s *firstBlock) shadeVain(w *Warp, m uint32) {
	o := w.Env.On.Undefined
	if !w.Env.taint.Following || o.NotCanceled == nil {
		return
	}
	var origin vec.Row32
	o.NotCanceled(&trace.NotCanceled{Site: s.Site, Warp: w.Index, Mask: m, Origin: (*[32]uint32)(&origin)})
	for _, slot := range s.Dst {
		if slot != program.NoSlot {
			w.taint.ShadeLanes(slot, m, &origin)
		}
	}
}
