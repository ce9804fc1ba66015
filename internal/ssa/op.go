package ssa

// Op is an operation. Integer arithmetic is modulo 2^width of Value.Type.
type Op uint8

// The operations. Arguments are a, b, c in order.
const (
	opInvalid Op = iota
	Const
	Undef   // a register that was never written
	Special // a special register
	Param   // part of a kernel's parameter
	Addr    // the address of Object plus Const, in the object's own space
	Phi

	Add
	Sub
	Mul
	MulHiS // upper half of the signed product
	MulHiU
	DivS
	DivU
	RemS
	RemU
	Neg
	Abs
	MinS
	MinU
	MaxS
	MaxU
	And // And, Or, Xor and Not are also for predicates
	Or
	Xor
	Not
	Shl  // b is 32 bits wide; amounts of width and more give 0
	ShrS // ... copies of the sign
	ShrU // ... 0

	Zext  // to a wider type
	Sext  // to a wider type
	Trunc // to a narrower type

	Eq // of integers or predicates
	Ne
	LtS
	LeS
	LtU
	LeU
	Select // b if a, else c

	Pure  // another function of the arguments alone; Name is the opcode
	Lane  // an exchange with other lanes of the warp; Name is the opcode
	Clock // a special register that changes with time
	Elem  // element Const of a with several results

	ToGeneric   // cvta
	FromGeneric // cvta.to

	Load
	Store    // b, c, ... are what is stored
	Atomic   // atom and red; b, c are its operands
	Copy     // cp.async: a is the destination, b the source
	WarpSync // bar.warp.sync with mask a
	Assume   // predicate a is Const in each thread that comes here
	Fence
	OpBarrier
	OpCall
	Effect // anything else that has an effect: Does says which; Name is the opcode

	// get and set read and write a variable while the form is being built.
	get
	set
	numOps
)

var opNames = [numOps]string{
	Const: "const", Undef: "undef", Special: "special", Param: "param", Addr: "addr", Phi: "phi",
	Add: "add", Sub: "sub", Mul: "mul", MulHiS: "mulhi.s", MulHiU: "mulhi.u", DivS: "div.s", DivU: "div.u",
	RemS: "rem.s", RemU: "rem.u", Neg: "neg", Abs: "abs", MinS: "min.s", MinU: "min.u", MaxS: "max.s", MaxU: "max.u",
	And: "and", Or: "or", Xor: "xor", Not: "not", Shl: "shl", ShrS: "shr.s", ShrU: "shr.u",
	Zext: "zext", Sext: "sext", Trunc: "trunc", Eq: "eq", Ne: "ne", LtS: "lt.s", LeS: "le.s", LtU: "lt.u", LeU: "le.u",
	Select: "select", Pure: "pure", Lane: "lane", Clock: "clock", Elem: "elem",
	ToGeneric: "to_generic", FromGeneric: "from_generic", Load: "load", Store: "store", Atomic: "atomic", Copy: "copy",
	WarpSync: "warpsync", Assume: "assume", Fence: "fence", OpBarrier: "barrier", OpCall: "call", Effect: "effect", get: "get", set: "set",
}

// String names the operation.
func (o Op) String() string { return opNames[o] }

// arity gives the number of arguments of the operations that have a fixed one.
var arity = map[Op]int{
	Const: 0, Undef: 0, Special: 0, Param: 0, Addr: 0, Clock: 0, Elem: 1,
	Add: 2, Sub: 2, Mul: 2, MulHiS: 2, MulHiU: 2, DivS: 2, DivU: 2, RemS: 2, RemU: 2, Neg: 1, Abs: 1,
	MinS: 2, MinU: 2, MaxS: 2, MaxU: 2, And: 2, Or: 2, Xor: 2, Not: 1, Shl: 2, ShrS: 2, ShrU: 2,
	Zext: 1, Sext: 1, Trunc: 1, Eq: 2, Ne: 2, LtS: 2, LeS: 2, LtU: 2, LeU: 2, Select: 3,
	ToGeneric: 1, FromGeneric: 1, WarpSync: 1, Assume: 1,
}

// hasEffect reports operations that stay even if nothing uses their result:
// those with an effect, and loads, which the rules look at.
func (o Op) hasEffect() bool { return o >= Load && o != get || o == Lane }

// compares reports whether o is one of the comparisons.
func (o Op) compares() bool { return o >= Eq && o <= LeU }

// IsCompare reports whether o is one of the comparisons Eq to LeU.
func (o Op) IsCompare() bool { return o.compares() }

// Commutes reports whether the two arguments may be swapped.
func (o Op) Commutes() bool {
	switch o {
	case Add, Mul, MulHiS, MulHiU, MinS, MinU, MaxS, MaxU, And, Or, Xor, Eq, Ne:
		return true
	}
	return false
}
