package alu

import "math"

func floatMin(in *inst) *Op { return floatMinMax(in, false) }
func floatMax(in *inst) *Op { return floatMinMax(in, true) }

// minmax is min or max with its modifiers (PTX ISA 9.7.3.11, 9.7.4.7).
type minmax struct {
	larger, ftz, nan, xorsign bool
	t                         typ
}

func floatMinMax(in *inst, larger bool) *Op {
	p := minmax{larger: larger, ftz: in.take("ftz"), nan: in.take("NaN")}
	if in.attr("n") == "3" {
		return p.three(in)
	}
	if in.take("xorsign") {
		p.xorsign = in.take("abs")
	}
	t, ok := in.only()
	if !ok || t.isF64() && (p.ftz || p.nan || p.xorsign) {
		return nil
	}
	p.t = t.elem()
	return newOp(t.perElem(fn2(p.value)), t, t, t)
}

// three is the form with three operands (sm_100): min(min(a, b), c), of
// absolute values with .abs.
func (p *minmax) three(in *inst) *Op {
	abs := in.take("abs")
	if t, ok := in.only(); !ok || !t.isF32() {
		return nil
	}
	p.t = tF32
	keep := mask(32)
	if abs {
		keep = mask(31)
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		return p.value(p.value(a&keep, b&keep), c&keep)
	}), tF32, tF32, tF32, tF32)
}

func (p *minmax) value(a, b uint64) uint64 {
	s := uint64(1) << (p.t.bits - 1)
	sign := (a ^ b) & s
	if p.xorsign {
		a, b = a&^s, b&^s
	}
	if p.ftz {
		a, b = p.t.fmt.flush(a), p.t.fmt.flush(b)
	}
	r, num := p.choose(a, b)
	if p.xorsign && num {
		r |= sign
	}
	return r
}

// choose applies the NaN rules and the order, in which -0 is less than +0.
func (p *minmax) choose(a, b uint64) (r uint64, num bool) {
	x, y := p.decode(a), p.decode(b)
	switch {
	case x != x && y != y, p.nan && (x != x || y != y):
		if p.t.isF64() {
			return nan64(a, b), false
		}
		return p.t.fmt.nan, false
	case x != x:
		return b, true
	case y != y:
		return a, true
	}
	first := x < y || x == y && math.Signbit(x)
	if first != p.larger {
		return a, true
	}
	return b, true
}

func (p *minmax) decode(b uint64) float64 {
	if p.t.isF64() {
		return math.Float64frombits(b)
	}
	return p.t.fmt.decode(b)
}
