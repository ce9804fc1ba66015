package alu

import (
	"strings"
	"sync"
)

// inst is an opcode taken apart: a name, modifiers in any order, types in theirs.
// Builders take the modifiers that they know; what is left over is unsupported.
type inst struct {
	text  string
	mods  []string
	types []typ
	attrs map[string]string
}

// builder makes the operation of a parsed opcode; nil when it does not exist.
type builder func(in *inst) *Op

// cache holds *Op by opcode text.
var cache sync.Map

// Lookup returns the operation of a dotted PTX opcode such as
// "fma.rn.ftz.sat.f32" (PTX ISA 9.7.1 to 9.7.9 and 9.7.18). The order of the
// modifiers is free. The error is an *Unsupported. It is safe for concurrent use.
//
// What an instruction says on its operands and not in its opcode follows a colon
// as a comma-separated list: "lop3.b32:lut=0x96" is lop3 with its table fixed and
// three operands; "vadd.s32.u32.s32.sat:d=h0,a=b1,b=b3" and
// "vadd4.u32.u32.u32:d=b210,a=b7610" give the selectors and masks of the video
// instructions; "vmad...:na=1" (nb, nc) negates an operand there.
func Lookup(opcode string) (*Op, error) {
	if o, ok := cache.Load(opcode); ok {
		return o.(*Op), nil
	}
	o := build(opcode)
	if o == nil {
		return nil, &Unsupported{Opcode: opcode}
	}
	got, _ := cache.LoadOrStore(opcode, o)
	return got.(*Op), nil
}

func build(opcode string) *Op {
	in, base := parse(opcode)
	b := builders()[base]
	if b == nil {
		return nil
	}
	o := b(in)
	if o == nil || len(in.mods) > 0 || len(in.attrs) > 0 {
		return nil
	}
	o.Name = opcode
	addVectors(o)
	return o
}

func parse(opcode string) (*inst, string) {
	text, attrs, _ := strings.Cut(opcode, ":")
	parts := strings.Split(text, ".")
	in := &inst{text: text, attrs: map[string]string{}}
	for _, p := range parts[1:] {
		if t, ok := typeOf(p); ok {
			in.types = append(in.types, t)
		} else {
			in.mods = append(in.mods, p)
		}
	}
	for _, kv := range strings.Split(attrs, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			in.attrs[k] = v
		}
	}
	return in, parts[0]
}

// take tells whether the modifier is present, and removes one of it.
func (in *inst) take(mod string) bool {
	for i, m := range in.mods {
		if m == mod {
			in.mods = append(in.mods[:i:i], in.mods[i+1:]...)
			return true
		}
	}
	return false
}

// oneOf takes the first of mods that is present, "" if none is.
func (in *inst) oneOf(mods ...string) string {
	for _, m := range mods {
		if in.take(m) {
			return m
		}
	}
	return ""
}

// attr takes a colon attribute, "" if it is missing.
func (in *inst) attr(key string) string {
	v := in.attrs[key]
	delete(in.attrs, key)
	return v
}

// rounding takes a floating-point rounding modifier.
func (in *inst) rounding() (m mode, ok bool) {
	switch in.oneOf("rn", "rz", "rm", "rp") {
	case "rn":
		return rn, true
	case "rz":
		return rz, true
	case "rm":
		return rm, true
	case "rp":
		return rp, true
	}
	return rn, false
}

// only gives the single type of an opcode.
func (in *inst) only() (typ, bool) {
	if len(in.types) != 1 {
		return typ{}, false
	}
	return in.types[0], true
}

// newOp makes an operation; the builder's caller fills in names and vectors.
func newOp(fn Fn, dst typ, args ...typ) *Op {
	o := &Op{Dst: dst.width(), DstBits: dst.size(), DstSigned: dst.signed() && dst.lanes == 1, Fn: fn}
	for _, a := range args {
		o.Args = append(o.Args, a.width())
	}
	return o
}

func fn1(f func(a uint64) uint64) Fn {
	return func(a, _, _, _ uint64) (uint64, uint64) { return f(a), 0 }
}

func fn2(f func(a, b uint64) uint64) Fn {
	return func(a, b, _, _ uint64) (uint64, uint64) { return f(a, b), 0 }
}

func fn3(f func(a, b, c uint64) uint64) Fn {
	return func(a, b, c, _ uint64) (uint64, uint64) { return f(a, b, c), 0 }
}

// perElem applies an element's function to each element of a packed type.
func (t typ) perElem(f Fn) Fn {
	if t.lanes == 1 {
		return f
	}
	n, m := uint(t.bits), mask(t.bits)
	return func(a, b, c, d uint64) (uint64, uint64) {
		lo, _ := f(a&m, b&m, c&m, d&m)
		hi, _ := f(a>>n&m, b>>n&m, c>>n&m, d>>n&m)
		return lo&m | hi&m<<n, 0
	}
}

// builders is the instruction table, by the first part of the opcode.
var builders = sync.OnceValue(func() map[string]builder {
	m := map[string]builder{}
	for _, g := range []map[string]builder{
		intBuilders, carryBuilders, bitBuilders, logicBuilders, floatBuilders,
		compareBuilders, convertBuilders, videoBuilders(),
	} {
		for k, b := range g {
			m[k] = b
		}
	}
	return m
})
