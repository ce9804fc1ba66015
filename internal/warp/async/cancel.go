package async

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
func (s *launchCancel) exec(u *Unit, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		if !s.issue(u, vec.Lowest(b)&31) {
			return false
		}
	}
	return true
}

func (s *launchCancel) issue(u *Unit, l int) bool {
	at, own := u.Shared(&s.Mem, l)
	if own == nil || !u.Aligned(&s.Mem, l, "response", at, responseBytes) || !u.Within(&s.Mem, l, at, responseBytes) {
		return false
	}
	bar, owner := u.Shared(&s.Barrier, l)
	if owner == nil || !u.Aligned(&s.Barrier, l, "mbarrier", bar, MBarrierBytes) || !u.Within(&s.Barrier, l, bar, MBarrierBytes) {
		return false
	}
	if own != u.block || owner != u.block {
		return u.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, &s.Mem, l, at, "with an address in the shared memory of another block")
	}
	var response [responseBytes]byte
	if first, ok := u.warp.NextCluster(); ok {
		for i, x := range []uint32{first.X, first.Y, first.Z, 1 << (program.CanceledBit - 32)} {
			binary.LittleEndian.PutUint32(response[4*i:], x)
		}
	}
	if !s.All {
		s.answer(u, l, u.block, at, bar, response)
		return true
	}
	for rank := range u.block.Place().Launch.ClusterSize() {
		to := u.OfRank(&s.Mem, l, at, rank)
		if to == nil {
			return false
		}
		s.answer(u, l, to, at, bar, response)
	}
	return true
}

// answer lets a block get the response.
func (s *launchCancel) answer(u *Unit, l int, to *Block, at, bar uint64, response [responseBytes]byte) {
	f := &flight{lane: l, length: responseBytes}
	u.began(f, to, &s.Mem, at)
	c := &Completion{Site: s.Mem.Site, Warp: u, Ops: []uint64{f.number}, Owner: to, At: bar, Bytes: responseBytes}
	c.Land = func() bool {
		copy(to.Place().Shared[at:], response[:])
		f.data = response[:]
		to.wroteShared(f, at)
		return true
	}
	c.Defer()
}

// exec decodes a response. What it says where nothing was canceled is undefined: it is 0 here, so that
// each run is the same.
func (s *firstBlock) exec(u *Unit, m uint32) bool {
	var vain uint32
	for b := m; b != 0; b &= b - 1 {
		if l := vec.Lowest(b) & 31; u.regs.V64(s.High)[l]>>program.CanceledBit&1 == 0 {
			vain |= 1 << l
		}
	}
	s.decode(u, m)
	if vain != 0 {
		s.shadeVain(u, vain)
	}
	return true
}

// decode moves the coordinates to the results.
func (s *firstBlock) decode(u *Unit, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		low, high := u.regs.V64(s.Low)[l], u.regs.V64(s.High)[l] // a result may have the slot of the response
		for i, v := range [3]uint64{low, low >> 32, high} {
			if s.Dst[i] != program.NoSlot {
				u.regs.V32(s.Dst[i])[l] = uint32(v)
			}
		}
	}
}

// follow moves undefined bits with the values.
func (s *firstBlock) follow(u *Unit, m uint32) {
	u.taint.FollowMove(m, s.Dst[:], alu.W32, []int32{s.Low, s.High}, alu.W64, func() { s.decode(u, m) })
}

// shadeVain makes undefined what lanes m have decoded from a response that canceled nothing.
func (s *firstBlock) shadeVain(u *Unit, m uint32) {
	o := u.block.On().Undefined
	if !u.warp.Following() || o.NotCanceled == nil {
		return
	}
	var origin vec.Row32
	o.NotCanceled(&trace.NotCanceled{Site: s.Site, Warp: u.warp.Number(), Mask: m, Origin: (*[32]uint32)(&origin)})
	for _, slot := range s.Dst {
		if slot != program.NoSlot {
			u.taint.ShadeLanes(slot, m, &origin)
		}
	}
}
