package llvm

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// irBinaries are the primitives that are one instruction of LLVM IR, on integers and on numbers; irCalls are intrinsic functions.
var (
	irBinaries = map[body.Op]string{body.Add: "add", body.Sub: "sub", body.Mul: "mul", body.And: "and", body.Or: "or", body.Xor: "xor",
		body.AddF: "fadd", body.SubF: "fsub", body.MulF: "fmul", body.DivF: "fdiv"}
	irCalls = map[body.Op]string{body.MinU: "umin", body.MinS: "smin", body.MaxU: "umax", body.MaxS: "smax", body.Ones: "ctpop",
		body.FMA: "fma", body.Sqrt: "sqrt"}
	irShifts = map[body.Op]string{body.Shl: "shl", body.ShrU: "lshr", body.ShrS: "ashr", body.ShlBy: "shl", body.ShrUBy: "lshr", body.ShrSBy: "ashr"}
	// irRoundings are by body.Rounding.
	irRoundings = [...]string{body.Nearest: "nearbyint", body.Down: "floor", body.Up: "ceil", body.Zero: "trunc"}
	// irFloatPredicates and irIntPredicates are by body.Relation; those of integers lack the sign.
	irFloatPredicates = [...]string{body.Equal: "oeq", body.Less: "olt", body.Less | body.Equal: "ole", body.Unordered: "uno",
		body.Less | body.Greater | body.Unordered: "une", body.Greater | body.Equal | body.Unordered: "uge", body.Greater | body.Unordered: "ugt",
		body.Less | body.Equal | body.Greater: "ord", body.Equal | body.Unordered: "ueq", body.Less | body.Unordered: "ult",
		body.Less | body.Equal | body.Unordered: "ule", body.Less | body.Greater: "one", body.Greater | body.Equal: "oge", body.Greater: "ogt"}
	irIntPredicates = [...]string{body.Equal: "eq", body.Less | body.Greater: "ne", body.Less: "lt", body.Less | body.Equal: "le",
		body.Greater: "gt", body.Greater | body.Equal: "ge"}
)

// irWalk renders the nodes of a body as LLVM IR, of all lanes or of one value.
type irWalk struct {
	*irText
	body *body.Body
	args []irValue
	// at are the nodes' values as integers; numbers are the same bits as numbers.
	at, numbers []irValue
}

// render computes a body: the result's bits, or a vector of bits for a comparison. A long body is computed eight lanes
// at a time: its values do not fit in the registers otherwise.
func (x *irText) render(b *body.Body, args []irValue) irValue {
	const lanes = 8
	if len(b.Nodes) < native.LongBody || args[0].t.n <= lanes {
		return x.renderAll(b, args)
	}
	var parts []irValue
	for first := 0; first < args[0].t.n; first += lanes {
		var some []irValue
		for _, a := range args {
			some = append(some, x.pick(a, nil, sequence(first, lanes)))
		}
		parts = append(parts, x.renderAll(b, some))
	}
	for len(parts) > 1 {
		var joined []irValue
		for i := 0; i < len(parts); i += 2 {
			joined = append(joined, x.pick(parts[i], &parts[i+1], sequence(0, 2*parts[i].t.n)))
		}
		parts = joined
	}
	return parts[0]
}

func (x *irText) renderAll(b *body.Body, args []irValue) irValue {
	w := irWalk{x, b, args, make([]irValue, len(b.Nodes)), make([]irValue, len(b.Nodes))}
	for i := range b.Nodes {
		w.node(i, &b.Nodes[i])
	}
	r := w.bits(int16(len(b.Nodes) - 1))
	switch {
	case b.FirstNaN:
		return w.firstNaN(r)
	case b.Dst == body.KLow:
		return x.cast("trunc", r, "i32")
	}
	return r
}

// bits and number are a node's value as an integer and as a number.
func (w *irWalk) bits(i int16) irValue {
	if w.at[i].name == "" {
		w.at[i] = w.cast("bitcast", w.numbers[i], integerOf[w.numbers[i].t.bits()])
	}
	return w.at[i]
}

func (w *irWalk) number(i int16) irValue {
	if w.numbers[i].name == "" {
		w.numbers[i] = w.irText.number(w.at[i])
	}
	return w.numbers[i]
}

var integerOf, numberOf = map[int]string{32: "i32", 64: "i64"}, map[int]string{32: "float", 64: "double"}

// number looks at the bits of an integer as a number.
func (x *irText) number(v irValue) irValue { return x.cast("bitcast", v, numberOf[v.t.bits()]) }

// isNaN has the bits of NaN.
func (x *irText) isNaN(f irValue) irValue { return x.compare("fcmp uno", f, f) }

// node renders a node.
func (w *irWalk) node(i int, n *body.Node) {
	switch a, b := n.X[0], n.X[1]; {
	case n.Op >= body.AddF && n.Op <= body.MaxF:
		w.numbers[i] = w.arithmetic(n)
	case n.Op == body.RoundF:
		w.numbers[i] = w.call(irRoundings[n.Bits], w.number(a).t, w.number(a))
	case n.Op == body.ToF32 || n.Op == body.ToF64:
		w.numbers[i] = w.toNumber(n)
	case n.Op >= body.ToS32 && n.Op <= body.FitU32:
		w.at[i] = w.toInteger(n)
	case n.Op == body.CompareF:
		w.at[i] = w.compare("fcmp "+irFloatPredicates[n.Bits], w.number(a), w.number(b))
	case n.Op == body.CompareU || n.Op == body.CompareS:
		w.at[i] = w.compare("icmp "+irIntPredicate(n), w.bits(a), w.bits(b))
	case n.Op == body.Disjoint:
		w.at[i] = w.isZero(w.bin("and", w.bits(a), w.bits(b)))
	case n.Op == body.Select:
		w.at[i] = w.choose(w.at[a], w.bits(b), w.bits(n.X[2]))
	case n.Op == body.Canonical:
		w.at[i] = w.choose(w.isNaN(w.number(a)), constantOf(w.bits(a).t, 0x7fffffff), w.bits(a))
	default:
		w.at[i] = w.integer(n)
	}
}

func irIntPredicate(n *body.Node) string {
	p := irIntPredicates[n.Bits]
	switch r := body.Relation(n.Bits); {
	case r == body.Equal || r == body.Less|body.Greater:
		return p
	case n.Op == body.CompareS:
		return "s" + p
	}
	return "u" + p
}

// integer renders a primitive on integers.
func (w *irWalk) integer(n *body.Node) irValue {
	switch n.Op {
	case body.Arg:
		return w.args[n.Bits]
	case body.Const:
		t := irType{integerOf[8*int(n.Width)], w.args[0].t.n}
		return constantOf(t, n.Bits)
	}
	a := w.bits(n.X[0])
	switch n.Op {
	case body.WideU:
		return w.bin("mul", w.lower("zext", a), w.lower("zext", w.bits(n.X[1])))
	case body.WideS:
		return w.bin("mul", w.lower("sext", a), w.lower("sext", w.bits(n.X[1])))
	case body.HighU, body.HighS:
		extend := map[body.Op]string{body.HighU: "zext", body.HighS: "sext"}[n.Op]
		p := w.bin("mul", w.cast(extend, a, "i64"), w.cast(extend, w.bits(n.X[1]), "i64"))
		return w.cast("trunc", w.with("lshr", p, 32), "i32")
	case body.Abs:
		return w.call("abs", a.t, a, irValue{"false", i1Type})
	case body.Zeros:
		return w.call("ctlz", a.t, a, irValue{"false", i1Type})
	case body.ShlBy, body.ShrUBy, body.ShrSBy:
		return w.with(irShifts[n.Op], a, n.Bits)
	case body.Shl, body.ShrU, body.ShrS:
		return w.shift(n, a, w.bits(n.X[1]))
	}
	if op, ok := irBinaries[n.Op]; ok {
		return w.bin(op, a, w.bits(n.X[1]))
	}
	args := []irValue{a}
	for _, x := range n.Operands()[1:] {
		args = append(args, w.bits(x))
	}
	return w.call(irCalls[n.Op], a.t, args...)
}

// lower extends the low halves of elements, of 8 bytes if they were extended before.
func (w *irWalk) lower(extend string, v irValue) irValue {
	switch {
	case v.t.bits() == 32:
		return w.cast(extend, v, "i64")
	case extend == "zext":
		return w.with("and", v, 1<<32-1)
	}
	return w.with("ashr", w.with("shl", v, 32), 32)
}

// shift limits the count: from the width on, LLVM's shifts are poison.
func (w *irWalk) shift(n *body.Node, v, count irValue) irValue {
	bits := uint64(v.t.bits())
	if n.Op == body.ShrS {
		return w.bin("ashr", v, w.call("umin", count.t, count, constantOf(count.t, bits-1)))
	}
	inside := w.compare("icmp ult", count, constantOf(count.t, bits))
	return w.choose(inside, w.bin(irShifts[n.Op], v, w.with("and", count, bits-1)), constantOf(v.t, 0))
}

// arithmetic renders a primitive on numbers.
func (w *irWalk) arithmetic(n *body.Node) irValue {
	var f []irValue
	for _, x := range n.Operands() {
		f = append(f, w.number(x))
	}
	switch n.Op {
	case body.MinF:
		return w.choose(w.compare("fcmp olt", f[0], f[1]), f[0], f[1])
	case body.MaxF:
		return w.choose(w.compare("fcmp ogt", f[0], f[1]), f[0], f[1])
	case body.FMA, body.Sqrt:
		return w.call(irCalls[n.Op], f[0].t, f...)
	}
	return w.bin(irBinaries[n.Op], f[0], f[1])
}

func (w *irWalk) toNumber(n *body.Node) irValue {
	elem := numberOf[8*int(n.Width)]
	switch body.Type(n.Bits) {
	case body.S32, body.S64:
		return w.cast("sitofp", w.bits(n.X[0]), elem)
	case body.U32, body.U64:
		return w.cast("uitofp", w.bits(n.X[0]), elem)
	case body.F32:
		return w.cast("fpext", w.number(n.X[0]), elem)
	}
	return w.cast("fptrunc", w.number(n.X[0]), elem)
}

// toInteger replaces numbers beyond the range, whose conversions are poison. What was an integer of the type is it again.
func (w *irWalk) toInteger(n *body.Node) irValue {
	if n.Restores(w.body.Nodes) {
		return w.bits(w.body.Nodes[n.X[0]].X[0])
	}
	f := w.number(n.X[0])
	switch n.Op {
	case body.FitU32:
		return w.cast("fptoui", f, "i32")
	case body.CutU32:
		fits := w.compare("fcmp olt", f, w.numeral(f.t, 0x1p32))
		return w.choose(fits, w.cast("fptoui", w.choose(fits, f, w.numeral(f.t, 0)), "i32"), constantOf(f.t.of("i32"), 1<<32-1))
	case body.ToS32:
		f = w.call(irRoundings[body.Nearest], f.t, f)
	}
	low := -0x1p31 // below it is what it becomes itself
	if f.t.elem == "double" {
		low-- // there are numbers between
	}
	fits := w.bin("and", w.compare("fcmp ogt", f, w.numeral(f.t, low)), w.compare("fcmp olt", f, w.numeral(f.t, 0x1p31)))
	return w.choose(fits, w.cast("fptosi", w.choose(fits, f, w.numeral(f.t, 0)), "i32"), constantOf(f.t.of("i32"), 1<<31))
}

// numeral is a constant number.
func (x *irText) numeral(t irType, v float64) irValue {
	if t.elem == "float" {
		return x.number(constantOf(t.of("i32"), uint64(math.Float32bits(float32(v)))))
	}
	return x.number(constantOf(t.of("i64"), math.Float64bits(v)))
}

// firstNaN is a result whose NaN are replaced by the first operand that is one, made quiet: processors differ in that.
func (w *irWalk) firstNaN(r irValue) irValue {
	nan := constantOf(r.t, 0xfff8<<48)
	for i := len(w.args) - 1; i >= 0; i-- {
		nan = w.choose(w.isNaN(w.irText.number(w.args[i])), w.with("or", w.args[i], 1<<51), nan)
	}
	return w.choose(w.isNaN(w.irText.number(r)), nan, r)
}
