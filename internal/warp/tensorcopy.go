package warp

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

type (
	tensorCopy   program.TensorCopy
	tensorShift  program.TensorShift
	tensorCommit program.TensorCommit
)

// exec carries out tcgen05.cp, once for each lane.
func (s *tensorCopy) exec(w *Warp, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		if !s.issue(tensorUnit{w}, vec.Lowest(b)&31) {
			return false
		}
	}
	w.Progress++
	return true
}

func (s *tensorCopy) issue(w tensorUnit, l int) bool {
	me, c := uint32(1)<<l, (*program.TensorCopy)(s)
	lane, column := w.address(&s.Addr, l)
	p, ok := w.matrix(s.Source, me, w.LaneValue(s.Desc, alu.W64, l), c.Rows(), s.Chunks, false)
	envs, paired := w.pair(s.Site, me, s.Pair)
	if !ok || !paired {
		return false
	}
	if most := 32; s.Shape == program.TensorRows4 && lane >= most || s.Shape != program.TensorRows4 && lane != 0 {
		return w.misuse(trace.FaultMisaligned, trace.CauseMisaligned, s.Site, me, "to lane %d of tensor memory, where its rows do not fit", lane)
	}
	op := w.pipe(l).next()
	for _, env := range envs {
		if !w.within(env, s.Site, me, lane, column, 4*s.Chunks) || !w.readsMatrix(env, s.Source, me, p, op) {
			return false
		}
		units := uint8(0)
		for row := range c.Rows() {
			for _, at := range c.LanesOf(row) {
				units |= 1 << ((lane + at) / 16)
			}
		}
		w.began(env, s.Site, me, op, true, trace.TensorRanges(nil, units, column, 4*s.Chunks))
		s.move(env, p, lane, column)
	}
	return true
}

// move does what the copy does to a block's memory.
func (s *tensorCopy) move(env *Env, p *places, lane, column int) {
	t, c := env.tensorMemory(), (*program.TensorCopy)(s)
	for row := range c.Rows() {
		for k := range s.Chunks {
			var piece [matrix.PieceBytes]byte
			copy(piece[:], env.Block.Shared[p.at[row*s.Chunks+k]:])
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
func (w tensorUnit) matrix(site *trace.Site, m uint32, desc uint64, outer, pieces int, major bool) (p *places, ok bool) {
	mode, ok := program.TensorMatrix(desc)
	switch {
	case !ok:
		return nil, w.misuse(trace.FaultBarrier, trace.CauseTensorDescriptor, site, m, "with matrix descriptor %#x, whose swizzling mode %d does not exist", desc, desc>>61)
	case desc>>46&7 != 1:
		return nil, w.misuse(trace.FaultBarrier, trace.CauseTensorDescriptor, site, m, "with matrix descriptor %#x, whose bits 46 to 48 must be 0b001", desc)
	case mode.Wide && !major:
		return nil, w.misuse(trace.FaultBarrier, trace.CauseTensorDescriptor, site, m, "with matrix descriptor %#x: its swizzling mode is for transposed matrices", desc)
	}
	key := placesKey{desc: desc, outer: outer, pieces: pieces, major: major, tensor: true}
	all := w.Env.productScratch().places
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
func (w tensorUnit) readsMatrix(env *Env, site *trace.Site, m uint32, p *places, op uint64) bool {
	w.Count(site, trace.SpaceShared)
	if n := uint64(len(env.Block.Shared)); p.end > n {
		return productUnit(w).beyond(site, p, n)
	}
	w.began(env, site, m, op, false, p.ranges)
	return true
}

// exec carries out tcgen05.shift: lane i of a warp's 32 gets what lane i+1 has, in eight columns.
func (s *tensorShift) exec(w *Warp, m uint32) bool {
	u := tensorUnit{w}
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
			env.tensorMemory().shift(lane, column)
		}
	}
	w.Progress++
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
func (s *tensorCommit) exec(w *Warp, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		if !s.issue(tensorUnit{w}, vec.Lowest(b)&31) {
			return false
		}
	}
	return true
}

func (s *tensorCommit) issue(w tensorUnit, l int) bool {
	if _, ok := w.pair(s.Mem.Site, 1<<l, s.Pair); !ok {
		return false
	}
	bulk := &w.async
	at, owner := bulk.Shared(&s.Mem, l)
	if owner == nil || !bulk.Aligned(&s.Mem, l, "mbarrier", at, async.MBarrierBytes) || !bulk.Within(&s.Mem, l, at, async.MBarrierBytes) {
		return false
	}
	if s.Mask == program.NoSlot {
		w.commit(s, l, owner, at)
		return true
	}
	for k := w.V32(s.Mask)[l] & 0xffff; k != 0; k &= k - 1 {
		to := bulk.OfRank(&s.Mem, l, at, uint64(bits.TrailingZeros32(k)))
		if to == nil {
			return false
		}
		w.commit(s, l, to, at)
	}
	return true
}

// commit lets the mbarrier of a block get its arrival.
func (w tensorUnit) commit(s *tensorCommit, l int, owner *async.Block, at uint64) {
	c := &async.Completion{Site: s.Mem.Site, Warp: &w.async, Owner: owner, At: at, Arrivals: 1}
	if p := w.pipe(l); p.n > 0 {
		c.From, c.Ops = p.first(), []uint64{p.last()}
	}
	c.Defer()
}
