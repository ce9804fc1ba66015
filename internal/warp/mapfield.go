package warp

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/tensormap"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// exec does st.bulk (PTX ISA): the size is a multiple of 8.
func (s *bulkFill) exec(w *Warp, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		n := w.V64(s.Size)[l]
		at, env := w.bulks().shared(&s.Dst, l)
		switch {
		case env == nil:
			return false
		case env != w.Env:
			return w.bulks().misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, &s.Dst, l, at, "to the shared memory of another block")
		case n%8 != 0:
			return w.bulks().misuse(trace.FaultMisaligned, trace.CauseBulkSize, &s.Dst, l, at, "of %d bytes, which is not a multiple of 8", n)
		case !w.bulks().aligned(&s.Dst, l, "destination", at, 8) || !w.bulks().within(&s.Dst, l, at, n):
			return false
		}
		w.Env.how.data = zeros{}
		for end := at + n; at < end; at += 8 {
			w.Env.span = vec.Span{Lo: at, Hi: at, Or: at, Base: at}
			if _, ok := w.check(&s.Dst, trace.SpaceShared, 1<<l, w.bulks().row(l, at), &w.Env.span); !ok {
				w.Env.how = emission{}
				return false
			}
			clear(w.Env.Block.Shared[at:][:8])
		}
		w.Env.how = emission{}
	}
	w.Progress++
	return true
}

// zeros is the data of a fill.
type zeros struct{}

// Value implements trace.Data.
func (zeros) Value(int, int) uint64 { return 0 }

// exec does tensormap.replace, a weak write.
func (s *mapField) exec(w *Warp, m uint32) bool {
	addr, sp := w.addresses(&s.Dst, m)
	return w.bySpace(&s.Dst, m, addr, sp, func(u *Warp, op *program.Mem, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
		u.Env.how.data = &fieldData{u, s}
		base, ok := u.check(op, space, m, addr, sp)
		u.Env.how = emission{}
		if !ok {
			return false
		}
		if space != trace.SpaceShared && space != trace.SpaceGlobal {
			return u.WrongSpace(op, space, m, addr, "global or shared")
		}
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			vec.WriteElem(unsafe.Add(base, addr[l]), op.Elem, (&fieldData{u, s}).Value(l, 0))
		}
		u.Progress++
		return true
	})
}

// fieldData is what tensormap.replace writes.
type fieldData struct {
	w *Warp
	s *mapField
}

// Value implements trace.Data.
func (d *fieldData) Value(l, _ int) uint64 {
	return (d.w.LaneValue(d.s.Value, d.s.Width, l) + d.s.Add) & vec.LowBits(uint(d.s.Dst.Elem)*8)
}

// exec does fence.proxy.tensormap::generic, which memory has no need of here.
func (s *mapFence) exec(w *Warp, m uint32) bool {
	f := w.Env.On.ProxyFence
	if f == nil {
		return true
	}
	w.Env.flush()
	e := trace.ProxyFence{Site: s.Site, Warp: w.Index, Mask: m}
	if s.Map != program.NoSlot {
		e.Maps = new([32]uint64)
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			e.Maps[l] = w.V64(s.Map)[l] + s.Offset
		}
	}
	f(&e)
	return true
}

// exec does tensormap.cp_fenceproxy, for all lanes of a warp together.
func (s *mapCopy) exec(w *Warp, m uint32) bool {
	var words vec.Row32
	for _, part := range []struct {
		op *program.Mem
		sp trace.Space
	}{{&s.Src, trace.SpaceShared}, {&s.Dst, trace.SpaceGlobal}} {
		row, sp := w.addresses(part.op, m)
		start := row[vec.Lowest(m)&31]
		if part.sp == trace.SpaceShared && start-mem.SharedWindow < mem.SharedWindowSize {
			start -= mem.SharedWindow
		}
		if !w.bulks().aligned(part.op, vec.Lowest(m), "tensor map", start, tensormap.Align) {
			return false
		}
		for l := range row {
			row[l] = start + uint64(4*l)
		}
		sp.Measure(row, ^uint32(0))
		w.Env.how.data = &words32{&words}
		base, ok := w.check(part.op, part.sp, ^uint32(0), row, sp)
		w.Env.how = emission{}
		if !ok {
			return false
		}
		for l := range row {
			p := (*uint32)(unsafe.Add(base, row[l]))
			if part.op == &s.Src {
				words[l] = *p
			} else {
				*p = words[l]
			}
		}
	}
	w.Progress++
	return true
}

// words32 is data of one word a lane.
type words32 struct{ v *vec.Row32 }

// Value implements trace.Data.
func (d *words32) Value(l, _ int) uint64 { return uint64(d.v[l]) }
