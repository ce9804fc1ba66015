package ssa

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// call translates a call: inlined where that is possible, a function where it
// is device math, an OpCall otherwise.
func (b callBuilder) call(in *ptx.Instr) error {
	c, ok := in.Call()
	if !ok {
		b.other(in)
		return nil
	}
	sym, direct := c.Callee.(*ptx.SymbolRef)
	if !direct {
		b.opaque(c, nil, "indirect")
		return nil
	}
	fn := b.resolve(sym.Name)
	if fn == nil || fn.Body == nil {
		if isMath(sym.Name) && fn != nil && b.math(c, fn) {
			return nil
		}
		b.opaque(c, fn, "no body")
		return nil
	}
	g, err := b.graph(fn)
	if err != nil {
		return err
	}
	switch {
	case b.active(g.PTX):
		b.opaque(c, fn, "recursion")
	case !b.fits(fn) || len(b.frames) > maxDepth:
		b.opaque(c, fn, "too large")
	case len(c.Args) != len(fn.Params) || len(c.Ret) > len(fn.Ret):
		b.opaque(c, fn, "wrong number of arguments")
	default:
		return b.inline(c, fn)
	}
	return nil
}

// resolve follows aliases.
func (b callBuilder) resolve(name string) *ptx.Func {
	m := b.f.Module
	for range 10 {
		if f := m.Func(name); f != nil && f.Body != nil {
			return f
		}
		target := ""
		for _, it := range m.Items {
			if a, ok := it.(*ptx.Alias); ok && a.Name == name {
				target = a.Target
			}
		}
		if target == "" {
			break
		}
		name = target
	}
	return m.Func(name)
}

// active reports whether fn is a function that is being translated further out.
func (b callBuilder) active(fn *ptx.Func) bool {
	for _, fr := range b.frames {
		if fr.g.PTX == fn {
			return true
		}
	}
	return false
}

// fits takes the instructions of fn out of the budget.
func (b callBuilder) fits(fn *ptx.Func) bool {
	n := 1
	for _, blk := range b.graphs[fn].Blocks {
		n += len(blk.Instrs)
	}
	if b.size+n > b.opts.Budget {
		return false
	}
	b.size += n
	return true
}

// inline translates the callee's text in place of the call. Parameters and
// results are local objects that both sides name.
func (b callBuilder) inline(c ptx.Call, fn *ptx.Func) error {
	cont := b.newBlock()
	fr := &frame{
		g: b.graphs[fn], ret: cont, objects: map[string]*Object{},
		ctx: &Context{Call: b.in, Callee: fn.Name, Parent: b.fr.ctx, Loc: b.loc},
	}
	var regs []func()
	for i, p := range fn.Params {
		o, v := b.argument(c.Args[i], p)
		if p.Space == ptx.Reg {
			regs = append(regs, func() { b.setVar(b.reg(p.Name), v) })
			continue
		}
		fr.objects[p.Name] = o
	}
	rets, after := b.resultObjects(c, fn)
	for i, o := range rets {
		fr.objects[fn.Ret[i].Name] = o
	}
	from, in, loc := b.cur, b.in, b.loc
	if len(regs) > 0 {
		from = b.enter(fr, from, regs)
	}
	if err := b.instance(fr, from); err != nil {
		return err
	}
	b.cur, b.in, b.loc = cont, in, loc
	for _, f := range after {
		f()
	}
	return nil
}

// enter sets the parameters in registers of the instance to come.
func (b callBuilder) enter(fr *frame, from *Block, regs []func()) *Block {
	fr.regs = map[string]int{}
	outer := b.fr
	b.fr, b.cur = fr, from
	for _, f := range regs {
		f()
	}
	b.fr = outer
	return from
}

// argument is what the caller gives for parameter p: an object, made for a
// register or constant, or the value alone for a parameter in a register.
func (b callBuilder) argument(a ptx.Operand, p *ptx.Variable) (*Object, *Value) {
	t := regType(p.Type)
	if s, ok := a.(*ptx.SymbolRef); ok && p.Space != ptx.Reg {
		if o := b.object(s.Name); o.Space == ptx.Local {
			return o, nil
		}
	}
	v := b.value(a, t)
	if p.Space == ptx.Reg {
		return nil, v
	}
	o := b.temporary(p)
	b.storePart(o, p.Type, v)
	return o, nil
}

// temporary is a local object of the size of a parameter.
func (b callBuilder) temporary(p *ptx.Variable) *Object {
	o := variable(p)
	o.ID, o.Space, o.Size = len(b.f.Objects), ptx.Local, max(o.Size, 1)
	b.f.Objects = append(b.f.Objects, o)
	return o
}

// loadPart and storePart access the parameter or result that a local object
// holds. A predicate is a byte there.
func (b callBuilder) loadPart(o *Object, t isa.Type) *Value {
	if t == isa.Pred {
		return b.add(Ne, isa.Pred, b.loadPart(o, isa.B8), b.constant(isa.B8, 0))
	}
	return b.memory().memory(Load, regType(t), &Mem{Space: ptx.Local, Base: b.memory().addr(o), Elem: t, Count: 1, Bytes: t.Size()})
}

func (b callBuilder) storePart(o *Object, t isa.Type, v *Value) {
	if t == isa.Pred {
		t, v = isa.B8, b.add(Zext, isa.B8, v)
	}
	b.memory().memory(Store, isa.TypeNone, &Mem{Space: ptx.Local, Base: b.memory().addr(o), Elem: t, Count: 1, Bytes: t.Size()}, v)
}

// resultObjects are the objects of a call's results; after moves those that
// the caller has in registers there.
func (b callBuilder) resultObjects(c ptx.Call, fn *ptx.Func) (objs []*Object, after []func()) {
	for i, r := range c.Ret {
		if s, ok := r.(*ptx.SymbolRef); ok {
			objs = append(objs, b.object(s.Name))
			continue
		}
		p := fn.Ret[i]
		o := b.temporary(p)
		objs = append(objs, o)
		after = append(after, func() { b.assign(r, b.loadPart(o, p.Type), p.Type.IsSigned()) })
	}
	return objs, after
}

// storeResults moves results that the callee has in registers to where the
// caller looks for them.
func (b callBuilder) storeResults() {
	for _, p := range b.fr.g.PTX.Ret {
		o := b.fr.objects[p.Name]
		if p.Space == ptx.Reg && o != nil {
			b.storePart(o, p.Type, b.getVar(b.reg(p.Name)))
		}
	}
}

// opaque makes a call that stays one. fn is nil if it is not known.
func (b callBuilder) opaque(c ptx.Call, fn *ptx.Func, why string) {
	call := &Call{Why: why}
	if fn != nil {
		call.Callee = fn.Name
	} else if s, ok := c.Callee.(*ptx.SymbolRef); ok {
		call.Callee = s.Name
	}
	b.effects(call, fn)
	var args []*Value
	pass := func(ops []ptx.Operand) (objs []*Object) {
		for _, a := range ops {
			if s, ok := a.(*ptx.SymbolRef); ok {
				if o := b.object(s.Name); o.Space == ptx.Local {
					objs = append(objs, o)
					args = append(args, b.memory().addr(o))
					continue
				}
			}
			args = append(args, b.value(a, b.operandType(a)))
		}
		return objs
	}
	call.Args = pass(c.Args)
	var after []ptx.Operand
	for _, r := range c.Ret {
		if s, ok := r.(*ptx.SymbolRef); ok {
			o := b.object(s.Name)
			call.Ret = append(call.Ret, o)
			args = append(args, b.memory().addr(o))
		} else {
			after = append(after, r)
		}
	}
	if r, ok := c.Callee.(*ptx.RegRef); ok {
		args = append(args, b.value(r, intOf(b.f.Module.AddressSize)))
	}
	v := b.add(OpCall, isa.TypeNone, args...)
	v.Call, v.Name = call, call.Callee
	for i, r := range after {
		b.assign(r, b.elem(v, i, b.operandType(r)), false)
	}
	if call.NoReturn {
		b.finish(Exit)
	}
}

// hostFuncs are the functions of the device runtime that touch no memory
// that threads share, other than to read what they are given.
var hostFuncs = map[string]bool{"vprintf": true, assertFail: true, "malloc": true, "free": true}

// effects finds what a callee may do. One without body that is not known may
// do everything.
func (b callBuilder) effects(c *Call, fn *ptx.Func) {
	if c.Callee != "" && (hostFuncs[c.Callee] || isMath(c.Callee)) && (fn == nil || fn.Body == nil) {
		c.NoReturn = c.Callee == assertFail
		return
	}
	if fn == nil || fn.Body == nil {
		c.Barrier, c.Shared, c.Global = true, true, true
		return
	}
	s := scanner{b: b.builder, call: c, seen: map[*ptx.Func]bool{}}
	s.function(fn)
	for _, d := range fn.Directives {
		c.NoReturn = c.NoReturn || d.Name == "noreturn"
	}
}

// scanner looks through the bodies that a call may reach.
type scanner struct {
	b    *builder
	call *Call
	seen map[*ptx.Func]bool
}

func (s *scanner) function(fn *ptx.Func) {
	work := []*ptx.Func{fn}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if s.seen[f] {
			continue
		}
		s.seen[f] = true
		if f.Body == nil {
			if !hostFuncs[f.Name] && !isMath(f.Name) {
				s.anything()
			}
			continue
		}
		s.block(f.Body, &work)
	}
}

func (s *scanner) anything() { s.call.Barrier, s.call.Shared, s.call.Global = true, true, true }

func (s *scanner) block(body *ptx.Block, work *[]*ptx.Func) {
	for _, st := range body.Stmts {
		switch st := st.(type) {
		case *ptx.Block:
			s.block(st, work)
		case *ptx.Instr:
			s.instr(st, work)
		}
	}
}

func (s *scanner) instr(in *ptx.Instr, work *[]*ptx.Func) {
	if c, ok := in.Call(); ok {
		sym, direct := c.Callee.(*ptx.SymbolRef)
		if !direct {
			s.anything()
			return
		}
		if f := s.b.calls().resolve(sym.Name); f != nil {
			*work = append(*work, f)
		} else if !hostFuncs[sym.Name] && !isMath(sym.Name) {
			s.anything()
		}
		return
	}
	what := in.What()
	s.call.Shared = s.call.Shared || what.Touches()&inst.Shared != 0
	s.call.Global = s.call.Global || what.Touches()&inst.Global != 0
	s.call.Barrier = s.call.Barrier || what.IsBarrier()
}

// isMath reports whether name is a function of the device math library, which has no body.
func isMath(name string) bool { return strings.HasPrefix(name, "__nv_") }

// throughPointers are the math functions that write through pointers.
var throughPointers = map[string]bool{
	"frexp": true, "modf": true, "sincos": true, "sincospi": true, "remquo": true,
}

// math translates a call of device math to a function of its arguments.
func (b callBuilder) math(c ptx.Call, fn *ptx.Func) bool {
	name := strings.TrimPrefix(fn.Name, "__nv_")
	if throughPointers[name] || throughPointers[strings.TrimSuffix(name, "f")] || len(c.Ret) != 1 || len(fn.Ret) != 1 || len(c.Args) != len(fn.Params) {
		return false
	}
	var args []*Value
	for i, p := range fn.Params {
		s, ok := c.Args[i].(*ptx.SymbolRef)
		if !ok || p.Type.Size() == 0 {
			return false
		}
		m := &Mem{Space: ptx.Local, Base: b.memory().addr(b.object(s.Name)), Elem: p.Type, Count: 1, Bytes: p.Type.Size()}
		args = append(args, b.memory().memory(Load, regType(p.Type), m))
	}
	s, ok := c.Ret[0].(*ptx.SymbolRef)
	if !ok {
		return false
	}
	t := fn.Ret[0].Type
	v := b.add(Pure, regType(t), args...)
	v.Name = fn.Name
	m := &Mem{Space: ptx.Local, Base: b.memory().addr(b.object(s.Name)), Elem: t, Count: 1, Bytes: t.Size()}
	b.memory().memory(Store, isa.TypeNone, m, v)
	return true
}
