package ssa

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// intType is the type of an integer instruction that works on one number.
func intType(in *ptx.Instr) (t isa.Type, signed, ok bool) {
	ts := in.Types()
	if len(ts) == 0 {
		return 0, false, false
	}
	t = ts[0]
	switch t {
	case isa.B16, isa.B32, isa.B64, isa.U16, isa.U32, isa.U64, isa.S16, isa.S32, isa.S64:
		return intOf(8 * t.Size()), t.IsSigned(), true
	case isa.Pred:
		return isa.Pred, false, true
	}
	return 0, false, false
}

// pick chooses between the signed and the unsigned form of an operation.
func pick(signed bool, s, u Op) Op {
	if signed {
		return s
	}
	return u
}

// mov translates moves, also those that pack and unpack vectors.
func (b arithBuilder) mov(in *ptx.Instr) bool {
	if len(in.Args) != 2 || in.Has("v4") || in.Has("v2") {
		return false
	}
	t := resultType(in)
	if t == isa.B128 {
		return false
	}
	b.assign(in.Args[0], b.value(in.Args[1], t), false)
	return true
}

// cvt translates conversions between integers; those of floats are functions.
func (b arithBuilder) cvt(in *ptx.Instr) bool {
	ts := in.Types()
	if len(ts) != 2 || !isInt(ts[0]) || !isInt(ts[1]) || in.Has("pack") || len(in.Args) != 2 {
		return false
	}
	to, from := ts[0], ts[1]
	v := b.value(in.Args[1], intOf(8*from.Size()))
	if in.Has("sat") {
		v = b.saturate(v, from, to)
	}
	v = b.fit(v, intOf(8*to.Size()), from.IsSigned())
	b.assign(in.Args[0], v, to.IsSigned())
	return true
}

func isInt(t isa.Type) bool {
	switch t {
	case isa.U8, isa.U16, isa.U32, isa.U64, isa.S8, isa.S16, isa.S32, isa.S64, isa.B8, isa.B16, isa.B32, isa.B64:
		return true
	}
	return false
}

// saturate limits v, of type from, to the range of to.
func (b arithBuilder) saturate(v *Value, from, to isa.Type) *Value {
	fw, tw := 8*from.Size(), 8*to.Size()
	lo, hi := uint64(0), mask(^uint64(0), tw)
	if to.IsSigned() {
		lo, hi = -(uint64(1) << (tw - 1)), 1<<(tw-1)-1
	}
	top := mask(^uint64(0), fw)
	if from.IsSigned() {
		top >>= 1
	}
	if hi < top {
		v = b.add(pick(from.IsSigned(), MinS, MinU), v.Type, v, b.constant(v.Type, hi))
	}
	if from.IsSigned() && (tw < fw || !to.IsSigned()) {
		v = b.add(MaxS, v.Type, v, b.constant(v.Type, lo))
	}
	return v
}

// selp is d = p ? a : b.
func (b arithBuilder) selp(in *ptx.Instr) bool {
	t := resultType(in)
	x, y := b.value(in.Args[1], t), b.value(in.Args[2], t)
	b.assign(in.Args[0], b.add(Select, t, b.value(in.Args[3], isa.Pred), x, y), isSigned(in))
	return true
}

// slct is d = c >= 0 ? a : b.
func (b arithBuilder) slct(in *ptx.Instr) bool {
	ts := in.Types()
	if len(ts) != 2 || ts[1] != isa.S32 {
		return false
	}
	t := regType(ts[0])
	x, y := b.value(in.Args[1], t), b.value(in.Args[2], t)
	p := b.add(LeS, isa.Pred, b.constant(isa.B32, 0), b.value(in.Args[3], isa.B32))
	b.assign(in.Args[0], b.add(Select, t, p, x, y), isSigned(in))
	return true
}

// comparison makes the comparison that an opcode names, of operands of type t;
// nil for one of floats.
func (b arithBuilder) comparison(in *ptx.Instr, t isa.Type, x, y ptx.Operand) *Value {
	if !isInt(t) {
		v := b.add(Pure, isa.Pred, b.value(x, regType(t)), b.value(y, regType(t)))
		v.Name = in.Opcode()
		return v
	}
	bt, s := intOf(8*t.Size()), t.IsSigned()
	p, q := b.value(x, bt), b.value(y, bt)
	op, swap := Eq, false
	for _, m := range in.Mods {
		switch m {
		case "eq":
			op = Eq
		case "ne":
			op = Ne
		case "lt", "lo":
			op = pick(s, LtS, LtU)
		case "le", "ls":
			op = pick(s, LeS, LeU)
		case "gt", "hi":
			op, swap = pick(s, LtS, LtU), true
		case "ge", "hs":
			op, swap = pick(s, LeS, LeU), true
		}
	}
	if swap {
		p, q = q, p
	}
	return b.add(op, isa.Pred, p, q)
}

// combine applies the boolean operator of set and setp to a comparison and a
// further predicate.
func (b arithBuilder) combine(in *ptx.Instr, p *Value, more []ptx.Operand) *Value {
	if len(more) == 0 {
		return p
	}
	op := And
	if in.Has("or") {
		op = Or
	} else if in.Has("xor") {
		op = Xor
	}
	return b.add(op, isa.Pred, p, b.value(more[0], isa.Pred))
}

// setp is p|q = (a cmp b) bool c | !(a cmp b) bool c.
func (b arithBuilder) setp(in *ptx.Instr) bool {
	ts := in.Types()
	t := ts[len(ts)-1]
	if t == isa.F16x2 || t == isa.BF16x2 {
		return false
	}
	c := b.comparison(in, t, in.Args[1], in.Args[2])
	pair, ok := in.Args[0].(*ptx.Pair)
	if !ok {
		b.assign(in.Args[0], b.combine(in, c, in.Args[3:]), false)
		return true
	}
	p := b.combine(in, c, in.Args[3:])
	q := b.combine(in, b.add(Not, isa.Pred, c), in.Args[3:])
	b.assign(pair.A, p, false)
	b.assign(pair.B, q, false)
	return true
}

// setInstr is d = (a cmp b) bool c as all ones, or as 1.0.
func (b arithBuilder) setInstr(in *ptx.Instr) bool {
	ts := in.Types()
	if len(ts) != 2 || !isInt(ts[0]) && ts[0] != isa.F32 || ts[1] == isa.F16x2 || ts[1] == isa.BF16x2 {
		return false
	}
	p := b.combine(in, b.comparison(in, ts[1], in.Args[1], in.Args[2]), in.Args[3:])
	t, one := regType(ts[0]), ^uint64(0)
	if t == isa.F32 {
		one = 0x3f800000
	}
	b.assign(in.Args[0], b.add(Select, t, p, b.constant(t, one), b.constant(t, 0)), false)
	return true
}

// carryName is the register CC.CF.
const carryName = "CC.CF"

// carry is the variable of the carry flag.
func (b arithBuilder) carry() int {
	if i, ok := b.fr.regs[carryName]; ok {
		return i
	}
	return b.newVar(carryName, isa.Pred)
}

// addInstr translates add and sub with and without carry.
func (b arithBuilder) addInstr(in *ptx.Instr) bool {
	t, _, ok := intType(in)
	if !ok || in.Has("sat") {
		return false
	}
	op := Add
	if in.Op == "sub" || in.Op == "subc" {
		op = Sub
	}
	x, y := b.value(in.Args[1], t), b.value(in.Args[2], t)
	b.assign(in.Args[0], b.sum(in, op, t, x, y), isSigned(in))
	return true
}

// sum is x op y with the carry that the opcode names read and written, which is
// that of the adder: of a difference, that there was no borrow.
func (b arithBuilder) sum(in *ptx.Instr, op Op, t isa.Type, x, y *Value) *Value {
	out := in.Has("cc")
	carries := in.Op == "addc" || in.Op == "subc" || in.Op == "madc"
	if !carries {
		r := b.add(op, t, x, y)
		if out {
			b.setCarry(op, b.overflow(op, r, x, y))
		}
		return r
	}
	c := b.getVar(b.carry())
	first := b.add(op, t, x, y)
	if op == Sub {
		c = b.add(Not, isa.Pred, c)
	}
	r := b.add(op, t, first, b.add(Select, t, c, b.constant(t, 1), b.constant(t, 0)))
	if out {
		one := b.overflow(op, first, x, y)
		wrapped := r // adding one wrapped if it gave 0, taking one away if it began there
		if op == Sub {
			wrapped = first
		}
		two := b.add(And, isa.Pred, c, b.add(Eq, isa.Pred, wrapped, b.constant(t, 0)))
		b.setCarry(op, b.add(Or, isa.Pred, one, two))
	}
	return r
}

// setCarry sets the carry of a sum, or by its borrow that of a difference.
func (b arithBuilder) setCarry(op Op, overflow *Value) {
	if op == Sub {
		overflow = b.add(Not, isa.Pred, overflow)
	}
	b.setVar(b.carry(), overflow)
}

// overflow is the carry of x+y=r, or the borrow of x-y.
func (b arithBuilder) overflow(op Op, r, x, y *Value) *Value {
	if op == Add {
		return b.add(LtU, isa.Pred, r, x)
	}
	return b.add(LtU, isa.Pred, x, y)
}

// mul translates mul, mad and madc.
func (b arithBuilder) mul(in *ptx.Instr) bool {
	t, signed, ok := intType(in)
	if !ok || in.Has("sat") {
		return false
	}
	x, y := b.value(in.Args[1], t), b.value(in.Args[2], t)
	var r *Value
	switch {
	case in.Has("wide"):
		t = intOf(2 * width(t))
		r = b.add(Mul, t, b.fit(x, t, signed), b.fit(y, t, signed))
	case in.Has("hi"):
		r = b.add(pick(signed, MulHiS, MulHiU), t, x, y)
	default:
		r = b.add(Mul, t, x, y)
	}
	if in.Op != "mul" {
		r = b.sum(in, Add, t, r, b.value(in.Args[3], t))
	}
	b.assign(in.Args[0], r, signed)
	return true
}

// mul24 translates products of the lower 24 bits.
func (b arithBuilder) mul24(in *ptx.Instr) bool {
	t, signed, ok := intType(in)
	if !ok || in.Has("hi") {
		return false
	}
	r := b.add(Mul, t, b.low24(in.Args[1], signed), b.low24(in.Args[2], signed))
	if in.Op == "mad24" {
		r = b.add(Add, t, r, b.value(in.Args[3], t))
	}
	b.assign(in.Args[0], r, signed)
	return true
}

func (b arithBuilder) low24(o ptx.Operand, signed bool) *Value {
	v := b.value(o, isa.B32)
	if !signed {
		return b.add(And, isa.B32, v, b.constant(isa.B32, 0xffffff))
	}
	v = b.add(Shl, isa.B32, v, b.constant(isa.B32, 8))
	return b.add(ShrS, isa.B32, v, b.constant(isa.B32, 8))
}

// signedOp translates what has a signed and an unsigned form.
func (b arithBuilder) signedOp(in *ptx.Instr) bool {
	t, signed, ok := intType(in)
	if !ok || in.Has("relu") {
		return false
	}
	var op Op
	switch in.Op {
	case "div":
		op = pick(signed, DivS, DivU)
	case "rem":
		op = pick(signed, RemS, RemU)
	case "min":
		op = pick(signed, MinS, MinU)
	case "max":
		op = pick(signed, MaxS, MaxU)
	}
	b.assign(in.Args[0], b.add(op, t, b.value(in.Args[1], t), b.value(in.Args[2], t)), signed)
	return true
}

func (b arithBuilder) binary(in *ptx.Instr) bool {
	t, _, ok := intType(in)
	if !ok {
		return false
	}
	op := map[string]Op{"and": And, "or": Or, "xor": Xor}[in.Op]
	b.assign(in.Args[0], b.add(op, t, b.value(in.Args[1], t), b.value(in.Args[2], t)), false)
	return true
}

func (b arithBuilder) shift(in *ptx.Instr) bool {
	t, signed, ok := intType(in)
	if !ok {
		return false
	}
	op := Shl
	if in.Op == "shr" {
		op = pick(signed, ShrS, ShrU)
	}
	b.assign(in.Args[0], b.add(op, t, b.value(in.Args[1], t), b.value(in.Args[2], isa.B32)), signed)
	return true
}

func (b arithBuilder) unary(in *ptx.Instr) bool {
	t, signed, ok := intType(in)
	if !ok {
		return false
	}
	op := map[string]Op{"neg": Neg, "abs": Abs, "not": Not}[in.Op]
	b.assign(in.Args[0], b.add(op, t, b.value(in.Args[1], t)), signed)
	return true
}

// cnot is d = a == 0 ? 1 : 0.
func (b arithBuilder) cnot(in *ptx.Instr) bool {
	t, _, _ := intType(in)
	p := b.add(Eq, isa.Pred, b.value(in.Args[1], t), b.constant(t, 0))
	b.assign(in.Args[0], b.add(Select, t, p, b.constant(t, 1), b.constant(t, 0)), false)
	return true
}

// sad is d = c + |a-b|, with the comparison in the type's signedness.
func (b arithBuilder) sad(in *ptx.Instr) bool {
	t, signed, _ := intType(in)
	x, y := b.value(in.Args[1], t), b.value(in.Args[2], t)
	p := b.add(pick(signed, LtS, LtU), isa.Pred, x, y)
	d := b.add(Select, t, p, b.add(Sub, t, y, x), b.add(Sub, t, x, y))
	b.assign(in.Args[0], b.add(Add, t, d, b.value(in.Args[3], t)), signed)
	return true
}

// field is a constant bit field: position and length of bfe and bfi.
func field(pos, length ptx.Operand, w int) (p, n uint64, ok bool) {
	x, ok1 := pos.(*ptx.Imm)
	y, ok2 := length.(*ptx.Imm)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	p, n = x.Value&0xff, y.Value&0xff
	return p, n, n > 0 && p+n <= uint64(w)
}

// bfe extracts a bit field at a constant place.
func (b arithBuilder) bfe(in *ptx.Instr) bool {
	t, signed, _ := intType(in)
	w := width(t)
	p, n, ok := field(in.Args[2], in.Args[3], w)
	if !ok {
		return false
	}
	v := b.add(Shl, t, b.value(in.Args[1], t), b.constant(isa.B32, uint64(w)-p-n))
	v = b.add(pick(signed, ShrS, ShrU), t, v, b.constant(isa.B32, uint64(w)-n))
	b.assign(in.Args[0], v, signed)
	return true
}

// bfi inserts the lowest bits of a into b at a constant place.
func (b arithBuilder) bfi(in *ptx.Instr) bool {
	t, _, _ := intType(in)
	p, n, ok := field(in.Args[3], in.Args[4], width(t))
	if !ok {
		return false
	}
	ones := mask(^uint64(0), int(n))
	x := b.add(And, t, b.value(in.Args[1], t), b.constant(t, ones))
	x = b.add(Shl, t, x, b.constant(isa.B32, p))
	y := b.add(And, t, b.value(in.Args[2], t), b.constant(t, ^(ones<<p)))
	b.assign(in.Args[0], b.add(Or, t, x, y), false)
	return true
}
