package matrix

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// follow: a row of A or a column of B makes a row or a column of
// the result undefined.
func (s *mma) follow(u *Unit, m uint32) {
	if s.Sparse {
		u.taint.UseRegister(trace.FormsAddress, s.Site, s.Meta, alu.W32, false, m)
	}
	rows, cols := map[int]uint32{}, map[int]uint32{}
	u.taint.EachUndefined(s.A, s.RegsA, func(row, _ int, origin uint32) { rows[row] = origin | trace.Computed })
	u.taint.EachUndefined(s.B, s.RegsB, func(_, col int, origin uint32) { cols[col] = origin | trace.Computed })
	sums := map[[2]int]uint32{}
	u.taint.EachUndefined(s.C, s.RegsC, func(row, col int, origin uint32) { sums[[2]int{row, col}] = origin | trace.Computed })
	width := s.D.Elem.Width()
	for r, slot := range s.RegsD {
		if slot == program.NoSlot || r >= len(s.D.Index) {
			continue
		}
		for l := range 32 {
			var bits uint64
			var origin uint32
			for e := range s.D.PerReg {
				row, col := s.D.At(r, l, e)
				from := max(rows[row], cols[row/s.M*s.N+col], sums[[2]int{row, col}])
				if from != 0 {
					origin = from
					bits |= vec.LowBits(uint(s.D.Elem.Bits())) << (e * s.D.Elem.Bits())
				}
			}
			u.taint.Shadow().Set(slot, width, l, bits, origin)
		}
		u.taint.Shadow().Settle(slot, width)
	}
}

// follow moves undefined bits with the values.
func (s *matrixMove) follow(u *Unit, m uint32) {
	if s.D == program.NoSlot {
		return
	}
	if !u.taint.Shadow().IsDirty(s.A) {
		u.taint.Shadow().Define(s.D, alu.W32, m)
		return
	}
	var undefined vec.Row32
	transpose(&undefined, u.taint.Shadow().V32(s.A))
	origin := u.taint.AnyOrigin(s.A)
	for l, v := range undefined {
		u.taint.Shadow().Set(s.D, alu.W32, l, uint64(v), origin)
	}
	u.taint.Shadow().Settle(s.D, alu.W32)
}

// follow keeps the rows; the access does the rest.
func (s *matrixRows) follow(u *Unit, m uint32) {
	u.taint.UseRegister(trace.FormsAddress, s.Mem.Site, s.Mem.Base, s.Mem.BaseWidth, s.Mem.Scalar, m)
}

// rowShadows is what of the rows of a MatrixRows is undefined.
type rowShadows struct {
	rows   [32]matrixRow
	origin vec.Row32
	any    bool
}

// loadedRows notes what lanes m have read.
func (s *matrixRows) loadedRows(u *Unit, x *rowShadows, space trace.Space, m uint32, addr *vec.Row64) {
	r := u.taint.ReadUndefined(s.Mem.Site, space, m, addr, 16)
	for b := r.Mask; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		x.any, x.origin[l] = true, r.Origin[l]
		for i := range x.rows[l] {
			x.rows[l][i] = uint32(r.Element(l, 4*i, 4))
		}
	}
}

// shadeRows gives the results of a load their shadow.
func (s *matrixRows) shadeRows(u *Unit, x *rowShadows) {
	if !x.any && !u.taint.Undefined() {
		return
	}
	sh := u.taint.Shade()
	for i, slot := range s.Regs {
		if slot == program.NoSlot {
			continue
		}
		var undefined vec.Row32
		s.fromRows(&undefined, &x.rows, i)
		origin := uint32(0)
		for _, o := range x.origin[8*i : 8*i+8] {
			origin = max(origin, o)
		}
		for l, v := range undefined {
			sh.Set(slot, alu.W32, l, uint64(v), origin)
		}
		sh.Settle(slot, alu.W32)
	}
}

// rowsOf collects what of the rows that are stored is undefined.
func (s *matrixRows) rowsOf(u *Unit, x *rowShadows) {
	for i, slot := range s.Regs {
		if !u.taint.Shadow().IsDirty(slot) {
			continue
		}
		x.any = true
		undefined := *u.taint.Shadow().V32(slot)
		s.toRows(&x.rows, i, &undefined)
		for k := range 8 {
			x.origin[8*i+k] = u.taint.AnyOrigin(slot)
		}
	}
}

// storedRows notes what lanes m have stored.
func (s *matrixRows) storedRows(u *Unit, x *rowShadows, space trace.Space, m uint32, addr *vec.Row64) {
	u.taint.Store(s.Mem.Site, space, m, addr, 4, 4, func(k, l int) (uint64, uint32) {
		return uint64(x.rows[l][k]), x.origin[l]
	})
}

// follow looks at the stride; the accesses do the rest.
func (s *fragment) follow(u *Unit, m uint32) {
	u.taint.UseRegister(trace.FormsAddress, s.Mem.Site, s.Mem.Base, s.Mem.BaseWidth, s.Mem.Scalar, m)
	u.taint.UseRegister(trace.FormsAddress, s.Mem.Site, s.Stride, alu.W32, false, m)
}

// followPiece is for the access to elements e and the following of register slot.
func (s *fragment) followPiece(u *Unit, sp trace.Space, m uint32, addr *vec.Row64, slot int32, e int) {
	width, n := s.Frag.Elem.Width(), s.Mem.Elem*s.Mem.Count
	shift := uint(e * s.Frag.Elem.Bits())
	if s.Store {
		u.taint.Store(s.Mem.Site, sp, m, addr, n, 1, func(_, l int) (uint64, uint32) {
			if !u.taint.Undefined() {
				return 0, 0
			}
			return u.taint.Shadow().Bits(slot, width, l) >> shift, u.taint.Shadow().Origin(slot, width, l)
		})
		return
	}
	r := u.taint.ReadUndefined(s.Mem.Site, sp, m, addr, n)
	if r.Mask == 0 && !u.taint.Undefined() {
		return
	}
	sh := u.taint.Shade()
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		bits, origin := r.Element(l, 0, n)<<shift, r.Origin[l]
		if e > 0 {
			if before := sh.Bits(slot, width, l) & vec.LowBits(shift); before != 0 {
				bits, origin = bits|before, sh.Origin(slot, width, l)
			}
		}
		sh.Set(slot, width, l, bits, origin)
	}
	sh.Settle(slot, width)
}
