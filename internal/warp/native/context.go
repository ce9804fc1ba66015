package native

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
)

// Context is what generated code and the interpreter pass to each other.
type Context struct {
	Slab   unsafe.Pointer
	Target uintptr
	Mask   uint64
	Budget int64
	// Instrs, Loads, Stores and Locals (stores to local memory) are what was done
	// since the entry, Threads the instructions of threads.
	Instrs, Loads, Stores, Locals, Threads uint64
	// Globals counts those of these whose instruction names global memory.
	Globals uint64
	// Executed has the counts of basic blocks (Counted).
	Executed unsafe.Pointer
	// Decided has the counts of conditions (Counted).
	Decided unsafe.Pointer
	// Meet is the step of the innermost reconvergence point, -1 for none.
	Meet    int64
	Regions *Region
	Follow  Follow
	// Sieve is that of the block (Sieved); code moves its At. Shared is the block's memory.
	Sieve  shadow.SieveLive
	Shared uintptr
	// Plain is that of the observer of global memory (Entered); code counts in it.
	Plain shadow.Live
	// Functions are those in C that code by way of LLVM calls.
	Functions [NumFunctions]uintptr
	// Local is the warp's local memory; offsets below LocalLimit[k] are inside for
	// accesses of 1<<k bytes.
	Local      uintptr
	LocalLimit [6]uint64
	// Written has by offset in local memory the lanes that have written that byte (Noted).
	Written uintptr
	// Sums are what generated code keeps of rows that are held as an index (see index.go).
	Sums [MaxSums]uint64
	// Changes counts the lanes whose atomic operation changed something.
	Changes uint64
	atomic  atomicArea
	// Depth and Waiting are the bytes of joins and sides in use (see diverge.go),
	// limit is their bound, 0 where lanes must not diverge. Met is not 0 once lanes
	// have met.
	Depth, Waiting, limit, Met uint64
	Joins                      [MaxDiverged]divergedJoin
	Sides                      [MaxDiverged]divergedSide
	// Entry is the warp of a sweep that runs (see sweep.go), 0 without one, First the one
	// that began, Begin and End the bounds of the list, Stop the step where the warps stopped,
	// Targets where each begins, by form. Counters are those of the warp that runs.
	Entry, First, Begin, End uintptr
	Stop                     int64
	Targets                  [2]uintptr
	// Pending counts the warps that have not stopped, of Warps; Turn is the budget of all but
	// the first.
	Pending, Warps uint64
	Turn           int64
	// Passed counts the barriers that the code has passed, at PassedAt, Passes is how many it
	// may.
	Passed, Passes uint64
	PassedAt       [MaxPassed]uint32
	Blocks         Blocks
	serial         serialArea
}

// NumFunctions is how many functions code may call.
const NumFunctions = 12

// MaxPassed bounds the barriers that a sweep passes by itself.
const MaxPassed = 64

// MaxSwept is after how many instructions of threads a sweep passes no more barriers.
const MaxSwept = 1 << 22

// Pass does what code does that passes the barrier at step stop, at which all warps of a sweep are:
// the sweep continues at targets with the last one in the list, and what is left of its turn.
func (c *Context) Pass(list []SweepEntry, stop int32, targets [2]uintptr) {
	c.PassedAt[c.Passed] = uint32(stop)
	c.Passed++
	c.Targets = targets
	first := int(c.First-c.Begin) / int(EntrySize)
	last := (first + len(list) - 1) % len(list)
	list[first].Budget = c.Turn
	list[last].Budget = c.Budget
	c.First = c.Begin + uintptr(last)*uintptr(EntrySize)
	c.Entry, c.Pending, c.Stop = c.First, c.Warps, NoStop
}

// MayDiverge lets the lanes of a call into generated code diverge.
func (c *Context) MayDiverge(may bool) {
	c.Depth, c.Waiting, c.limit, c.Met = 0, 0, 0, 0
	if may {
		c.limit = MaxDiverged * uint64(DivergedSize)
	}
}

// Follow is where native code finds what the group expects next.
type Follow struct {
	Cursor *recall.Cursor
	Nodes  unsafe.Pointer
	Shapes unsafe.Pointer // the first of pointers to trace.Shape
	Warp   uint64         // as an event has it
}

// Region is where the lanes of a memory instruction may go without more ado:
// addresses a of the instruction, without its offset, with a-Start < Limit,
// which are at Ptr + (a-Start).
type Region struct {
	Start, Limit uint64
	Ptr          uintptr
	// Enters says what else each access needs: Enter, Mark.
	Enters uint32
	// Missed is for code to learn whether it pays to look for lanes that are neighbors.
	Missed uint32
	// Marks are those of the instruction's accesses to the allocation.
	Marks shadow.Marks
}

// What accesses to a region need.
const (
	Enter uint32 = 1 << iota // to be entered into Context.Plain
	Mark                     // to be marked in Region.Marks
)

// Watched is a set of spaces and of the following.
type Watched uint32

const (
	// Picked: the order of lanes in atomics is not the usual one.
	Picked Watched = 1 << (6 + iota)
	// Followed: accesses to shared memory have native code while the group of observers
	// knows them; the others leave to the interpreter.
	Followed
	// Sieved: the group knows no access. Those to shared memory have native code while its
	// sieve suspects nothing; the others leave to the interpreter.
	Sieved
	// Entered: code enters accesses to global memory of regions for which that is asked.
	Entered
	// Bounded: an observer wants accesses beyond the object that is meant.
	Bounded
	// Subarrays: an observer wants to know where subarrays of shared memory begin.
	Subarrays
	// Synced: an observer wants to know of bar.warp.sync.
	Synced
	// Noted: an observer wants to know which bytes of local memory were written, in
	// Context.Written.
	Noted
	// Counted: an observer wants the executions of basic blocks.
	Counted
	// Fenced: an observer wants to know of fences.
	Fenced
	// Quick: the states that Entered is for are those of a quick look (shadow.Live.First).
	Quick
	// Touched: Entered is for bits of units (shadow.Live.Touched).
	Touched
	// Marked: code marks accesses to global memory of regions for which that is asked.
	Marked
	// Concurrent: the states that Quick is for are those of blocks that run at once (shadow.Live.Shared).
	Concurrent
)

func (w Watched) Has(s trace.Space) bool { return w>>s&1 != 0 }

// NoStop is Context.stop before a warp of a sweep stopped.
const NoStop = -1

// MaxDiverged is how deep lanes diverge in generated code.
const MaxDiverged = 16

// divergedJoin is a reconvergence point: the lanes that are to come and those that
// came, and the reconvergence point around it, as in Context.meet.
type divergedJoin struct {
	Expected, Arrived uint32
	Outer             int64
	_                 [16]byte
}

// divergedSide is lanes that have yet to run from a step on. join counts the
// bytes of joins up to theirs.
type divergedSide struct {
	code uintptr
	Join uint64
	PC   int32
	Mask uint32
	_    [8]byte
}

// DivergedSize is the size of both.
const DivergedSize = int32(unsafe.Sizeof(divergedJoin{}))

// atomicArea is where generated code passes the lanes of an atomic instruction
// one after the other: their places, operands and results.
type atomicArea struct{ at, b, c, old [32]uint64 }

// Code that has looked for neighbors so often in vain does without for as many accesses as are left
// of lookAgain, a power of two. Lanes that are far apart now may be neighbors in the kernel's next phase.
const Looks, LookAgain = 4, 32
