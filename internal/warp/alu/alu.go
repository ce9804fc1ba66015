// Package alu computes what PTX's register-to-register instructions compute,
// one lane at a time by a plain function, and 32 lanes at a time by a vector
// function of the same meaning. It knows neither masks nor memory.
//
// Lookup finds a PTX instruction by its dotted opcode; LookupMath finds a
// device math function (libdevice's __nv_*). Both are lazy: an operation is
// built when it is first asked for.
//
// The vector functions of most operations are generated (asmgen): as assembly for AVX-512 and
// AVX2 and as Go loops, from package body. A new operation is a function Fn here and a body
// there. What has no body is derived from Fn, or written by hand (vec_bits.go, vec_half.go).
package alu

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// Width is how a register is kept: 8-, 16- and 32-bit values zero-extended in
// 32 bits, 64-bit values in 64, predicates in one bit a lane.
type Width uint8

// Register widths.
const (
	None Width = iota
	Pred
	W32
	W64
)

// Bytes is the size of a register.
func (w Width) Bytes() int {
	if w == W64 {
		return 8
	}
	return 4
}

// Fn computes one lane. Operands and results are bit patterns, zero-extended
// to 64 bits; predicates are 0 or 1. r2 is the second result of instructions
// that have one (setp p|q, carry-out of .cc). A carry-in is the operand after
// the written ones.
type Fn func(a, b, c, d uint64) (r, r2 uint64)

// Op is one instruction with all its modifiers.
type Op struct {
	// Name is the dotted opcode, for example "fma.rn.ftz.f32".
	Name string
	// Dst and Dst2 are the results' widths; Dst2 is None for most.
	Dst, Dst2 Width
	// Alt is the width of a second result that the instruction may leave out:
	// Pred for setp, whose Fn always returns q of p|q in r2, None elsewhere.
	// (setp.f16x2 and setp.bf16x2 have two real results: Dst2 is Pred there.)
	Alt Width
	// Args are the operands' widths, carry-in (Pred) last. A register wider
	// than its operand gives its low bits (PTX ISA 9.4.1).
	Args []Width
	// DstBits is the size of the result's type in bits, 1 for predicates.
	// DstSigned tells that it is a signed integer. They matter to a destination
	// register of another size, see Extend.
	DstBits   uint8
	DstSigned bool
	// CarryIn and CarryOut tell that the last argument or Dst2 is CC.CF.
	CarryIn, CarryOut bool
	// Formula is set where the operation is a formula of floats, rounded to a float; with
	// Flush subnormal arguments and results are zeros (.ftz).
	Formula *formula.Formula
	Flush   bool
	// Fn is the definition.
	Fn Fn
	// Vec does 32 lanes where Dst is W32 or W64, Dst2 is None, no operand is a
	// predicate and there are at most three: d, a, b, c point to [32]uint32 or
	// [32]uint64 by their widths; operands that do not exist are nil. d may be
	// equal to an operand, never overlap it otherwise. It must not panic for any
	// input. nil if there is none.
	Vec func(d, a, b, c unsafe.Pointer)
	// Vec4 is Vec for four operands (lop3, bfi).
	Vec4 func(d, a, b, c, e unsafe.Pointer)
	// Cmp does the same as Vec where Dst is Pred and Dst2 None: bit i is lane i.
	Cmp func(a, b, c unsafe.Pointer) uint32
	// CmpBool is Cmp for setp with a Boolean operator: c is the predicate operand
	// and p, q are the results, one bit a lane.
	CmpBool func(a, b unsafe.Pointer, c uint32) (p, q uint32)
	// Sel is Vec for selp: bit i of p chooses a (1) or b (0) in lane i.
	Sel func(d, a, b unsafe.Pointer, p uint32)
}

// Extend adapts a result to a destination register of regBits bits (8, 16, 32
// or 64), which may differ from the instruction's type for cvt (PTX ISA 9.4.1):
// a result that is a signed integer is sign-extended, any other zero-extended,
// and what does not fit is cut off. Fn and Vec return cvt's signed 8- and 16-bit
// results sign-extended to 32 bits, so only 8-, 16- and 64-bit registers need it;
// all other instructions return 8- and 16-bit results zero-extended.
func (o *Op) Extend(r uint64, regBits int) uint64 {
	if o.DstSigned && int(o.DstBits) < regBits {
		s := 64 - uint(o.DstBits)
		r = uint64(int64(r<<s) >> s)
	}
	return r & mask(uint8(regBits))
}

// Unsupported is the error for an opcode that the package does not know.
type Unsupported struct {
	Opcode string
}

// Error names the opcode.
func (e *Unsupported) Error() string { return "unsupported instruction " + e.Opcode }
