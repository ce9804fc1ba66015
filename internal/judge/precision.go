package judge

import (
	"fmt"
	"math"
	"math/bits"
)

// precision compares the floating-point types that the candidate rounds to with those of the
// arguments.
func (t *trial) precision() {
	arguments := Type("")
	for i := range t.job.Arguments {
		typ := t.job.Arguments[i].Type
		if typ.isFloat() && (arguments == "" || types[typ].significand < types[arguments].significand) {
			arguments = typ
		}
	}
	least := t.storedBits()
	for _, b := range RoundedTo(t.code.ptx) {
		if least == 0 || b < least {
			least = b
		}
	}
	if arguments == "" || least == 0 || least >= types[arguments].significand {
		return
	}
	p := &Precision{Narrowest: narrowest(least), Arguments: arguments}
	t.v.Precision = p
	message := fmt.Sprintf("it rounds to %s, and the narrowest floating-point argument is %s", p.Narrowest, arguments)
	if t.job.StrictPrecision {
		t.v.because(WrongPrecision, message)
		return
	}
	if t.isSlightlyWrong(least) {
		t.v.because(WrongPrecision, message+": all errors are as large as that makes them")
	}
}

// leastStored is how many elements an output needs that what they have in common can be no chance.
const leastStored = 4

// storedBits is the bits of significand of the narrowest type that holds all elements of an output
// that should need a wider one, 0 if there is none.
func (t *trial) storedBits() (least int) {
	for i := range t.job.Arguments {
		a := &t.job.Arguments[i]
		if !a.isOutput() || !a.Type.isFloat() || t.plan.counts[i] < leastStored {
			continue
		}
		got, want, n := 0, 0, a.Type.size()
		b := t.runs[0].Calls[0].Contents[t.plan.buffer(i)]
		for e := range t.plan.counts[i] {
			got, want = max(got, significantBits(a.Type.get(b[e*n:(e+1)*n]))), max(want, significantBits(t.wanted(t.runs[0].calls[0], i, e)))
		}
		for _, narrow := range []int{types[BF16].significand, types[F16].significand} {
			if got > 0 && got <= narrow && want > narrow+1 && (least == 0 || narrow < least) {
				least = narrow
			}
		}
	}
	return least
}

// significantBits is how many bits the significand of a number needs.
func significantBits(v float64) int {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	f, _ := math.Frexp(v)
	n := uint64(math.Ldexp(math.Abs(f), 53))
	return 53 - bits.TrailingZeros64(n)
}

// narrowest names the type with so many bits of significand.
func narrowest(bits int) string {
	for _, t := range []Type{BF16, F16, F32} {
		if bits <= types[t].significand && bits > 4 {
			return string(t)
		}
	}
	return fmt.Sprintf("%d bits of significand", bits)
}

// isSlightlyWrong reports whether outputs are wrong, and all errors are such as rounding to so many
// bits of significand makes.
func (t *trial) isSlightlyWrong(bits int) bool {
	wrong := false
	for i := range t.job.Arguments {
		if !t.job.Arguments[i].isOutput() {
			continue
		}
		for _, r := range t.runs {
			for k := range r.calls {
				c := t.compare(r, k, i)
				if c.special || c.unwritten > 0 {
					return false
				}
				wrong = wrong || c.fails
				if c.abs != nil && c.abs.error > c.scale*16/float64(uint64(1)<<bits) {
					return false
				}
			}
		}
	}
	return wrong
}
