// Package aluref is a second, plain implementation of the arithmetic of PTX
// instructions on registers: integers of any size and floating-point numbers
// with thousands of bits, after the text of the PTX ISA, one value at a time. It
// shares no code with package alu, whose tests compare the two.
package aluref

import (
	"fmt"
	"strings"
)

// Inst is an opcode taken apart.
type Inst struct {
	name  string
	mods  map[string]bool
	types []Type
	// attrs are what package alu writes after a colon: "lut" and "n".
	attrs map[string]string
}

// Args are the bit patterns of an instruction's operands, zero-extended.
type Args [4]uint64

// Result is what an instruction must give. If Check is nil it is R, with R2 as
// its second result if Two is set; else what Check returns true for.
type Result struct {
	R, R2 uint64
	Two   bool
	Check func(r uint64) bool
}

// op computes one instruction; ok is false where the reference has no answer.
type op func(in *Inst, a Args) (Result, bool)

// ops are the instructions by the first word.
var ops = map[string]op{}

func register(list map[string]op) {
	for name, f := range list {
		ops[name] = f
	}
}

// Parse takes a dotted opcode apart: "add.rn.f32".
func Parse(opcode string) *Inst {
	text, attrs, _ := strings.Cut(opcode, ":")
	words := strings.Split(text, ".")
	in := &Inst{name: words[0], mods: map[string]bool{}, attrs: map[string]string{}}
	for _, w := range words[1:] {
		if t, ok := ParseType(w); ok {
			in.types = append(in.types, t)
		} else {
			in.mods[w] = true
		}
	}
	for _, kv := range strings.Split(attrs, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			in.attrs[k] = v
		}
	}
	return in
}

// Eval computes an instruction. ok is false for opcodes that the package does
// not have.
func Eval(in *Inst, a Args) (r Result, ok bool) {
	f := ops[in.name]
	if f == nil {
		return Result{}, false
	}
	for key := range in.attrs {
		if key != "lut" && key != "n" {
			return Result{}, false
		}
	}
	return f(in, a)
}

// Covers reports whether the package has the instruction.
func Covers(opcode string) bool {
	_, ok := Eval(Parse(opcode), Args{})
	return ok
}

// Match reports whether r and r2 are results that want allows; what says what
// was wanted.
func (want *Result) Match(r, r2 uint64) (ok bool, what string) {
	switch {
	case want.Check != nil:
		return want.Check(r), "what the reference allows"
	case want.Two:
		return r == want.R && r2 == want.R2, fmt.Sprintf("%#x and %#x", want.R, want.R2)
	}
	return r == want.R, fmt.Sprintf("%#x", want.R)
}

// has reports any of the modifiers.
func (in *Inst) has(words ...string) bool {
	for _, w := range words {
		if in.mods[w] {
			return true
		}
	}
	return false
}

// only is the type of an instruction with one.
func (in *Inst) only() (Type, bool) {
	if len(in.types) != 1 {
		return Type{}, false
	}
	return in.types[0], true
}

func value(r uint64) (Result, bool) { return Result{R: r}, true }

func two(r, r2 uint64) (Result, bool) { return Result{R: r, R2: r2, Two: true}, true }

func none() (Result, bool) { return Result{}, false }

// lanes applies f to each element of packed operands.
func lanes(t Type, a Args, f func(a Args) (uint64, bool)) (Result, bool) {
	var r uint64
	for i := range t.lanes {
		shift := uint(i * t.bits)
		var e Args
		for k := range a {
			e[k] = a[k] >> shift & ones(t.bits)
		}
		v, ok := f(e)
		if !ok {
			return none()
		}
		r |= v & ones(t.bits) << shift
	}
	return value(r)
}

func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<uint(n) - 1
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
