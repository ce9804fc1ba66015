package isa

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
)

// refined are the kinds that a modifier turns into another one.
var refined = map[inst.Kind]map[string]inst.Kind{
	inst.Barrier:       {"arrive": inst.BarrierArrive, "red": inst.BarrierReduce},
	inst.ClusterArrive: {"wait": inst.ClusterWait},
	inst.GridTrigger:   {"wait": inst.GridWait},
	inst.Fence:         {"proxy": inst.ProxyFence},
	inst.ProxyFence:    {"tensormap::generic": inst.MapFence},
	inst.StoreAsync:    {"release": inst.Store}, // without an mbarrier
	inst.AtomicAsync:   {"release": inst.Atomic},
}

// spaceWords are the modifiers that name a space of the program's memory.
var spaceWords = map[string]inst.Spaces{
	"global": inst.Global, "shared": inst.Shared, "shared::cta": inst.Shared, "shared::cluster": inst.Shared,
	"local": inst.Local, "const": inst.Const, "param": inst.Param, "param::entry": inst.Param, "param::func": inst.Param,
}

// SpaceOf is the space of memory that a modifier names, 0 for none.
func SpaceOf(mod string) inst.Spaces { return spaceWords[mod] }

// flows are how the results of rows come from their operands.
var flows = map[string]inst.Flow{
	"mov": inst.Same, "cvta": inst.Same, "cvt": inst.Converted, "add": inst.Sum, "sub": inst.Difference,
	"and": inst.Bitwise, "or": inst.Bitwise, "xor": inst.Bitwise, "mad": inst.ProductSum, "selp": inst.Choice,
	"mul": inst.Number, "shl": inst.Number, "shr": inst.Number, "neg": inst.Number, "not": inst.Number, "min": inst.Number,
	"max": inst.Number, "div": inst.Number, "rem": inst.Number, "bfe": inst.Number, "bfi": inst.Number, "shf": inst.Number,
	"popc": inst.Number, "clz": inst.Number, "abs": inst.Number, "mul24": inst.Number, "mad24": inst.Number, "sad": inst.Number,
}

// Describe returns what an instruction of the row with these modifiers does.
// What its operands say is not in it: see ptx.Instr.What.
func (d *Desc) Describe(mods []string) inst.Op {
	op := inst.Op{Kind: d.Kind}
	var named inst.Spaces
	for _, m := range mods {
		if k, ok := refined[d.Kind][m]; ok {
			op.Kind = k
		}
		if f := inst.ParseFn(m); f != inst.FnNone && op.Fn == inst.FnNone && d.Kind != inst.Compute {
			op.Fn = f
		}
		if t := ParseType(m); t != TypeNone {
			op.Type = t.Inst()
		}
		op.NonCoherent = op.NonCoherent || m == "nc"
		op.Masked = op.Masked || m == "sync"
		op.Ordered = op.Ordered || slices.Contains(roleWords[Order], m)
		named |= spaceWords[m]
	}
	op.NonCoherent = op.NonCoherent || d.Op == "ldu" || d.Kind == inst.TextureLoad
	op.Masked = d.masked(op.Masked)
	if named == 0 {
		named = inst.Generic
	}
	reads, writes := op.Kind.Spaces()
	op.Reads, op.Writes = resolve(reads, named), resolve(writes, named)
	return op
}

// What returns what an instruction with this dotted opcode does, without regard
// to its operands; ok is false for an unknown one.
func What(opcode string) (op inst.Op, ok bool) {
	d := Lookup(opcode)
	if d == nil {
		return op, false
	}
	op = d.Describe(modifiers(d, opcode))
	op.Result = d.hasResult()
	return op, true
}

// hasResult reports whether every form of the row writes a register.
func (d *Desc) hasResult() bool {
	return !slices.ContainsFunc(d.Forms, func(f Form) bool { return len(f.Args) == 0 || !f.Args[0].Dest })
}

// masked reports whether a member mask names the lanes that take part; sync
// notes that the modifier .sync is present.
func (d *Desc) masked(sync bool) bool {
	switch d.Kind {
	case inst.WarpSync, inst.Elect:
		return true
	case inst.Shuffle, inst.Vote, inst.Match, inst.Redux:
		return sync || d.Op == "shfl.sync" || d.Op == "vote.sync"
	}
	return false
}

// resolve puts the spaces that the modifiers name in place of inst.Named.
func resolve(s, named inst.Spaces) inst.Spaces {
	if s.Has(inst.Named) {
		return s&^inst.Named | named
	}
	return s
}

// Inst returns what matters of the type to those who see an instruction's
// description.
func (t Type) Inst() inst.Type {
	c := inst.Packed
	switch {
	case t == TypeNone || t >= B8 && t <= B128:
		c = inst.Bits
	case t >= U8 && t <= U64:
		c = inst.Unsigned
	case t.IsSigned():
		c = inst.Signed
	case t.IsFloat() || t == E4M3 || t == E5M2:
		c = inst.Float
	case t == Pred:
		c = inst.Predicate
	}
	return inst.Type{Class: c, Size: uint8(t.Size())}
}
