package alu

import (
	"math"
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// evaluated is a formula as a function in float64; beyond its limit Go's library serves.
func evaluated(f *formula.Formula) func(x, y float64) float64 {
	var far func(float64) float64
	switch f {
	case formula.Sin:
		far = math.Sin
	case formula.Cos:
		far = math.Cos
	case formula.Tan:
		far = math.Tan
	default:
		return f.Eval
	}
	return func(x, y float64) float64 {
		if f.Holds(x, y) {
			return f.Eval(x, y)
		}
		return far(x)
	}
}

// within is a vector function that serves up to a formula's limit, and fn the lanes
// beyond it.
func within(f *formula.Formula, vec vecFn, fn Fn) vecFn {
	if math.IsInf(f.Limit, 1) {
		return vec
	}
	return func(d, a, b, c unsafe.Pointer) {
		x := *lanesOf[float32](a)
		vec(d, a, b, c)
		for i, v := range x {
			if !f.Holds(float64(v), 0) {
				r, _ := fn(uint64(math.Float32bits(v)), 0, 0, 0)
				put(d, W32, i, r)
			}
		}
	}
}

// approxF32 makes an instruction of floats alone, approxAny one that halves have too.
func approxF32(f *formula.Formula) builder {
	any := approxAny(f)
	return func(in *inst) *Op {
		if t, ok := in.only(); !ok || !t.isF32() {
			return nil
		}
		return any(in)
	}
}

func approxAny(f *formula.Formula) builder {
	return func(in *inst) *Op {
		t, ok := in.only()
		if !ok || !in.take("approx") || !t.isF32() && !t.isHalf() {
			return nil
		}
		return approxOp(in, f)
	}
}

// approxOp makes an operation of a formula of one argument.
func approxOp(in *inst, f *formula.Formula) *Op {
	t, _ := in.only()
	flush, eval := slices.Contains(in.mods, "ftz"), evaluated(f)
	o := arith(in, 1, func(x, _, _ float64, _ mode) float64 { return eval(x, 0) }, nil)
	if o != nil && t.isF32() {
		o.Formula, o.Flush = f, flush
	}
	return o
}

// Formulas lists the instructions that are formulas.
func Formulas() (names []string) {
	for name := range formula.Instructions {
		names = append(names, name+".approx.f32")
		if name != "tanh" {
			names = append(names, name+".approx.ftz.f32")
		}
	}
	return names
}
