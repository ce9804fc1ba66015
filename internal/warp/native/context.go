package native

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
)

// Context is what generated code and the interpreter pass to each other.
type Context struct {
	Slab   unsafe.Pointer
	Target uintptr
	Mask   uint64
	Budget int64
	// instrs, loads, stores and locals (stores to local memory) are what was done
	// since the entry, threads the instructions of threads.
	Instrs, Loads, Stores, Locals, Threads uint64
	// globals counts those of these whose instruction names global memory.
	Globals uint64
	// meet is the step of the innermost meeting point, -1 for none.
	Meet    int64
	Regions *Region
	Follow  Follow
	// local is the warp's local memory; offsets below localLimit[k] are inside for
	// accesses of 1<<k bytes.
	Local      uintptr
	LocalLimit [6]uint64
	// changes counts the lanes whose atomic operation changed something.
	Changes uint64
	atomic  atomicArea
	// depth and waiting are the bytes of joins and sides in use (see part.go),
	// limit is their bound, 0 where lanes must not part. met is not 0 once lanes
	// have met.
	Depth, Waiting, limit, Met uint64
	Joins                      [MaxParted]partedJoin
	Sides                      [MaxParted]partedSide
	// entry is the warp of a sweep that runs (see sweep.go), 0 without one, end
	// the end of the list, stop the step where the warps stopped, targets where
	// each begins, by form.
	Entry, End uintptr
	Stop       int64
	Targets    [2]uintptr
}

// mayPart lets the lanes of a call into generated code part.
func (c *Context) MayPart(may bool) {
	c.Depth, c.Waiting, c.limit, c.Met = 0, 0, 0, 0
	if may {
		c.limit = MaxParted * uint64(PartedSize)
	}
}

// Follow is where native code finds what the group expects next.
type Follow struct {
	Cursor *recall.Cursor
	Nodes  unsafe.Pointer
	Shapes unsafe.Pointer // the first of pointers to trace.Shape
	Warp   uint64         // as an event has it
}

// region is where the lanes of a memory instruction may go without more ado:
// addresses a of the instruction, without its offset, with a-start < limit,
// which are at ptr + (a-start).
type Region struct {
	Start, Limit uint64
	Ptr          uintptr
}

// watched is a set of spaces and of the following.
type Watched uint16

const (
	// picked: the order of lanes in atomics is not the usual one.
	Picked Watched = 1 << (6 + iota)
	// followed: accesses to shared memory have native code while the group of observers
	// knows them; the others leave to the interpreter.
	Followed
	// bounded: an observer wants accesses beyond the object that is meant.
	Bounded
	// parted: an observer wants to know where subarrays of shared memory begin.
	Parts
)

func (w Watched) has(s trace.Space) bool { return w>>s&1 != 0 }

// NoStop is Context.stop before a warp of a sweep stopped.
const NoStop = -1
