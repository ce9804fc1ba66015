package matrix

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// This file moves matrices of tiled fragments between registers and flat arrays with vectors.

// rowStep is the distance of rows of a tiled fragment in an array of elements of four bytes.
func rowStep(f *program.Frag) int { return 4 * f.Cols }

// floatTiles is unpackFloats for tiled fragments. It returns false for types that it does not know.
func floatTiles(w *vec.Registers, dst *[1024]float32, f *program.Frag, regs []int32) bool {
	var rows func(*float32, *vec.Row32, int)
	var columns func(*float32, *vec.Row32)
	switch f.Elem {
	case program.ElemBF16:
		rows, columns = rowsOfBF16, columnsOfBF16
	case program.ElemF16:
		rows, columns = rowsOfF16, columnsOfF16
	case program.ElemTF32:
		rows, columns = rowsOfTF32, columnsOfTF32
	case program.ElemF32:
		return f.Role == program.RoleC && pairTiles(w, (*[1024]uint32)(unsafe.Pointer(dst)), f, regs)
	default:
		return false
	}
	unpackTiles(w, dst, f, regs, rows, columns)
	return true
}

// integerTiles is unpackIntegers for tiled fragments. It returns false for types that it does not know.
func integerTiles(w *vec.Registers, dst *[1024]int32, f *program.Frag, regs []int32) bool {
	rows, columns := rowsOfS8, columnsOfS8
	switch f.Elem {
	case program.ElemS8:
	case program.ElemU8:
		rows, columns = rowsOfU8, columnsOfU8
	case program.ElemS32:
		return pairTiles(w, (*[1024]uint32)(unsafe.Pointer(dst)), f, regs)
	default:
		return false
	}
	unpackTiles(w, dst, f, regs, rows, columns)
	return true
}

// unpackTiles unpacks the registers of A or C by rows, those of B by columns.
func unpackTiles[T any](w *vec.Registers, dst *[1024]T, f *program.Frag, regs []int32, rows func(*T, *vec.Row32, int), columns func(*T, *vec.Row32)) {
	for r := range f.Index {
		to := &dst[f.Index[r][0]&1023]
		if f.Role == program.RoleB {
			columns(to, w.V32(regs[r]))
		} else {
			rows(to, w.V32(regs[r]), rowStep(f))
		}
	}
}

// pairTiles unpacks accumulators of 32 bits.
func pairTiles(w *vec.Registers, dst *[1024]uint32, f *program.Frag, regs []int32) bool {
	for r := 0; r < len(f.Index); r += 2 {
		rowsOfPairs(&dst[f.Index[r][0]&1023], w.V32(regs[r]), w.V32(regs[r+1]), rowStep(f))
	}
	return true
}

// packTiles is packFloats for tiled fragments.
func packTiles(w *vec.Registers, src *[1024]float32, f *program.Frag, regs []int32) {
	var none vec.Row32
	to := func(r int) *vec.Row32 {
		if regs[r] == program.NoSlot {
			return &none
		}
		return w.V32(regs[r])
	}
	if f.Elem == program.ElemF16 {
		for r := range f.Index {
			halvesOfRows(to(r), &src[f.Index[r][0]&1023], rowStep(f))
		}
		return
	}
	for r := 0; r < len(f.Index); r += 2 {
		pairsOfRows(to(r), to(r+1), &src[f.Index[r][0]&1023], rowStep(f))
	}
}

// doubles carries out a product of f64 by tiles, and returns false if it is not one that rounds to nearest even. Those of
// mma.m16n8k16 and the like have registers as several of mma.m8n8k4.
func (s *mma) doubles(u *Unit) bool {
	if !vec.UseAVX512 || s.FMA != nil || s.N != 8 || s.M > 16 || !s.A.Tiled || !s.B.Tiled || !s.C.Tiled {
		return false
	}
	var sums [4]vec.Row64 // D may be an operand
	groups, chunks := s.M/8, s.K/4
	for g := range groups {
		even, odd := &sums[2*g], &sums[2*g+1]
		c0, c1 := u.regs.V64(s.RegsC[2*g]), u.regs.V64(s.RegsC[2*g+1])
		for k := range chunks {
			multiplyDoubles884(even, odd, u.regs.V64(s.RegsA[k*groups+g]), u.regs.V64(s.RegsB[k]), c0, c1)
			c0, c1 = even, odd
		}
	}
	for i, r := range s.RegsD {
		if r != program.NoSlot {
			*u.regs.V64(r) = sums[i]
		}
	}
	return true
}
