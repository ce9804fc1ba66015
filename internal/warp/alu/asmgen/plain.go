package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
)

// plainFunctions writes the operations of package body as loops of Go, for processors without the assembly.
func plainFunctions() []byte {
	all := bodies()
	var out bytes.Buffer
	vecs, tests := map[string]string{}, map[string]string{}
	for _, b := range all.list {
		ops := all.of(b)
		name := identifier(ops[0]) + "Plain"
		into := vecs
		if b.Test {
			into = tests
		}
		if len(b.Args) == 4 {
			continue // bfi is derived
		}
		for _, op := range ops {
			into[op] = name
		}
		plainFunction(&out, name, b)
	}
	for _, x := range []struct {
		name, typ string
		m         map[string]string
	}{{"plainVecs", "vecFn", vecs}, {"plainCmps", "cmpFn", tests}} {
		fmt.Fprintf(&out, "\nvar %s = map[string]%s{\n", x.name, x.typ)
		for _, op := range sorted(x.m) {
			fmt.Fprintf(&out, "%q: %s,\n", op, x.m[op])
		}
		out.WriteString("}\n")
	}
	imports := ""
	for _, p := range []string{"math", "math/bits", "unsafe"} {
		if strings.Contains(out.String(), p[strings.LastIndexByte(p, '/')+1:]+".") {
			imports += fmt.Sprintf("%q\n", p)
		}
	}
	return append([]byte(header+"package alu\n\nimport (\n"+imports+")\n"), out.Bytes()...)
}

// plainFunction writes one operation: a function of one lane's operands, whose variables are the nodes, in a loop over lanes (each1, test2),
// which the compiler inlines.
func plainFunction(out *bytes.Buffer, name string, b *body.Body) {
	var args, rows []string
	for i, k := range b.Args {
		args = append(args, fmt.Sprintf("%s uint%d", operandNames[i], 8*k.Width()))
		rows = append(rows, string("abc"[i]))
	}
	params, loop, result := "d, a, b, c unsafe.Pointer", "each", fmt.Sprintf("uint%d", 8*b.Dst.Width())
	if b.Test {
		params, loop, result = "a, b, c unsafe.Pointer", "return test", "bool"
	} else {
		rows = append([]string{"d"}, rows...)
	}
	if len(b.Args) == 3 {
		for i, k := range append([]body.Kind{b.Dst}, b.Args...) {
			rows[i] = fmt.Sprintf("lanesOf[uint%d](%s)", 8*k.Width(), rows[i])
		}
	}
	var text bytes.Buffer
	p := plainBody{out: &text, b: b, uses: body.Uses(b.Nodes), text: make([]string, len(b.Nodes))}
	for i := range b.Nodes {
		p.node(i)
	}
	r := p.text[len(b.Nodes)-1]
	switch {
	case b.FirstNaN:
		fmt.Fprintf(&text, "r := %s\nif r<<1 > 0x7ff<<53 {\nr = nan64(%s)\n}\n", r, strings.Join(operandNames[:len(b.Args)], ", "))
		r = "r"
	case b.Dst == body.KLow:
		r = "uint32(" + r + ")"
	}
	open, end := "{ ", " }"
	if text.Len() > 0 {
		open, end = "{\n", "\n}"
	}
	returns := ""
	if b.Test {
		returns = " uint32"
	}
	fmt.Fprintf(out, "func %s(%s)%s %s%s%d(%s, func(%s) %s %s%sreturn %s%s)%s\n", name, params, returns, open,
		loop, len(b.Args), strings.Join(rows, ", "), strings.Join(args, ", "), result, open, text.String(), r, end, end)
}

var operandNames = []string{"x", "y", "w"}

// plainBody writes the nodes of a body as expressions, in variables where they are used more than once.
type plainBody struct {
	out  *bytes.Buffer
	b    *body.Body
	uses []int
	text []string
}

// node makes the text of a node.
func (p *plainBody) node(i int) {
	n := &p.b.Nodes[i]
	t := p.expression(i, n)
	inline := p.uses[i] <= 1 || n.Op == body.Arg && p.b.Args[n.Bits] != body.KSign || n.Op == body.Const
	if !inline && t != fmt.Sprintf("v%d", i) {
		t = p.variable(i, t)
	}
	p.text[i] = t
}

// variable declares the variable of a node.
func (p *plainBody) variable(i int, t string) string {
	fmt.Fprintf(p.out, "v%d := %s\n", i, t)
	return fmt.Sprintf("v%d", i)
}

// either is a variable that is one value, and the other one where a condition holds.
func (p *plainBody) either(i int, value, cond, other string) string {
	v := p.variable(i, value)
	fmt.Fprintf(p.out, "if %s {\n%s = %s\n}\n", cond, v, other)
	return v
}

var (
	plainInfix = map[body.Op]string{body.Add: "+", body.Sub: "-", body.Mul: "*", body.And: "&", body.Or: "|", body.Xor: "^", body.Shl: "<<", body.ShrU: ">>",
		body.AddF: "+", body.SubF: "-", body.MulF: "*", body.DivF: "/"}
	plainRelations = map[body.Relation]string{body.Less: "<", body.Less | body.Equal: "<=", body.Equal: "==", body.Greater: ">", body.Greater | body.Equal: ">=",
		body.Less | body.Greater | body.Unordered: "!="}
	plainRoundings = [...]string{body.Nearest: "RoundToEven", body.Down: "Floor", body.Up: "Ceil", body.Zero: "Trunc"}
)

// expression is the text of a node.
func (p *plainBody) expression(i int, n *body.Node) string {
	bits := 8 * int(n.Width)
	var x []string
	for _, k := range n.Operands() {
		x = append(x, p.text[k])
	}
	signed := func(k int) string { return fmt.Sprintf("int%d(%s)", bits, x[k]) }
	unsigned := func(format string, args ...any) string {
		return fmt.Sprintf("uint%d(%s)", bits, fmt.Sprintf(format, args...))
	}
	if n.Restores(p.b.Nodes) {
		return p.text[p.b.Nodes[n.X[0]].X[0]]
	}
	switch n.Op {
	case body.Arg:
		v := operandNames[n.Bits]
		switch p.b.Args[n.Bits] {
		case body.KSign:
			return "uint64(int64(int32(" + v + ")))"
		case body.KZero, body.KLower:
			return "uint64(" + v + ")"
		}
		return v
	case body.Const:
		return fmt.Sprintf("uint%d(%#x)", bits, n.Bits)
	case body.Add, body.Sub, body.Mul, body.And, body.Or, body.Xor, body.Shl, body.ShrU:
		return fmt.Sprintf("(%s %s %s)", x[0], plainInfix[n.Op], x[1])
	case body.WideU:
		return fmt.Sprintf("(uint64(uint32(%s)) * uint64(uint32(%s)))", x[0], x[1])
	case body.WideS:
		return fmt.Sprintf("uint64(int64(int32(%s)) * int64(int32(%s)))", x[0], x[1])
	case body.HighU:
		return fmt.Sprintf("uint32(uint64(%s) * uint64(%s) >> 32)", x[0], x[1])
	case body.HighS:
		return fmt.Sprintf("uint32(uint64(int64(int32(%s)) * int64(int32(%s))) >> 32)", x[0], x[1])
	case body.MinU:
		return fmt.Sprintf("min(%s, %s)", x[0], x[1])
	case body.MaxU:
		return fmt.Sprintf("max(%s, %s)", x[0], x[1])
	case body.MinS:
		return unsigned("min(%s, %s)", signed(0), signed(1))
	case body.MaxS:
		return unsigned("max(%s, %s)", signed(0), signed(1))
	case body.Abs:
		return unsigned("max(%s, -%s)", signed(0), signed(0))
	case body.Zeros:
		return unsigned("bits.LeadingZeros%d(%s)", bits, x[0])
	case body.Ones:
		return unsigned("bits.OnesCount%d(%s)", bits, x[0])
	case body.ShlBy:
		return fmt.Sprintf("(%s << %d)", x[0], n.Bits)
	case body.ShrUBy:
		return fmt.Sprintf("(%s >> %d)", x[0], n.Bits)
	case body.ShrSBy:
		return unsigned("%s >> %d", signed(0), n.Bits)
	case body.ShrS:
		return unsigned("%s >> %s", signed(0), x[1])
	case body.Select:
		return p.either(i, x[2], x[0], x[1])
	case body.Canonical:
		v := p.variable(i, x[0])
		fmt.Fprintf(p.out, "if %s&0x7fffffff > 0x7f800000 {\n%s = 0x7fffffff\n}\n", v, v)
		return v
	case body.CompareU:
		return plainComparison(n, x[0], x[1])
	case body.CompareS:
		return plainComparison(n, signed(0), signed(1))
	case body.CompareF:
		return plainComparison(n, number(bits, x[0]), number(bits, x[1]))
	case body.Disjoint:
		if x[0] == x[1] {
			return x[0] + " == 0"
		}
		return fmt.Sprintf("%s&%s == 0", x[0], x[1])
	case body.FMA:
		if bits == 32 {
			sum := fmt.Sprintf("float64(%s)*float64(%s) + float64(%s)", number(32, x[0]), number(32, x[1]), number(32, x[2]))
			fmt.Fprintf(p.out, "s := %s\n", sum)
			exact := fmt.Sprintf("fmaBits(%s, %s, %s)", x[0], x[1], x[2])
			return p.either(i, "math.Float32bits(float32(s))", "!roundsOnce(s)", exact)
		}
	case body.MinF:
		return p.either(i, x[1], number(bits, x[0])+" < "+number(bits, x[1]), x[0])
	case body.MaxF:
		return p.either(i, x[1], number(bits, x[0])+" > "+number(bits, x[1]), x[0])
	}
	return plainNumber(n, bits, x)
}

// number looks at bits as a number, pattern the other way around.
func number(bits int, x string) string  { return fmt.Sprintf("math.Float%dfrombits(%s)", bits, x) }
func pattern(bits int, x string) string { return fmt.Sprintf("math.Float%dbits(%s)", bits, x) }

// plainComparison is a comparison of two values of a type. Go's are those of numbers that are ordered, but for !=.
func plainComparison(n *body.Node, a, b string) string {
	all := body.Less | body.Equal | body.Greater | body.Unordered
	r := body.Relation(n.Bits)
	if n.Op != body.CompareF && r == body.Less|body.Greater {
		r |= body.Unordered
	}
	if op := plainRelations[r]; op != "" {
		return fmt.Sprintf("%s %s %s", a, op, b)
	}
	if op := plainRelations[all&^r]; op != "" {
		return fmt.Sprintf("!(%s %s %s)", a, op, b)
	}
	if a == b && r == body.Unordered {
		return fmt.Sprintf("%s != %s", a, b)
	}
	ordered := fmt.Sprintf("%[1]s == %[1]s && %[2]s == %[2]s", a, b)
	switch r {
	case body.Less | body.Equal | body.Greater:
		return ordered
	case body.Unordered:
		return "!(" + ordered + ")"
	case body.Equal | body.Unordered:
		return fmt.Sprintf("!(%[1]s < %[2]s || %[1]s > %[2]s)", a, b)
	}
	return fmt.Sprintf("(%[1]s < %[2]s || %[1]s > %[2]s)", a, b) // ordered and different
}

// plainNumber is a primitive on numbers, or a conversion.
func plainNumber(n *body.Node, bits int, x []string) string {
	f := func(k int) string { return number(bits, x[k]) }
	switch n.Op {
	case body.AddF, body.SubF, body.MulF, body.DivF:
		return pattern(bits, fmt.Sprintf("float%d(%s %s %s)", bits, f(0), plainInfix[n.Op], f(1)))
	case body.FMA:
		return pattern(bits, fmt.Sprintf("math.FMA(%s, %s, %s)", f(0), f(1), f(2)))
	case body.Sqrt, body.RoundF:
		name := "Sqrt"
		if n.Op == body.RoundF {
			name = plainRoundings[n.Bits]
		}
		return pattern(bits, fmt.Sprintf("float%d(math.%s(float64(%s)))", bits, name, f(0)))
	}
	v := map[body.Type]string{body.S32: "int32(%s)", body.S64: "int64(%s)", body.U32: "%s", body.U64: "%s", body.F32: "math.Float32frombits(%s)", body.F64: "math.Float64frombits(%s)"}[body.Type(n.Bits)]
	v = fmt.Sprintf(v, x[0])
	switch n.Op {
	case body.ToF32, body.ToF64:
		return pattern(bits, fmt.Sprintf("float%d(%s)", bits, v))
	case body.ToS32:
		return fmt.Sprintf("cutS32(math.RoundToEven(float64(%s)))", v)
	case body.CutS32:
		return fmt.Sprintf("cutS32(float64(%s))", v)
	}
	return fmt.Sprintf("cutU32(float64(%s))", v)
}
