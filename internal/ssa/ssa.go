// Package ssa is the static single assignment form of a kernel, with the
// device functions that it calls inlined: what the static analyses work on.
//
// Build makes it from a parsed PTX module. Registers become values; the local
// depot and the parameters of calls become values where their addresses do
// not escape; predicated instructions become control flow (those with an
// effect) or selections (the others), so that the condition under which an
// operation runs is always that of its block. Arithmetic on integers is taken
// apart into a few operations whose meaning is exact modulo 2^width; what has
// no such meaning here is a Pure function of its arguments.
package ssa

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Func is a kernel, or a device function analyzed separately.
type Func struct {
	Module *ptx.Module
	PTX    *ptx.Func
	Name   string
	// Blocks are the reachable blocks in reverse postorder; Blocks[0] is the
	// entry and Blocks[i].ID is i.
	Blocks []*Block
	// Idom and Ipdom give by block the immediate dominator and post-dominator:
	// -1 where there is none, or where the paths meet at the end only.
	Idom, Ipdom []int
	// Loops are the natural loops, outer ones before those inside.
	Loops []*Loop
	// Irreducible is set if some cycle has more than one entry. Such a cycle is
	// no Loop; its blocks have Block.Tangled set.
	Irreducible bool
	// Objects are the variables whose addresses are named.
	Objects []*Object
	// NumValues is above every Value.ID.
	NumValues int

	// post and pre number the dominator tree for Dominates.
	pre, post []int
}

// BlockKind is how a block ends.
type BlockKind uint8

// A block ends in one of these ways.
const (
	Jump   BlockKind = iota // to Succs[0]
	If                      // to Succs[0] if Control is true, else to Succs[1]
	Switch                  // to Succs[Control]; beyond the table nothing is defined
	Return                  // of the function
	Exit                    // the thread ends: exit, trap, a call that does not return
)

// Block is a sequence of values that is entered at its start only.
type Block struct {
	ID int
	// Values holds the phis first, the others in order of execution.
	Values  []*Value
	Kind    BlockKind
	Control *Value
	// Succs and Preds correspond: a block appears in Preds once for each edge.
	Succs, Preds []*Block
	// Loop is the innermost loop around the block, or nil.
	Loop *Loop
	// Tangled is set if the block lies on a cycle with several entries.
	Tangled bool
	// Instr is the branch, nil where control falls through; Loc its place.
	Instr *ptx.Instr
	Loc   source.Location
}

// Value is an operation and its result.
type Value struct {
	ID int
	Op Op
	// Type is that of the result: B8 to B128 for integers, Pred, a
	// floating-point type, or TypeNone. Signedness is the operation's.
	Type isa.Type
	// Args are the operands; those of a Phi correspond to Block.Preds.
	Args []*Value
	// Const is the bit pattern of a Const, zero-extended; the index of an Elem;
	// the offset in bytes of an Addr or a Param.
	Const uint64
	// Name is the special register ("%tid.x"), the kernel parameter, the state
	// space of a conversion, the operation of an Atomic ("add"), or the opcode.
	Name   string
	Object *Object
	// Does is what the instruction of a Load, a Store, and what comes after them,
	// or of a Lane does; the zero value for operations that are made up.
	Does inst.Op
	// Mem is set for operations on memory, of an Effect if it has one place in
	// memory of unknown size; Mem2 is the source of a Copy.
	Mem, Mem2 *Mem
	Call      *Call
	Bar       *Barrier
	Block     *Block
	// Instr is the instruction that the value comes from, nil for values made
	// up; several values can share one.
	Instr *ptx.Instr
	// Loc is the place in the CUDA source, with the calls that were inlined here.
	Loc source.Location
	// Ctx is the chain of inlined calls, nil in the kernel's own text.
	Ctx *Context
}

// Mem describes an access to memory. Its address is Base + Offset.
type Mem struct {
	// Space is NoSpace for a generic address of which nothing is known.
	Space ptx.Space
	// Generic is set if the instruction took a generic address; Space has then
	// been found from where the address comes from.
	Generic bool
	// Base is nil for an absolute address; else it is the value's first
	// argument (of a Copy: the first, and the second for Mem2).
	Base   *Value
	Offset int64
	// Elem is the type of one element in memory, Count how many there are.
	Elem  isa.Type
	Count int
	// Bytes is the size of the whole access, 0 where it is not known.
	Bytes int
	// Order and Scope are the words of the opcode: "relaxed", "acquire",
	// "volatile"; "cta", "gpu", "sys".
	Order, Scope string
	// ReadOnly is set if the program does not write there while the kernel runs:
	// constant memory, parameters and ld.global.nc.
	ReadOnly bool
}

// Size is the number of bytes that a thread accesses, 0 if it is not known.
func (m *Mem) Size() int { return m.Bytes }

// Volatile reports whether m is a volatile access.
func (m *Mem) Volatile() bool { return m.Order == "volatile" }

// Object is a variable in memory.
type Object struct {
	ID    int
	Name  string
	Space ptx.Space
	// Size is in bytes, 0 for an array of unknown size; Align in bytes.
	Size  int64
	Align int
	// Extern marks dynamic shared memory, and what other modules define.
	Extern bool
	// Escapes is set if the address of a local object is used for more than
	// loads and stores.
	Escapes bool
	// Locals are the variables that lie in a local object, where that is known.
	Locals []cfg.Local
	// Var is the declaration; nil for a function's address.
	Var *ptx.Variable
}

// WholeBlock reports whether b is a barrier that all threads of the block wait at.
func (b *Barrier) WholeBlock() bool {
	return b.Count == nil && (b.Kind == inst.Barrier || b.Kind == inst.BarrierReduce)
}

// Barrier describes a barrier of the block.
type Barrier struct {
	// Kind is one of the kinds of barriers, inst.Barrier to inst.ClusterWait.
	Kind inst.Kind
	// ID is the barrier's number; Count the participants, nil for the whole block.
	ID, Count *Value
	// Aligned is set if all threads of a warp must come together.
	Aligned bool
}

// Call is a call that was not inlined.
type Call struct {
	// Callee is "" for an indirect call.
	Callee string
	// Why says why it was not inlined: "recursion", "indirect", "no body", "too large".
	Why string
	// Args and Ret are the objects that hold parameters and results.
	Args, Ret []*Object
	// Barrier, Shared and Global say what the callee, or what it calls, may do:
	// wait at a barrier, access shared memory, access global memory.
	Barrier, Shared, Global bool
	// NoReturn is set if the callee never returns.
	NoReturn bool
}

// Context is an inlined call.
type Context struct {
	Call   *ptx.Instr
	Callee string
	Parent *Context
	// Loc is the place of the call with the calls around it.
	Loc source.Location
}

// String is the chain of callees, outermost first: "f/g".
func (c *Context) String() string {
	if c == nil {
		return ""
	}
	if c.Parent == nil {
		return c.Callee
	}
	return c.Parent.String() + "/" + c.Callee
}

// Error is a defect of the function's structure, at a PTX position.
type Error struct {
	File string
	Pos  ptx.Pos
	Msg  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Msg)
}

// Width is the number of bits of the value: 1 for a predicate.
func (v *Value) Width() int { return width(v.Type) }

func width(t isa.Type) int {
	if t == isa.Pred {
		return 1
	}
	return 8 * t.Size()
}

// Reads reports whether v is an access that reads memory.
func (v *Value) Reads() bool {
	return v.Op == Load || v.Op == Atomic || v.Op == Effect && v.Does.Reads != 0
}

// Writes reports whether v is an access that changes memory.
func (v *Value) Writes() bool {
	return v.Op == Store || v.Op == Atomic || v.Op == Copy || v.Op == Effect && v.Does.Writes != 0
}

// IsAtomic reports whether v is an access that is atomic to others of its kind: an atomic
// operation, or one on an mbarrier that exists.
func (v *Value) IsAtomic() bool {
	return v.Op == Atomic || v.Op == Effect && v.Does.IsMBarrier() && v.Does.Reads != 0
}

// Later reports whether v is an access that takes effect some time after its instruction.
func (v *Value) Later() bool {
	return v.Op == Copy || v.Op == Effect && v.Does.Effect().Has(inst.Later)
}

// Opaque reports whether v is an operation that may access shared or global memory, or wait
// for other threads, in ways that the form does not tell.
func (v *Value) Opaque() bool {
	switch v.Op {
	case OpCall:
		return v.Call.Shared || v.Call.Global || v.Call.Barrier
	case Effect:
		return v.Does.IsShared()
	}
	return false
}

// IsConst reports whether v is a constant, and returns its bits.
func (v *Value) IsConst() (uint64, bool) { return v.Const, v.Op == Const }

// Uses lists by Value.ID the values that have it as an argument.
func (f *Func) Uses() [][]*Value {
	uses := make([][]*Value, f.NumValues)
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				uses[a.ID] = append(uses[a.ID], v)
			}
		}
	}
	return uses
}

// Dominates reports whether every path to b goes through a.
func (f *Func) Dominates(a, b *Block) bool {
	return f.pre[a.ID] <= f.pre[b.ID] && f.post[b.ID] <= f.post[a.ID]
}
