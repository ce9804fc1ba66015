package lower

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Which object does an access mean? The address of an element is that of a
// variable, or a kernel parameter, plus something. Where that can be followed
// through a function's registers, an access beyond the object is known for
// what it is, even if something else lies there.
//
// Unlike roots, which must name all that an address can come from, this takes
// pointer arithmetic to be what C++ allows: of a sum, one operand is the pointer
// and the other a number, wherever that came from.

// objects says what a value comes from: a bit for each object (see
// objectSets.list), and:
type objects uint64

const (
	// anObject is a pointer that was not followed, or may be one.
	anObject objects = 1 << 63
	// maybeObject is added to parameters: a value that was not followed was added
	// to them. It is the pointer if none of them is.
	maybeObject objects = 1 << 62
	// aNumber is a value that comes from no pointer. Without any bit, a value is
	// not known yet.
	aNumber objects = 1 << 61

	maxObjects = 61
)

// object is a variable, or a kernel parameter that may be a pointer.
type object struct {
	space trace.Space // SpaceParam for a parameter
	// name is a variable's; at a parameter's place in the parameter buffer.
	name string
	at   uint32
	// lo and size are the part of a depot that is meant; size 0 means all of it.
	lo, size uint64
	// fixed marks a local variable of another function, by its place in local
	// memory; typ is its type where name is known.
	fixed bool
	typ   *ctype.Type
	// part is above 0 for a part of a shared array: Program.Subarrays[part-1].
	part int
}

type objectSets struct {
	list  []object
	byReg []objects
	// params has the bits of parameters.
	params objects
	frame  *frame
}

// bit returns the bit of an object.
func (s *objectSets) bit(o object) objects {
	n := slices.Index(s.list, o)
	if n < 0 {
		if n = len(s.list); n == maxObjects {
			return anObject
		}
		s.list = append(s.list, o)
	}
	if o.space == trace.SpaceParam {
		s.params |= 1 << n
	}
	return 1 << n
}

// one is the object of a set that has only one.
func (s *objectSets) one(set objects) object { return s.list[bits.TrailingZeros64(uint64(set))] }

// sets finds once what the registers of the function come from.
func (e *emitter) sets() *objectSets {
	if e.f.objects == nil {
		e.f.objects = e.objectSets()
	}
	return e.f.objects
}

// objectSets finds what the registers of the function come from.
func (e *emitter) objectSets() *objectSets {
	s := &objectSets{byReg: make([]objects, len(e.f.byID())), frame: e.findFrame()}
	for changed := true; changed; {
		changed = false
		for _, b := range e.f.g.Blocks {
			for _, in := range b.Instrs {
				writes, reads := results(in)
				for _, r := range e.f.regsIn(writes) {
					set := e.objectOf(s, in, r, reads)
					changed = changed || set&^s.byReg[r.id] != 0
					s.byReg[r.id] |= set
				}
			}
		}
	}
	return s
}

// objectOf returns what an instruction's result r comes from, 0 as long as that
// is not known.
func (e *emitter) objectOf(s *objectSets, in *ptx.Instr, r *reg, reads []ptx.Operand) objects {
	arg := func(i int) objects {
		if i >= len(reads) {
			return aNumber
		}
		return e.objectsIn(s, reads[i])
	}
	switch in.Flow() {
	case inst.Same:
		if p, ok := e.f.subarrays[in]; ok {
			return e.objectSubarray(s, p, arg(0))
		}
		return arg(0)
	case inst.Converted:
		if slices.ContainsFunc(in.Types(), isa.Type.IsFloat) {
			return aNumber
		}
		return arg(0)
	case inst.Sum, inst.Difference, inst.Bitwise:
		if o, ok := e.inFrame(s, in, reads); ok {
			return s.bit(o)
		}
		if in.Flow() == inst.Difference {
			return s.difference(arg(0), arg(1))
		}
		return s.sum(arg(0), arg(1))
	case inst.ProductSum:
		return s.sum(s.number(arg(0)|arg(1)), arg(2))
	case inst.Choice:
		if a, b := arg(0), arg(1); a != 0 && b != 0 {
			return a | b
		}
		return 0
	case inst.Number:
		var all objects
		for i := range reads {
			all |= arg(i)
		}
		return s.number(all)
	}
	if in.OnParam(inst.Load) {
		return e.objectParam(s, in, reads)
	}
	if r.bits() < 64 { // an index: pointers are rarely kept in 32 bits
		return aNumber
	}
	return anObject
}

// inFrame returns the local variable whose address an instruction computes: the
// depot's and a constant.
func (e *emitter) inFrame(s *objectSets, in *ptx.Instr, reads []ptx.Operand) (object, bool) {
	if in.Flow() != inst.Sum || len(reads) != 2 {
		return object{}, false
	}
	r, ok := reads[0].(*ptx.RegRef)
	i, isImm := reads[1].(*ptx.Imm)
	if !ok || !isImm {
		return object{}, false
	}
	depot, ok := s.frame.Bases[r.Name]
	return s.frame.variableAt(depot, i.Value), ok
}

// number returns what a product or the like comes from: no pointer, unless one
// was not followed.
func (s *objectSets) number(all objects) objects {
	const variables = anObject - 1
	switch {
	case all == 0:
		return 0
	case all&variables&^(aNumber|maybeObject|s.params) != 0:
		return anObject // of a pointer's bits
	case all&(anObject|maybeObject) != 0:
		return anObject
	}
	return all // parameters that are numbers, as all know when it runs
}

// variables returns the bits of a set that are variables.
func (s *objectSets) variables(set objects) objects {
	return set &^ (anObject | maybeObject | aNumber) &^ s.params
}

// difference returns what a difference comes from. That of two pointers is an index: added
// to one of them, it gives an address in the other.
func (s *objectSets) difference(a, b objects) objects {
	va, params := s.variables(a), b&s.params
	switch {
	case a&(anObject|maybeObject) != 0 && params != 0:
		return anObject
	case va != 0 && params != 0 && s.allGlobal(va):
		return a | params
	}
	return s.sum(a, b)
}

// allGlobal reports whether the variables of a set are all in global memory.
func (s *objectSets) allGlobal(set objects) bool {
	for ; set != 0; set &= set - 1 {
		if s.one(set).space != trace.SpaceGlobal {
			return false
		}
	}
	return true
}

// sum returns what a sum comes from.
func (s *objectSets) sum(a, b objects) objects {
	va, vb := s.variables(a), s.variables(b)
	switch {
	case a == 0 || b == 0:
		return 0
	case va != 0 && vb != 0:
		return anObject
	case va != 0:
		return s.plus(a, b)
	case vb != 0:
		return s.plus(b, a)
	}
	unknown := (a | b) & (anObject | maybeObject)
	params := (a | b) & s.params
	if unknown != 0 && params != 0 && !(a&s.params != 0 && a&anObject != 0) && !(b&s.params != 0 && b&anObject != 0) {
		return params | maybeObject
	}
	if unknown&anObject == 0 && unknown != 0 {
		return params | maybeObject
	}
	return a | b
}

// plus returns what the sum of a value that is a variable's address, at least at times, and
// of one that never is comes from. Where the first may also be a parameter (two buffers that
// are swapped), that is one of the possible pointers; a parameter that is only in the second
// is then one, too, and else a number.
func (s *objectSets) plus(pointer, number objects) objects {
	if pointer&s.params == 0 {
		return pointer
	}
	if number&(anObject|maybeObject) != 0 {
		pointer |= maybeObject
	}
	return pointer | number&s.params
}

// objectsIn returns what an operand comes from.
func (e *emitter) objectsIn(s *objectSets, o ptx.Operand) objects {
	switch o := o.(type) {
	case *ptx.RegRef:
		if r := e.f.reg(o); r != nil {
			return s.byReg[r.id]
		}
		return aNumber // a special register
	case *ptx.Imm, *ptx.FloatImm:
		return aNumber
	case *ptx.SymbolRef:
		return s.bit(e.variable(o.Name))
	case *ptx.Vector:
		var all objects
		for _, x := range o.Elems {
			all |= e.objectsIn(s, x)
		}
		return all
	}
	return anObject
}

// variable is the object of a symbol.
func (e *emitter) variable(name string) object {
	o := object{name: name}
	if _, ok := e.u.shared[name]; ok {
		o.space = trace.SpaceShared
	} else if _, ok := e.f.locals[name]; ok {
		o.space = trace.SpaceLocal
	} else if _, ok := e.u.syms[name]; ok {
		o.space = trace.SpaceGlobal
	}
	return o
}

// objectParam returns what a value loaded from a parameter comes from.
func (e *emitter) objectParam(s *objectSets, in *ptx.Instr, reads []ptx.Operand) objects {
	if in.Has("v2") || in.Has("v4") || len(reads) != 1 {
		return anObject
	}
	k, ok := e.paramKey(reads[0])
	if !ok {
		return anObject
	}
	if e.f.index != 0 {
		return e.argument(s, k)
	}
	if at, ok := e.parameterPlace(k); ok {
		return s.bit(object{space: trace.SpaceParam, at: at})
	}
	return anObject
}

// bound notes in a memory instruction which object it means.
func (e *emitter) bound(m *program.Mem, base ptx.Operand) {
	s := e.sets()
	set := e.objectsIn(s, base) &^ aNumber
	if r, ok := base.(*ptx.RegRef); ok {
		if depot, ok := s.frame.Bases[r.Name]; ok {
			set = s.bit(s.frame.variableAt(depot, m.Offset))
		}
	} else if sym, ok := base.(*ptx.SymbolRef); ok && e.variable(sym.Name).space == trace.SpaceLocal {
		set = s.bit(s.frame.variableAt(sym.Name, m.Offset+uint64(sym.Offset)))
	}
	if set == 0 || set&anObject != 0 {
		return
	}
	var src program.Sources
	var lo, hi uint64
	for rest := set &^ maybeObject; rest != 0; rest &= rest - 1 {
		o := &s.list[bits.TrailingZeros64(uint64(rest))]
		switch o.space {
		case trace.SpaceParam:
			src.Params = append(src.Params, o.at)
		case trace.SpaceGlobal:
			src.Variables = append(src.Variables, e.u.syms[o.name])
		case trace.SpaceShared, trace.SpaceLocal:
			a, b, ok := e.extent(o)
			if !ok {
				return
			}
			if hi == 0 {
				lo = a
			}
			lo, hi = min(lo, a), max(hi, b)
			src.Space = o.space
			e.nameLocal(m, s, o, set, a)
		default:
			return
		}
	}
	if hi > 0 && len(src.Params)+len(src.Variables) > 0 {
		return // of several spaces
	}
	m.Lo, m.Hi = lo, hi
	if m.Site != nil {
		m.Site.Subarray = e.subarrayIn(set)
	}
	src.Unsure = set&maybeObject != 0
	e.addSources(m, src)
}

// nameLocal tells in a site which local variable it means, if it is only one.
func (e *emitter) nameLocal(m *program.Mem, s *objectSets, o *object, set objects, lo uint64) {
	if o.space != trace.SpaceLocal || set&(set-1) != 0 || m.Site == nil {
		return
	}
	name, typ, role := o.name, o.typ, pragma.Local
	if v := s.frame.find(o); v != nil && !o.fixed && (v.Name != "-" || v.Kind != pragma.Local) {
		name, typ, role = v.Name, v.Type, v.Kind
		if role == pragma.Unset && v.Loc.IsValid() {
			m.Site.Loc = v.Loc
		}
	}
	if typ != nil {
		m.Site.Local = &trace.Variable{Name: name, Addr: lo, Size: o.size, Type: typ, Register: role == pragma.Unset, Part: parts[role]}
	}
}

// addSources gives an instruction its sources, of which equal ones are kept
// once.
func (e *emitter) addSources(m *program.Mem, src program.Sources) {
	p := e.u.prog
	n := slices.IndexFunc(p.Sources, func(x program.Sources) bool {
		return x.Space == src.Space && x.Unsure == src.Unsure && slices.Equal(x.Params, src.Params) && slices.Equal(x.Variables, src.Variables)
	})
	if n < 0 {
		n = len(p.Sources)
		p.Sources = append(p.Sources, src)
	}
	m.From = int32(n) + 1
}

// extent returns where a variable in shared or local memory begins and ends;
// a dynamic array ends with the block's shared memory. Variables in frames of
// their own are not known.
func (e *emitter) extent(o *object) (lo, hi uint64, ok bool) {
	if o.fixed {
		return o.lo, o.lo + o.size, true
	}
	if o.space == trace.SpaceLocal {
		if e.f.baseSlot != program.NoSlot {
			return 0, 0, false
		}
		for _, v := range e.f.g.Vars {
			if v.Name == o.name {
				lo = e.f.base + e.f.locals[o.name] + o.lo
				if o.size > 0 {
					return lo, lo + o.size, true
				}
				return lo, lo + uint64(v.Size()), true
			}
		}
		return 0, 0, false
	}
	for _, v := range e.u.prog.Shared {
		switch {
		case v.Name != o.name:
		case v.Dynamic:
			return v.Addr, ^uint64(0), true
		default:
			return v.Addr, v.Addr + v.Size, true
		}
	}
	return 0, 0, false
}
