package aluref

import "math/big"

// Video instructions without selectors (PTX ISA, "Scalar Video Instructions",
// "SIMD Video Instructions").

// combine is the operation of a video instruction on two integers.
func (in *Inst) combine(name string, x, y *big.Int) (*big.Int, bool) {
	switch name {
	case "vadd":
		return plus(x, y), true
	case "vsub":
		return minus(x, y), true
	case "vabsdiff":
		d := minus(x, y)
		return d.Abs(d), true
	case "vmin", "vmax":
		if (x.Cmp(y) > 0) == (name == "vmin") {
			return y, true
		}
		return x, true
	case "vavrg":
		s := plus(x, y) // rounds half away from zero
		if s.Sign() >= 0 {
			s = plus(s, big.NewInt(1))
		}
		return s.Rsh(s, 1), true
	case "vset":
		r, known := in.relation("")
		return new(big.Int).SetUint64(bit(r[x.Cmp(y)+1])), known
	}
	return nil, false
}

// second applies the secondary operation with c.
func (in *Inst) second(d Type, v *big.Int, c uint64) uint64 {
	x, y := d.int(d.wrap(v)), d.int(c)
	switch {
	case in.has("add"):
		return d.wrap(plus(x, y))
	case in.has("min") && x.Cmp(y) > 0, in.has("max") && x.Cmp(y) < 0:
		return d.wrap(y)
	}
	return d.wrap(x)
}

func scalarVideo(in *Inst, a Args) (Result, bool) {
	d := in.types[0]
	at, bt := in.types[0], in.types[1]
	if in.name != "vset" {
		at, bt = in.types[1], in.types[2]
	} else {
		d = Type{class: 'u', bits: 32, lanes: 1}
	}
	v, ok := in.combine(in.name, at.int(a[0]), bt.int(a[1]))
	if !ok {
		return none()
	}
	if in.has("sat") {
		v = d.clamp(v)
	}
	return value(in.second(d, v, a[2]))
}

func videoShift(in *Inst, a Args) (Result, bool) {
	d, at := in.types[0], in.types[1]
	n := a[1] & ones(32)
	if in.has("wrap") {
		n &= 31
	}
	n = min(n, 32)
	v := at.int(a[0])
	if in.name == "vshl" {
		v.Lsh(v, uint(n))
	} else {
		v.Rsh(v, uint(n))
	}
	if in.has("sat") {
		v = d.clamp(v)
	}
	return value(in.second(d, v, a[2]))
}

// vmad adds a product, with .po one more, and scales the sum.
func vmad(in *Inst, a Args) (Result, bool) {
	t := Type{class: 'u', bits: 32, lanes: 1}
	if in.types[1].signed() || in.types[2].signed() {
		t.class = 's'
	}
	v := plus(times(in.types[1].int(a[0]), in.types[2].int(a[1])), t.int(a[2]))
	if in.has("po") {
		v = plus(v, big.NewInt(1))
	}
	if in.has("shr7") {
		v.Rsh(v, 7)
	}
	if in.has("shr15") {
		v.Rsh(v, 15)
	}
	if in.has("sat") {
		v = t.clamp(v)
	}
	return value(wrap(v, 32))
}

func simdVideo(base string, n int) op {
	return func(in *Inst, a Args) (Result, bool) {
		k := 0
		if base != "vset" {
			k = 1
		}
		d, at, bt := in.types[0], in.types[k], in.types[k+1-int(bit(k > 0 && len(in.types) < 3))]
		if base == "vset" {
			d = Type{class: 'u'}
		}
		width := 32 / n
		d.bits, at.bits, bt.bits = width, width, width
		var packed uint64
		total := new(big.Int).SetUint64(a[2] & ones(32))
		for i := range n {
			shift := uint(i * width)
			v, ok := in.combine(base, at.int(a[0]>>shift), bt.int(a[1]>>shift))
			if !ok {
				return none()
			}
			if in.has("sat") {
				v = d.clamp(v)
			}
			packed |= wrap(v, width) << shift
			total = plus(total, v)
		}
		if in.has("add") {
			return value(wrap(total, 32))
		}
		return value(packed)
	}
}

func init() {
	m := map[string]op{"vshl": videoShift, "vshr": videoShift, "vmad": vmad}
	for _, name := range []string{"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset"} {
		m[name] = scalarVideo
	}
	for _, name := range []string{"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset", "vavrg"} {
		m[name+"2"], m[name+"4"] = simdVideo(name, 2), simdVideo(name, 4)
	}
	register(m)
}
