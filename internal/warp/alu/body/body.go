// Package body has the operations of lanes, each written once: integers, numbers, conversions
// and comparisons of the PTX ISA (9.7.1 to 9.7.9) as short programs of some forty primitives
// on vectors.
//
// Whoever makes code of operations renders these programs: asmgen as the interpreter's assembly for AVX-512 and AVX2,
// package native as AVX-512 code, as code on general registers and as LLVM IR. Eval computes one lane, and the tests hold it
// against the reference of package aluref. A renderer knows primitives only; a new operation
// is a body here, and every processor has it.
package body

import "math"

// Op is a primitive.
type Op uint8

// Primitives. Elements have Width bytes; integers wrap. A mask is a comparison's result, for
// Select and as the result of a test.
const (
	Arg   Op = iota // argument number Bits
	Const           // Bits

	Add   // A + B
	Sub   // A - B
	Mul   // the low half of A * B
	WideU // the product of the low halves of A and B, without a sign; elements of 8 bytes
	WideS // the same with a sign
	HighU // the high half of A * B, without a sign; elements of 4 bytes
	HighS // the same with a sign
	MinU
	MinS
	MaxU
	MaxS
	Abs   // the magnitude of A
	Zeros // the number of leading zeros of A
	Ones  // the number of bits set in A; elements of 4 bytes
	And
	Or
	Xor
	Shl  // A shifted left by B, 0 from the width on
	ShrU // A shifted right by B, filled with zeros
	ShrS // A shifted right by B, filled with the sign
	ShlBy
	ShrUBy // shifts by Bits, less than the width
	ShrSBy

	AddF
	SubF
	MulF
	DivF
	FMA    // A * B + C, rounded once
	Sqrt   // the square root of A
	MinF   // A if A < B, else B
	MaxF   // A if A > B, else B
	RoundF // A rounded to an integer by the Rounding of Bits

	// Conversions of A from the type Bits; the primitive names the result. Width is that of
	// the result. Numbers round to nearest even.
	ToF32
	ToF64
	ToS32  // to nearest even; 1<<31 for NaN and beyond the range
	CutS32 // toward zero; 1<<31 for NaN and beyond the range
	CutU32 // toward zero, of a number that is not negative; all ones from 1<<32 on
	FitU32 // toward zero; anything for NaN and beyond the range

	CompareU // mask: A and B are in a relation of Bits
	CompareS
	CompareF
	Disjoint // mask: A and B have no bit in common
	Select   // B where the mask A is set, else C

	// Canonical is a number of 4 bytes with each NaN as 0x7fffffff, the one of the device.
	Canonical
)

// operands is the number of operands of a primitive.
var operands = [...]int{Arg: 0, Const: 0, Add: 2, Sub: 2, Mul: 2, WideU: 2, WideS: 2, HighU: 2, HighS: 2, MinU: 2, MinS: 2, MaxU: 2,
	MaxS: 2, Abs: 1, Zeros: 1, Ones: 1, And: 2, Or: 2, Xor: 2, Shl: 2, ShrU: 2, ShrS: 2, ShlBy: 1, ShrUBy: 1, ShrSBy: 1, AddF: 2, SubF: 2,
	MulF: 2, DivF: 2, FMA: 3, Sqrt: 1, MinF: 2, MaxF: 2, RoundF: 1, ToF32: 1, ToF64: 1, ToS32: 1, CutS32: 1, CutU32: 1, FitU32: 1, CompareU: 2,
	CompareS: 2, CompareF: 2, Disjoint: 2, Select: 3, Canonical: 1}

// Relation is a set of outcomes of a comparison.
type Relation uint64

// Outcomes. Integers are never unordered.
const (
	Less Relation = 1 << iota
	Equal
	Greater
	Unordered
)

// Rounding is a direction of RoundF.
type Rounding uint64

// Directions.
const (
	Nearest Rounding = iota // ties to even
	Down
	Up
	Zero
)

// Type is the type of the operand of a conversion.
type Type uint64

// Types.
const (
	S32 Type = iota
	U32
	S64
	U64
	F32
	F64
)

// Node is a primitive with its operands: the numbers of earlier nodes.
type Node struct {
	Op    Op
	Width uint8 // bytes of an element: of the operands for a comparison, else of the result
	X     [3]int16
	Bits  uint64
}

// Operands lists the nodes that n reads.
func (n *Node) Operands() []int16 { return n.X[:operands[n.Op]] }

// IsMask reports whether n is a comparison.
func (n *Node) IsMask() bool { return n.Op >= CompareU && n.Op <= Disjoint }

// Restores reports whether n makes an integer of a number that was made of an integer of the same type.
func (n *Node) Restores(nodes []Node) bool {
	from := &nodes[n.X[0]]
	return from.Op == ToF64 && (n.Op == CutS32 && Type(from.Bits) == S32 || (n.Op == CutU32 || n.Op == FitU32) && Type(from.Bits) == U32)
}

// Kind is how an operand or a result of an operation lies in registers.
type Kind uint8

const (
	K32    Kind = iota // elements of 4 bytes
	K64                // elements of 8 bytes
	KZero              // 4 bytes, extended to 8 with zeros
	KSign              // 4 bytes, extended to 8 with the sign
	KLower             // 4 bytes in the lower halves of elements of 8, the upper halves are anything
	KHalf              // 4 bytes beside elements of 8: half a register
	KLow               // result: the low halves of elements of 8 bytes
)

// Body is an operation.
type Body struct {
	Args []Kind
	Dst  Kind
	// Nodes are in order of evaluation; the last one is the result.
	Nodes []Node
	// Test is set for a comparison, whose result is a mask.
	Test bool
	// Floats is set where NaN operands are alike: whatever their bits, the result is the same.
	Floats bool
	// FirstNaN is set for operations on numbers of 8 bytes whose NaN result is the first operand
	// that is one, made quiet, else 0xfff8000000000000. x86 gives these; others need code for it.
	FirstNaN bool
}

// Result is the last node.
func (b *Body) Result() *Node { return &b.Nodes[len(b.Nodes)-1] }

// Loose returns the nodes without the last one if that makes NaN canonical and the operation
// may leave it to those who read the result: nil if not.
func (b *Body) Loose() []Node {
	if n := len(b.Nodes) - 1; b.Floats && b.Nodes[n].Op == Canonical {
		return b.Nodes[:n]
	}
	return nil
}

// IsSum reports whether the operation is a product of 4 bytes that is added to the third operand.
func (b *Body) IsSum() bool {
	l := b.Loose()
	return l != nil && l[len(l)-1].Op == FMA && len(l) == 4
}

// Uses counts the operands that each node is.
func Uses(nodes []Node) []int {
	n := make([]int, len(nodes))
	for i := range nodes {
		for _, x := range nodes[i].Operands() {
			n[x]++
		}
	}
	return n
}

// LastUses has by node the last one that reads it, itself if none does. If masks are late, a Select reads what
// its mask compares: masks are made where they are needed.
func LastUses(nodes []Node, late bool) []int {
	last := make([]int, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		last[i] = i
		for _, x := range n.Operands() {
			last[x] = i
		}
		if late && n.Op == Select {
			for _, x := range nodes[n.X[0]].Operands() {
				last[x] = i
			}
		}
	}
	return last
}

// Width is the size of the elements that a register of the kind holds in memory.
func (k Kind) Width() int {
	if k == K64 {
		return 8
	}
	return 4
}

// Eval computes the operation on one lane: bit patterns of 4 or 8 bytes as Args says.
// A test returns 1 or 0.
func (b *Body) Eval(args []uint64) uint64 {
	v := make([]uint64, len(b.Nodes))
	for i := range b.Nodes {
		n := &b.Nodes[i]
		var x [3]uint64
		for j, k := range n.Operands() {
			x[j] = v[k]
		}
		if n.Op == Arg {
			x[0] = widened(b.Args[n.Bits], args[n.Bits])
		}
		v[i] = n.eval(x)
	}
	r := v[len(v)-1]
	if b.FirstNaN && math.IsNaN(math.Float64frombits(r)) {
		return firstNaN(args)
	}
	if b.Dst == KLow {
		r &= 1<<32 - 1
	}
	return r
}

func widened(k Kind, v uint64) uint64 {
	switch k {
	case K64:
		return v
	case KSign:
		return uint64(int64(int32(v)))
	}
	return v & (1<<32 - 1)
}

func firstNaN(args []uint64) uint64 {
	for _, a := range args {
		if math.IsNaN(math.Float64frombits(a)) {
			return a | 1<<51
		}
	}
	return 0xfff8 << 48
}
