package taint

import (
	"math/bits"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// shadow is a warp's. Its rows lie as those of the registers do.
type shadow struct {
	buf  []uint64
	base unsafe.Pointer
	// origins has those of rows by lane, from slot/4 on, and those of scalar slots at
	// slot/4; preds has those of predicates.
	origins []uint32
	preds   map[int32]*vec.Row32
	// dirty has a bit for each slot, at slot/8, that has undefined bits; count is how many.
	dirty []uint64
	count int
}

// Block is a block's part in following undefined values.
type Block struct {
	// on: an observer wants them followed.
	Following bool
	// Found is what the access at work reads that no thread has written.
	Found trace.Undefined
	// place is the block, shared the taint of its shared memory.
	place  *trace.Block
	Shared *mem.Taint
	used   trace.Used
	reread trace.Reread
	lanes  Read
	// joined are the pairs of origins of which observers know.
	joined map[[2]uint32]struct{}
	// epoch is the arena's number of tainted allocations that the caches know of.
	epoch uint64
}

// Tracker follows the undefined values of a warp: those in its registers (shadow), in its threads' local
// memory, and what a device function at work stores through pointers.
type Tracker struct {
	warp  Warp
	block *Block
	regs  *vec.Registers
	prog  *program.Program
	// shadow has the undefined bits of the registers, nil before there are any, and
	// local those of local memory. poked are the origins of what a device function
	// at work stores through pointers.
	shadow *shadow
	local  *mem.Taint
	poked  vec.Row32
}

// New returns the tracker of a warp for a program.
func New(w Warp, b *Block, regs *vec.Registers, p *program.Program) Tracker {
	return Tracker{warp: w, block: b, regs: regs, prog: p}
}

// Shadow has the undefined bits of the registers, nil before there are any.
func (tr *Tracker) Shadow() *shadow { return tr.shadow }

// ForgetStored ends what a device function stores through pointers.
func (tr *Tracker) ForgetStored() { tr.poked = vec.Row32{} }

// Undefined reports whether steps of the warp must be followed.
func (tr *Tracker) Undefined() bool {
	return tr.shadow != nil && tr.shadow.count != 0
}

// SharedUndefined reports whether a byte of shared memory has an undefined value.
func (tr *Tracker) SharedUndefined() bool {
	return tr.block.Following && tr.block.Shared != nil && tr.block.Shared.Any()
}

// MayRunNative reports whether generated code may run the warp: it follows nothing.
func (tr *Tracker) MayRunNative() bool {
	return !tr.Undefined() && !tr.SharedUndefined() && (tr.local == nil || !tr.local.Any())
}

// Shade returns the warp's shadow, made if there is none.
func (tr *Tracker) Shade() *shadow {
	if tr.shadow == nil {
		n := len(tr.regs.Slab())
		s := &shadow{buf: make([]uint64, n), origins: make([]uint32, 2*n), dirty: make([]uint64, n/64+1), preds: map[int32]*vec.Row32{}}
		s.base = unsafe.Pointer(&s.buf[0])
		tr.shadow = s
	}
	return tr.shadow
}

// Unshade makes all registers defined, for a new block.
func (tr *Tracker) Unshade() {
	if s := tr.shadow; s != nil {
		if s.count != 0 {
			clear(s.buf)
			clear(s.dirty)
			s.count = 0
		}
	}
	if tr.local != nil {
		tr.local.Reset()
	}
}

func (s *shadow) IsDirty(slot int32) bool {
	return slot > 0 && s.dirty[slot>>9]>>(slot>>3&63)&1 != 0
}

func (s *shadow) mark(slot int32, dirty bool) {
	bit := uint64(1) << (slot >> 3 & 63)
	if p := &s.dirty[slot>>9]; dirty != (*p&bit != 0) {
		*p ^= bit
		if dirty {
			s.count++
		} else {
			s.count--
		}
	}
}

func (s *shadow) V32(slot int32) *vec.Row32 { return (*vec.Row32)(unsafe.Add(s.base, int(slot))) }
func (s *shadow) v64(slot int32) *vec.Row64 { return (*vec.Row64)(unsafe.Add(s.base, int(slot))) }
func (s *shadow) s64(slot int32) *uint64    { return (*uint64)(unsafe.Add(s.base, int(slot))) }
func (s *shadow) pred(slot int32) *uint32   { return (*uint32)(unsafe.Add(s.base, int(slot))) }

// Bits returns the undefined bits of a lane's value in a row or predicate.
func (s *shadow) Bits(slot int32, width alu.Width, l int) uint64 {
	if !s.IsDirty(slot) {
		return 0
	}
	switch width {
	case alu.W32:
		return uint64(s.V32(slot)[l])
	case alu.W64:
		return s.v64(slot)[l]
	case alu.Pred:
		return uint64(*s.pred(slot) >> l & 1)
	}
	return 0
}

// Origin returns the origin of a lane's value, in a scalar slot with lane 0.
func (s *shadow) Origin(slot int32, width alu.Width, l int) uint32 {
	if width == alu.Pred {
		if r := s.preds[slot]; r != nil {
			return r[l]
		}
		return 0
	}
	return s.origins[int(slot)/4+l]
}

// Set gives a lane's value undefined bits and, if there are any, an origin. settle must
// follow for the slot.
func (s *shadow) Set(slot int32, width alu.Width, l int, u uint64, origin uint32) {
	switch width {
	case alu.W32:
		s.V32(slot)[l] = uint32(u)
	case alu.W64:
		s.v64(slot)[l] = u
	case alu.Pred:
		p := s.pred(slot)
		*p = *p&^(1<<l) | uint32(u&1)<<l
		if u&1 != 0 {
			r := s.preds[slot]
			if r == nil {
				r = new(vec.Row32)
				s.preds[slot] = r
			}
			r[l] = origin
		}
		return
	}
	if u != 0 {
		s.origins[int(slot)/4+l] = origin
	}
}

// Settle finds out whether a slot still has undefined bits.
func (s *shadow) Settle(slot int32, width alu.Width) {
	var any uint64
	switch width {
	case alu.W32:
		for _, v := range s.V32(slot) {
			any |= uint64(v)
		}
	case alu.W64:
		for _, v := range s.v64(slot) {
			any |= v
		}
	case alu.Pred:
		any = uint64(*s.pred(slot))
	}
	s.mark(slot, any != 0)
}

// Define makes the values of lanes m defined.
func (s *shadow) Define(slot int32, width alu.Width, m uint32) {
	if slot == program.NoSlot || !s.IsDirty(slot) {
		return
	}
	if width == alu.Pred {
		*s.pred(slot) &^= m
	} else {
		for b := m; b != 0; b &= b - 1 {
			s.Set(slot, width, vec.Lowest(b)&31, 0, 0)
		}
	}
	s.Settle(slot, width)
}

// setScalar gives a scalar slot, and the row that has copies of it, undefined bits.
func (s *shadow) setScalar(slot int32, width alu.Width, bcast int32, u uint64, origin uint32) {
	if slot == program.NoSlot || width == alu.None {
		return
	}
	if width == alu.Pred {
		p := uint32(0)
		if u&1 != 0 {
			p = ^uint32(0)
		}
		for l := range 32 {
			s.Set(slot, width, l, uint64(p&1), origin)
		}
		s.mark(slot, p != 0)
		return
	}
	*s.s64(slot) = u
	s.origins[slot/4] = origin
	s.mark(slot, u != 0)
	if bcast != program.NoSlot && (u != 0 || s.IsDirty(bcast)) {
		for l := range 32 {
			s.Set(bcast, width, l, u, origin)
		}
		s.mark(bcast, u != 0)
	}
}

// moved runs f, which moves data between registers, on the shadow instead.
func (tr *Tracker) moved(f func()) {
	tr.regs.At(tr.shadow.base, f)
}

// use tells that undefined values matter to lanes m; origin has theirs.
func (tr *Tracker) use(why trace.Purpose, site *trace.Site, m uint32, origin *vec.Row32) {
	e := &tr.block.used
	*e = trace.Used{Site: site, Purpose: why, Warp: tr.warp.Number(), Mask: m, Origin: (*[32]uint32)(origin)}
	if o := tr.warp.Observer().Undefined; o != nil {
		o.Used(e)
	}
}

// UseRegister tells that a register matters to lanes m, and takes it as defined from
// then on. A scalar one is that of any lane.
func (tr *Tracker) UseRegister(why trace.Purpose, site *trace.Site, slot int32, width alu.Width, scalar bool, m uint32) {
	s := tr.shadow
	if slot == program.NoSlot || s == nil || !s.IsDirty(slot) || m == 0 {
		return
	}
	var origin vec.Row32
	if scalar && width != alu.Pred {
		origin[vec.Lowest(m)] = s.origins[slot/4]
		tr.use(why, site, m&-m, &origin)
		s.setScalar(slot, width, program.NoSlot, 0, 0)
		return
	}
	var lanes uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if s.Bits(slot, width, l) != 0 {
			lanes |= 1 << l
			origin[l] = s.Origin(slot, width, l)
		}
	}
	if lanes != 0 {
		tr.use(why, site, lanes, &origin)
		s.Define(slot, width, lanes)
	}
}

// whole is the mask of a register's bits.
func whole(width alu.Width) uint64 {
	switch width {
	case alu.W32:
		return 1<<32 - 1
	case alu.W64:
		return ^uint64(0)
	case alu.Pred:
		return 1
	}
	return 0
}

// upward is the mask of the bits from the lowest of u on.
func upward(u uint64) uint64 {
	if u == 0 {
		return 0
	}
	return ^uint64(0) << bits.TrailingZeros64(u)
}

// DefineRow makes a register defined in all lanes.
func (tr *Tracker) DefineRow(slot int32) {
	if tr.Undefined() {
		tr.shadow.Define(slot, alu.W32, ^uint32(0))
	}
}
