// Package alu computes what PTX's register-to-register instructions compute,
// one lane at a time by a plain function, and 32 lanes at a time by a vector
// function of the same meaning. It knows neither masks nor memory.
package alu

import "unsafe"

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

// Fn computes one lane. Operands and results are bit patterns, zero-extended
// to 64 bits; predicates are 0 or 1. r2 is the second result of instructions
// that have one (setp p|q, carry-out of .cc). A carry-in is the operand after
// the written ones.
type Fn func(a, b, c, d uint64) (r, r2 uint64)

// Op is one instruction with all its modifiers.
type Op struct {
	// Name is the dotted opcode, for example "fma.rn.ftz.f32", or the name of
	// a device math function, for example "__nv_sinf".
	Name string
	// Dst and Dst2 are the results' widths; Dst2 is None for most.
	Dst, Dst2 Width
	// Args are the operands' widths, carry-in (Pred) last.
	Args []Width
	// CarryIn and CarryOut tell that the last argument or Dst2 is CC.CF.
	CarryIn, CarryOut bool
	// Fn is the definition.
	Fn Fn
	// Vec does 32 lanes where Dst is W32 or W64, Dst2 is None and no operand is a
	// predicate: d, a, b, c point to [32]uint32 or [32]uint64 by their widths;
	// operands that do not exist are nil. d may be equal to an operand, never
	// overlap it otherwise. It must not panic for any input. nil if there is none.
	Vec func(d, a, b, c unsafe.Pointer)
	// Cmp does the same where Dst is Pred and Dst2 None: bit i is lane i.
	Cmp func(a, b, c unsafe.Pointer) uint32
}
