// Package program defines the flat program that package lower makes of a kernel and
// that the executors of package warp run.
//
// A Program is a list of steps (Instr), each one operation of 32 lanes. A step's
// operands are slots: byte offsets in the slab of a warp, which holds all its
// registers.
//
//	0         Uniform                                          Slab
//	| uniform  | area of a function: rows of 32 x 4 bytes,       |
//	| values   | rows of 32 x 8 bytes, masks | the next area ... |
//
// Uniform values are the same in all lanes and are kept once, in 8 bytes; rows have a
// value of each lane; masks are predicates, a bit of each lane. A uniform value that
// other steps want as a row has a copy there (Bcast).
//
// What does not fit into a step is in the table that its opcode names: Mems has loads,
// stores and atomics, Syncs warp-level operations, Steps whole instructions (matrix
// operations, asynchronous copies, mbarriers, textures). Slots tells what a step reads
// and writes; liveness, the loops of the program and native code are computed from
// that.
//
// A memory step has a trace.Site: the instruction's place in the source, by which
// observers and reports name it. A program is immutable; warps, blocks and launches
// share it.
package program

import (
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// Opcode selects what the interpreter does.
type Opcode uint8

// The opcodes. Operand fields are byte offsets in the warp's slab.
const (
	// OpEnter starts a basic block: counts its N instructions, ends the turn
	// when the budget is used up, and merges diverged lanes if Join is set.
	OpEnter Opcode = iota
	// OpVec: D = ALU.Vec(A, B, C) in all lanes of the mask.
	OpVec
	// OpVec4: D = ALU.Vec4(A, B, C, E).
	OpVec4
	// OpCmp: predicate D = ALU.Cmp(A, B, C).
	OpCmp
	// OpSel: D = predicate C ? A : B.
	OpSel
	// OpLane: D, D2 = ALU.Fn(A, B, C, E) lane by lane.
	OpLane
	// OpScalar: the same once, on scalar slots; Bcast gets a copy per lane.
	OpScalar
	// OpPredNot, OpPredAnd, OpPredOr, OpPredXor, OpPredMov work on masks.
	OpPredNot
	OpPredAnd
	OpPredOr
	OpPredXor
	OpPredMov
	// OpPack and OpUnpack are mov between a register and a vector: Packs[X].
	OpPack
	OpUnpack
	// OpLoad, OpStore and OpAtomic use Mems[X].
	OpLoad
	OpStore
	OpAtomic
	// OpBranch jumps to Branches[X].Target where predicate A (negated if Not)
	// holds; OpJump always; OpTable by the index in A over Tables.
	OpBranch
	OpJump
	OpTable
	// OpCall and OpCallIndirect use Calls[X]; the latter takes the function
	// address from A.
	OpCall
	OpCallIndirect
	OpReturn
	OpExit
	OpTrap
	// OpFrame reserves Imm bytes of local stack; D gets its start. With PredNot it
	// gives back what D is the start of.
	OpFrame
	// OpBarrier uses Bars[X].
	OpBarrier
	// OpSync is a warp-level operation with a member mask: Syncs[X].
	OpSync
	OpActiveMask
	OpFence
	// OpGridControl is griddepcontrol, of either kind.
	OpGridControl
	// OpSubarray: A, a scalar slot if Dst2 is Pred, else one of width Dst, has the start of Subarrays[X].
	OpSubarray
	// OpDecide counts the lanes in which predicate A holds, and the others, in the counts of Decisions[X], if an observer
	// wants them.
	OpDecide
	OpClock
	OpNop
	// OpMath calls Maths[X], OpHost Hosts[X].
	OpMath
	OpHost
	// OpStep executes Steps[X].
	OpStep
	// OpUnsupported stops the kernel with Messages[X].
	OpUnsupported
)

// NoSlot marks an absent operand.
const NoSlot int32 = -1

// NoBlock marks an OpEnter step that begins no basic block.
const NoBlock int32 = -1

// Instr is one step of a program.
type Instr struct {
	Op Opcode
	// Not negates the guard; PredNot a branch's condition.
	Not, PredNot bool
	// Join marks a block where diverged lanes may meet.
	Join bool
	// Dst and Dst2 tell the results' widths.
	Dst, Dst2 alu.Width
	// Guard is the slot of the guard predicate, or NoSlot.
	Guard int32
	// D, D2, A, B, C, E are slots.
	D, D2, A, B, C, E int32
	// Bcast is where a scalar result is copied to all lanes, or NoSlot.
	Bcast int32
	// X indexes the table that belongs to the opcode; N counts PTX
	// instructions (OpEnter).
	X, N int32
	// Imm is an immediate, for OpFrame and OpTrap, and what a block costs of a turn besides
	// its instructions (OpEnter).
	Imm uint64
	ALU *alu.Op
	// Site is the position, for faults; nil for steps that cannot fail.
	Site *trace.Site
}

// Cost is what a basic block costs of a warp's turn.
func (in *Instr) Cost() int32 { return in.N + 1 + int32(in.Imm) }

// Branch is a conditional branch's target and the step where both sides meet,
// -1 if that is the function's end. Site is its place for messages; it has no
// number.
type Branch struct {
	Target, Meet int32
	Site         *trace.Site
}

// Table is the target list of an indexed branch.
type Table struct {
	Targets []int32
	Meet    int32
}

// Mem describes a load, store or atomic.
type Mem struct {
	Site  *trace.Site
	Space trace.Space
	// Elem is the bytes of an element, Count the elements of a vector.
	Elem, Count int
	// Regs are the slots of the elements: results of a load, sources of a
	// store; NoSlot for a sink. Width is theirs.
	Regs  [4]int32
	Width alu.Width
	// SignBits is above 0 for loads that sign-extend from Elem to so many
	// bits.
	SignBits int
	// Base is the address register's slot, NoSlot for none; BaseWidth its
	// width; Scalar tells that it is a scalar slot. Offset is added.
	Base      int32
	BaseWidth alu.Width
	Scalar    bool
	// ScalarRegs tells that the results of a scalar load are scalar slots,
	// with copies in Bcast where that is not NoSlot.
	ScalarRegs bool
	Bcast      [4]int32
	Offset     uint64
	// Atomic: operand slots B and C (vector), result Regs[0], and what it
	// computes. Exchange and compare-and-swap are functions as well.
	B, C int32
	Fn   func(old, b, c uint64) uint64
	// Wide marks an atomic on 128 bits, an exchange or a compare-and-swap: BHigh and CHigh are the
	// upper halves of its operands, and its result is in Regs[0] and Regs[1].
	Wide         bool
	BHigh, CHigh int32
	// Atom is the operation's name and type: "add.u32".
	Atom string
	// From is above 0 where it is known which object is meant: Sources[From-1].
	// In shared and local memory that has the bytes from Lo to before Hi.
	From   int32
	Lo, Hi uint64
}

// Sources are the objects that an address is computed from. Equal ones have one
// entry in a program.
type Sources struct {
	// Space is SpaceShared or SpaceLocal for variables there. Else the address is
	// one of global memory, and comes from parameters, by their places in the
	// parameter buffer, and variables, by their addresses.
	Space     trace.Space
	Params    []uint32
	Variables []uint64
	// Unsure is set if it comes from something else if no parameter is a pointer.
	Unsure bool
}

// Pack is a move between a register of Wide bits and elements of Bits each.
// Count elements; slots as in Mem. Scalar moves work on one value.
type Pack struct {
	Reg   int32
	Width alu.Width
	Elems []int32
	// ElemWidth is the elements' register width.
	ElemWidth alu.Width
	Bits      uint
}

// Call is a call's target (index in Funcs; -1 if indirect) and the word slots
// of arguments and results in the caller.
type Call struct {
	Func       int
	Args, Rets [][]int32
	// Save is the caller's register area, kept across the call if the caller
	// can be entered again before it returns; empty otherwise.
	Save Area
}

// Area is a range of the slab: registers of 32 bits in rows of 128 bytes from
// Lo to Wide, of 64 bits in rows of 256 bytes up to Preds, and predicates in
// masks of 8 bytes up to Hi.
type Area struct{ Lo, Wide, Preds, Hi int32 }

// Func is a function that can be called.
type Func struct {
	Name  string
	Entry int32
	// Params and Rets are word slots: one 128-byte row per four bytes of each
	// parameter.
	Params, Rets [][]int32
}

// Frame is the local memory of a function that may leave the address of a variable there behind: from Lo up to Hi, of a
// Reentrant function from the start of the frame on. Func is an index in Program.Funcs.
type Frame struct {
	Func      int32
	Lo, Hi    uint64
	Reentrant bool
	Vars      []trace.Variable
}

// BarKind tells the forms of a block barrier.
type BarKind uint8

// Forms of barrier (PTX ISA, "bar, barrier").
const (
	BarSync BarKind = iota
	BarArrive
	BarPopc
	BarAnd
	BarOr
)

// Bar is a block-wide barrier. ID and Count are vector slots; Count NoSlot
// if not given. Pred is a reduction's input, Dst its result.
type Bar struct {
	Site    *trace.Site
	Kind    BarKind
	Aligned bool // the threads of a warp execute it together
	// Group is whose barrier in two parts it is, NoGroup for the block's numbered ones.
	// Relaxed marks an arrival there that orders nothing.
	Group   trace.Group
	Relaxed bool
	// Same tells that ID and Count have one value in all lanes.
	Same      bool
	ID, Count int32
	Pred      int32
	PredNot   bool
	Dst       int32
}

// WholeBarrier reports whether a step is a barrier at which all threads of the block wait, one with a number
// that is known, and which has no result.
func (p *Program) WholeBarrier(in *Instr) bool {
	if in.Op != OpBarrier || in.Guard != NoSlot {
		return false
	}
	b := &p.Bars[in.X]
	id := func(c Const) bool { return c.Slot == b.ID && c.Value < MaxBarriers }
	return b.Kind == BarSync && b.Count == NoSlot && b.Dst == NoSlot && b.Group == trace.NoGroup && slices.ContainsFunc(p.Consts, id)
}

// SyncKind tells the warp-level operations.
type SyncKind uint8

// Warp-level operations.
const (
	SyncWarp SyncKind = iota
	ShflUp
	ShflDown
	ShflBfly
	ShflIdx
	VoteAll
	VoteAny
	VoteUni
	VoteBallot
	MatchAny
	MatchAll
	Redux
	Elect
	// Converge only brings lanes together; it makes no event.
	Converge
)

// Sync is a warp-level operation. Mask is a vector slot. Operations without a
// member mask (Legacy) take the lanes that execute them together.
type Sync struct {
	Site *trace.Site
	Kind SyncKind
	// Name has all qualifiers: lanes meet in operations of the same name.
	Name   string
	Mask   int32
	Legacy bool
	// A, B, C are vector slots (A a predicate for votes); Wide for 64 bits.
	A, B, C int32
	PredNot bool
	Wide    bool
	// Dst and DstPred are results or NoSlot; DstIsPred tells that Dst is a
	// predicate.
	Dst, DstPred int32
	DstIsPred    bool
	Reduce       *alu.Op
	// Float is set if Reduce takes 32-bit floating-point numbers, Abs if it takes their
	// absolute values.
	Float, Abs bool
}

// Math is a call of a device math function on word slots.
type Math struct {
	Fn         *alu.Math
	Args, Rets [][]int32
	Site       *trace.Site
}

// HostCall is a device-runtime function that the emulator provides.
type HostCall struct {
	Name       string
	Args, Rets [][]int32
	Site       *trace.Site
}

// Special is a register of the hardware that is set when a warp starts.
type Special struct {
	// Name is the PTX name without %: "tid.x".
	Name string
	// Slot is a vector slot if Vector, else a scalar slot with an optional
	// copy for all lanes.
	Slot   int32
	Vector bool
	Bcast  int32
}

// Const is a value put into the slab once.
type Const struct {
	Slot  int32
	Width alu.Width
	// Scalar tells a scalar slot; otherwise all lanes get Value.
	Scalar bool
	Value  uint64
}

// Unset is a register that the kernel may read before it is written: its slot, the row that
// has copies of a scalar one, and the first instruction that reads it.
type Unset struct {
	Const
	Bcast int32
	Site  *trace.Site
}

// Param is one kernel parameter in the parameter buffer.
type Param struct{ Offset, Size int }

// BasicBlock is the lines of the first and the last PTX instruction, or marker that counts executions, of a basic block, 0
// where it has none.
type BasicBlock struct{ First, Last int }

// Program is a kernel and all that it calls. It is immutable.
type Program struct {
	Name string
	Code []Instr

	Branches []Branch
	Tables   []Table
	Mems     []Mem
	Packs    []Pack
	Calls    []Call
	Funcs    []Func
	Bars     []Bar
	Syncs    []Sync
	Sources  []Sources
	Maths    []Math
	Hosts    []HostCall
	Steps    []Step
	Messages []string
	// Stops are the sites of the OpUnsupported with that message.
	Stops []*trace.Site

	// FuncAt maps function addresses to Funcs, for indirect calls.
	FuncAt map[uint64]int

	// Slab is the size in bytes of a warp's registers. Uniform is the part
	// that holds values kept once per warp: [0, Uniform).
	Slab, Uniform int32

	liveOnce, loopsOnce, pollsOnce, awaitedOnce, unitOnce sync.Once

	polled   map[int]bool // of PlainPolls, by site
	awaited  []*Mem       // of Awaited
	awaitAll bool
	loops    *Loops
	live     *liveness
	unit     int // of SharedUnit
	// Restored is the part that each block must find as the first one did:
	// [0, Restored). Other registers are written before they are read.
	Restored int32
	// Areas are the functions' registers in the slab.
	Areas    []Area
	Specials []Special
	Consts   []Const
	// Preloads index loads of kernel parameters that are done once, when a
	// warp is made, since no other instruction writes their results.
	Preloads []int32
	// Zero are slots that code may read before it writes them.
	Zero []Const
	// Unset are those of Zero that are registers of the kernel.
	Unset []Unset
	// StackTop is the slot of the lanes' local stack pointers, NoSlot if no
	// function needs one; StackBase its start: the bytes of local memory
	// with fixed places.
	StackTop  int32
	StackBase uint32

	Params    []Param
	ParamSize int
	// SharedStatic is the bytes of static shared memory; Shared its variables.
	SharedStatic uint32
	Shared       []trace.Variable
	// Frames are those to which pointers may be left that dangle.
	Frames []Frame
	// Scopes are the local variables that may be used after their scope, by their places in local memory. The name may be "".
	Scopes []trace.Variable
	// Subarrays are those that the kernel carves out of shared arrays.
	Subarrays []trace.Subarray
	// Blocks are the basic blocks of all functions, which OpEnter steps begin.
	Blocks []BasicBlock
	// Decisions are the PTX lines of the conditions that are counted.
	Decisions []int
	// MaxThreads is .maxntid's product or 0.
	MaxThreads int
	// MaxRegisters is .maxnreg, MinBlocks .minnctapersm, 0 where the kernel has none.
	MaxRegisters, MinBlocks int
	// LiveRegisters is the most registers of 32 bits whose values live at once, without
	// parameters, constants and predicates; 0 where it is not known.
	LiveRegisters int
	Sites         []*trace.Site
	// Ordered tells that what blocks do depends on the order in which they
	// reach global memory (atomics with results, floating-point sums), so
	// that only one fixed order gives the same run each time.
	Ordered bool
	// Nests tells that threads may launch child grids, copies or fills.
	Nests bool
	// Clusters tells that there are instructions of thread block clusters, Groups which
	// groups have barriers in two parts.
	Clusters bool
	Groups   [trace.NumGroups]bool

	keptOnce sync.Once
	kept     any
}

// Keep returns what an executor keeps with the program, made on the first call.
func (p *Program) Keep(make func() any) any {
	p.keptOnce.Do(func() { p.kept = make() })
	return p.kept
}

// MaxBarriers is the number of barriers of a block (PTX ISA, "bar").
const MaxBarriers = 16
