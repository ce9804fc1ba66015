package isa

import (
	"slices"
	"strings"
)

// What registers an instruction takes (PTX ISA, "Type Checking Rules" and "Operand Size Exceeding Instruction-Type Size"):
// registers of the operand's type, of the bit type of its size, and of the other signedness; where its type is a bit type,
// all registers of its size. ld, st and cvt take wider ones too. TestOperandTypes holds this against ptxas.
//
// ptxas takes more than the ISA says, and so does this: .f16x2 registers wherever 32 bits hold no float, .s32, .u32, .s64 and
// .u64 registers in the vectors of ld and st of floats, .b64 registers for a narrower float of ld, st and cvt.

// operandTypes has a letter for each operand of an instruction, the last one standing for all others:
//
//	T S  the first or second type of the opcode; t s the same, and wider registers
//	W    twice the width of T
//	U B  32 bits: an integer, or anything
//	P    a predicate
//	.    not checked here
var operandTypes = map[string]string{
	"add": "T", "sub": "T", "mul": "T", "mad": "T", "mul24": "T", "mad24": "T", "sad": "T", "div": "T", "rem": "T", "abs": "T", "neg": "T", "min": "T", "max": "T",
	"popc": "UT", "clz": "UT", "bfind": "UT", "fns": "T", "brev": "T", "bfe": "TTU", "bfi": "TTTU", "szext": "TTU", "bmsk": "U", "dp4a": "U", "dp2a": "U",
	"add.cc": "T", "addc": "T", "sub.cc": "T", "subc": "T", "madc": "T",
	"testp": "PT", "copysign": "T", "fma": "T", "rcp": "T", "sqrt": "T", "rsqrt": "T", "sin": "T", "cos": "T", "lg2": "T", "ex2": "T", "tanh": "T",
	"set": "TSSP", "setp": "PTTP", "selp": "TTTP", "slct": "TTTS", "and": "T", "or": "T", "xor": "T", "not": "T", "cnot": "T", "lop3": "TTTT.P",
	"shf": "TTTU", "shl": "TTU", "shr": "TTU", "mov": "T", "prmt": "T", "cvt": "ts", "cvta": "T",
	"ld": "t.", "ldu": "t.", "st": ".t.", "atom": "T.T.", "red": ".T.",
	"shfl": "TTBB", "shfl.sync": "TTBBU", "redux": "TTU", "activemask": "B", "isspacep": "P.", "mapa": "T.U", "getctarank": "UT",
}

// OperandType is what registers an operand takes.
type OperandType struct {
	Type Type
	// Wider is set if they may be wider, Checked if anything is known.
	Wider, Checked bool
}

// Operands are the types of a form's operands, the last one standing for all others; nil where nothing is known.
func Operands(d *Desc, mods []string) []OperandType {
	code, types := operandCode(d, mods), typesOf(mods)
	if code == "" || strings.ContainsAny(code, "TtW") && len(types) == 0 || strings.ContainsAny(code, "Ss") && len(types) < 2 {
		return nil
	}
	if len(types) > 1 && !strings.ContainsAny(code, "SsU") {
		return nil // a mixed form
	}
	out := make([]OperandType, len(code))
	strict := slices.ContainsFunc(types, func(t Type) bool { return t.class() == packedClass && t != F16x2 })
	for i := range code {
		out[i] = operandOf(code[i], types)
		out[i].Wider = out[i].Wider && (!strict || out[i].Type.class() == intClass)
	}
	return out
}

// operandCode is the code of an instruction, whose modifiers may change it.
func operandCode(d *Desc, mods []string) string {
	has := func(word string) bool { return contains(mods, word) }
	switch {
	case d.Op == "vote.sync" && has("ballot"):
		return "BPU"
	case d.Op == "vote.sync":
		return "PPU"
	case d.Op == "match":
		return "UTU"
	case (d.Op == "mul" || d.Op == "mad") && has("wide"):
		return "WTTW"
	case d.Op == "redux" && !has("f32"):
		return "U"
	case d.Op == "mov" && (has("v2") || has("v4")), has("cc") && d.Op == "cvt":
		return ""
	}
	return operandTypes[d.Op]
}

// typesOf are the types among modifiers.
func typesOf(mods []string) (list []Type) {
	for _, m := range mods {
		if t := ParseType(m); t != TypeNone {
			list = append(list, t)
		}
	}
	return list
}

var twice = map[Type]Type{U16: U32, S16: S32, U32: U64, S32: S64}

func operandOf(code byte, types []Type) OperandType {
	switch code {
	case 'T', 't':
		return OperandType{types[0], code == 't', true}
	case 'S', 's':
		return OperandType{types[1], code == 's', true}
	case 'W':
		return OperandType{twice[types[0]], false, true}
	case 'U':
		return OperandType{U32, false, true}
	case 'B':
		return OperandType{B32, false, true}
	case 'P':
		return OperandType{Pred, false, true}
	}
	return OperandType{}
}

// class tells how types go together.
type class uint8

const (
	bitClass class = iota
	intClass
	floatClass // f16, f32, f64
	packedClass
	predClass
)

func (t Type) class() class {
	switch {
	case t == Pred:
		return predClass
	case t >= B8 && t <= B128:
		return bitClass
	case t >= U8 && t <= S64:
		return intClass
	case t == F16 || t == F32 || t == F64:
		return floatClass
	}
	return packedClass
}

// Takes reports whether an operand may be a register of a type; inVector is set for an element of a vector.
func (o OperandType) Takes(reg Type, inVector bool) bool {
	want, got := o.Type.class(), reg.class()
	if want == predClass || got == predClass {
		return want == got
	}
	if reg.Size() < o.Type.Size() || !o.Wider && reg.Size() != o.Type.Size() {
		return false
	}
	switch {
	case want == bitClass || got == bitClass:
		return true
	case want == intClass:
		return got == intClass || got == packedClass
	case want == floatClass:
		return reg == o.Type || o.Wider && inVector && got == intClass && reg.Size() == o.Type.Size()
	}
	return got == packedClass
}

// TakesFloat reports whether an operand may be a floating-point constant, TakesInt an integer one.
func (o OperandType) TakesFloat() bool { c := o.Type.class(); return c != intClass && c != predClass }

// TakesInt is for integer constants; a predicate may be one.
func (o OperandType) TakesInt() bool { return o.Type.class() != floatClass }
