package ssa

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// instr translates one instruction. The current block is nil afterwards if
// the instruction ends it.
func (b *builder) instr(in *ptx.Instr, blk *cfg.Block) error {
	if b.cur == nil { // behind a call that does not return
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
	if !hasEffect(in) {
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
func hasEffect(in *ptx.Instr) bool {
	switch in.Op {
	case "createpolicy", "mapa", "getctarank", "isspacep", "cvta", "istypep", "txq", "suq":
		return false
	case "ld":
		return !in.Has("param") && !in.Has("param::entry")
	}
	if in.Desc == nil {
		return true
	}
	switch in.Desc.Class {
	case isa.Arith, isa.Float, isa.Compare, isa.Logic, isa.Move, isa.Video:
		return false
	}
	return true
}

// plain translates an instruction without regard to its guard.
func (b *builder) plain(in *ptx.Instr) error {
	switch in.Op {
	case "call":
		return b.call(in)
	case "ret":
		b.leave()
	case "exit", "trap":
		b.finish(Exit)
	default:
		if t, ok := translators[in.Op]; ok && t(b, in) {
			return nil
		}
		b.other(in)
	}
	return nil
}

// translators are the instructions with a meaning here. One returns false for
// a form that it does not know, having added nothing that matters.
var translators map[string]func(*builder, *ptx.Instr) bool

func init() {
	translators = map[string]func(*builder, *ptx.Instr) bool{
		"mov": (*builder).mov, "cvt": (*builder).cvt, "selp": (*builder).selp, "slct": (*builder).slct,
		"setp": (*builder).setp, "set": (*builder).setInstr,
		"add": (*builder).addInstr, "sub": (*builder).addInstr, "addc": (*builder).addInstr, "subc": (*builder).addInstr,
		"mul": (*builder).mul, "mad": (*builder).mul, "madc": (*builder).mul, "mul24": (*builder).mul24, "mad24": (*builder).mul24,
		"div": (*builder).signedOp, "rem": (*builder).signedOp, "min": (*builder).signedOp, "max": (*builder).signedOp,
		"and": (*builder).binary, "or": (*builder).binary, "xor": (*builder).binary, "shl": (*builder).shift, "shr": (*builder).shift,
		"neg": (*builder).unary, "abs": (*builder).unary, "not": (*builder).unary, "cnot": (*builder).cnot,
		"sad": (*builder).sad, "bfe": (*builder).bfe, "bfi": (*builder).bfi,
		"brev": (*builder).reverse,
		"ld":   (*builder).load, "ldu": (*builder).load, "st": (*builder).store, "atom": (*builder).atomic, "red": (*builder).atomic,
		"cvta": (*builder).cvta, "cp": (*builder).copyAsync,
		"bar": (*builder).barrier, "barrier": (*builder).barrier, "membar": (*builder).fence, "fence": (*builder).fence,
		"shfl": (*builder).lane, "vote": (*builder).lane, "match": (*builder).lane, "redux": (*builder).lane,
		"activemask": (*builder).lane, "elect": (*builder).lane,
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
	op := Pure
	if hasEffect(in) {
		op = Effect
	}
	args := b.flat(ops)
	v := b.add(op, isa.TypeNone, args...)
	v.Name = in.Opcode()
	if op == Effect && in.Desc != nil {
		v.Name = in.Desc.Op
	}
	b.results(dest, v, resultType(in))
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
