package warp

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

// gatherShadow is gather for the shadow; shaded has the uniform values of lanes that
// waited, see suspendShadow.
func (w taintTracker) gatherShadow(s *program.Sync, m uint32, waited bool, shaded []uint64, in *gatheredShadow) {
	at := func(slot int32) unsafe.Pointer {
		if waited && slot < w.Prog.Uniform {
			if len(shaded) == 0 {
				return nil
			}
			return unsafe.Pointer(&shaded[slot/8])
		}
		if !w.shadow.isDirty(slot) {
			return nil
		}
		return unsafe.Add(w.shadow.base, int(slot))
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
		in.origin[l] = w.shadow.origin(s.A, width, l)
	}
}

// deliverShadow is deliver for the shadow.
func (w taintTracker) deliverShadow(s *program.Sync, m, came uint32, in *gathered) {
	sh := w.shadow
	width := alu.W32
	if s.DstIsPred {
		width = alu.Pred
	}
	if !in.shadow.any {
		sh.define(s.Dst, width, m)
		sh.define(s.DstPred, alu.Pred, m)
		return
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		u, origin := w.deliveredTo(s, l, came, in)
		if s.Dst != program.NoSlot {
			sh.set(s.Dst, width, l, u&whole(width), origin)
		}
		if s.DstPred != program.NoSlot {
			sh.set(s.DstPred, alu.Pred, l, vec.Bool64(s.Kind == program.MatchAll && u != 0), origin)
		}
	}
	if s.Dst != program.NoSlot {
		sh.settle(s.Dst, width)
	}
	if s.DstPred != program.NoSlot {
		sh.settle(s.DstPred, alu.Pred)
	}
}

// shadeAbsent makes undefined what lanes m have got in a shuffle from lanes that did not come;
// source has these. Moving it to memory computes with it: unlike a structure that is copied, a
// register has no padding.
func (w taintTracker) shadeAbsent(s *program.Sync, m, came uint32, source *vec.Row64) {
	o := w.Env.On.Undefined
	if !w.Env.undefining.on || o.Absent == nil || s.Dst == program.NoSlot {
		return
	}
	var origin vec.Row32
	o.Absent(&trace.AbsentLanes{Site: s.Site, Warp: w.Index, Mask: m, Came: came, Exist: w.Exist,
		Source: (*[32]uint64)(source), Origin: (*[32]uint32)(&origin)})
	w.shadeLanes(s.Dst, m, &origin)
}

// shadeLanes makes a register undefined in those of lanes m that have an origin.
func (w taintTracker) shadeLanes(slot int32, m uint32, origin *vec.Row32) {
	var sh *shadow
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if origin[l] == 0 {
			continue
		}
		if sh == nil {
			sh = w.shade()
		}
		sh.set(slot, alu.W32, l, whole(alu.W32), origin[l]|trace.Computed)
	}
	if sh != nil {
		sh.settle(slot, alu.W32)
	}
}

// deliveredTo returns what lane l gets that is undefined.
func (w taintTracker) deliveredTo(s *program.Sync, l int, came uint32, in *gathered) (u uint64, origin uint32) {
	x := &in.shadow
	switch s.Kind {
	case program.ShflUp, program.ShflDown, program.ShflBfly, program.ShflIdx:
		j, ok := shuffleSource(s.Kind, l, in.b[l], in.c[l])
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
		sure := in.pred & came &^ unsure
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

// suspendShadow keeps the shadow of the uniform values of a group that stops, with the
// bits of those that have one after them.
func (w taintTracker) suspendShadow(g *group) {
	if g.shaded = g.shaded[:0]; w.undefined() {
		n := int(w.Prog.Uniform) / 8
		g.shaded = append(append(g.shaded, w.shadow.buf[:n]...), w.shadow.dirty[:n/64+1]...)
	}
}

// restoreShadow is its inverse.
func (w taintTracker) restoreShadow(g *group) {
	s := w.shadow
	if s == nil {
		return
	}
	n := int(w.Prog.Uniform) / 8
	clear(s.buf[:n])
	dirty := make([]uint64, n/64+1)
	if len(g.shaded) > 0 {
		copy(s.buf, g.shaded[:n])
		copy(dirty, g.shaded[n:])
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
	g.shaded = g.shaded[:0]
}

// returnShadow is returnWords for the shadow.
func (w taintTracker) returnShadow(fr *frame, m uint32) {
	s := w.shadow
	if len(fr.saved) == 0 {
		if w.undefined() {
			w.followWords(fr.call.Rets, fr.fn.Rets, m)
		}
		return
	}
	if !w.undefined() && len(fr.shaded) == 0 {
		return
	}
	type word struct {
		u      vec.Row32
		origin vec.Row32
	}
	var results []word
	for _, r := range fr.fn.Rets {
		for _, slot := range r {
			x := word{u: *s.v32(slot)}
			copy(x.origin[:], s.origins[slot/4:])
			results = append(results, x)
		}
	}
	w.restoreShadowArea(fr, m)
	at := 0
	for i, r := range fr.fn.Rets {
		for k := range r {
			if i < len(fr.call.Rets) && k < len(fr.call.Rets[i]) {
				d := fr.call.Rets[i][k]
				for b := m; b != 0; b &= b - 1 {
					l := vec.Lowest(b) & 31
					s.set(d, alu.W32, l, uint64(results[at+k].u[l]), results[at+k].origin[l])
				}
				s.settle(d, alu.W32)
			}
		}
		at += len(r)
	}
}

// restoreShadowArea gives the registers of lanes m the shadow back that they had before a
// recursive call.
func (w taintTracker) restoreShadowArea(fr *frame, m uint32) {
	area := fr.call.Save
	restore := func(slot int32, width alu.Width) {
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			u := uint64(0)
			if len(fr.shaded) > 0 {
				p := unsafe.Pointer(&fr.shaded[(slot-area.Lo)/8])
				switch width {
				case alu.W32:
					u = uint64((*vec.Row32)(p)[l])
				case alu.W64:
					u = (*vec.Row64)(p)[l]
				default:
					u = uint64(*(*uint32)(p) >> l & 1)
				}
			}
			w.shadow.set(slot, width, l, u, w.shadow.origin(slot, width, l))
		}
		w.shadow.settle(slot, width)
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

// follow: a row of A or a column of B makes a row or a column of
// the result undefined.
func (s *mma) follow(w *Warp, m uint32) {
	if s.Sparse {
		w.taints().useRegister(trace.FormsAddress, s.Site, s.Meta, alu.W32, false, m)
	}
	rows, cols := map[int]uint32{}, map[int]uint32{}
	w.taints().eachUndefined(s.A, s.RegsA, func(row, _ int, origin uint32) { rows[row] = origin | trace.Computed })
	w.taints().eachUndefined(s.B, s.RegsB, func(_, col int, origin uint32) { cols[col] = origin | trace.Computed })
	sums := map[[2]int]uint32{}
	w.taints().eachUndefined(s.C, s.RegsC, func(row, col int, origin uint32) { sums[[2]int{row, col}] = origin | trace.Computed })
	width := s.D.Elem.Width()
	for r, slot := range s.RegsD {
		if slot == program.NoSlot || r >= len(s.D.Index) {
			continue
		}
		for l := range 32 {
			var u uint64
			var origin uint32
			for e := range s.D.PerReg {
				row, col := s.D.At(r, l, e)
				from := max(rows[row], cols[row/s.M*s.N+col], sums[[2]int{row, col}])
				if from != 0 {
					origin = from
					u |= vec.LowBits(uint(s.D.Elem.Bits())) << (e * s.D.Elem.Bits())
				}
			}
			w.shadow.set(slot, width, l, u, origin)
		}
		w.shadow.settle(slot, width)
	}
}

// eachUndefined calls f for the elements of a fragment with undefined bits.
func (w taintTracker) eachUndefined(f *program.Frag, regs []int32, found func(row, col int, origin uint32)) {
	width, n := f.Elem.Width(), f.Elem.Bits()
	for r := range min(len(regs), len(f.Index)) {
		if regs[r] == program.NoSlot || !w.shadow.isDirty(regs[r]) {
			continue
		}
		for l := range 32 {
			u := w.shadow.bits(regs[r], width, l)
			for e := range f.PerReg {
				if u>>(e*n)&vec.LowBits(uint(n)) != 0 {
					row, col := f.At(r, l, e)
					found(row, col, w.shadow.origin(regs[r], width, l))
				}
			}
		}
	}
}

// follow moves undefined bits with the values.
func (s *matrixMove) follow(w *Warp, m uint32) {
	if s.D == program.NoSlot {
		return
	}
	if !w.shadow.isDirty(s.A) {
		w.shadow.define(s.D, alu.W32, m)
		return
	}
	var u vec.Row32
	transpose(&u, w.shadow.v32(s.A))
	origin := w.taints().anyOrigin(s.A)
	for l, v := range u {
		w.shadow.set(s.D, alu.W32, l, uint64(v), origin)
	}
	w.shadow.settle(s.D, alu.W32)
}

// anyOrigin is the origin of the first lane whose register is undefined.
func (w taintTracker) anyOrigin(slot int32) uint32 {
	for l, v := range w.shadow.v32(slot) {
		if v != 0 {
			return w.shadow.origin(slot, alu.W32, l)
		}
	}
	return 0
}

// follow keeps the rows; the access does the rest.
func (s *matrixRows) follow(w *Warp, m uint32) {
	w.taints().useRegister(trace.FormsAddress, s.Mem.Site, s.Mem.Base, s.Mem.BaseWidth, s.Mem.Scalar, m)
}

// rowShadows is what of the rows of a MatrixRows is undefined.
type rowShadows struct {
	rows   [32]matrixRow
	origin vec.Row32
	any    bool
}

// loadedRows notes what lanes m have read.
func (s *matrixRows) loadedRows(w *Warp, x *rowShadows, space trace.Space, m uint32, addr *vec.Row64) {
	r := w.taints().readUndefined(s.Mem.Site, space, m, addr, 16)
	for b := r.mask; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		x.any, x.origin[l] = true, r.origin[l]
		for i := range x.rows[l] {
			x.rows[l][i] = uint32(r.element(l, 4*i, 4))
		}
	}
}

// shadeRows gives the results of a load their shadow.
func (s *matrixRows) shadeRows(w *Warp, x *rowShadows) {
	if !x.any && !w.taints().undefined() {
		return
	}
	sh := w.taints().shade()
	for i, slot := range s.Regs {
		if slot == program.NoSlot {
			continue
		}
		var u vec.Row32
		s.fromRows(&u, &x.rows, i)
		origin := uint32(0)
		for _, o := range x.origin[8*i : 8*i+8] {
			origin = max(origin, o)
		}
		for l, v := range u {
			sh.set(slot, alu.W32, l, uint64(v), origin)
		}
		sh.settle(slot, alu.W32)
	}
}

// rowsOf collects what of the rows that are stored is undefined.
func (s *matrixRows) rowsOf(w *Warp, x *rowShadows) {
	for i, slot := range s.Regs {
		if !w.shadow.isDirty(slot) {
			continue
		}
		x.any = true
		u := *w.shadow.v32(slot)
		s.toRows(&x.rows, i, &u)
		for k := range 8 {
			x.origin[8*i+k] = w.taints().anyOrigin(slot)
		}
	}
}

// storedRows notes what lanes m have stored.
func (s *matrixRows) storedRows(w *Warp, x *rowShadows, space trace.Space, m uint32, addr *vec.Row64) {
	w.taints().storeShadow(s.Mem.Site, space, m, addr, 4, 4, func(k, l int) (uint64, uint32) {
		return uint64(x.rows[l][k]), x.origin[l]
	})
}

// follow looks at the stride; the accesses do the rest.
func (s *fragment) follow(w *Warp, m uint32) {
	w.taints().useRegister(trace.FormsAddress, s.Mem.Site, s.Mem.Base, s.Mem.BaseWidth, s.Mem.Scalar, m)
	w.taints().useRegister(trace.FormsAddress, s.Mem.Site, s.Stride, alu.W32, false, m)
}

// followPiece is for the access to elements e and the following of register slot.
func (s *fragment) followPiece(w *Warp, sp trace.Space, m uint32, addr *vec.Row64, slot int32, e int) {
	width, n := s.Frag.Elem.Width(), s.Mem.Elem*s.Mem.Count
	shift := uint(e * s.Frag.Elem.Bits())
	if s.Store {
		w.taints().storeShadow(s.Mem.Site, sp, m, addr, n, 1, func(_, l int) (uint64, uint32) {
			if !w.taints().undefined() {
				return 0, 0
			}
			return w.shadow.bits(slot, width, l) >> shift, w.shadow.origin(slot, width, l)
		})
		return
	}
	r := w.taints().readUndefined(s.Mem.Site, sp, m, addr, n)
	if r.mask == 0 && !w.taints().undefined() {
		return
	}
	sh := w.taints().shade()
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		u, origin := r.element(l, 0, n)<<shift, r.origin[l]
		if e > 0 {
			if before := sh.bits(slot, width, l) & vec.LowBits(shift); before != 0 {
				u, origin = u|before, sh.origin(slot, width, l)
			}
		}
		sh.set(slot, width, l, u, origin)
	}
	sh.settle(slot, width)
}

// follow looks at the sizes; the copy does the rest.
func (s *copyAsync) follow(w *Warp, m uint32) {
	for _, op := range []*program.Mem{&s.Dst, &s.Src} {
		w.taints().useRegister(trace.FormsAddress, op.Site, op.Base, op.BaseWidth, op.Scalar, m)
	}
	w.taints().useRegister(trace.FormsAddress, s.Src.Site, s.SrcSize, alu.W32, false, m)
	w.taints().useRegister(trace.DecidesGuard, s.Src.Site, s.Ignore, alu.Pred, false, m)
}
