package async

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/tensormap"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// exec does st.bulk (PTX ISA): the size is a multiple of 8.
func (s *bulkFill) exec(u *Unit, m uint32) bool {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		n := u.regs.V64(s.Size)[l]
		at, env := u.Shared(&s.Dst, l)
		switch {
		case env == nil:
			return false
		case env != u.block:
			return u.misuse(trace.FaultOutOfBounds, trace.CauseWrongSpace, &s.Dst, l, at, "to the shared memory of another block")
		case n%8 != 0:
			return u.misuse(trace.FaultMisaligned, trace.CauseBulkSize, &s.Dst, l, at, "of %d bytes, which is not a multiple of 8", n)
		case !u.Aligned(&s.Dst, l, "destination", at, 8) || !u.Within(&s.Dst, l, at, n):
			return false
		}
		for end := at + n; at < end; at += 8 {
			u.span = vec.Span{Lo: at, Hi: at, Or: at, Base: at}
			if _, ok := u.warp.Access(&s.Dst, trace.SpaceShared, 1<<l, u.row(l, at), &u.span, zeros{}, trace.Sync); !ok {
				return false
			}
			clear(u.block.Place().Shared[at:][:8])
		}
	}
	u.did.Progress++
	return true
}

// zeros is the data of a fill.
type zeros struct{}

// Value implements trace.Data.
func (zeros) Value(int, int) uint64 { return 0 }

// exec does tensormap.replace, a weak write.
func (s *mapField) exec(u *Unit, m uint32) bool {
	addr, sp := u.warp.AddressesOf(&s.Dst, m)
	for m != 0 {
		space, same := sp.NextSpace(&s.Dst, m, addr)
		if !s.in(u, space, same, addr, sp) {
			return false
		}
		if m &^= same; m != 0 {
			sp.Measure(addr, m)
		}
	}
	return true
}

func (s *mapField) in(u *Unit, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
	data := &fieldData{u.regs, s}
	base, ok := u.warp.Access(&s.Dst, space, m, addr, sp, data, trace.Sync)
	if !ok {
		return false
	}
	if space != trace.SpaceShared && space != trace.SpaceGlobal {
		return u.warp.WrongSpace(&s.Dst, space, m, addr, "global or shared")
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		vec.WriteElem(unsafe.Add(base, addr[l]), s.Dst.Elem, data.Value(l, 0))
	}
	u.did.Progress++
	return true
}

// fieldData is what tensormap.replace writes.
type fieldData struct {
	regs *vec.Registers
	s    *mapField
}

// Value implements trace.Data.
func (d *fieldData) Value(l, _ int) uint64 {
	return (d.regs.LaneValue(d.s.Value, d.s.Width, l) + d.s.Add) & vec.LowBits(uint(d.s.Dst.Elem)*8)
}

// exec does fence.proxy.tensormap::generic, which memory has no need of here.
func (s *mapFence) exec(u *Unit, m uint32) bool {
	f := u.block.On().ProxyFence
	if f == nil {
		return true
	}
	u.block.Flush()
	e := trace.ProxyFence{Site: s.Site, Warp: u.warp.Number(), Mask: m}
	if s.Map != program.NoSlot {
		e.Maps = new([32]uint64)
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			e.Maps[l] = u.regs.V64(s.Map)[l] + s.Offset
		}
	}
	f(&e)
	return true
}

// exec does tensormap.cp_fenceproxy, for all lanes of a warp together.
func (s *mapCopy) exec(u *Unit, m uint32) bool {
	var words vec.Row32
	for _, part := range []struct {
		op *program.Mem
		sp trace.Space
	}{{&s.Src, trace.SpaceShared}, {&s.Dst, trace.SpaceGlobal}} {
		row, sp := u.warp.AddressesOf(part.op, m)
		start := row[vec.Lowest(m)&31]
		if part.sp == trace.SpaceShared && start-mem.SharedWindow < mem.SharedWindowSize {
			start -= mem.SharedWindow
		}
		if !u.Aligned(part.op, vec.Lowest(m), "tensor map", start, tensormap.Align) {
			return false
		}
		for l := range row {
			row[l] = start + uint64(4*l)
		}
		sp.Measure(row, ^uint32(0))
		base, ok := u.warp.Access(part.op, part.sp, ^uint32(0), row, sp, &words32{&words}, trace.Sync)
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
	u.did.Progress++
	return true
}

// words32 is data of one word a lane.
type words32 struct{ v *vec.Row32 }

// Value implements trace.Data.
func (d *words32) Value(l, _ int) uint64 { return uint64(d.v[l]) }
