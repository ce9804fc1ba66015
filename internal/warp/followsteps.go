package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// follow: a row of A or a column of B makes a row or a column of
// the result undefined.
func (s *mma) follow(w *Warp, m uint32) {
	if s.Sparse {
		w.taint.UseRegister(trace.FormsAddress, s.Site, s.Meta, alu.W32, false, m)
	}
	rows, cols := map[int]uint32{}, map[int]uint32{}
	w.taint.EachUndefined(s.A, s.RegsA, func(row, _ int, origin uint32) { rows[row] = origin | trace.Computed })
	w.taint.EachUndefined(s.B, s.RegsB, func(_, col int, origin uint32) { cols[col] = origin | trace.Computed })
	sums := map[[2]int]uint32{}
	w.taint.EachUndefined(s.C, s.RegsC, func(row, col int, origin uint32) { sums[[2]int{row, col}] = origin | trace.Computed })
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
			w.taint.Shadow().Set(slot, width, l, u, origin)
		}
		w.taint.Shadow().Settle(slot, width)
	}
}

// follow moves undefined bits with the values.
func (s *matrixMove) follow(w *Warp, m uint32) {
	if s.D == program.NoSlot {
		return
	}
	if !w.taint.Shadow().IsDirty(s.A) {
		w.taint.Shadow().Define(s.D, alu.W32, m)
		return
	}
	var u vec.Row32
	transpose(&u, w.taint.Shadow().V32(s.A))
	origin := w.taint.AnyOrigin(s.A)
	for l, v := range u {
		w.taint.Shadow().Set(s.D, alu.W32, l, uint64(v), origin)
	}
	w.taint.Shadow().Settle(s.D, alu.W32)
}

// follow keeps the rows; the access does the rest.
func (s *matrixRows) follow(w *Warp, m uint32) {
	w.taint.UseRegister(trace.FormsAddress, s.Mem.Site, s.Mem.Base, s.Mem.BaseWidth, s.Mem.Scalar, m)
}

// rowShadows is what of the rows of a MatrixRows is undefined.
type rowShadows struct {
	rows   [32]matrixRow
	origin vec.Row32
	any    bool
}

// loadedRows notes what lanes m have read.
func (s *matrixRows) loadedRows(w *Warp, x *rowShadows, space trace.Space, m uint32, addr *vec.Row64) {
	r := w.taint.ReadUndefined(s.Mem.Site, space, m, addr, 16)
	for b := r.Mask; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		x.any, x.origin[l] = true, r.Origin[l]
		for i := range x.rows[l] {
			x.rows[l][i] = uint32(r.Element(l, 4*i, 4))
		}
	}
}

// shadeRows gives the results of a load their shadow.
func (s *matrixRows) shadeRows(w *Warp, x *rowShadows) {
	if !x.any && !w.taint.Undefined() {
		return
	}
	sh := w.taint.Shade()
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
			sh.Set(slot, alu.W32, l, uint64(v), origin)
		}
		sh.Settle(slot, alu.W32)
	}
}

// rowsOf collects what of the rows that are stored is undefined.
func (s *matrixRows) rowsOf(w *Warp, x *rowShadows) {
	for i, slot := range s.Regs {
		if !w.taint.Shadow().IsDirty(slot) {
			continue
		}
		x.any = true
		u := *w.taint.Shadow().V32(slot)
		s.toRows(&x.rows, i, &u)
		for k := range 8 {
			x.origin[8*i+k] = w.taint.AnyOrigin(slot)
		}
	}
}

// storedRows notes what lanes m have stored.
func (s *matrixRows) storedRows(w *Warp, x *rowShadows, space trace.Space, m uint32, addr *vec.Row64) {
	w.taint.Store(s.Mem.Site, space, m, addr, 4, 4, func(k, l int) (uint64, uint32) {
		return uint64(x.rows[l][k]), x.origin[l]
	})
}

// follow looks at the stride; the accesses do the rest.
func (s *fragment) follow(w *Warp, m uint32) {
	w.taint.UseRegister(trace.FormsAddress, s.Mem.Site, s.Mem.Base, s.Mem.BaseWidth, s.Mem.Scalar, m)
	w.taint.UseRegister(trace.FormsAddress, s.Mem.Site, s.Stride, alu.W32, false, m)
}

// followPiece is for the access to elements e and the following of register slot.
func (s *fragment) followPiece(w *Warp, sp trace.Space, m uint32, addr *vec.Row64, slot int32, e int) {
	width, n := s.Frag.Elem.Width(), s.Mem.Elem*s.Mem.Count
	shift := uint(e * s.Frag.Elem.Bits())
	if s.Store {
		w.taint.Store(s.Mem.Site, sp, m, addr, n, 1, func(_, l int) (uint64, uint32) {
			if !w.taint.Undefined() {
				return 0, 0
			}
			return w.taint.Shadow().Bits(slot, width, l) >> shift, w.taint.Shadow().Origin(slot, width, l)
		})
		return
	}
	r := w.taint.ReadUndefined(s.Mem.Site, sp, m, addr, n)
	if r.Mask == 0 && !w.taint.Undefined() {
		return
	}
	sh := w.taint.Shade()
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		u, origin := r.Element(l, 0, n)<<shift, r.Origin[l]
		if e > 0 {
			if before := sh.Bits(slot, width, l) & vec.LowBits(shift); before != 0 {
				u, origin = u|before, sh.Origin(slot, width, l)
			}
		}
		sh.Set(slot, width, l, u, origin)
	}
	sh.Settle(slot, width)
}

// follow looks at the sizes; the copy does the rest.
func (s *copyAsync) follow(w *Warp, m uint32) {
	for _, op := range []*program.Mem{&s.Dst, &s.Src} {
		w.taint.UseRegister(trace.FormsAddress, op.Site, op.Base, op.BaseWidth, op.Scalar, m)
	}
	w.taint.UseRegister(trace.FormsAddress, s.Src.Site, s.SrcSize, alu.W32, false, m)
	w.taint.UseRegister(trace.DecidesGuard, s.Src.Site, s.Ignore, alu.Pred, false, m)
}

// followBulk is for the operands of an operation: the values that st.async stores only move, red.async computes with them.
func (w *Warp) followBulk(s *program.Bulk, m uint32) {
	rest := *s
	rest.Values = nil
	w.taint.UseStep(&rest, m)
	if s.Op == "" {
		return
	}
	for _, slot := range s.Values {
		w.taint.UseRegister(trace.UpdatesMemory, s.Peer.Site, slot, s.Width, false, m)
	}
}
