package alu

// Comparison and selection (PTX ISA 9.7.6, 9.7.7).
var compareBuilders = map[string]builder{
	"setp": setp, "set": set, "selp": selp, "slct": slct,
}

// relation is a comparison operator: which of less, equal, greater and
// unordered make it true.
type relation uint8

const (
	relLT relation = 1 << iota
	relEQ
	relGT
	relUN
)

var floatRelations = map[string]relation{
	"eq": relEQ, "ne": relLT | relGT, "lt": relLT, "le": relLT | relEQ,
	"gt": relGT, "ge": relGT | relEQ,
	"equ": relEQ | relUN, "neu": relLT | relGT | relUN, "ltu": relLT | relUN,
	"leu": relLT | relEQ | relUN, "gtu": relGT | relUN, "geu": relGT | relEQ | relUN,
	"num": relLT | relEQ | relGT, "nan": relUN,
}

// unsignedRelations are only for unsigned integers and bits.
var unsignedRelations = map[string]relation{
	"lo": relLT, "ls": relLT | relEQ, "hi": relGT, "hs": relGT | relEQ,
}

// comparison compares two operands of one element type.
type comparison struct {
	rel relation
	t   typ
	ftz bool
}

// takeComparison takes the operator; t is the operands' type.
func takeComparison(in *inst, t typ) (c comparison, ok bool) {
	c = comparison{t: t.elem(), ftz: in.take("ftz")}
	for i, m := range in.mods {
		rel, known := floatRelations[m]
		switch {
		case t.isFloat():
		case t.kind == kUnsigned && unsignedRelations[m] != 0:
			rel, known = unsignedRelations[m], true
		case t.kind == kBits:
			known = m == "eq" || m == "ne"
		default:
			known = known && (len(m) == 2)
		}
		if known {
			c.rel = rel
			in.mods = append(in.mods[:i:i], in.mods[i+1:]...)
			return c, !c.ftz || t.fmt != nil
		}
	}
	return c, false
}

func order[T int64 | uint64 | float64](x, y T) relation {
	switch {
	case x < y:
		return relLT
	case x == y:
		return relEQ
	case x > y:
		return relGT
	}
	return relUN
}

func (c *comparison) holds(a, b uint64) bool {
	switch {
	case c.t.signed():
		return order(sext(a, c.t.bits), sext(b, c.t.bits))&c.rel != 0
	case !c.t.isFloat():
		return order(a, b)&c.rel != 0
	}
	if c.ftz {
		a, b = c.t.fmt.flush(a), c.t.fmt.flush(b)
	}
	p := minmax{t: c.t}
	return order(p.decode(a), p.decode(b))&c.rel != 0
}

// boolOps are the operators that combine a comparison with a predicate.
var boolOps = map[string]func(t, c uint64) uint64{
	"and": func(t, c uint64) uint64 { return t & c },
	"or":  func(t, c uint64) uint64 { return t | c },
	"xor": func(t, c uint64) uint64 { return t ^ c },
	"":    func(t, _ uint64) uint64 { return t },
}

func comparable(t typ) bool {
	return t.isFloat() && t.fmt != &fmtTF32 || t.isIntBits() && t.lanes == 1 && t.bits >= 16
}

// setp: p = BoolOp(a CmpOp b, c), q = BoolOp(!(a CmpOp b), c). For packed halves
// p and q are the two halves' results.
func setp(in *inst) *Op {
	name := in.oneOf("and", "or", "xor")
	t, ok := in.only()
	if !ok || !comparable(t) {
		return nil
	}
	cmp, ok := takeComparison(in, t)
	if !ok {
		return nil
	}
	args := []typ{t, t}
	if name != "" {
		args = append(args, tPred)
	}
	join := boolOps[name]
	o := newOp(func(a, b, c, _ uint64) (uint64, uint64) {
		r := b2u(cmp.holds(a, b))
		return join(r, c&1), join(r^1, c&1)
	}, tPred, args...)
	o.Alt = Pred
	if t.lanes == 2 {
		o.Alt, o.Dst2 = None, Pred
		o.Fn = setpHalves(cmp, join, t.bits)
	}
	return o
}

func setpHalves(cmp comparison, join func(t, c uint64) uint64, n uint8) Fn {
	m := mask(n)
	return func(a, b, c, _ uint64) (uint64, uint64) {
		return join(b2u(cmp.holds(a&m, b&m)), c&1), join(b2u(cmp.holds(a>>n, b>>n)), c&1)
	}
}

// set is setp with a number as its result: all ones or 1.0 for true.
func set(in *inst) *Op {
	name := in.oneOf("and", "or", "xor")
	if len(in.types) != 2 || !comparable(in.types[1]) {
		return nil
	}
	d, t := in.types[0], in.types[1]
	cmp, ok := takeComparison(in, t)
	if !ok || d.lanes != t.lanes && d.size() != 32 || d.bits < 16 || d.size() > 32 || d.kind > kFloat {
		return nil
	}
	one := mask(d.bits)
	if d.isFloat() {
		one = uint64(d.fmt.bias) << d.fmt.man
	}
	join := boolOps[name]
	fn := func(a, b, c, _ uint64) (uint64, uint64) {
		return one * join(b2u(cmp.holds(a, b)), c&1), 0
	}
	args := []typ{t, t}
	if name != "" {
		args = append(args, tPred)
	}
	if t.lanes == 2 {
		fn = setHalves(cmp, join, d)
	}
	return newOp(fn, d, args...)
}

func setHalves(cmp comparison, join func(t, c uint64) uint64, d typ) Fn {
	one := uint64(0xffff)
	if d.isFloat() {
		one = uint64(d.fmt.bias) << d.fmt.man
	}
	return func(a, b, c, _ uint64) (uint64, uint64) {
		lo := join(b2u(cmp.holds(a&0xffff, b&0xffff)), c&1)
		hi := join(b2u(cmp.holds(a>>16, b>>16)), c&1)
		return lo*one | hi*one<<16, 0
	}
}

func selp(in *inst) *Op {
	t, ok := in.only()
	if !ok || t.bits < 16 {
		return nil
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		if c&1 != 0 {
			return a
		}
		return b
	}), t, t, t, tPred)
}

// slct chooses a if c >= 0, else b; a NaN chooses b.
func slct(in *inst) *Op {
	ftz := in.take("ftz")
	if len(in.types) != 2 || in.types[0].bits < 16 {
		return nil
	}
	t, s := in.types[0], in.types[1]
	if s != tS32 && s != tF32 || ftz && s != tF32 {
		return nil
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		if ftz {
			c = fmtF32.flush(c)
		}
		if s == tS32 && int32(c) >= 0 || s == tF32 && fmtF32.decode(c) >= 0 {
			return a
		}
		return b
	}), t, t, t, s)
}
