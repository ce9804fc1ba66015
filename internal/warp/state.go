package warp

import (
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/async"
	"github.com/warpgrind/warpgrind/internal/warp/devrt"
	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/taint"
	"github.com/warpgrind/warpgrind/internal/warp/tensor"
	"github.com/warpgrind/warpgrind/internal/warp/texture"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// Executions counts how often warps executed a basic block, and their active lanes.
// Generated code adds to both (native.Context.Executed).
type Executions struct{ Warps, Threads uint64 }

// Decisions counts the lanes in which a condition held and did not, the executions by warps with such lanes, and those with both.
// Generated code adds to all (native.Context.Decided).
type Decisions struct{ Yes, No, YesWarps, NoWarps, Both uint64 }

// Env is what the warps of one running block share.
type Env struct {
	Arena *mem.Arena
	Arch  *arch.Arch
	Block trace.Block
	// Params is the kernel's parameter buffer.
	Params []byte
	Bars   Barriers
	// On has the functions of the block's observers; those that are nil cost
	// nothing. MarksWritten asks that the bytes written are noted.
	On           trace.BlockObserver
	MarksWritten bool
	// Cluster is the block's, nil for kernels that have no use for one; owner is
	// the block whose shared memory the access at work means, nil for its own.
	Cluster *Cluster
	owner   *Env
	// Counters: thread and warp instructions, and executions of sites.
	ThreadInstrs, WarpInstrs, Accesses uint64
	// Global counts those of Accesses whose instruction names global memory.
	Global uint64
	// Executed counts executions of basic blocks, in the order of Program.Blocks; nil
	// where they are not wanted.
	Executed []Executions
	// Decided counts conditions, in the order of Program.Decisions, where Executed is wanted.
	Decided []Decisions
	// SpinLimit is the number of turns after which diverged lanes no longer wait
	// for others at a reconvergence point.
	SpinLimit int
	// Sweeps tells that all warps together may continue after a barrier.
	Sweeps bool
	// Holds lets a warp stop before a barrier of the whole block, as Held.
	Holds bool
	// Pauses is asked before an access to memory by a site; nil for never. Where it returns true, Rests is set, the
	// warp's turn is over, and the access comes next. Stepped: no generated code runs, so that it is asked before each access.
	Pauses  func(w *Warp, s *trace.Site) bool
	Rests   bool
	Stepped bool
	// PickLane chooses the lane of a mask that comes first in an atomic; nil
	// means the lowest.
	PickLane func(mask uint32) int
	// Stack is the bytes that calls of a thread may take; 0 for no such limit.
	Stack uint64
	// Writers is for naming who wrote what threads wait for; nil for none. Blocks that
	// may wait for each other share it.
	Writers *Writers
	// Runtime is the block's part in the device runtime.
	Runtime devrt.Block
	// Begin is WarpInstrs when the block began, Ticks how often its threads
	// read the clock.
	Begin, Ticks uint64
	// Fault is what stopped the block, or nil. With GoOn it continues after invalid
	// accesses; see Survived.
	Fault    *trace.Fault
	GoOn     bool
	survival survival

	// how is what events of the access at work say beyond its operands.
	// tensor is what the block's warpgroups and tensor memory need.
	tensor tensor.Block
	// Warps are the block's.
	Warps []*Warp
	how   emission
	// Async has the block's asynchronous operations.
	Async async.Block

	// CancelNext takes a cluster away that has not begun and returns its first block; ok is false
	// if none is left.
	CancelNext func() (first trace.Dim3, ok bool)

	// sources are Program.Sources as far as they were asked for.
	sources []sourced
	// Watched is for telling observers of shared memory, missing is scratch.
	Watched Watched
	missing vec.Row64

	access   trace.Access
	data     accessData
	gathered gathered
	cached   *mem.Allocation
	awaited  awaitedMemory
	addr     vec.Row64
	textures texture.Unit
	matrix   matrix.Unit
	span     vec.Span
	tmp      [2]vec.Row64
	order    []int32
	native   nativeEnv

	taint taint.Block
}

// Barriers arranges block-wide barriers.
type Barriers interface {
	// Arrive notes that lanes mask of w reached a barrier. It returns true if
	// they need not wait: the barrier is complete, or does not block. For a
	// reduction the result is then in value. Otherwise Resume is called later.
	Arrive(w *Warp, a Arrival) (pass bool, value uint32)
}

// Arrival is a group of lanes at a barrier.
type Arrival struct {
	Bar   *program.Bar
	Mask  uint32
	ID    uint32
	Count uint32 // 0 if not given
	// Pred holds the reduction's input by lane.
	Pred uint32
	// group is the waiting group's index.
	group int32
}

// Warp is the state of 32 lanes.
type Warp struct {
	Prog *program.Program
	Env  *Env
	// Index is the warp's number in the block.
	Index int
	// Exist are the lanes that have threads, Live those that have not exited.
	Exist, Live uint32
	// Ahead are lanes that have continued behind a branch where other lanes of it still waited for them.
	Ahead uint32
	// converged tells that all live lanes are at the step at, waiting at the
	// barrier waits if that is not none, and that there are no groups.
	converged bool
	at, waits int32
	vec.Activity
	// exits is how often Progress counted an exit.
	exits uint64
	// ticks is trace.Access.Tick.
	ticks uint64
	clock clockReads
	// Left is what is left of the budget after Run returned Passed or Held.
	Left int64

	// sel32 and sel64 choose between two registers by lane.
	sel32, sel64 func(d, a, b unsafe.Pointer, p uint32)

	vec.Registers
	local []byte

	groups []group
	ready  []int32 // LIFO
	joins  []join
	spare  []int32
	frames []frame
	calls  uint64 // since the warp was made
	// results holds a call's results while registers are restored.
	results []vec.Row32
	nlive   int // groups in use
	// shapes has the shape of the last access to shared memory by site.
	shapes []*trace.Shape
	// async issues the warp's asynchronous operations.
	async async.Unit
	// tensor executes the instructions of warpgroups and of tensor memory.
	tensor tensor.Unit
	// ended are the scopes of local variables that have ended, by their numbers.
	ended []endedScope
	// loose is set once lanes continue without waiting for each other: groups
	// that run are then no longer sides of one branch. nudges counts turns
	// among the ready groups, yields those without any lanes meeting.
	loose          bool
	nudges, yields int
	// zeroed are lanes that read zeros, as their access was invalid.
	zeroed uint32
	// refusedAt are the addresses that refusedLanes were refused last.
	refusedLanes uint32
	refusedAt    vec.Row64
	// image is the restored part of the slab as the first block found it.
	image []uint64
	// run is for observers of partings.
	run stretch
	// fresh is true until the special registers are set. perWarp are those that differ
	// between the blocks of a launch.
	fresh   bool
	perWarp []perWarp
	// taint follows the undefined values of the registers and of local memory.
	taint taint.Tracker
}

// Status tells why Run returned.
type Status uint8

// Blocked: lanes wait for a barrier or for each other. Yielded: the budget is
// used up. Passed: the warp completed a barrier, and a sweep may continue. Held: it is
// before a barrier, see Env.Holds.
const (
	Done Status = iota
	Blocked
	Yielded
	Faulted
	Passed
	Held
)

// NewWarp makes a warp for programs of p's size. It is used for many blocks.
func NewWarp(p *program.Program, env *Env) *Warp {
	w := &Warp{Prog: p, Env: env, fresh: true, sel32: alu.Select(alu.W32), sel64: alu.Select(alu.W64)}
	w.Allocate(p.Slab)
	env.Async.Attach(env)
	w.taint = taint.New(w, &env.taint, &w.Registers, p)
	w.async = async.New(w, &env.Async, &w.Registers, &w.Activity, &w.taint)
	env.tensor.Attach(env)
	w.tensor = tensor.New(w, &env.tensor, &w.async, &w.Registers, &w.Activity, &w.taint)
	return w
}

// wipe sets registers to what they are at a launch's start: what a block leaves
// in them must not reach the next one in its slot.
func (w *Warp) wipe() {
	if w.image != nil {
		copy(w.Words(0, w.Prog.Restored), w.image)
		return
	}
	p, params := w.Prog, w.Env.Params
	for _, c := range p.Consts {
		w.Fill(c)
	}
	for _, i := range p.Preloads {
		if op := &p.Mems[i]; op.Offset+uint64(op.Elem*op.Count) <= uint64(len(params)) {
			w.LoadScalar(op, unsafe.Pointer(&params[op.Offset]), 0)
		}
	}
}

// Start readies the warp for a block: index is its number, exist its lanes,
// both the same each time.
func (w *Warp) Start(index int, exist uint32) {
	w.Index, w.Exist, w.Live, w.Ahead = index, exist, exist, 0
	w.groups, w.ready, w.joins = w.groups[:0], w.ready[:0], w.joins[:0]
	w.spare, w.frames = w.spare[:0], w.frames[:0]
	w.nlive, w.Progress, w.Reads, w.ticks, w.clock = 0, 0, 0, 0, clockReads{}
	w.loose, w.nudges, w.yields, w.zeroed, w.refusedLanes = false, 0, 0, 0, 0
	w.run.mask, w.run.ended = 0, w.run.ended[:0]
	clear(w.local)
	w.async.Reset()
	w.tensor.Reset()
	clear(w.ended)
	w.Env.tensor.Reset()
	w.taint.Unshade()
	w.wipe()
	w.Env.Async.Reset()
	for _, c := range w.Prog.Zero {
		w.Fill(c)
	}
	w.setSpecials()
	if w.image == nil {
		w.image = slices.Clone(w.Words(0, w.Prog.Restored))
	}
	if s := w.Prog.StackTop; s != program.NoSlot {
		w.Broadcast(s, alu.W32, uint64(w.Prog.StackBase))
	}
	w.converged, w.at, w.waits = true, 0, none
	if w.Env.watchesStretches() {
		w.spread()
	}
}

// perWarp is a special register of one value a warp.
type perWarp struct {
	slot, bcast int32
	width       alu.Width
	value       func(*Warp) uint64
}

// setSpecials sets the special registers: all in the first block, then those that differ
// between blocks.
func (w *Warp) setSpecials() {
	if w.fresh {
		w.fresh = false
		w.setLaneSpecials()
	}
	for i := range w.perWarp {
		x := &w.perWarp[i]
		w.SetScalar(x.slot, x.width, x.bcast, x.value(w))
	}
}

// setLaneSpecials sets the special registers that differ by lane, and those that no block
// changes, which it drops from the list.
func (w *Warp) setLaneSpecials() {
	list := w.perWarp[:0]
	for i := range w.Prog.Specials {
		s := &w.Prog.Specials[i]
		if s.Vector {
			lane := laneSpecials[s.Name]
			for l := range w.V32(s.Slot) {
				w.V32(s.Slot)[l] = lane(w, uint32(l))
			}
			continue
		}
		x := perWarp{s.Slot, s.Bcast, program.SpecialWidth(s.Name), warpSpecials[s.Name]}
		w.SetScalar(x.slot, x.width, x.bcast, x.value(w))
		if blockSpecial(s.Name) {
			list = append(list, x)
		}
	}
	w.perWarp = list
}
