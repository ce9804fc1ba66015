package ssa

import (
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

var orderWords = map[string]bool{
	"weak": true, "volatile": true, "relaxed": true, "acquire": true, "release": true, "acq_rel": true, "sc": true, "mmio": true,
}

var scopeWords = map[string]bool{"cta": true, "cluster": true, "gpu": true, "gl": true, "sys": true}

// access reads the modifiers of a memory instruction.
func access(in *ptx.Instr) *Mem {
	m := &Mem{Count: 1}
	for _, w := range in.Mods {
		switch s, ok := spaceOf[w]; {
		case ok:
			m.Space = s
		case orderWords[w]:
			m.Order = w
		case scopeWords[w]:
			m.Scope = w
		case w == "nc":
			m.ReadOnly = true
		case w == "v2" || w == "v4" || w == "v8":
			m.Count = int(w[1] - '0')
		default:
			if t := isa.ParseType(w); t != isa.TypeNone {
				m.Elem = t
			}
		}
	}
	m.Bytes = m.Elem.Size() * m.Count
	m.Generic = m.Space == ptx.NoSpace
	m.ReadOnly = m.ReadOnly || m.Space == ptx.Const || m.Space == ptx.Param || in.What().NonCoherent
	return m
}

// plainAccess is access for a load or store.
func (b memoryBuilder) plainAccess(in *ptx.Instr) *Mem {
	m := access(in)
	if m.Order == "" && b.f.Module.Refetches(in) {
		m.Order = "volatile"
	}
	return m
}

// address fills in base and offset. What lies in a parameter of an inlined
// call, or of a call to come, is local memory here.
func (b memoryBuilder) address(m *Mem, o ptx.Operand) bool {
	ad, ok := o.(*ptx.Address)
	if !ok {
		return false
	}
	m.Offset = ad.Offset
	switch base := ad.Base.(type) {
	case nil:
	case *ptx.RegRef:
		if m.Space == ptx.Param {
			if o := b.fr.objects[base.Name]; o != nil {
				m.Base = b.addr(o)
				break
			}
		}
		t := b.operandType(base)
		m.Base = b.value(base, t)
		if s := b.special64(t); s {
			m.Base = b.fit(m.Base, intOf(b.f.Module.AddressSize), false)
		}
		if m.Space == ptx.Param && b.fr.ctx != nil {
			m.Space, m.ReadOnly = ptx.Local, false
		}
	case *ptx.SymbolRef:
		obj := b.object(base.Name)
		v := b.addr(obj)
		if m.Space == ptx.NoSpace {
			v = b.generic(ToGeneric, obj.Space, v)
		}
		if m.Space == ptx.Param {
			m.Space = obj.Space
			m.ReadOnly = obj.Space == ptx.Param
		}
		m.Base, m.Offset = v, ad.Offset+base.Offset
	default:
		return false
	}
	return true
}

// special64 reports whether t is a 32-bit register that holds an address of a module with
// 64-bit addresses (shared and local addresses may be kept in 32 bits).
func (b memoryBuilder) special64(t isa.Type) bool { return width(t) < b.f.Module.AddressSize }

func (b memoryBuilder) addr(o *Object) *Value {
	v := b.add(Addr, intOf(b.f.Module.AddressSize))
	v.Object = o
	return v
}

// elems lists the registers of a scalar or vector operand.
func (b memoryBuilder) elems(o ptx.Operand, count int) []ptx.Operand {
	switch o := o.(type) {
	case *ptx.Vector:
		return o.Elems
	case *ptx.RegRef:
		if count > 1 && o.Elem == "" {
			var list []ptx.Operand
			for _, e := range []string{"x", "y", "z", "w"}[:min(count, 4)] {
				list = append(list, &ptx.RegRef{Name: o.Name, Elem: e})
			}
			return list
		}
	}
	return []ptx.Operand{o}
}

// load translates ld and ldu.
func (b memoryBuilder) load(in *ptx.Instr) bool {
	m := b.plainAccess(in)
	if m.Elem == isa.TypeNone || !b.address(m, in.Args[1]) {
		return false
	}
	t := regType(m.Elem)
	signed := m.Elem.IsSigned()
	dsts := b.elems(in.Args[0], m.Count)
	if m.Space == ptx.Param && m.Base != nil && m.Base.Op == Addr {
		b.loadParam(m, dsts, t, signed)
		return true
	}
	v := b.memory(Load, t, m)
	v.Does = in.What()
	if m.Count == 1 {
		b.assign(dsts[0], v, signed)
		return true
	}
	for i, d := range dsts {
		b.assign(d, b.elem(v, i, t), signed)
	}
	return true
}

// loadParam reads a kernel parameter.
func (b memoryBuilder) loadParam(m *Mem, dsts []ptx.Operand, t isa.Type, signed bool) {
	for i, d := range dsts {
		v := b.add(Param, t)
		v.Name, v.Const = m.Base.Object.Name, uint64(m.Offset)+uint64(i*m.Elem.Size())
		b.assign(d, v, signed)
	}
}

// memory appends an access; base comes first among its arguments.
func (b memoryBuilder) memory(op Op, t isa.Type, m *Mem, args ...*Value) *Value {
	if m.Base != nil {
		args = append([]*Value{m.Base}, args...)
	}
	v := b.add(op, t, args...)
	v.Mem = m
	return v
}

// store translates st.
func (b memoryBuilder) store(in *ptx.Instr) bool {
	m := b.plainAccess(in)
	if m.Elem == isa.TypeNone || len(in.Args) < 2 || !b.address(m, in.Args[0]) {
		return false
	}
	var vals []*Value
	for _, o := range b.elems(in.Args[1], m.Count) {
		vals = append(vals, b.value(o, regType(m.Elem)))
	}
	b.memory(Store, isa.TypeNone, m, vals...).Does = in.What()
	return true
}

// atomic translates atom and red.
func (b memoryBuilder) atomic(in *ptx.Instr) bool {
	m := access(in)
	what := in.What()
	if m.Elem == isa.TypeNone {
		return false
	}
	args, t := in.Args, isa.TypeNone
	if what.Result {
		args, t = args[1:], regType(m.Elem)
	}
	if !b.address(m, args[0]) {
		return false
	}
	if m.Order == "" {
		m.Order = "relaxed"
	}
	if m.Scope == "" {
		m.Scope = "gpu"
	}
	v := b.memory(Atomic, t, m, b.flat(args[1:])...)
	v.Does, v.Name = what, what.Fn.String()
	if !what.Result {
		return true
	}
	if m.Count == 1 {
		b.assign(in.Args[0], v, m.Elem.IsSigned())
		return true
	}
	for i, d := range b.elems(in.Args[0], m.Count) {
		b.assign(d, b.elem(v, i, t), false)
	}
	return true
}

// cvta converts addresses between a space and the generic one.
func (b memoryBuilder) cvta(in *ptx.Instr) bool {
	s := ptx.NoSpace
	for _, w := range in.Mods {
		if x, ok := spaceOf[w]; ok {
			s = x
		}
	}
	op := ToGeneric
	if in.Has("to") {
		op = FromGeneric
	}
	if s == ptx.Param && b.fr.ctx != nil {
		s = ptx.Local
	}
	t := intOf(b.f.Module.AddressSize)
	v := b.value(in.Args[1], b.operandType(in.Args[1]))
	b.assign(in.Args[0], b.generic(op, s, b.fit(v, t, false)), false)
	return true
}

// copyAsync translates cp.async of 4, 8 or 16 bytes (PTX ISA, "cp.async").
// Others are effects.
func (b memoryBuilder) copyAsync(in *ptx.Instr) bool {
	if len(in.Args) < 3 {
		return false
	}
	size, ok := in.Args[2].(*ptx.Imm)
	if !ok {
		return false
	}
	dst := &Mem{Space: ptx.Shared, Elem: isa.B8, Count: int(size.Value), Bytes: int(size.Value)}
	src := &Mem{Space: ptx.Global, Elem: isa.B8, Count: int(size.Value), Bytes: int(size.Value)}
	if !b.address(dst, in.Args[0]) || !b.address(src, in.Args[1]) || dst.Base == nil || src.Base == nil {
		return false
	}
	v := b.add(Copy, isa.TypeNone, append([]*Value{dst.Base, src.Base}, b.flat(in.Args[3:])...)...)
	v.Mem, v.Mem2, v.Name, v.Does = dst, src, in.Opcode(), in.What()
	return true
}

// warpSync translates bar.warp.sync.
func (b memoryBuilder) warpSync(in *ptx.Instr) bool {
	b.add(WarpSync, isa.TypeNone, b.value(in.Args[0], isa.B32)).Does = in.What()
	return true
}

// barrier translates bar and barrier.
func (b memoryBuilder) barrier(in *ptx.Instr) bool {
	what := in.What()
	bar := &Barrier{Kind: what.Kind, Aligned: in.Op == "bar" || in.Has("aligned")}
	args := in.Args
	var dest ptx.Operand
	var pred *Value
	switch what.Kind {
	case inst.ClusterArrive, inst.ClusterWait:
		args = nil
	case inst.BarrierReduce:
		dest = args[0]
		pred = b.value(args[len(args)-1], isa.Pred)
		args = args[1 : len(args)-1]
	}
	var vals []*Value
	for _, a := range args {
		vals = append(vals, b.value(a, isa.B32))
	}
	if len(vals) == 0 {
		vals = append(vals, b.constant(isa.B32, 0))
	}
	bar.ID = vals[0]
	if len(vals) > 1 {
		bar.Count = vals[1]
	}
	if pred != nil {
		vals = append(vals, pred)
	}
	v := b.add(OpBarrier, isa.TypeNone, vals...)
	v.Bar, v.Name, v.Does = bar, in.Opcode(), what
	if dest != nil {
		v.Type = b.operandType(dest)
		b.assign(dest, v, false)
	}
	return true
}

// fence translates membar and fence.
func (b memoryBuilder) fence(in *ptx.Instr) bool {
	v := b.add(Fence, isa.TypeNone, b.flat(in.Args)...)
	v.Name, v.Does = in.Opcode(), in.What()
	return true
}

// lane translates what exchanges values with other lanes.
func (b memoryBuilder) lane(in *ptx.Instr) bool {
	dest, args := resultOf(in)
	v := b.add(Lane, isa.TypeNone, b.flat(args)...)
	v.Name, v.Does = in.Opcode(), in.What()
	t := isa.B32
	switch {
	case v.Does.Kind == inst.Vote && v.Does.Fn != inst.FnBallot:
		t = isa.Pred
	case v.Does.Kind == inst.Redux && v.Does.Type.Class == inst.Float:
		t = isa.F32
	}
	b.results(dest, v, t)
	return true
}

// WarpUniform reports whether v is an exchange that gives one value to all lanes that
// execute it together (PTX ISA, "vote.sync", "redux.sync").
func (v *Value) WarpUniform() bool {
	return v.Op == Lane && (v.Does.Kind == inst.Vote || v.Does.Kind == inst.Redux)
}
