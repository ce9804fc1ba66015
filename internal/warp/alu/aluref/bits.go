package aluref

import "strconv"

// Bits one by one (PTX ISA, popc to bmsk, "Logic and Shift Instructions",
// prmt). Operands are lists of bits, the lowest first.

type bitList []bool

func bitsOf(x uint64, n int) bitList {
	l := make(bitList, n)
	for i := range l {
		l[i] = x>>uint(i)&1 != 0
	}
	return l
}

func (l bitList) value() (v uint64) {
	for i, b := range l {
		v |= bit(b) << uint(i)
	}
	return v
}

// at is bit i, or fill beyond the end.
func (l bitList) at(i int, fill bool) bool {
	if i < 0 || i >= len(l) {
		return fill
	}
	return l[i]
}

func popc(in *Inst, a Args) (Result, bool) {
	n := uint64(0)
	for _, b := range bitsOf(a[0], in.types[0].bits) {
		n += bit(b)
	}
	return value(n)
}

func clz(in *Inst, a Args) (Result, bool) {
	l := bitsOf(a[0], in.types[0].bits)
	n := 0
	for n < len(l) && !l[len(l)-1-n] {
		n++
	}
	return value(uint64(n))
}

func brev(in *Inst, a Args) (Result, bool) {
	l := bitsOf(a[0], in.types[0].bits)
	for i, j := 0, len(l)-1; i < j; i, j = i+1, j-1 {
		l[i], l[j] = l[j], l[i]
	}
	return value(l.value())
}

// bfind finds the highest bit that differs from the sign.
func bfind(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	l := bitsOf(a[0], t.bits)
	skip := t.signed() && l[len(l)-1]
	for i := len(l) - 1; i >= 0; i-- {
		if l[i] == skip {
			continue
		}
		if in.has("shiftamt") {
			i = len(l) - 1 - i
		}
		return value(uint64(i))
	}
	return value(ones(32))
}

// fns follows the section's pseudo-code.
func fns(_ *Inst, a Args) (Result, bool) {
	l := bitsOf(a[0], 32)
	base, offset := int64(a[1]&ones(32)), int64(int32(a[2]))
	if base > 31 {
		return value(ones(32)) // undefined: beyond the operand
	}
	if offset == 0 {
		if l[base] {
			return value(uint64(base))
		}
		return value(ones(32))
	}
	step, count := int64(1), offset
	if offset < 0 {
		step, count = -1, -offset
	}
	for i := base; i >= 0 && i < 32; i += step {
		if l[i] {
			if count--; count == 0 {
				return value(uint64(i))
			}
		}
	}
	return value(ones(32))
}

func bfe(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	l := bitsOf(a[0], t.bits)
	pos, n := int(a[1]&255), int(a[2]&255)
	sign := false
	if t.signed() && n > 0 {
		sign = l[min(pos+n-1, t.bits-1)]
	}
	d := make(bitList, t.bits)
	for i := range d {
		d[i] = sign
		if i < n && pos+i < t.bits {
			d[i] = l[pos+i]
		}
	}
	return value(d.value())
}

func bfi(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	f, d := bitsOf(a[0], t.bits), bitsOf(a[1], t.bits)
	pos, n := int(a[2]&255), int(a[3]&255)
	for i := 0; i < n && pos+i < t.bits && i < t.bits; i++ {
		d[pos+i] = f[i]
	}
	return value(d.value())
}

func szext(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	n := a[1] & ones(32)
	if in.has("wrap") {
		n &= 31
	} else if n > 31 {
		return value(a[0])
	}
	l := bitsOf(a[0], 32)
	fill := t.signed() && n > 0 && l[n-1]
	for i := int(n); i < 32; i++ {
		l[i] = fill
	}
	return value(l.value())
}

func bmsk(in *Inst, a Args) (Result, bool) {
	pos, n := a[0]&ones(32), a[1]&ones(32)
	if in.has("wrap") {
		pos, n = pos&31, n&31
	} else {
		pos, n = min(pos, 32), min(n, 32)
	}
	l := make(bitList, 32)
	for i := pos; i < pos+n && i < 32; i++ {
		l[i] = true
	}
	return value(l.value())
}

func logic(f func(x, y bool) bool) op {
	return func(in *Inst, a Args) (Result, bool) {
		n := in.types[0].bits
		x, y := bitsOf(a[0], n), bitsOf(a[1], n)
		for i := range x {
			x[i] = f(x[i], y[i])
		}
		return value(x.value())
	}
}

func lop3(in *Inst, a Args) (Result, bool) {
	table, pred := a[3], a[3]&1
	if t, ok := in.attrs["lut"]; ok {
		table, _ = strconv.ParseUint(t, 0, 8)
	}
	x, y, z := bitsOf(a[0], 32), bitsOf(a[1], 32), bitsOf(a[2], 32)
	for i := range x {
		x[i] = table>>(bit(x[i])<<2|bit(y[i])<<1|bit(z[i]))&1 != 0
	}
	r := x.value()
	switch {
	case in.has("or"):
		return two(r, bit(r != 0)|pred)
	case in.has("and"):
		return two(r, bit(r != 0)&pred)
	}
	return value(r)
}

// shift moves left by n places, which may be negative.
func (l bitList) shift(n int, fill bool) bitList {
	d := make(bitList, len(l))
	for i := range d {
		d[i] = l.at(i-n, fill)
		if i-n < 0 {
			d[i] = false
		}
	}
	return d
}

func shl(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	return value(bitsOf(a[0], t.bits).shift(int(min(a[1]&ones(32), 64)), false).value())
}

func shr(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	l := bitsOf(a[0], t.bits)
	return value(l.shift(-int(min(a[1]&ones(32), 64)), t.signed() && l[len(l)-1]).value())
}

// shf shifts the bits of b above those of a.
func shf(in *Inst, a Args) (Result, bool) {
	l := append(bitsOf(a[0], 32), bitsOf(a[1], 32)...)
	n := int(min(a[2]&ones(32), 32))
	if in.has("wrap") {
		n = int(a[2] & 31)
	}
	if in.has("l") {
		return value(l.shift(n, false)[32:].value())
	}
	return value(l.shift(-n, false)[:32].value())
}

// prmtModes are the byte numbers of each special mode by c, highest first.
var prmtModes = map[string][4][4]int{
	"f4e":  {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}},
	"b4e":  {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}},
	"rc8":  {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},
	"ecl":  {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}},
	"ecr":  {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}},
	"rc16": {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}},
}

func prmt(in *Inst, a Args) (Result, bool) {
	src := append(bitsOf(a[0], 32), bitsOf(a[1], 32)...)
	var d bitList
	for i := range 4 {
		sel := int(a[2] >> uint(4*i) & 15)
		sign := sel&8 != 0
		for m, table := range prmtModes {
			if in.mods[m] {
				sel, sign = table[a[2]&3][3-i], false
			}
		}
		b := src[sel%8*8:][:8]
		for k := range 8 {
			d = append(d, b[k] && !sign || sign && b[7])
		}
	}
	return value(d.value())
}

func cnot(in *Inst, a Args) (Result, bool) { return value(bit(a[0]&ones(in.types[0].bits) == 0)) }

func mov(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	return value(a[0] & ones(t.bits*t.lanes))
}

func init() {
	register(map[string]op{
		"popc": popc, "clz": clz, "brev": brev, "bfind": bfind, "fns": fns, "bfe": bfe, "bfi": bfi, "szext": szext, "bmsk": bmsk,
		"and": logic(func(x, y bool) bool { return x && y }), "or": logic(func(x, y bool) bool { return x || y }),
		"xor": logic(func(x, y bool) bool { return x != y }), "not": logic(func(x, _ bool) bool { return !x }),
		"cnot": cnot, "lop3": lop3, "shl": shl, "shr": shr, "shf": shf, "prmt": prmt, "mov": mov,
	})
}
