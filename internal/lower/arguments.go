package lower

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Which objects do the pointers mean that a function is called with? What all
// its calls pass, together: a call that cannot be seen makes them unknown.

// findArguments follows objects from call to call, to the functions that the
// kernel calls.
func (u *unit) findArguments() {
	u.args = map[argKey]*passed{}
	for _, i := range u.prog.FuncAt {
		u.order[i].taken = true
	}
	if len(u.order) == 1 {
		return
	}
	for changed := true; changed; {
		changed = false
		for _, f := range u.order {
			if len(f.calls) > 0 {
				e := &emitter{u: u, f: f}
				changed = e.passArguments(e.objectSets()) || changed
			}
		}
	}
}

// passArguments notes what the function's calls pass, and reports whether
// something of it is new.
func (e *emitter) passArguments(s *objectSets) (changed bool) {
	for _, b := range e.f.g.Blocks {
		stored := map[argKey]objects{}
		for _, in := range b.Instrs {
			switch {
			case in.OnParam(inst.Store) && len(in.Args) == 2:
				e.noteStored(s, stored, in)
			case in.Kind() == inst.Call:
				if c := parseCall(in); c.target != nil {
					changed = e.passTo(s, c, stored) || changed
				}
			}
		}
	}
	return changed
}

// noteStored notes what an st.param puts into a parameter of the next call.
func (e *emitter) noteStored(s *objectSets, stored map[argKey]objects, in *ptx.Instr) {
	if k, ok := e.paramKey(in.Args[0]); ok {
		set := objects(anObject)
		if _, vector := in.Args[1].(*ptx.Vector); !vector {
			set = e.objectsIn(s, in.Args[1])
		}
		stored[k] |= set
	}
}

// passTo notes what a call passes.
func (e *emitter) passTo(s *objectSets, c *callParts, stored map[argKey]objects) (changed bool) {
	callee := e.u.resolveFunc(c.target.Name)
	if callee == nil || callee.Body == nil {
		return false
	}
	for i, a := range c.args {
		if i >= len(callee.Params) {
			break
		}
		name := callee.Params[i].Name
		if ref, ok := a.(*ptx.RegRef); ok && e.f.reg(ref) != nil {
			changed = e.pass(s, argKey{name, 0}, e.objectsIn(s, a)) || changed
			continue
		}
		for k, set := range stored {
			if nameOf(a) == k.param {
				changed = e.pass(s, argKey{name, k.off}, set) || changed
			}
		}
	}
	return changed
}

// nameOf is the name of an operand that is a parameter.
func nameOf(o ptx.Operand) string {
	switch o := o.(type) {
	case *ptx.RegRef:
		return o.Name
	case *ptx.SymbolRef:
		return o.Name
	}
	return ""
}

// pass adds to what a parameter comes from.
func (e *emitter) pass(s *objectSets, k argKey, set objects) (changed bool) {
	if set == 0 {
		return false // not known yet
	}
	p := e.u.args[k]
	if p == nil {
		p = &passed{}
		e.u.args[k] = p
	}
	const flags = anObject | maybeObject | aNumber
	more := set & flags
	for rest := set &^ flags; rest != 0; rest &= rest - 1 {
		o, ok := e.outside(s, s.list[bits.TrailingZeros64(uint64(rest))])
		if !ok {
			more |= anObject
			continue
		}
		changed = p.add(o) || changed
	}
	changed = changed || more&^p.flags != 0
	p.flags |= more
	return changed
}

// add adds an object, and reports whether it is new.
func (p *passed) add(o object) bool {
	for i := range p.list {
		if p.list[i] == o {
			return false
		}
	}
	p.list = append(p.list, o)
	return true
}

// outside is an object as other functions know it: a local variable has no name
// there, but its place. In a function that can be entered again it has
// many.
func (e *emitter) outside(s *objectSets, o object) (object, bool) {
	if o.space != trace.SpaceLocal || o.fixed {
		return o, true
	}
	lo, hi, ok := e.extent(&o)
	if !ok || e.f.reentrant {
		return o, false
	}
	v := s.frame.find(&o)
	o.name, o.fixed, o.lo, o.size = "", true, lo, hi-lo
	if v != nil && v.Name != "-" {
		o.name, o.typ = v.Name, v.Type
	}
	return o, true
}

// argument returns what a value comes from that a device function loads from
// its parameter.
func (e *emitter) argument(s *objectSets, k argKey) objects {
	p := e.u.args[k]
	isParam := slices.ContainsFunc(e.f.g.PTX.Params, func(v *ptx.Variable) bool { return v.Name == k.param })
	switch {
	case e.f.taken || !isParam: // or a function's result
		return anObject
	case p == nil:
		return 0 // nothing calls it so yet
	}
	set := p.flags
	for _, o := range p.list {
		set |= s.bit(o)
	}
	return set
}

// paramKey returns the place in a parameter that the operand of an ld.param or
// st.param names, by the parameter or by a register with its address.
func (e *emitter) paramKey(o ptx.Operand) (argKey, bool) {
	ad, ok := o.(*ptx.Address)
	if !ok || len(ad.More) > 0 {
		return argKey{}, false
	}
	switch base := ad.Base.(type) {
	case *ptx.SymbolRef:
		return argKey{base.Name, ad.Offset + base.Offset}, true
	case *ptx.RegRef:
		k, ok := e.paramAddresses()[e.f.reg(base)]
		k.off += ad.Offset
		return k, ok
	}
	return argKey{}, false
}

// paramAddresses finds the registers that hold the address of a parameter and
// nothing else, as those of a structure passed by value.
func (e *emitter) paramAddresses() map[*reg]argKey {
	if e.f.paramAt != nil {
		return e.f.paramAt
	}
	at := map[*reg]argKey{}
	e.f.paramAt = at
	params := map[string]bool{}
	for _, p := range e.f.g.PTX.Params {
		params[p.Name] = true
	}
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			writes, reads := results(in)
			if len(writes) != 1 || len(reads) == 0 {
				continue
			}
			to, ok := writes[0].(*ptx.RegRef)
			if !ok {
				continue
			}
			r := e.f.reg(to)
			if k, ok := paramAddress(e.f, at, params, in, reads); ok && r != nil && r.defs == 1 {
				at[r] = k
			}
		}
	}
	return at
}

// paramAddress returns the place in a parameter whose address an instruction
// computes.
func paramAddress(f *fn, at map[*reg]argKey, params map[string]bool, in *ptx.Instr, reads []ptx.Operand) (k argKey, ok bool) {
	switch from := reads[0].(type) {
	case *ptx.SymbolRef:
		return argKey{from.Name, from.Offset}, in.Flow() == inst.Same && params[from.Name]
	case *ptx.RegRef:
		if k, ok = at[f.reg(from)]; !ok {
			return k, false
		}
	}
	switch {
	case in.Flow() == inst.Same:
		return k, ok
	case in.Flow() == inst.Sum && len(reads) == 2:
		i, isImm := reads[1].(*ptx.Imm)
		if !isImm {
			return k, false
		}
		k.off += int64(i.Value)
		return k, ok
	}
	return k, false
}

// parameterPlace returns the place of a part of a kernel's parameter in the
// parameter buffer.
func (e *emitter) parameterPlace(k argKey) (at uint32, ok bool) {
	for i, p := range e.f.g.PTX.Params {
		if p.Name == k.param {
			return uint32(int64(e.u.prog.Params[i].Offset) + k.off), true
		}
	}
	return 0, false
}
