package program

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// MatrixRows is ldmatrix or stmatrix (PTX ISA, "Warp-level matrix load
// instruction: ldmatrix", "Warp-level matrix store instruction: stmatrix"): lanes 8i to 8i+7 give
// the addresses of the rows of matrix i, of 16 bytes each; those of 16x16 matrices have 16.
type MatrixRows struct {
	// Mem gives address, space and site; its Regs are not used.
	Mem Mem
	// Regs are one slot for each matrix: NoSlot for results that are dropped.
	Regs         []int32
	Store, Trans bool
	// Shape is that of the matrices, Packed the number of bits of elements that become bytes, 0 for
	// none.
	Shape  MatrixShape
	Packed int
}

// MatrixShape is the shape of the matrices of ldmatrix and stmatrix.
type MatrixShape uint8

// The shapes: 8x8 of 16 bits; of bytes 16x16, loaded with columns as rows into two registers, 8x16, and 16x8,
// stored with columns as rows.
const (
	Matrix8x8 MatrixShape = iota
	Matrix16x16
	Matrix8x16
	Matrix16x8
)

// Slots implements Step.
func (s *MatrixRows) Slots(f SlotFunc) {
	s.Mem.slots(f)
	for i := range s.Regs {
		f(&s.Regs[i], alu.W32, resultUse(s.Store))
	}
}

// resultUse is the use of the registers of a load or a store.
func resultUse(store bool) Use {
	if store {
		return Reads
	}
	return Writes
}

// MatrixMove is movmatrix: D gets the transpose of the 8x8 matrix in A (PTX
// ISA, "Warp-level matrix transpose instruction: movmatrix").
type MatrixMove struct {
	Site *trace.Site
	D, A int32
}

// Slots implements Step.
func (s *MatrixMove) Slots(f SlotFunc) {
	f(&s.D, alu.W32, Writes)
	f(&s.A, alu.W32, Reads)
}

// Fragment is wmma.load or wmma.store (PTX ISA, "Warp Level Matrix Load
// Instruction: wmma.load", "Warp Level Matrix Store Instruction: wmma.store").
// Every lane accesses the elements that it holds, and neighboring ones of one
// register at once.
type Fragment struct {
	// Mem gives address, space and site; Elem and Count are those of a piece.
	Mem  Mem
	Frag *Frag
	// Regs hold the fragment; a register beyond those of Frag is a copy: it is
	// register i modulo their number.
	Regs []int32
	// Col is set if the matrix in memory is column-major.
	Col, Store bool
	// Stride is the slot of the distance of rows (columns if Col) in elements;
	// Fixed is used if it is NoSlot.
	Stride int32
	Fixed  uint32
	// Packed is set if the elements are words of 32 one-bit elements, in which
	// the stride counts.
	Packed bool
}

// Slots implements Step.
func (s *Fragment) Slots(f SlotFunc) {
	s.Mem.slots(f)
	f(&s.Stride, alu.W32, Reads)
	slotRegs(s.Regs, s.Frag, resultUse(s.Store), f)
}

// MulKind is the arithmetic of a matrix multiplication.
type MulKind uint8

// Kinds of matrix multiplication. MulXor and MulAnd are of one-bit elements:
// the number of ones in a xor b, a and b.
const (
	MulF32 MulKind = iota
	MulF64
	MulInt
	MulXor
	MulAnd
)

// MMA is D = A*B + C on the registers of a warp (PTX ISA, "mma" and
// "wmma.mma").
//
// Products of f16, bf16, tf32 and eight-bit floats are exact and are summed in
// f32, beginning with C, in the order of k, rounding to nearest even; an f16
// accumulator is rounded once at the end. The ISA leaves precision and order
// open. f64 is a chain of fma in the same order. Integer sums are exact and
// wrap around at the end. Results are clamped to the type's range if Sat is set.
type MMA struct {
	Site       *trace.Site
	Kind       MulKind
	Sat        bool
	A, B, C, D *Frag
	// RegsA to RegsD are the slots of the registers; NoSlot for results that
	// are dropped.
	RegsA, RegsB, RegsC, RegsD []int32
	// M, N and K are the extents of one of Count matrices; K counts words of
	// 32 for one-bit elements.
	M, N, K, Count int
	// FMA is used for f64 with another rounding than to nearest even.
	FMA alu.Fn
	// Sparse is set for mma.sp: A holds 16 by K/2 elements, slot Meta their places, and Sel is
	// the sparsity selector (PTX ISA, "Sparse matrix storage").
	Sparse bool
	Meta   int32
	Sel    int
	// Scales is the number of scales for each row of A and column of B, 0 for none (PTX ISA, "Block
	// Scaling").
	Scales int
	ScaleA MMAScale
	ScaleB MMAScale
	// E8M0 is set for scales of type ue8m0, else they are of type ue4m3.
	E8M0 bool
}

// MMAScale is an operand with scales: the slot of the data, and those of the selectors of a byte and
// of threads.
type MMAScale struct{ Data, Byte, Thread int32 }

func (s *MMAScale) slots(f SlotFunc) {
	for _, x := range []*int32{&s.Data, &s.Byte, &s.Thread} {
		f(x, alu.W32, Reads)
	}
}

// Slots implements Step.
func (s *MMA) Slots(f SlotFunc) {
	slotRegs(s.RegsA, s.A, Reads, f)
	slotRegs(s.RegsB, s.B, Reads, f)
	slotRegs(s.RegsC, s.C, Reads, f)
	if s.Sparse {
		f(&s.Meta, alu.W32, Reads)
	}
	if s.Scales > 0 {
		s.ScaleA.slots(f)
		s.ScaleB.slots(f)
	}
	slotRegs(s.RegsD, s.D, Writes, f)
}

func slotRegs(regs []int32, frag *Frag, u Use, f SlotFunc) {
	for i := range regs {
		f(&regs[i], frag.Elem.Width(), u)
	}
}
