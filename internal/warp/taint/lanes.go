package taint

import (
	"math/bits"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// gatheredShadow is what of the operands of all lanes is undefined.
type gatheredShadow struct {
	any    bool
	a      vec.Row64
	pred   uint32
	origin vec.Row32
}

// Exchange are the operands of all lanes of an operation but for the first ones: the second and third, and predicates as a mask.
type Exchange struct {
	B, C vec.Row32
	Pred uint32
	// undefined is what of the first operands is undefined.
	undefined gatheredShadow
}

// ClearExchange readies x for another operation.
func (tr *Tracker) ClearExchange(x *Exchange) {
	if tr.shadow != nil {
		x.undefined = gatheredShadow{}
	}
}

// Gather is gather for the shadow; shaded has the uniform values of lanes that
// waited, see suspendShadow.
func (tr *Tracker) Gather(s *program.Sync, m uint32, waited bool, shaded []uint64, x *Exchange) {
	if tr.shadow == nil {
		return
	}
	in := &x.undefined
	at := func(slot int32) unsafe.Pointer {
		if waited && slot < tr.prog.Uniform {
			if len(shaded) == 0 {
				return nil
			}
			return unsafe.Pointer(&shaded[slot/8])
		}
		if !tr.shadow.IsDirty(slot) {
			return nil
		}
		return unsafe.Add(tr.shadow.base, int(slot))
	}
	p := at(s.A)
	if p == nil {
		return
	}
	width := alu.W32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		switch s.Kind {
		case program.VoteAll, program.VoteAny, program.VoteUni, program.VoteBallot:
			width = alu.Pred
			in.pred |= *(*uint32)(p) & (1 << l)
			in.any = in.any || in.pred != 0
		default:
			if s.Wide {
				width = alu.W64
				in.a[l] = (*vec.Row64)(p)[l]
			} else {
				in.a[l] = uint64((*vec.Row32)(p)[l])
			}
			in.any = in.any || in.a[l] != 0
		}
		in.origin[l] = tr.shadow.Origin(s.A, width, l)
	}
}

// Deliver is deliver for the shadow.
func (tr *Tracker) Deliver(s *program.Sync, m, came uint32, in *Exchange) {
	sh := tr.shadow
	if sh == nil {
		return
	}
	width := alu.W32
	if s.DstIsPred {
		width = alu.Pred
	}
	if !in.undefined.any {
		sh.Define(s.Dst, width, m)
		sh.Define(s.DstPred, alu.Pred, m)
		return
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		u, origin := tr.deliveredTo(s, l, came, in)
		if s.Dst != program.NoSlot {
			sh.Set(s.Dst, width, l, u&whole(width), origin)
		}
		if s.DstPred != program.NoSlot {
			sh.Set(s.DstPred, alu.Pred, l, vec.Bool64(s.Kind == program.MatchAll && u != 0), origin)
		}
	}
	if s.Dst != program.NoSlot {
		sh.Settle(s.Dst, width)
	}
	if s.DstPred != program.NoSlot {
		sh.Settle(s.DstPred, alu.Pred)
	}
}

// ShadeAbsent makes undefined what lanes m have got in a shuffle from lanes that did not come;
// source has these. Moving it to memory computes with it: unlike a structure that is copied, a
// register has no padding.
func (tr *Tracker) ShadeAbsent(s *program.Sync, m, came, exist uint32, source *vec.Row64) {
	o := tr.warp.Observer().Undefined
	if !tr.block.Following || o.Absent == nil || s.Dst == program.NoSlot {
		return
	}
	var origin vec.Row32
	o.Absent(&trace.AbsentLanes{Site: s.Site, Warp: tr.warp.Number(), Mask: m, Came: came, Exist: exist,
		Source: (*[32]uint64)(source), Origin: (*[32]uint32)(&origin)})
	tr.ShadeLanes(s.Dst, m, &origin)
}

// ShadeLanes makes a register undefined in those of lanes m that have an origin.
func (tr *Tracker) ShadeLanes(slot int32, m uint32, origin *vec.Row32) {
	var sh *shadow
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if origin[l] == 0 {
			continue
		}
		if sh == nil {
			sh = tr.Shade()
		}
		sh.Set(slot, alu.W32, l, whole(alu.W32), origin[l]|trace.Computed)
	}
	if sh != nil {
		sh.Settle(slot, alu.W32)
	}
}

// deliveredTo returns what lane l gets that is undefined.
func (tr *Tracker) deliveredTo(s *program.Sync, l int, came uint32, in *Exchange) (u uint64, origin uint32) {
	x := &in.undefined
	switch s.Kind {
	case program.ShflUp, program.ShflDown, program.ShflBfly, program.ShflIdx:
		j, ok := vec.ShuffleSource(s.Kind, l, in.B[l], in.C[l])
		switch {
		case !ok:
			j = l
		case came>>j&1 == 0:
			return 0, 0
		}
		return x.a[j], x.origin[j]
	case program.VoteAll, program.VoteAny, program.VoteUni, program.VoteBallot:
		unsure := x.pred & came
		if unsure == 0 {
			return 0, 0
		}
		origin = x.origin[vec.Lowest(unsure)]
		sure := in.Pred & came &^ unsure
		switch {
		case s.Kind == program.VoteBallot:
			return uint64(unsure), origin
		case s.Kind == program.VoteAll && sure != came&^unsure, s.Kind == program.VoteAny && sure != 0,
			s.Kind == program.VoteUni && sure != 0 && sure != came&^unsure:
			return 0, 0
		}
		return 1, origin | trace.Computed
	}
	for b := came; b != 0; b &= b - 1 {
		if k := vec.Lowest(b) & 31; x.a[k] != 0 {
			return ^uint64(0), x.origin[k] | trace.Computed
		}
	}
	return 0, 0
}

// Suspend keeps the shadow of the uniform values of a group that stops in to, with the
// bits of those that have one after them.
func (tr *Tracker) Suspend(to []uint64) []uint64 {
	if to = to[:0]; tr.Undefined() {
		n := int(tr.prog.Uniform) / 8
		to = append(append(to, tr.shadow.buf[:n]...), tr.shadow.dirty[:n/64+1]...)
	}
	return to
}

// Restore is its inverse.
func (tr *Tracker) Restore(shaded []uint64) {
	s := tr.shadow
	if s == nil {
		return
	}
	n := int(tr.prog.Uniform) / 8
	clear(s.buf[:n])
	dirty := make([]uint64, n/64+1)
	if len(shaded) > 0 {
		copy(s.buf, shaded[:n])
		copy(dirty, shaded[n:])
	}
	for i := range dirty {
		m := ^uint64(0)
		if i == n/64 {
			m = 1<<(n%64) - 1
		}
		s.dirty[i] = s.dirty[i]&^m | dirty[i]&m
	}
	s.count = 0
	for _, d := range s.dirty {
		s.count += bits.OnesCount64(d)
	}
}

// Call gives the parameters of a function the shadow of the arguments, and appends to
// shaded that of what a recursive call may overwrite.
func (tr *Tracker) Call(c *program.Call, fn *program.Func, m uint32, shaded []uint64) []uint64 {
	if !tr.Undefined() {
		return shaded
	}
	if c.Save.Hi > c.Save.Lo {
		shaded = append(shaded, tr.shadow.buf[c.Save.Lo/8:c.Save.Hi/8]...)
	}
	tr.followWords(fn.Params, c.Args, m)
	return shaded
}

// Return hands the shadow of a function's results to the caller. saved tells that the caller's registers
// come back first; shaded is their shadow, empty where all of it is defined.
func (tr *Tracker) Return(c *program.Call, fn *program.Func, saved bool, shaded []uint64, m uint32) {
	s := tr.shadow
	if !saved {
		if tr.Undefined() {
			tr.followWords(c.Rets, fn.Rets, m)
		}
		return
	}
	if s == nil || !tr.Undefined() && len(shaded) == 0 {
		return
	}
	type word struct {
		u      vec.Row32
		origin vec.Row32
	}
	var results []word
	for _, r := range fn.Rets {
		for _, slot := range r {
			x := word{u: *s.V32(slot)}
			copy(x.origin[:], s.origins[slot/4:])
			results = append(results, x)
		}
	}
	tr.restoreShadowArea(&c.Save, shaded, m)
	at := 0
	for i, r := range fn.Rets {
		for k := range r {
			if i < len(c.Rets) && k < len(c.Rets[i]) {
				d := c.Rets[i][k]
				for b := m; b != 0; b &= b - 1 {
					l := vec.Lowest(b) & 31
					s.Set(d, alu.W32, l, uint64(results[at+k].u[l]), results[at+k].origin[l])
				}
				s.Settle(d, alu.W32)
			}
		}
		at += len(r)
	}
}

// restoreShadowArea gives the registers of lanes m the shadow back that they had before a
// recursive call.
func (tr *Tracker) restoreShadowArea(area *program.Area, shaded []uint64, m uint32) {
	restore := func(slot int32, width alu.Width) {
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			u := uint64(0)
			if len(shaded) > 0 {
				p := unsafe.Pointer(&shaded[(slot-area.Lo)/8])
				switch width {
				case alu.W32:
					u = uint64((*vec.Row32)(p)[l])
				case alu.W64:
					u = (*vec.Row64)(p)[l]
				default:
					u = uint64(*(*uint32)(p) >> l & 1)
				}
			}
			tr.shadow.Set(slot, width, l, u, tr.shadow.Origin(slot, width, l))
		}
		tr.shadow.Settle(slot, width)
	}
	for at := area.Lo; at+128 <= area.Wide; at += 128 {
		restore(at, alu.W32)
	}
	for at := area.Wide; at+256 <= area.Preds; at += 256 {
		restore(at, alu.W64)
	}
	for at := area.Preds; at < area.Hi; at += 8 {
		restore(at, alu.Pred)
	}
}

// EachUndefined calls f for the elements of a fragment with undefined bits.
func (tr *Tracker) EachUndefined(f *program.Frag, regs []int32, found func(row, col int, origin uint32)) {
	width, n := f.Elem.Width(), f.Elem.Bits()
	for r := range min(len(regs), len(f.Index)) {
		if regs[r] == program.NoSlot || !tr.shadow.IsDirty(regs[r]) {
			continue
		}
		for l := range 32 {
			u := tr.shadow.Bits(regs[r], width, l)
			for e := range f.PerReg {
				if u>>(e*n)&vec.LowBits(uint(n)) != 0 {
					row, col := f.At(r, l, e)
					found(row, col, tr.shadow.Origin(regs[r], width, l))
				}
			}
		}
	}
}

// AnyOrigin is the origin of the first lane whose register is undefined.
func (tr *Tracker) AnyOrigin(slot int32) uint32 {
	for l, v := range tr.shadow.V32(slot) {
		if v != 0 {
			return tr.shadow.Origin(slot, alu.W32, l)
		}
	}
	return 0
}
