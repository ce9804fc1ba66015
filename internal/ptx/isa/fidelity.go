package isa

import (
	"slices"
	"strings"
)

// Fidelity is how closely the engine computes what a GPU does.
type Fidelity uint8

// Exact results are those of every GPU. Approximate ones are within what the PTX ISA documents, but
// not those of a GPU to the last bit. Unsupported instructions end the launch.
const (
	Exact Fidelity = iota
	Approximate
	Unsupported
)

// approximate are the instructions without a word for it whose results the PTX ISA gives an error
// bound or leaves open: functions, filtered textures, shifts of tensor memory that only a figure shows, and the order of sums in matrix products
// ("the accumulation order, rounding and handling of subnormal inputs are unspecified").
var approximate = []string{"sin", "cos", "lg2", "ex2", "tanh", "rsqrt", "tex", "tcgen05.shift"}

// sums are the matrix products, which are exact for integers.
var sums = []string{"mma", "wmma.mma", "wgmma.mma_async", "tcgen05.mma"}

// FidelityOf classifies an instruction by its opcode with all its modifiers.
func FidelityOf(op string) Fidelity {
	d, forms, err := Check(op)
	if err != nil || !slices.ContainsFunc(forms, func(f *Form) bool { return f.Executed }) {
		return Unsupported
	}
	words := strings.Split(op, ".")
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(words, w) })
	}
	begins := func(list []string) bool {
		return slices.ContainsFunc(list, func(o string) bool { return d.Op == o || strings.HasPrefix(d.Op, o+".") })
	}
	switch {
	case has("approx", "full", "ashift"), begins(approximate):
		return Approximate
	case begins(sums) && !has("s32", "f64", "kind::i8"):
		return Approximate
	}
	return Exact
}
