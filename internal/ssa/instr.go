package ssa

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// instr translates one instruction. The current block is nil afterwards if
// the instruction ends it.
func (b *builder) instr(in *ptx.Instr, blk *cfg.Block) error {
	if b.cur == nil { // after a call that does not return
		b.cur = b.newBlock()
	}
	switch in.Op {
	case "bra":
		b.bra(in, blk)
		return nil
	case "brx":
		b.brx(in, blk)
		return nil
	}
	if in.Guard == nil {
		return b.plain(in)
	}
	if !hasEffect(in.What()) {
		return b.guardedPure(in)
	}
	then, next := b.newBlock(), b.newBlock()
	b.branch(b.guard(in), then, next)
	b.cur = then
	if err := b.plain(in); err != nil {
		return err
	}
	if b.cur != nil {
		b.jump(b.cur, next)
	}
	b.cur = next
	return nil
}

// guard is the condition under which an instruction runs.
func (b *builder) guard(in *ptx.Instr) *Value {
	return b.value(&ptx.RegRef{Name: in.Guard.Reg, Not: in.Guard.Not}, isa.Pred)
}

// guardedPure makes the results of a predicated instruction without effect
// selections between the new values and the old ones.
func (b *builder) guardedPure(in *ptx.Instr) error {
	p := b.guard(in)
	first := len(b.cur.Values)
	if err := b.plain(in); err != nil {
		return err
	}
	made := append([]*Value(nil), b.cur.Values[first:]...)
	b.cur.Values = b.cur.Values[:first]
	var writes []*Value
	for _, v := range made {
		if v.Op == set {
			writes = append(writes, v)
		} else {
			b.cur.Values = append(b.cur.Values, v)
		}
	}
	var merged []*Value
	for _, w := range writes {
		old := b.getVar(int(w.Const))
		merged = append(merged, b.add(Select, old.Type, p, w.Args[0], old))
	}
	for i, w := range writes {
		b.setVar(int(w.Const), merged[i])
	}
	return nil
}

// hasEffect reports instructions for which it matters whether they run.
func hasEffect(what inst.Op) bool {
	return what.Effect() != 0 && (what.Kind != inst.Load || what.Reads != inst.Param)
}

// plain translates an instruction without regard to its guard.
func (b *builder) plain(in *ptx.Instr) error {
	switch in.Kind() {
	case inst.Call:
		return b.calls().call(in)
	case inst.Return:
		b.leave()
	case inst.Exit, inst.Trap:
		b.finish(Exit)
	default:
		if t := translator(in); t == nil || !t(b, in) {
			b.other(in)
		}
	}
	return nil
}

// translator is what translates an instruction to operations of its own, nil if
// there are none.
func translator(in *ptx.Instr) translation {
	if in.Kind() == inst.Compute {
		return computing[in.Op]
	}
	return byKind[in.Kind()]
}

// byKind and computing, by the opcode's first word, are the instructions with a
// meaning here. A translator returns false for a form that it cannot take, having
// added nothing that matters.
var (
	byKind    map[inst.Kind]translation
	computing map[string]translation
)

func init() {
	byKind = map[inst.Kind]translation{
		inst.Load: on(memoryBuilder.load), inst.Store: on(memoryBuilder.store), inst.Atomic: on(memoryBuilder.atomic), inst.CopyAsync: on(memoryBuilder.copyAsync),
		inst.Barrier: on(memoryBuilder.barrier), inst.ClusterArrive: on(memoryBuilder.barrier), inst.WarpSync: on(memoryBuilder.warpSync),
		inst.Fence: on(memoryBuilder.fence), inst.ProxyFence: on(memoryBuilder.fence), inst.InitFence: on(memoryBuilder.fence),
		inst.Shuffle: on(memoryBuilder.lane), inst.Vote: on(memoryBuilder.lane), inst.Match: on(memoryBuilder.lane), inst.Redux: on(memoryBuilder.lane),
		inst.ActiveMask: on(memoryBuilder.lane), inst.Elect: on(memoryBuilder.lane),
	}
	computing = map[string]translation{
		"mov": on(arithBuilder.mov), "cvt": on(arithBuilder.cvt), "selp": on(arithBuilder.selp), "slct": on(arithBuilder.slct),
		"setp": on(arithBuilder.setp), "set": on(arithBuilder.setInstr),
		"add": on(arithBuilder.addInstr), "sub": on(arithBuilder.addInstr), "addc": on(arithBuilder.addInstr), "subc": on(arithBuilder.addInstr),
		"mul": on(arithBuilder.mul), "mad": on(arithBuilder.mul), "madc": on(arithBuilder.mul), "mul24": on(arithBuilder.mul24), "mad24": on(arithBuilder.mul24),
		"div": on(arithBuilder.signedOp), "rem": on(arithBuilder.signedOp), "min": on(arithBuilder.signedOp), "max": on(arithBuilder.signedOp),
		"and": on(arithBuilder.binary), "or": on(arithBuilder.binary), "xor": on(arithBuilder.binary), "shl": on(arithBuilder.shift), "shr": on(arithBuilder.shift),
		"neg": on(arithBuilder.unary), "abs": on(arithBuilder.unary), "not": on(arithBuilder.unary), "cnot": on(arithBuilder.cnot),
		"sad": on(arithBuilder.sad), "bfe": on(arithBuilder.bfe), "bfi": on(arithBuilder.bfi), "brev": on(arithBuilder.reverse), "popc": on(arithBuilder.popc),
		"clz": on(arithBuilder.clz), "bfind": on(arithBuilder.bfind), "prmt": on(arithBuilder.prmt), "shf": on(arithBuilder.funnel), "lop3": on(arithBuilder.lop3), "cvta": on(memoryBuilder.cvta),
	}
}

// bra translates a branch.
func (b *builder) bra(in *ptx.Instr, blk *cfg.Block) {
	to := b.fr.blocks[blk.Targets[0]]
	if in.Guard == nil {
		b.cur.Instr, b.cur.Loc = in, b.loc
		b.jump(b.cur, to)
		return
	}
	b.branch(b.guard(in), to, b.nextOf(blk))
}

// nextOf is the block that follows in the text; at the function's end it
// returns.
func (b *builder) nextOf(blk *cfg.Block) *Block {
	if blk.Next >= 0 {
		return b.fr.blocks[blk.Next]
	}
	end, cur := b.newBlock(), b.cur
	b.cur = end
	b.leave()
	b.cur = cur
	return end
}

// brx translates a branch through a table.
func (b *builder) brx(in *ptx.Instr, blk *cfg.Block) {
	if in.Guard != nil {
		table := b.newBlock()
		b.branch(b.guard(in), table, b.nextOf(blk))
		b.cur = table
	}
	c := b.cur
	c.Kind, c.Control, c.Instr, c.Loc = Switch, b.value(in.Args[0], isa.B32), in, b.loc
	for _, t := range blk.Targets {
		link(c, b.fr.blocks[t])
	}
	b.cur = nil
}

// isResult reports the operand kinds that are written.
func resultOf(in *ptx.Instr) (dest ptx.Operand, args []ptx.Operand) {
	if d := in.Dest(); d != nil {
		return d, in.Args[1:]
	}
	return nil, in.Args
}

// other translates an instruction that has no operation of its own: a Pure
// function where it is one, else an Effect.
func (b *builder) other(in *ptx.Instr) {
	dest, ops := resultOf(in)
	what := in.What()
	if hasEffect(what) {
		v := b.effect(in, what, ops)
		b.results(dest, v, resultType(in))
		return
	}
	v := b.add(Pure, isa.TypeNone, b.flat(ops)...)
	v.Name = in.Opcode()
	b.results(dest, v, resultType(in))
}

// effect appends an operation that is known by its description alone. Where it
// goes to one place in memory, which an address names, that is its Mem.
func (b *builder) effect(in *ptx.Instr, what inst.Op, ops []ptx.Operand) *Value {
	var m *Mem
	if what.OnePlace() && len(ops) > 0 {
		m = &Mem{Space: spaceIn(what.Touches())}
		m.Generic = m.Space == ptx.NoSpace
		if !b.memory().address(m, ops[0]) {
			m = nil
		}
	}
	if m != nil && m.Base != nil {
		ops = ops[1:]
	}
	args := b.flat(ops)
	if m != nil && m.Base != nil {
		args = append([]*Value{m.Base}, args...)
	}
	v := b.add(Effect, isa.TypeNone, args...)
	v.Mem, v.Does, v.Name = m, what, in.Op
	if in.Desc != nil {
		v.Name = in.Desc.Op
	}
	return v
}

// spaceIn is the space that a set consists of, NoSpace for several.
func spaceIn(s inst.Spaces) ptx.Space {
	switch s {
	case inst.Global:
		return ptx.Global
	case inst.Shared:
		return ptx.Shared
	case inst.Local:
		return ptx.Local
	}
	return ptx.NoSpace
}

// resultType is the type of one result.
func resultType(in *ptx.Instr) isa.Type {
	if ts := in.Types(); len(ts) > 0 {
		return regType(ts[0])
	}
	return isa.TypeNone
}

// results gives the results of v, of which each has type t (or its register's
// type if that is TypeNone), to the destination.
func (b *builder) results(dest ptx.Operand, v *Value, t isa.Type) {
	switch d := dest.(type) {
	case nil, *ptx.Sink:
		return
	case *ptx.Pair:
		v.Type = b.typeFor(d.A, t)
		b.assign(d.A, b.elem(v, 0, v.Type), false)
		b.assign(d.B, b.elem(v, 1, b.operandType(d.B)), false)
	case *ptx.Vector:
		for i, e := range d.Elems {
			et := b.typeFor(e, t)
			if i == 0 {
				v.Type = et
			}
			b.assign(e, b.elem(v, i, et), false)
		}
	default:
		v.Type = b.typeFor(d, t)
		b.assign(d, v, isSigned(v.Instr))
	}
}

func (b *builder) typeFor(o ptx.Operand, t isa.Type) isa.Type {
	if _, ok := o.(*ptx.Sink); ok && t != isa.TypeNone {
		return t
	}
	if t == isa.TypeNone || t == isa.Pred {
		return b.operandType(o)
	}
	return t
}

func isSigned(in *ptx.Instr) bool {
	ts := in.Types()
	return len(ts) > 0 && ts[0].IsSigned()
}

func (b *builder) elem(v *Value, i int, t isa.Type) *Value {
	e := b.add(Elem, t, v)
	e.Const = uint64(i)
	return e
}

// flat lists all registers and constants of operands as values.
func (b *builder) flat(ops []ptx.Operand) []*Value {
	var list []*Value
	for _, o := range ops {
		switch o := o.(type) {
		case *ptx.Address:
			if o.Base != nil {
				list = append(list, b.value(o.Base, b.operandType(o.Base)))
			}
			list = append(list, b.flat(o.More)...)
		case *ptx.Vector:
			list = append(list, b.flat(o.Elems)...)
		case *ptx.List:
			list = append(list, b.flat(o.Elems)...)
		case *ptx.Pair:
			list = append(list, b.flat([]ptx.Operand{o.A, o.B})...)
		case *ptx.Sink:
		default:
			list = append(list, b.value(o, b.operandType(o)))
		}
	}
	return list
}
