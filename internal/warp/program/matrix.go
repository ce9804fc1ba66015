package program

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// Elem is the type of a matrix element.
type Elem uint8

// Element types of the tensor cores (PTX ISA, "Matrix Data-types"). ElemB1
// stands for a word of 32 one-bit elements. Floats of six and four bits are in bytes: the lower six
// bits, or the middle four; ElemF4 is e2m1 with two elements in a byte.
const (
	ElemF16 Elem = iota
	ElemBF16
	ElemTF32
	ElemF32
	ElemF64
	ElemE4M3
	ElemE5M2
	ElemS8
	ElemU8
	ElemS4
	ElemU4
	ElemB1
	ElemS32
	ElemE2M3
	ElemE3M2
	ElemE2M1
	ElemF4
)

var elemBits = [...]int{16, 16, 32, 32, 64, 8, 8, 8, 8, 4, 4, 32, 32, 8, 8, 8, 4}

// Bits is the element's size in a register.
func (e Elem) Bits() int { return elemBits[e] }

// RegBits is the size of a register that holds elements.
func (e Elem) RegBits() int { return max(32, e.Bits()) }

// Width is that of a register of the fragment.
func (e Elem) Width() alu.Width {
	if e == ElemF64 {
		return alu.W64
	}
	return alu.W32
}

// Role is a matrix's part in D = A*B + C.
type Role uint8

// RoleC stands for C and D.
const (
	RoleA Role = iota
	RoleB
	RoleC
)

// Frag is the layout of a matrix in the registers of a warp: which element
// each bit field of each register of each lane holds. The matrix is addressed
// as a flat array: A and C by rows, B in groups of eight columns, each of which
// is stored by rows. If there are several matrices (m8n8k4), they follow each
// other.
type Frag struct {
	Role Role
	Elem Elem
	// Rows and Cols are the matrix's extents: M by K, K by N, M by N.
	Rows, Cols int
	// PerReg elements are in a register, Step apart in the flat array.
	PerReg, Step int
	// Index has the place of the first element, by register and lane.
	Index [][32]uint16
	// Tiled is set for the layouts of NewFrag: lanes go through eight rows (columns of B), of which four of them cover
	// what follows each other.
	Tiled bool
}

// tileRows is the number of rows (columns of B) that the lanes of a warp
// cover: PTX ISA's groupID is the lane divided by 4.
const tileRows = 8

// NewFrag returns the layout of an m by n by k fragment of mma (PTX ISA,
// "Matrix Fragments for mma.m16n8k16 with floating point type" and the
// following sections). k counts elements; for one-bit types words of 32.
//
// All of these fragments have one form: lane l holds, of row l/4 of each group
// of eight rows (columns of B), in each register the elements that follow
// (l%4)*PerReg; four lanes together cover a chunk of 4*PerReg elements, and the
// registers go through the row groups first, then through the chunks. C and D
// have two neighboring columns in each lane. Fragments of wmma have more than
// one or two groups; their layout is unspecified (PTX ISA, "Matrix Fragments
// for WMMA"), and the same form is used.
func NewFrag(role Role, e Elem, m, n, k int) *Frag {
	f := &Frag{Role: role, Elem: e, PerReg: e.RegBits() / e.Bits(), Step: 1, Tiled: true}
	switch role {
	case RoleA:
		f.Rows, f.Cols = m, k
		f.groups(m/tileRows, k)
	case RoleB:
		f.Rows, f.Cols, f.Step = k, n, tileRows
		for g := range n / tileRows {
			f.columns(g*tileRows*k, k)
		}
	case RoleC:
		f.Rows, f.Cols = m, n
		f.accumulators(m, n)
	}
	return f
}

// groups fills Index for groups of eight rows of k elements. Sixteen rows go
// together; wmma's 32 are two times sixteen.
func (f *Frag) groups(groups, k int) {
	pair := min(groups, 2)
	for first := 0; first < groups; first += pair {
		for at := 0; at < k; at += 4 * f.PerReg {
			for g := first; g < first+pair; g++ {
				var r [32]uint16
				for l := range r {
					r[l] = uint16((g*tileRows+l/4)*k + at + l%4*f.PerReg)
				}
				f.Index = append(f.Index, r)
			}
		}
	}
}

// columns fills Index for eight columns of k elements that begin at first.
func (f *Frag) columns(first, k int) {
	for at := 0; at < k; at += 4 * f.PerReg {
		var r [32]uint16
		for l := range r {
			r[l] = uint16(first + (at+l%4*f.PerReg)*tileRows + l/4)
		}
		f.Index = append(f.Index, r)
	}
}

// accumulators fills Index for C and D: tiles of 16 (or 8) by 8.
func (f *Frag) accumulators(m, n int) {
	pair := min(m/tileRows, 2)
	for top := 0; top < m; top += pair * tileRows {
		for left := 0; left < n; left += 8 {
			for g := range pair {
				for c := 0; c < 2; c += f.PerReg {
					var r [32]uint16
					for l := range r {
						r[l] = uint16((top+g*tileRows+l/4)*n + left + l%4*2 + c)
					}
					f.Index = append(f.Index, r)
				}
			}
		}
	}
}

// NewQuadFrag returns the layout of mma.m8n8k4 with f16 (PTX ISA, "Matrix
// Fragments for mma.m8n8k4 with .f16 floating point type"): four matrices, each
// in a quad pair, that is lanes 4q to 4q+3 and 16+4q to 16+4q+3. col is set if
// A is column-major or B is; for C it is not used.
func NewQuadFrag(role Role, e Elem, col bool) *Frag {
	f := &Frag{Role: role, Elem: e, PerReg: 32 / e.Bits(), Step: 1, Rows: 8, Cols: 8}
	switch {
	case role == RoleC && e == ElemF32:
		f.quads(8, 64, func(lane, i int) int {
			return (lane&1+i&2+lane>>4*4)*8 + i&4 + lane&2 + i&1
		})
	case role == RoleC:
		f.quads(8, 64, func(lane, i int) int { return quadRow(lane)*8 + i })
	case role == RoleA && col:
		f.Step = 4
		f.quads(4, 32, func(lane, i int) int { return (i+lane>>4*4)*4 + lane%4 })
	case role == RoleA:
		f.quads(4, 32, func(lane, i int) int { return quadRow(lane)*4 + i })
	case col:
		f.Step = tileRows
		f.quads(4, 32, func(lane, i int) int { return i*tileRows + quadRow(lane) })
	default:
		f.quads(4, 32, func(lane, i int) int { return lane%4*tileRows + i + lane>>4*4 })
	}
	switch role {
	case RoleA:
		f.Cols = 4
	case RoleB:
		f.Rows = 4
	}
	return f
}

func quadRow(lane int) int { return lane%4 + lane>>4*4 }

// quads fills Index for n elements a thread of matrices with size elements.
func (f *Frag) quads(n, size int, at func(lane, i int) int) {
	for i := 0; i < n; i += f.PerReg {
		var r [32]uint16
		for l := range r {
			r[l] = uint16(l>>2&3*size + at(l, i))
		}
		f.Index = append(f.Index, r)
	}
}

// At returns row and column of an element of the first matrix.
func (f *Frag) At(reg, lane, elem int) (row, col int) {
	i := int(f.Index[reg][lane]) + elem*f.Step
	if f.Role == RoleB {
		group := tileRows * f.Rows
		return i % group / tileRows, i/group*tileRows + i%tileRows
	}
	return i / f.Cols, i % f.Cols
}
