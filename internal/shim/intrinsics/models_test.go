package intrinsics

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
)

// call is a function with the arguments of one call.
type call struct {
	function
	m      []string // what the rule's expression matched in the name
	args   []value
	result cType
}

// want is what one element of a result must be.
type want struct {
	bits uint64
	// nan accepts each NaN; tolerance is relative to the value, or to size
	// where terms may cancel. free accepts anything: what the language leaves open.
	nan, free       bool
	tolerance, size float64
}

// model gives a result's elements.
type model struct {
	name *regexp.Regexp
	// moderate draws small arguments: for functions that are approximated.
	moderate bool
	// only restricts the rule to functions whose first parameter it accepts.
	only  func(cType) bool
	apply func(c *call) []want
}

// models are the rules by name; the first that fits is taken.
var models = join(integerModels(), simdModels(), conversionModels(), arithmeticModels(), smallModels(), tinyModels(), complexModels(), mathModels())

func join(lists ...[]model) []model {
	var all []model
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func rule(name string, apply func(c *call) []want) model {
	return model{name: regexp.MustCompile("^(?:" + name + ")$"), apply: apply}
}

func (m model) where(only func(cType) bool) model {
	m.only = only
	return m
}

func (m model) approximate() model {
	m.moderate = true
	return m
}

func isInteger(t cType) bool { return t.kind == signedInt || t.kind == unsignedInt }
func isSmall(t cType) bool   { return t.kind == small }
func isFloating(t cType) bool {
	return t.kind == binary32 || t.kind == binary64
}

// modelOf finds the rule of a function.
func modelOf(f function) (*model, []string) {
	first := cType{kind: choice}
	if len(f.params) > 0 {
		first = cTypes[f.params[0]]
	}
	for i, m := range models {
		if groups := m.name.FindStringSubmatch(f.name); groups != nil && (m.only == nil || m.only(first)) {
			return &models[i], groups
		}
	}
	return nil, nil
}

// one is a result of one element.
func one(bits uint64) []want { return []want{{bits: bits}} }

// each applies a function to the elements of the arguments.
func each(c *call, f func(a []exact) exact, r rounding) []want {
	var out []want
	for i := range c.result.lanes {
		var a []exact
		for _, v := range c.args {
			a = append(a, v.exact(i))
		}
		out = append(out, c.rounded(f(a), r))
	}
	return out
}

// rounded is an exact number in the result's type.
func (c *call) rounded(x exact, r rounding) want {
	switch c.result.kind {
	case binary32:
		return want{bits: uint64(math.Float32bits(x.single(r))), nan: x.nan}
	case binary64:
		return want{bits: math.Float64bits(x.double(r)), nan: x.nan}
	case small:
		return want{bits: c.result.form.encode(x, r, false), nan: x.nan}
	}
	return want{bits: integer(x, c.result, r, false)}
}

// integer rounds and limits to an integer type. A NaN is 0, or the top bit where
// source or result has 64 bits (PTX ISA, "cvt").
func integer(x exact, t cType, r rounding, wide bool) uint64 {
	bits := 8 * t.size
	top := uint64(1) << (bits - 1)
	low, high := uint64(0), uint64(math.MaxUint64)>>(64-bits)
	if t.kind == signedInt {
		low, high = top, top-1
	}
	switch {
	case x.nan && (bits == 64 || wide):
		return top
	case x.nan:
		return 0
	case x.inf && x.neg:
		return low
	case x.inf:
		return high
	}
	v := integral(x, r)
	limits := [2]*big.Int{new(big.Int), new(big.Int).SetUint64(high)}
	if t.kind == signedInt {
		limits[0].Neg(new(big.Int).SetUint64(top))
	}
	switch {
	case v.Cmp(limits[0]) < 0:
		return low
	case v.Cmp(limits[1]) > 0:
		return high
	}
	return new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64>>(64-bits))).Uint64()
}

// integral rounds to an integer.
func integral(x exact, r rounding) *big.Int {
	v, _ := x.mag.Int(nil)
	rest := new(big.Float).SetPrec(precision).Sub(x.mag, new(big.Float).SetInt(v))
	half := rest.Cmp(big.NewFloat(0.5))
	away := r == up && !x.neg || r == down && x.neg
	if r == nearest && (half > 0 || half == 0 && v.Bit(0) == 1) || away && rest.Sign() != 0 {
		v.Add(v, big.NewInt(1))
	}
	if x.neg {
		v.Neg(v)
	}
	return v
}

var roundings = map[string]rounding{"": nearest, "rn": nearest, "rz": zero, "ru": up, "rd": down}

// accepts compares an element with what it must be.
func (w want) accepts(t cType, got uint64) bool {
	if w.free || got == w.bits && w.size == 0 {
		return true
	}
	if t.kind != binary32 && t.kind != binary64 && t.kind != small {
		return false
	}
	v := value{t: t, bits: []uint64{got, w.bits}}
	g, e := v.float(0), v.float(1)
	switch {
	case math.IsNaN(e) || math.IsNaN(g):
		return w.nan && math.IsNaN(g) && math.IsNaN(e) || w.tolerance > 0 && math.IsNaN(g) && math.IsNaN(e)
	case w.tolerance == 0:
		return false
	case math.IsInf(e, 0):
		return g == e
	}
	return math.Abs(g-e) <= w.tolerance*max(math.Abs(e), w.size)
}

func (w want) String() string { return fmt.Sprintf("%#x (tolerance %g)", w.bits, w.tolerance) }
