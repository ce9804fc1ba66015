package tensor

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/async"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Warp is what the instructions of warpgroups and of tensor memory need of the warp that executes them.
type Warp interface {
	// Number is the warp's number in its block, Existing the lanes that have threads. OthersLive reports whether another
	// warp of the block has not ended.
	Number() int
	Existing() uint32
	OthersLive() bool
	Program() *program.Program
	Arch() *arch.Arch
	// StepAgain lets the lanes that wait for other warps (Unit.Waits) execute their step again.
	StepAgain()
	// WholeWarp checks that all 32 threads of the warp execute an instruction that wants them together.
	WholeWarp(site *trace.Site, m uint32) bool
	// Following reports whether undefined values are followed.
	Following() bool
	// AddressesOf computes the addresses of lanes m, which are borrowed until the next call.
	AddressesOf(op *program.Mem, m uint32) (*vec.Row64, *vec.Span)
	// Access checks an access and tells observers; false means a fault. Count counts one of which they hear otherwise.
	Access(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span, data trace.Data, async trace.Async) (unsafe.Pointer, bool)
	Count(site *trace.Site, sp trace.Space)
	// Fault and the others end the block by a fault. Faulted reports whether something has.
	Fault(kind trace.FaultKind, cause trace.Cause, site *trace.Site, m uint32, format string, args ...any) *trace.Fault
	Faulted() bool
	WrongSpace(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, want string) bool
	OutOfShared(op *program.Mem, m uint32, addr *vec.Row64, size uint64) *trace.Fault
}

// Home is what a Block needs of who runs it.
type Home interface {
	Place() *trace.Block
	Observer() *trace.BlockObserver
	Taints() *taint.Block
	// Flush lets observers of shared memory have what is withheld from them, before an event of
	// an asynchronous operation.
	Flush()
	// Peer returns a block of the cluster, nil where it has ended; exists is false for none. Clustered reports whether
	// the cluster has several.
	Peer(rank uint64) (to *Block, exists bool)
	Clustered() bool
	// WarpCount is the number of warps; WarpEnded and WakeWarp are for one of them.
	WarpCount() int
	WarpEnded(warp int) bool
	WakeWarp(warp int)
}

// Block is what the warps of a block share.
type Block struct {
	Home
	// products is what its warpgroups share for wgmma and tcgen05.mma, nil before the first.
	products *products
	// pool has the block's registers, nil before its first setmaxnreg.
	pool *registerPool
	// tmem is the block's tensor memory, nil before its first use.
	tmem *tensorMemory
}

// Attach makes a block that of h.
func (b *Block) Attach(h Home) { b.Home = h }

// Reset readies it for the next block.
func (b *Block) Reset() {
	b.resetTensorMemory()
	b.pool = nil
	if p := b.products; p != nil {
		p.groups = p.groups[:0]
	}
}

// Multiplies reports whether warpgroups of the block have multiplied, in this block or an earlier one.
func (b *Block) Multiplies() bool { return b.products != nil }

// Unit executes the instructions of a warp, and has its operations on their way.
type Unit struct {
	warp  Warp
	block *Block
	async *async.Unit
	regs  *vec.Registers
	did   *vec.Activity
	taint *taint.Tracker
	// wgmma are the warp's products on their way.
	wgmma wgmmaState
	// moves are the warp's operations between registers and tensor memory on their way: loads and
	// stores.
	moves [2][]uint64
	// loads are loads from tensor memory for whose registers a step looks, since the last wait.
	loads []*program.TensorMove
	// flights follows the registers of both through local memory.
	flights flights
	// Retry is set by a step that has to be executed again. Waits is set by a step that other warps must do something for: a wait
	// for a product that the warpgroup has not issued yet, a request for registers that the block does not have now.
	Retry, Waits bool
}

// New returns the unit of a warp.
func New(w Warp, b *Block, a *async.Unit, regs *vec.Registers, did *vec.Activity, tr *taint.Tracker) Unit {
	return Unit{warp: w, block: b, async: a, regs: regs, did: did, taint: tr}
}

// Reset readies it for another block.
func (u *Unit) Reset() {
	u.wgmma.reset()
	u.flights.reset()
	u.loads, u.moves[0], u.moves[1], u.Retry, u.Waits = u.loads[:0], u.moves[0][:0], u.moves[1][:0], false, false
}

// Ends notes that the warp ends. It should have executed what others of its warpgroup have; false means a fault.
func (u *Unit) Ends() bool { return u.exits() && u.leavesRegisters() }
