package static

import (
	"math"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/solve"
)

// rounded is "double %x to i32" where %x is ceil or floor of an integer of 32 bits over a constant, as in
// ceil(n / 256.0). In double precision such a quotient is never rounded past an integer; in single precision it is
// beyond 2^24, so that there it stays a variable.
func (f *hostFunc) rounded(text string) *solve.Term {
	typ, rest := irtext.CutType(text)
	name, rest := irtext.CutOperand(strings.TrimPrefix(rest, " "))
	to, ok := sortOfIR(strings.TrimPrefix(rest, " to "))
	call, defined := f.defs[name]
	if !ok || !defined || to < 32 || typ != "double" {
		return nil
	}
	callee, args, _ := f.lines[call].Call()
	_, argument := irtext.CutType(args)
	words := strings.Fields(argument)
	if len(words) == 0 {
		return nil
	}
	n, by := f.quotient(words[len(words)-1])
	if n == nil {
		return nil
	}
	d, one, zero := solve.BV(by, quotientBits), solve.BV(1, quotientBits), solve.BV(0, quotientBits)
	toZero := solve.SDiv(n, d)
	switch beyond := solve.Sub(d, one); callee {
	case "llvm.ceil.f64":
		n = solve.Ite(solve.SLt(zero, n), solve.SDiv(solve.Add(n, beyond), d), toZero)
	case "llvm.floor.f64":
		n = solve.Ite(solve.SLt(n, zero), solve.SDiv(solve.Sub(n, beyond), d), toZero)
	default:
		return nil
	}
	if to <= quotientBits {
		return solve.Extract(n, 0, int(to))
	}
	return solve.SignExt(n, int(to))
}

// A quotient is computed in so many bits: an integer of 32 bits with or without a sign, and a divisor below
// mostDivisor, do not overflow there.
const quotientBits, mostDivisor = 34, 1 << 20

// quotient is a value of double precision that is an integer over a constant.
func (f *hostFunc) quotient(name string) (n *solve.Term, by uint64) {
	line, ok := f.defs[name]
	if !ok {
		return nil, 0
	}
	_, op, rest := f.lines[line].Op()
	typ, rest := irtext.CutType(rest)
	a, rest := irtext.CutOperand(strings.TrimPrefix(rest, " "))
	c, _ := irtext.CutOperand(strings.TrimPrefix(rest, ", "))
	bits, ok := float(typ, c)
	if typ != "double" || !ok {
		return nil, 0
	}
	d := math.Float64frombits(bits)
	if op == "fmul" { // by the reciprocal, which LLVM takes where it is exact
		d = 1 / d
	}
	if op != "fdiv" && op != "fmul" || d < 1 || d > mostDivisor || d != math.Trunc(d) {
		return nil, 0
	}
	if line, ok = f.defs[a]; !ok {
		return nil, 0
	}
	_, op, rest = f.lines[line].Op()
	t, _, s := f.typed(strings.TrimPrefix(rest, "nneg "))
	switch {
	case t == nil || s != 32:
		return nil, 0
	case op == "sitofp":
		return solve.SignExt(t, quotientBits), uint64(d)
	case op == "uitofp":
		return solve.ZeroExt(t, quotientBits), uint64(d)
	}
	return nil, 0
}

// float reads LLVM's floating-point constants: decimal, or the bits of a double in hexadecimal.
func float(kind, text string) (uint64, bool) {
	var d float64
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		bits, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			return 0, false
		}
		d = math.Float64frombits(bits)
	} else {
		var err error
		if d, err = strconv.ParseFloat(text, 64); err != nil {
			return 0, false
		}
	}
	if kind == "float" {
		return uint64(math.Float32bits(float32(d))), true
	}
	return math.Float64bits(d), true
}
