package ssa

import (
	"math"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// value is an operand as a value of type t: registers of other widths are
// extended with zeros or cut off (PTX ISA, "Operand Size Exceeding
// Instruction-Type Size").
func (b *builder) value(o ptx.Operand, t isa.Type) *Value {
	switch o := o.(type) {
	case *ptx.RegRef:
		return b.fit(b.register(o, t), t, false)
	case *ptx.Imm:
		return b.constant(t, o.Value)
	case *ptx.FloatImm:
		return b.constant(t, floatBits(o, t))
	case *ptx.SymbolRef:
		return b.fit(b.symbol(o), t, false)
	case *ptx.Vector:
		return b.pack(o.Elems, t)
	case *ptx.Sink:
		return b.constant(t, 0)
	}
	return b.add(Undef, t)
}

// register reads a register or a special register.
func (b *builder) register(r *ptx.RegRef, t isa.Type) *Value {
	name := r.Name
	if r.Elem != "" {
		name = b.component(r)
	}
	var v *Value
	if i := b.reg(name); i >= 0 {
		v = b.getVar(i)
	} else if s := isa.Special(r.Name); s != nil {
		v = b.special(r.Name, s)
	} else {
		v = b.add(Undef, t)
	}
	if r.Not && v.Type == isa.Pred {
		v = b.add(Not, isa.Pred, v)
	}
	return v
}

// component declares an element of a vector register as a variable.
func (b *builder) component(r *ptx.RegRef) string {
	name := r.Name + "." + r.Elem
	if _, ok := b.fr.regs[name]; !ok {
		if d, ok := b.fr.g.Register(r.Name); ok && d.Vec > 1 {
			b.newVar(name, d.Type)
		}
	}
	return name
}

// clocks are the special registers that change while a thread runs.
var clocks = []string{"%clock", "%globaltimer", "%pm"}

func (b *builder) special(name string, s *isa.SpecialReg) *Value {
	op := Special
	for _, c := range clocks {
		if strings.HasPrefix(name, c) {
			op = Clock
		}
	}
	v := b.add(op, regType(s.Type))
	v.Name = name
	return v
}

// fit converts between widths.
func (b *builder) fit(v *Value, t isa.Type, signed bool) *Value {
	have, want := v.Width(), width(t)
	switch {
	case have == want || want == 0 || v.Type == isa.TypeNone:
		return v
	case v.Type == isa.Pred:
		return b.add(Select, t, v, b.constant(t, 1), b.constant(t, 0))
	case t == isa.Pred:
		return b.add(Ne, t, v, b.constant(v.Type, 0))
	case have > want:
		return b.add(Trunc, intOf(want), v)
	case signed:
		return b.add(Sext, intOf(want), v)
	}
	return b.add(Zext, intOf(want), v)
}

// floatBits converts a literal to the type of the operand.
func floatBits(f *ptx.FloatImm, t isa.Type) uint64 {
	switch {
	case f.Bits == 64 && t.Size() == 4:
		return uint64(math.Float32bits(float32(math.Float64frombits(f.Value))))
	case f.Bits == 32 && t.Size() == 8:
		return math.Float64bits(float64(math.Float32frombits(uint32(f.Value))))
	}
	return f.Value
}

// symbol is the address of a variable or function.
func (b *builder) symbol(s *ptx.SymbolRef) *Value {
	o := b.object(s.Name)
	t := intOf(b.f.Module.AddressSize)
	v := b.add(Addr, t)
	v.Object, v.Const = o, mask(uint64(s.Offset), width(t))
	if s.Generic {
		v = b.generic(ToGeneric, o.Space, v)
	}
	return v
}

func (b *builder) generic(op Op, s ptx.Space, v *Value) *Value {
	w := b.add(op, v.Type, v)
	w.Name = spaceNames[s]
	return w
}

var spaceNames = map[ptx.Space]string{
	ptx.NoSpace: "generic", ptx.Shared: "shared", ptx.Global: "global", ptx.Local: "local", ptx.Const: "const", ptx.Param: "param",
}

// spaceOf finds the state space among modifiers.
var spaceOf = map[string]ptx.Space{
	"shared": ptx.Shared, "shared::cta": ptx.Shared, "shared::cluster": ptx.Shared, "global": ptx.Global,
	"local": ptx.Local, "const": ptx.Const, "param": ptx.Param, "param::entry": ptx.Param, "param::func": ptx.Param,
}

// object finds what a name stands for: a variable of the instance, of the
// module, or a function.
func (b *builder) object(name string) *Object {
	if o := b.fr.objects[name]; o != nil {
		return o
	}
	for _, list := range [][]*ptx.Variable{b.fr.g.Vars, b.fr.g.PTX.Params, b.fr.g.PTX.Ret} {
		for _, v := range list {
			if v.Name == name {
				return b.declare(v)
			}
		}
	}
	if o := b.global[name]; o != nil {
		return o
	}
	o := &Object{Name: name, Align: 1}
	if v := b.f.Module.Variable(name); v != nil {
		o = variable(v)
	}
	return b.keep(b.global, name, o)
}

// declare makes the object of a variable of the instance's function. Shared
// variables are the same in all instances.
func (b *builder) declare(v *ptx.Variable) *Object {
	if v.Space == ptx.Shared {
		key := b.fr.g.PTX.Name + "." + v.Name
		if o := b.global[key]; o != nil {
			return o
		}
		return b.keep(b.global, key, variable(v))
	}
	o := variable(v)
	if v.Space == ptx.Param && !b.kernelParam(v.Name) {
		o.Space = ptx.Local
	} else if v.Space == ptx.Local {
		o.Locals = b.locals(v.Name)
	}
	return b.keep(b.fr.objects, v.Name, o)
}

// locals are the variables in the depot of the instance's function.
func (b *builder) locals(depot string) (list []cfg.Local) {
	fr := b.depots[b.fr.g]
	if fr == nil {
		fr = b.fr.g.Frame()
		b.depots[b.fr.g] = fr
	}
	for _, l := range fr.Vars {
		if l.Depot == depot {
			list = append(list, l)
		}
	}
	return list
}

func (b *builder) keep(m map[string]*Object, key string, o *Object) *Object {
	o.ID = len(b.f.Objects)
	b.f.Objects = append(b.f.Objects, o)
	m[key] = o
	return o
}

func variable(v *ptx.Variable) *Object {
	return &Object{
		Name: v.Name, Space: v.Space, Size: v.StorageSize(), Align: v.Alignment(), Var: v,
		Extern: v.Linkage == ptx.Extern,
	}
}

// kernelParam reports whether name is a parameter of the analyzed function, in its own text.
func (b *builder) kernelParam(name string) bool {
	if b.fr.ctx != nil {
		return false
	}
	for _, p := range b.fr.g.PTX.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// parts is the width of each of n elements of w bits, 0 if they do not fit.
func parts(w, n int) int {
	for _, part := range []int{8, 16, 32, 64} {
		if part*n == w {
			return part
		}
	}
	return 0
}

// pack joins the elements of a vector, the first one lowest (PTX ISA, "mov").
func (b *builder) pack(elems []ptx.Operand, t isa.Type) *Value {
	part := parts(width(t), len(elems))
	if part == 0 || width(t) > 64 {
		return b.pureOf(t, b.flat(elems))
	}
	var sum *Value
	for i, e := range elems {
		x := b.fit(b.value(e, intOf(part)), t, false)
		if i > 0 {
			x = b.add(Shl, t, x, b.constant(isa.B32, uint64(i*part)))
			x = b.add(Or, t, sum, x)
		}
		sum = x
	}
	return sum
}

// pureOf is the current instruction as a function of values.
func (b *builder) pureOf(t isa.Type, args []*Value) *Value {
	v := b.add(Pure, t, args...)
	v.Name = b.in.Opcode()
	return v
}

// assign writes a result to a destination; signed says how it is extended if
// the register is wider.
func (b *builder) assign(o ptx.Operand, v *Value, signed bool) {
	switch o := o.(type) {
	case *ptx.RegRef:
		name := o.Name
		if o.Elem != "" {
			name = b.component(o)
		}
		if i := b.reg(name); i >= 0 {
			b.setVar(i, b.fit(v, b.vars[i], signed))
		}
	case *ptx.Vector:
		b.unpack(o.Elems, v)
	}
}

// unpack spreads the bits of v over the elements, the lowest first.
func (b *builder) unpack(elems []ptx.Operand, v *Value) {
	w := v.Width()
	part := parts(w, len(elems))
	for i, e := range elems {
		x := v
		switch {
		case part == 0 || w > 64:
			x = b.pureOf(b.operandType(e), []*Value{v, b.constant(isa.B32, uint64(i))})
		case part == w:
		case i > 0:
			x = b.add(ShrU, v.Type, v, b.constant(isa.B32, uint64(i*part)))
			x = b.add(Trunc, intOf(part), x)
		default:
			x = b.add(Trunc, intOf(part), v)
		}
		b.assign(e, x, false)
	}
}

// operandType is the type of an operand whose instruction does not say.
func (b *builder) operandType(o ptx.Operand) isa.Type {
	switch o := o.(type) {
	case *ptx.RegRef:
		name := o.Name
		if o.Elem != "" {
			name = b.component(o)
		}
		if i := b.reg(name); i >= 0 {
			return b.vars[i]
		}
		if s := isa.Special(o.Name); s != nil {
			return regType(s.Type)
		}
	case *ptx.FloatImm:
		return map[int]isa.Type{32: isa.F32, 64: isa.F64}[o.Bits]
	case *ptx.SymbolRef:
		return intOf(b.f.Module.AddressSize)
	}
	return isa.B32
}
