package ptx

import "github.com/warpgrind/warpgrind/internal/inst"

// Call is a call instruction taken apart.
type Call struct {
	// Ret and Args are the operands in parentheses, nil where there are none.
	Ret, Args []Operand
	// Callee is a *SymbolRef, or a *RegRef for an indirect call.
	Callee Operand
	// Targets is the label of .calltargets or .callprototype, or a
	// function's name in place of a prototype; "" for a direct call.
	Targets string
}

// Call takes a call instruction apart; ok is false for other instructions and
// operands other than those of calls.
func (i *Instr) Call() (c Call, ok bool) {
	args := i.Args
	if i.Op != "call" || len(args) == 0 {
		return c, false
	}
	if l, isList := args[0].(*List); isList {
		c.Ret, args = l.Elems, args[1:]
	}
	if len(args) == 0 {
		return c, false
	}
	c.Callee, args = args[0], args[1:]
	if len(args) > 0 {
		if l, isList := args[0].(*List); isList {
			c.Args, args = l.Elems, args[1:]
		}
	}
	if len(args) > 0 {
		s, isSymbol := args[0].(*SymbolRef)
		if !isSymbol {
			return c, false
		}
		c.Targets, args = s.Name, args[1:]
	}
	return c, len(args) == 0
}

// Dest returns the operand that the instruction writes besides memory: a
// *RegRef, *Vector, *Pair or *Sink; nil if there is none. A call's results
// are in Call.
func (i *Instr) Dest() Operand {
	if i.Desc == nil || len(i.Args) == 0 {
		return nil
	}
	k := kindOf(i.Args[0])
	for _, f := range i.Desc.Forms {
		if len(f.Args) > 0 && f.Args[0].Dest && f.Args[0].Kinds&k != 0 {
			return i.Args[0]
		}
	}
	return nil
}

// Kind returns the kind of the instruction's row, which a modifier may refine;
// that of a call, which may do anything, for an instruction without a row.
func (i *Instr) Kind() inst.Kind {
	if i.Desc == nil {
		return inst.Call
	}
	return i.Desc.Kind
}

// Flow returns how the instruction's result comes from its operands.
func (i *Instr) Flow() inst.Flow {
	if i.Desc == nil {
		return inst.Opaque
	}
	return i.Desc.Flow
}

// OnParam reports whether the instruction is a load or store of a parameter, as k says.
func (i *Instr) OnParam(k inst.Kind) bool {
	return i.Kind() == k && i.What().Touches() == inst.Param
}

// What returns what the instruction does, its operands taken into account. An
// instruction without a row in the table may do anything.
func (i *Instr) What() inst.Op {
	if i.Desc == nil {
		return inst.Op{Kind: inst.Call, Reads: inst.Generic, Writes: inst.Generic}
	}
	op := i.Desc.Describe(i.Mods)
	op.Result = i.Dest() != nil
	if op.Kind == inst.CopyWait {
		op.All = len(i.Args) == 0
	}
	if op.Kind == inst.CopyWait && !op.All {
		if n, ok := i.Args[0].(*Imm); ok {
			op.Groups = uint32(n.Value)
		}
	}
	return op
}
