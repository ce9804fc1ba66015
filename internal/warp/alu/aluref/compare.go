package aluref

// Comparisons and selections (PTX ISA, "Comparison and Selection Instructions",
// "Half Precision Comparison Instructions").

// relations by name: whether less, equal and greater satisfy them.
var relations = map[string][3]bool{
	"eq": {false, true, false}, "ne": {true, false, true}, "lt": {true, false, false}, "le": {true, true, false},
	"gt": {false, false, true}, "ge": {false, true, true}, "lo": {true, false, false}, "ls": {true, true, false},
	"hi": {false, false, true}, "hs": {false, true, true},
}

// holds compares two elements.
func (in *Inst) holds(t Type, a, b uint64) (result, ok bool) {
	if !t.float() {
		u := t
		if t.class == 'b' {
			u.class = 'u'
		}
		r, known := in.relation("")
		return r[u.int(a).Cmp(u.int(b))+1], known
	}
	x, y := in.operand(t, a), in.operand(t, b)
	nan := x.nan || y.nan
	if in.has("num", "nan") {
		return nan == in.has("nan"), true
	}
	if r, known := in.relation("u"); known {
		return nan || r[order(x, y)+1], true
	}
	r, known := in.relation("")
	return !nan && r[order2(x, y)+1], known
}

// order2 is order, 0 where there is none.
func order2(x, y number) int {
	if x.nan || y.nan {
		return 0
	}
	return order(x, y)
}

// relation finds the operator whose name ends with suffix.
func (in *Inst) relation(suffix string) ([3]bool, bool) {
	for name, r := range relations {
		if in.mods[name+suffix] && len(name) == 2 {
			return r, true
		}
	}
	return [3]bool{}, false
}

// join combines a comparison with a predicate.
func (in *Inst) join(t bool, c uint64) bool {
	switch {
	case in.has("and"):
		return t && c&1 != 0
	case in.has("or"):
		return t || c&1 != 0
	case in.has("xor"):
		return t != (c&1 != 0)
	}
	return t
}

func setp(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	p, ok := in.holds(t.elem(), a[0]&ones(t.bits), a[1]&ones(t.bits))
	if !ok {
		return none()
	}
	if t.lanes == 2 {
		q, _ := in.holds(t.elem(), a[0]>>uint(t.bits)&ones(t.bits), a[1]>>uint(t.bits)&ones(t.bits))
		return two(bit(in.join(p, a[2])), bit(in.join(q, a[2])))
	}
	return two(bit(in.join(p, a[2])), bit(in.join(!p, a[2])))
}

func set(in *Inst, a Args) (Result, bool) {
	d, s := in.types[0], in.types[1]
	yes := ones(d.bits)
	if s.lanes == 2 && !d.float() {
		yes = 0xffff
	}
	if d.float() {
		yes = d.elem().encode(number{mag: pow2(0)}, "rn")
	}
	var r uint64
	for i := range s.lanes {
		shift := uint(i * s.bits)
		p, ok := in.holds(s.elem(), a[0]>>shift&ones(s.bits), a[1]>>shift&ones(s.bits))
		if !ok {
			return none()
		}
		if in.join(p, a[2]) {
			r |= yes << shift
		}
	}
	return value(r)
}

func selp(in *Inst, a Args) (Result, bool) {
	if a[2]&1 != 0 {
		return value(a[0])
	}
	return value(a[1])
}

func slct(in *Inst, a Args) (Result, bool) {
	s := in.types[1]
	first := false
	if s.float() {
		n := in.operand(s, a[2])
		first = !n.nan && (!n.neg || n.zero())
	} else {
		first = s.int(a[2]).Sign() >= 0
	}
	if first {
		return value(a[0])
	}
	return value(a[1])
}

func init() { register(map[string]op{"setp": setp, "set": set, "selp": selp, "slct": slct}) }
