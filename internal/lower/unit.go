package lower

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Symbols gives the device addresses of a module's .global and .const
// variables by name.
type Symbols map[string]uint64

// Error is a defect of the module, at a PTX position.
type Error struct {
	File string
	Pos  ptx.Pos
	Msg  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Msg)
}

// FuncAddr is the address of a module's function, as device code sees it; 0
// if the module has no function of that name.
func FuncAddr(m *ptx.Module, name string) uint64 {
	n := uint64(0)
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok {
			n++
			if f.Name == name {
				return mem.CodeBase + n*16
			}
		}
	}
	return 0
}

// KernelAt is the name of the kernel with that address; "" if there is none.
func KernelAt(m *ptx.Module, addr uint64) string {
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Entry && FuncAddr(m, f.Name) == addr {
			return f.Name
		}
	}
	return ""
}

// unit is the state of lowering one kernel.
type unit struct {
	mod  *ptx.Module
	syms Symbols
	prog *program.Program
	// funcs are the reachable functions; order[0] is the kernel.
	funcs map[string]*fn
	order []*fn
	// products numbers the asynchronous products.
	products map[*ptx.Instr]int
	// shared gives the offsets of shared variables.
	shared   map[string]uint64
	indirect bool
	// args are the objects that device functions are called with.
	args map[argKey]*passed

	slots      []slot
	consts     map[constKey]int32
	specials   map[string]special
	stackTop   int32
	lateCopies []lateCopy
	lateBcast  []lateBcast
	// atomics is set after the first atomic operation on memory that blocks share, swapped tells
	// which constants that one swaps, "" if it does something else.
	atomics bool
	swapped string
	// check asks for a check of shared places, which sets clobbered.
	check     bool
	clobbered error
}

// fn is a function being lowered.
type fn struct {
	name  string
	index int
	g     *cfg.Func
	// inFlight has the products whose registers an instruction may access too early.
	inFlight *inFlight
	// unfenced has what may have changed the registers of products since the last fence.
	unfenced *unfenced
	// regs are the registers by unique name.
	regs map[string]*reg
	// words are the word slots of parameters, by variable name.
	words map[string][]int32
	// locals are the offsets of local variables in the frame of frameSize
	// bytes, at fixed place base unless the function is reentrant.
	locals    map[string]uint64
	frameSize uint64
	base      uint64
	baseSlot  int32
	calls     []string
	reentrant bool
	// spilled are the parameters whose address is taken: they have a copy in
	// local memory.
	spilled []*ptx.Variable
	// roots are the parameters that addresses come from; made when first needed.
	roots *rootSets
	// objects are what registers come from; made when first needed.
	objects *objectSets
	// frame is the layout of the depot, as far as it can be found; made when first needed.
	frame *frame
	// subarrays has the subarrays of shared memory that instructions begin.
	subarrays map[*ptx.Instr]trace.Subarray
	// decisions are the instructions that stand for a condition that is counted.
	decisions map[*ptx.Instr]bool
	// scopes has the scopes of local variables that instructions begin and end.
	scopes map[*ptx.Instr]pragma.Scope
	// silent are the initializations of mbarriers whose end does not show.
	silent map[*ptx.Instr]bool
	// paramAt are the registers that hold the address of a parameter; made when
	// first needed.
	paramAt map[*reg]argKey
	// taken is set if calls through pointers may reach it.
	taken bool
	// zero are registers that may be read before they are written.
	zero []*reg
	// regions has for each block the range of blocks between the divergent
	// branches of which it is a side or the reconvergence point and where they meet.
	regions []blockRange
	// start is the first step of each block.
	start []int32
	// carry is the slot of CC.CF, 0 if unused.
	carry int32
	meets []bool
}

// maxRegisters is the bytes of the slab that a kernel may need: 512 KiB of
// local memory, where registers go that a GPU has no room for, for each of 32
// threads (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability").
const maxRegisters = 32 * 512 << 10

// resolveFunc follows aliases.
func (u *unit) resolveFunc(name string) *ptx.Func {
	for range 10 {
		if f := u.mod.Func(name); f != nil && f.Body != nil {
			return f
		}
		target := ""
		for _, it := range u.mod.Items {
			if a, ok := it.(*ptx.Alias); ok && a.Name == name {
				target = a.Target
			}
		}
		if target == "" {
			return u.mod.Func(name)
		}
		name = target
	}
	return nil
}

// argKey is a place in a parameter of a device function, whose name is its
// alone.
type argKey struct {
	param string
	off   int64
}

// passed is what a parameter of a function, or a part of one, comes from.
type passed struct {
	// sets has the flags of objects alone.
	flags objects
	list  []object
}

// lateCopy is set if the scalar step at code must also fill the lanes' copy
// of d, if some instruction turns out to want one. lateBcast is the same for
// a load.
type lateCopy struct {
	code int
	d    *reg
}

type lateBcast struct {
	mem  int
	regs [4]*reg
}

// blockRange is the blocks from first to last.
type blockRange struct{ first, last int32 }

type constKey struct {
	kind  slotKind
	value uint64
}

type slot struct {
	kind slotKind
	fn   int
	// place is the slot whose offset this one has: its own number, or that of a
	// slot that it shares with.
	place  int32
	offset int32
}

// special is a special register's place.
type special struct {
	index int
	kind  program.SpecialKind
}

// reg is a virtual register of a function.
type reg struct {
	name  string
	id    int
	typ   isa.Type
	width alu.Width
	// varying registers have a value per lane in slot; others one value in
	// slot and, if a vector instruction reads it, a copy per lane in bcast.
	varying bool
	slot    int32
	bcast   int32
	defs    int
	uses    int
	// special is one more than the index of the special register that the
	// register shares its place with; 0 for none.
	special int
}

// slotKind is a place in the slab before it has an offset.
type slotKind uint8

const (
	uniScalar slotKind = iota // 8 bytes, kept once
	uniPred                   // 8 bytes, kept once
	uniBcast32
	uniBcast64
	constScalar
	constPred
	const32
	const64
	shared32 // specials and the like, for the whole warp
	area32   // registers of a function
	area64
	areaPred
)

// size is the bytes that a slot of the kind takes.
func (k slotKind) size() int32 {
	switch k {
	case uniScalar, uniPred, constScalar, constPred, areaPred:
		return 8
	case uniBcast64, const64, area64:
		return 256
	}
	return 128
}
