package tensor

import (
	"encoding/binary"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/async"
	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// exec carries out tcgen05.cp, once for each lane.
func (s *tensorCopy) exec(u *Unit, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		if !s.issue(u, vec.Lowest(b)&31) {
			return false
		}
	}
	u.did.Progress++
	return true
}

func (s *tensorCopy) issue(u *Unit, l int) bool {
	me, c := uint32(1)<<l, (*program.TensorCopy)(s)
	lane, column := u.address(&s.Addr, l)
	p, ok := u.matrix(s.Source, me, u.regs.LaneValue(s.Desc, alu.W64, l), c.Rows(), s.Chunks, false)
	envs, paired := u.pair(s.Site, me, s.Pair)
	if !ok || !paired {
		return false
	}
	if most := 32; s.Shape == program.TensorRows4 && lane >= most || s.Shape != program.TensorRows4 && lane != 0 {
		return u.misuse(trace.FaultMisaligned, trace.CauseMisaligned, s.Site, me, "to lane %d of tensor memory, where its rows do not fit", lane)
	}
	op := u.pipe(l).next()
	for _, env := range envs {
		if !u.within(env, s.Site, me, lane, column, 4*s.Chunks) || !u.readsMatrix(env, s.Source, me, p, op) {
			return false
		}
		units := uint8(0)
		for row := range c.Rows() {
			for _, at := range c.LanesOf(row) {
				units |= 1 << ((lane + at) / 16)
			}
		}
		u.began(env, s.Site, me, op, true, trace.TensorRanges(nil, units, column, 4*s.Chunks))
		s.move(env, p, lane, column)
	}
	return true
}

// move does what the copy does to a block's memory.
func (s *tensorCopy) move(env *Block, p *places, lane, column int) {
	t, c, shared := env.memory(), (*program.TensorCopy)(s), env.Place().Shared
	for row := range c.Rows() {
		for k := range s.Chunks {
			var piece [matrix.PieceBytes]byte
			copy(piece[:], shared[p.at[row*s.Chunks+k]:])
			if s.Packed != 0 {
				piece = matrix.UnpackElements(piece, s.Packed)
			}
			for _, at := range c.LanesOf(row) {
				cells := t.row(lane+at, column+4*k, 4)
				for i := range cells {
					cells[i] = binary.LittleEndian.Uint32(piece[4*i:])
				}
				t.wrote(lane+at, column+4*k, 4)
				t.define(lane+at, column+4*k, 4)
			}
		}
	}
}

// matrix finds a matrix of rows (or columns) of pieces in shared memory by its descriptor; ok is
// false after a fault. If major is set, outer counts along K.
func (u *Unit) matrix(site *trace.Site, m uint32, desc uint64, outer, pieces int, major bool) (p *places, ok bool) {
	mode, ok := program.TensorMatrix(desc)
	switch {
	case !ok:
		return nil, u.misuse(trace.FaultBarrier, trace.CauseTensorDescriptor, site, m, "with matrix descriptor %#x, whose swizzling mode %d does not exist", desc, desc>>61)
	case desc>>46&7 != 1:
		return nil, u.misuse(trace.FaultBarrier, trace.CauseTensorDescriptor, site, m, "with matrix descriptor %#x, whose bits 46 to 48 must be 0b001", desc)
	case mode.Wide && !major:
		return nil, u.misuse(trace.FaultBarrier, trace.CauseTensorDescriptor, site, m, "with matrix descriptor %#x: its swizzling mode is for transposed matrices", desc)
	}
	key := placesKey{desc: desc, outer: outer, pieces: pieces, major: major, tensor: true}
	all := u.block.scratch().places
	if p = all[key]; p != nil {
		return p, true
	}
	if len(all) >= maxPlaces {
		clear(all)
	}
	p = key.find()
	all[key] = p
	return p, true
}

// readsMatrix checks the bounds of a matrix in a block's shared memory, and reports the read.
func (u *Unit) readsMatrix(env *Block, site *trace.Site, m uint32, p *places, op uint64) bool {
	u.warp.Count(site, trace.SpaceShared)
	if n := uint64(len(env.Place().Shared)); p.end > n {
		return u.beyond(site, p, n)
	}
	u.began(env, site, m, op, false, p.ranges)
	return true
}

// exec carries out tcgen05.shift: lane i of a warp's 32 gets what lane i+1 has, in eight columns.
func (s *tensorShift) exec(u *Unit, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		lane, column := u.address(&s.Addr, l)
		if lane%32 != 0 || lane >= trace.TensorLanes {
			return u.misuse(trace.FaultMisaligned, trace.CauseMisaligned, s.Site, 1<<l, "from lane %d of tensor memory on, which is not a multiple of 32", lane)
		}
		envs, ok := u.pair(s.Site, 1<<l, s.Pair)
		if !ok {
			return false
		}
		op := u.pipe(l).next()
		for _, env := range envs {
			if !u.within(env, s.Site, 1<<l, lane, column, 8) {
				return false
			}
			u.began(env, s.Site, 1<<l, op, true, trace.TensorRanges(nil, 3<<(lane/16), column, 8))
			env.memory().shift(lane, column)
		}
	}
	u.did.Progress++
	return true
}

func (t *tensorMemory) shift(lane, column int) {
	for i := lane; i < lane+31; i++ {
		copy(t.row(i, column, 8), t.row(i+1, column, 8))
		t.define(i, column, 8)
		for c := column; c < column+8; c++ {
			if t.unwritten(i+1, c, 1) < 0 {
				t.wrote(i, c, 1)
			}
			if u, from := t.tainted(i+1, c); u != 0 {
				t.taintCell(i, c, u, from)
			}
		}
	}
}

// exec carries out tcgen05.commit: the mbarrier gets an arrival when all that the thread has
// issued before is complete.
func (s *tensorCommit) exec(u *Unit, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		if !s.issue(u, vec.Lowest(b)&31) {
			return false
		}
	}
	return true
}

func (s *tensorCommit) issue(u *Unit, l int) bool {
	if _, ok := u.pair(s.Mem.Site, 1<<l, s.Pair); !ok {
		return false
	}
	bulk := u.async
	at, owner := bulk.Shared(&s.Mem, l)
	if owner == nil || !bulk.Aligned(&s.Mem, l, "mbarrier", at, async.MBarrierBytes) || !bulk.Within(&s.Mem, l, at, async.MBarrierBytes) {
		return false
	}
	if s.Mask == program.NoSlot {
		u.commit(s, l, owner, at)
		return true
	}
	for k := u.regs.V32(s.Mask)[l] & 0xffff; k != 0; k &= k - 1 {
		to := bulk.OfRank(&s.Mem, l, at, uint64(bits.TrailingZeros32(k)))
		if to == nil {
			return false
		}
		u.commit(s, l, to, at)
	}
	return true
}

// commit lets the mbarrier of a block get its arrival.
func (u *Unit) commit(s *tensorCommit, l int, owner *async.Block, at uint64) {
	c := &async.Completion{Site: s.Mem.Site, Warp: u.async, Owner: owner, At: at, Arrivals: 1}
	if p := u.pipe(l); p.n > 0 {
		c.From, c.Ops = p.first(), []uint64{p.last()}
	}
	c.Defer()
}
