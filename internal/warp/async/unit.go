package async

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Warp is what asynchronous operations need of the warp that issues them.
type Warp interface {
	// Number is the warp's number in its block, Existing the lanes that have threads. OthersLive reports whether another
	// warp of the block has not ended.
	Number() int
	Existing() uint32
	OthersLive() bool
	// Instructions counts what the block's warps have executed, Ticks the accesses of the warp in the barrier interval.
	Instructions() uint64
	Ticks() *uint64
	// Params is the kernel's parameter buffer.
	Params() []byte
	// Following reports whether undefined values are followed.
	Following() bool
	// AddressesOf computes the addresses of lanes m, which are borrowed until the next call.
	AddressesOf(op *program.Mem, m uint32) (*vec.Row64, *vec.Span)
	// Access checks an access and tells observers. It returns the pointer that the addresses are added to, and false
	// after a fault. data is what is written, nil where that is in the registers of op. AccessSome drops lanes
	// whose access is refused, and returns the rest. Emit tells observers of shared memory alone. Told is the event at work.
	Access(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async) (unsafe.Pointer, bool)
	AccessSome(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async) (rest uint32, ok bool)
	Emit(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async)
	Told() *trace.Access
	// InCluster reports whether addresses in shared memory up to hi name the block that they belong to. ByRank
	// calls f once for each block of the cluster that lanes of m address, and Owner is that block during the call, nil outside of one.
	InCluster(hi uint64) bool
	ByRank(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span, f func(m uint32) bool) bool
	Owner() *Block
	// ReadLocal reads local memory of a lane, and returns false beyond it.
	ReadLocal(b []byte, off uint64, l int) bool
	// NextCluster takes a cluster away that has not begun, and returns its first block; ok is false if none is left.
	NextCluster() (first trace.Dim3, ok bool)
	// Fault and the others end the block by a fault. OutOfShared returns nil where the access is refused without one.
	Fault(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) *trace.Fault
	WrongSpace(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, want string) bool
	OutOfShared(op *program.Mem, m uint32, addr *vec.Row64, size uint64) *trace.Fault
	OwnerEnded(op *program.Mem, m uint32, addr *vec.Row64, rank uint64) bool
}

// Home is what a Block needs of who runs it.
type Home interface {
	Place() *trace.Block
	Observer() *trace.BlockObserver
	Taints() *taint.Block
	// Flush lets observers of shared memory have what is withheld from them, before an event of
	// an asynchronous operation.
	Flush()
	// Rank returns a block of the cluster, nil where it has ended; exists is false for none.
	Rank(rank uint64) (to *Block, exists bool)
}

// Block has the asynchronous operations of a block that complete on its mbarriers, and who arrived there.
type Block struct {
	Home
	// Latency lets the other warps have a turn before an asynchronous operation ends: on a GPU it takes longer
	// than warps need that can run. GaveWay is set by a warp that ends its turn for that.
	Latency, GaveWay bool
	// tracked are the arrivals on mbarriers that wait for copies, completions the operations that complete on mbarriers
	// of the block. ops counts those that its warps have issued, by warp.
	tracked     []tracking
	completions []*Completion
	ops         []uint64
	arrivals    arrivals
}

// Attach makes a block that of h.
func (b *Block) Attach(h Home) { b.Home = h }

// On has the functions of the block's observers.
func (b *Block) On() *trace.BlockObserver { return b.Observer() }

// Reset readies it for the next block.
func (b *Block) Reset() {
	b.tracked, b.completions, b.ops = b.tracked[:0], nil, b.ops[:0]
	b.arrivals.reset()
}

// Unit issues the asynchronous operations of a warp, and has those that complete on groups.
type Unit struct {
	warp  Warp
	block *Block
	regs  *vec.Registers
	did   *vec.Activity
	taint *taint.Tracker
	// copies are those of cp.async on their way, bulk those of bulk operations to global memory.
	copies copies
	bulk   bulks
	// suspended are lanes in a try_wait with a time limit.
	suspended []waiting
	// Retry is set by a step that has to be executed again: it waits for others. Idle is set by a step that found that
	// the lanes wait.
	Retry, Idle bool

	addr vec.Row64
	span vec.Span
}

// New returns the unit of a warp.
func New(w Warp, b *Block, regs *vec.Registers, did *vec.Activity, tr *taint.Tracker) Unit {
	return Unit{warp: w, block: b, regs: regs, did: did, taint: tr}
}

// Reset readies it for another block.
func (u *Unit) Reset() {
	u.copies.reset()
	u.bulk.reset()
	u.suspended, u.Retry, u.Idle = u.suspended[:0], false, false
}

// Pending reports whether operations of the warp, or arrivals on mbarriers of its block, are on their way that end with the lanes.
func (u *Unit) Pending() bool {
	return len(u.copies.list)+len(u.bulk.list) > 0 || len(u.block.tracked) > 0
}

// Copies reports whether the warp has issued copies in this block.
func (u *Unit) Copies() bool { return u.copies.used }

// Stills returns for how many turns lanes in a try_wait have seen nothing happen.
func (u *Unit) Stills(yield func(turns int)) {
	for i := range u.suspended {
		yield(u.suspended[i].still)
	}
}

// there is the block whose shared memory the access at work goes to.
func (u *Unit) there() *Block {
	if o := u.warp.Owner(); o != nil {
		return o
	}
	return u.block
}

// Waiting reports whether arrivals or operations wait for somebody to look at their mbarrier.
func (b *Block) Waiting() bool { return len(b.tracked)+len(b.completions) > 0 }

// NextOp numbers an asynchronous operation of a warp of the block; see Block.NextOp.
func (u *Unit) NextOp(warp int) uint64 { return u.block.NextOp(warp) }
