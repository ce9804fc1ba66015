package ptx

import (
	"math"
	"strconv"
	"strings"
)

// valKind is the type of a constant expression: .s64, .u64 or .f64, and .f32
// for a lone 0f literal.
type valKind uint8

const (
	vS64 valKind = iota
	vU64
	vF64
	vF32
)

// value is a constant (PTX ISA, "Constants"). Floats are held as their bits.
type value struct {
	kind valKind
	bits uint64
}

func (v value) isFloat() bool { return v.kind >= vF64 }

func (v value) float() float64 {
	switch v.kind {
	case vF32:
		return float64(math.Float32frombits(uint32(v.bits)))
	case vF64:
		return math.Float64frombits(v.bits)
	case vU64:
		return float64(v.bits)
	}
	return float64(int64(v.bits))
}

func (v value) truth() bool {
	if v.isFloat() {
		return v.float() != 0
	}
	return v.bits != 0
}

func floatValue(f float64) value { return value{vF64, math.Float64bits(f)} }

func boolValue(b bool) value {
	if b {
		return value{vS64, 1}
	}
	return value{vS64, 0}
}

// operand gives the syntax tree's node.
func (v value) operand(p *parser) Operand {
	if v.isFloat() {
		f := p.floats.new()
		f.Bits, f.Value = 64, v.bits
		if v.kind == vF32 {
			f.Bits = 32
		}
		return f
	}
	i := p.imms.new()
	i.Value, i.Unsigned = v.bits, v.kind == vU64
	return i
}

// parseLiteral evaluates the text of an integer or floating-point literal
// (PTX ISA, "Integer Constants", "Floating-Point Constants").
func parseLiteral(s string) (value, bool) {
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'f', 'F':
			n, err := strconv.ParseUint(s[2:], 16, 32)
			return value{vF32, n}, err == nil && len(s) == 10
		case 'd', 'D':
			n, err := strconv.ParseUint(s[2:], 16, 64)
			return value{vF64, n}, err == nil && len(s) == 18
		}
	}
	if isDecimalFloat(s) {
		f, err := strconv.ParseFloat(s, 64)
		return floatValue(f), (err == nil || math.IsInf(f, 0)) && !strings.Contains(s, "_")
	}
	return parseInteger(s)
}

func isDecimalFloat(s string) bool {
	return !isPrefixed(s) && strings.ContainsAny(s, ".eE")
}

func parseInteger(s string) (value, bool) {
	t := strings.TrimSuffix(s, "U")
	base := 10
	switch {
	case isPrefixed(t) && (t[1] == 'x' || t[1] == 'X'):
		t, base = t[2:], 16
	case isPrefixed(t) && (t[1] == 'b' || t[1] == 'B'):
		t, base = t[2:], 2
	case len(t) > 1 && t[0] == '0':
		t, base = t[1:], 8
	}
	n, err := strconv.ParseUint(t, base, 64)
	kind := vS64
	if strings.HasSuffix(s, "U") || n > math.MaxInt64 {
		kind = vU64
	}
	return value{kind, n}, err == nil
}

// binary operators by token, with their precedence as in C.
func precedence(k tokKind) int {
	switch k {
	case tOr:
		return 1
	case tAnd:
		return 2
	case '|':
		return 3
	case '^':
		return 4
	case '&':
		return 5
	case tEq, tNe:
		return 6
	case '<', '>', tLe, tGe:
		return 7
	case tShl, tShr:
		return 8
	case '+', '-':
		return 9
	case '*', '/', '%':
		return 10
	}
	return 0
}

// constExpr parses and evaluates a constant expression (PTX ISA, "Constant
// Expressions").
func (p declParser) constExpr() value {
	if !p.enter() {
		return value{}
	}
	defer p.leave()
	v := p.constBinary(1)
	if p.tok.kind != '?' {
		return v
	}
	p.next()
	a := p.constExpr()
	p.expect(':')
	b := p.constExpr()
	if a.isFloat() != b.isFloat() || v.isFloat() {
		a, b = floatValue(a.float()), floatValue(b.float())
	} else if !a.isFloat() && a.kind != b.kind {
		a.kind, b.kind = vU64, vU64
	}
	if v.truth() {
		return a
	}
	return b
}

func (p declParser) constBinary(minPrec int) value {
	v := p.constUnary()
	for p.err == nil {
		k := p.tok.kind
		prec := precedence(k)
		if prec < minPrec || prec == 0 {
			return v
		}
		pos := p.tok.pos
		p.next()
		v = p.applyBinary(pos, k, v, p.constBinary(prec+1))
	}
	return v
}

func (p declParser) constUnary() value {
	if !p.enter() {
		return value{}
	}
	defer p.leave()
	switch k := p.tok.kind; k {
	case '+', '-', '~', '!':
		pos := p.tok.pos
		p.next()
		return p.applyUnary(pos, k, p.constUnary())
	case '(':
		p.next()
		if p.tok.kind == tDot {
			return p.constCast()
		}
		v := p.constExpr()
		p.expect(')')
		return v
	case tIdent:
		if p.text() == "WARP_SZ" {
			p.next()
			return value{vS64, 32}
		}
	case tNumber, tDot:
		return p.literal()
	}
	p.unexpected("a constant")
	return value{}
}

// literal parses the number at hand; one that begins with a dot was read as a
// modifier.
func (p declParser) literal() value {
	off := p.tok.off
	s := p.text()
	if p.tok.kind == tDot {
		if class[p.lex.src[off+1]]&cDigit == 0 {
			p.unexpected("a constant")
			return value{}
		}
		p.lex.off = p.lex.scanNumber(off + 1)
		s = "0" + p.lex.src[off:p.lex.off]
	}
	v, ok := parseLiteral(s)
	if !ok {
		p.errorf(p.tok.pos, "bad number %s", clip(s))
	}
	p.next()
	return v
}

func (p declParser) constCast() value {
	t := p.text()
	pos := p.tok.pos
	p.next()
	p.expect(')')
	v := p.constUnary()
	switch {
	case v.isFloat():
		p.errorf(pos, "cast of a floating-point constant")
	case t == ".s64":
		return value{vS64, v.bits}
	case t == ".u64":
		return value{vU64, v.bits}
	default:
		p.errorf(pos, "a cast is (.s64) or (.u64), not (%s)", t)
	}
	return v
}

func (p declParser) applyUnary(pos Pos, op tokKind, v value) value {
	switch {
	case op == '+':
		return v
	case op == '!':
		return boolValue(!v.truth())
	case op == '~' && v.isFloat():
		p.errorf(pos, "operator ~ on a floating-point constant")
		return v
	case op == '~':
		return value{vU64, ^v.bits}
	case v.kind == vF32:
		return value{vF32, v.bits ^ 1<<31}
	case v.kind == vF64:
		return value{vF64, v.bits ^ 1<<63}
	}
	return value{v.kind, -v.bits}
}

func (p declParser) applyBinary(pos Pos, op tokKind, a, b value) value {
	switch op {
	case tAnd:
		return boolValue(a.truth() && b.truth())
	case tOr:
		return boolValue(a.truth() || b.truth())
	}
	var v value
	var ok bool
	if a.isFloat() || b.isFloat() {
		v, ok = floatBinary(op, a.float(), b.float())
	} else {
		v, ok = intBinary(op, a, b)
	}
	if !ok && p.err == nil {
		p.errorf(pos, "this operator is not defined on these constants")
	}
	return v
}

func floatBinary(op tokKind, a, b float64) (value, bool) {
	switch op {
	case '+':
		return floatValue(a + b), true
	case '-':
		return floatValue(a - b), true
	case '*':
		return floatValue(a * b), true
	case '/':
		return floatValue(a / b), true
	case '<':
		return boolValue(a < b), true
	case '>':
		return boolValue(a > b), true
	case tLe:
		return boolValue(a <= b), true
	case tGe:
		return boolValue(a >= b), true
	case tEq:
		return boolValue(a == b), true
	case tNe:
		return boolValue(a != b), true
	}
	return value{}, false
}

// intBinary applies an operator with the usual conversions: .u64 if either
// operand is.
func intBinary(op tokKind, a, b value) (value, bool) {
	kind := max(a.kind, b.kind)
	switch op {
	case '+':
		return value{kind, a.bits + b.bits}, true
	case '-':
		return value{kind, a.bits - b.bits}, true
	case '*':
		return value{kind, a.bits * b.bits}, true
	case '/':
		return intDivide(kind, a.bits, b.bits)
	case '%':
		if b.bits == 0 {
			return value{}, false
		}
		return value{vS64, a.bits % b.bits}, true
	case '&':
		return value{vU64, a.bits & b.bits}, true
	case '|':
		return value{vU64, a.bits | b.bits}, true
	case '^':
		return value{vU64, a.bits ^ b.bits}, true
	case tShl:
		return value{a.kind, a.bits << b.bits}, true
	case tShr:
		return shiftRight(a, b.bits), true
	}
	return intCompare(op, kind, a.bits, b.bits)
}

func intDivide(kind valKind, a, b uint64) (value, bool) {
	switch {
	case b == 0:
		return value{}, false
	case kind == vU64:
		return value{kind, a / b}, true
	}
	return value{kind, uint64(int64(a) / int64(b))}, true
}

func shiftRight(a value, n uint64) value {
	if a.kind == vU64 {
		return value{a.kind, a.bits >> n}
	}
	return value{a.kind, uint64(int64(a.bits) >> n)}
}

func intCompare(op tokKind, kind valKind, a, b uint64) (value, bool) {
	less, more := a < b, a > b
	if kind == vS64 {
		less, more = int64(a) < int64(b), int64(a) > int64(b)
	}
	switch op {
	case '<':
		return boolValue(less), true
	case '>':
		return boolValue(more), true
	case tLe:
		return boolValue(!more), true
	case tGe:
		return boolValue(!less), true
	case tEq:
		return boolValue(a == b), true
	case tNe:
		return boolValue(a != b), true
	}
	return value{}, false
}
