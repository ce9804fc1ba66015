// Package trace defines the events that the engine and the host server emit
// while a program runs, and the observers that receive them; see Observer.
//
// Events are borrowed: they and all that they point to are valid for the call
// only. An observer has a function for each event that it wants; the engine
// makes no others.
package trace

import (
	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Space is a PTX state space (PTX ISA, "State Spaces").
type Space uint8

// The spaces that an access can end in. SpaceGeneric appears only in a
// Site: each access carries the space that its address resolved to.
const (
	SpaceGeneric Space = iota
	SpaceGlobal
	SpaceShared
	SpaceLocal
	SpaceConst
	SpaceParam
	SpaceRegister // of registers; accesses never have it
	SpaceTensor   // the tensor memory of tcgen05
	SpaceLane     // of registers that a shuffle reads in other lanes; accesses never have it
	SpaceResponse // of what clusterlaunchcontrol.query_cancel decodes; accesses never have it
)

var spaceNames = [...]string{"generic", "global", "shared", "local", "const", "param", "register", "tensor", "lane", "response"}

func (s Space) String() string { return spaceNames[s] }

// Kind says what an access does to memory.
type Kind uint8

// Atomic is a read-modify-write.
const (
	Read Kind = iota
	Write
	Atomic
)

var kindNames = [...]string{"read", "write", "atomic"}

func (k Kind) String() string { return kindNames[k] }

// Writes reports whether the access changes memory.
func (k Kind) Writes() bool { return k != Read }

// Order is the memory-ordering qualifier (PTX ISA, "Memory Consistency
// Model"). OrderVolatile is the user's own volatile, not one that the
// source-keeping build adds.
type Order uint8

// Orders from weakest to strongest.
const (
	OrderWeak Order = iota
	OrderVolatile
	OrderRelaxed
	OrderAcquire
	OrderRelease
	OrderAcqRel
	OrderSC
)

var orderNames = [...]string{"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc"}

func (o Order) String() string { return orderNames[o] }

// Scope is the set of threads that a strong operation or fence orders.
type Scope uint8

// Scopes from narrowest to widest; ScopeNone for weak operations.
const (
	ScopeNone Scope = iota
	ScopeCTA
	ScopeCluster
	ScopeGPU
	ScopeSys
)

var scopeNames = [...]string{"", "cta", "cluster", "gpu", "sys"}

func (s Scope) String() string { return scopeNames[s] }

// Dim3 is an extent or a coordinate in x, y and z.
type Dim3 struct {
	X uint32 `json:"x"`
	Y uint32 `json:"y"`
	Z uint32 `json:"z"`
}

// Size returns the number of points of the extent.
func (d Dim3) Size() uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

// At returns the coordinate of linear index i in extent d, x fastest
// (CUDA C++ Programming Guide, "Thread Hierarchy").
func (d Dim3) At(i uint64) Dim3 {
	x, y := uint64(d.X), uint64(d.Y)
	return Dim3{uint32(i % x), uint32(i / x % y), uint32(i / (x * y))}
}

// Site is one static access or synchronization: an instruction and its place.
type Site struct {
	// ID is the index in Launch.Sites. It is the same in every launch of a
	// kernel from one module.
	ID int
	// Loc is the CUDA source position; unknown without .loc.
	Loc source.Location
	// Func is the mangled name of the PTX function that holds it.
	Func string
	// PTX is the instruction's text, for people; PTXLine is its line in the PTX
	// file. Op is what the instruction does.
	PTX     string
	PTXLine int
	Op      inst.Op
	Space   Space
	Kind    Kind
	Order   Order
	Scope   Scope
	// Size is the bytes that each lane accesses; Elem the bytes of one
	// element: 16 and 4 for ld.v4.f32. Both 0 for a synchronization.
	Size int
	Elem int
	// Roots are the places in Launch.Params of the values that the address is
	// computed from: pointers and perhaps numbers. It is empty where they are
	// not known.
	Roots []uint32
	// Restricted marks a load through a parameter of type const T *__restrict__, which
	// compilers may make through the read-only path.
	Restricted bool
	// Local is the variable in local memory that is meant, nil where that is not
	// known.
	Local *Variable
	// Subarray is above 0 where the address is computed from that of one part of an array
	// in shared memory: Launch.Subarrays[Part-1].
	Subarray int
	// GridBarrier marks the trap by which the barrier of a grid refuses a launch that is
	// not cooperative.
	GridBarrier bool
	// Frees marks a call of free in device code, which ends memory of the device's heap: a
	// write without a size.
	Frees bool
	// Allocates marks a call of malloc in device code.
	Allocates bool
	// Register is the register of PTX that the instruction may read before it is written,
	// "" for other sites. Size is 0 then.
	Register string
	// Texture marks a texture or surface instruction: it has caches and a
	// layout of its own, and Size is that of a texel. One instruction can have
	// a site for each size of texel, and can read several texels a lane, which
	// are then several accesses.
	Texture bool
	// TensorMap marks the read of a tensor map by an operation that uses it, which has a proxy of its own
	// (PTX ISA, "Proxies": tensormap).
	TensorMap bool
	// EndsSilently marks an mbarrier.init of an object whose destructor, an mbarrier.inval on a GPU, does nothing here.
	EndsSilently bool
}

// HeapFree is memory of the device's heap that a lane is about to free.
type HeapFree struct {
	Site       *Site
	Warp, Lane int
	Addr, Size uint64
}

// Variable is a named object in shared, global or constant memory.
type Variable struct {
	// Name is the PTX (mangled) name; with dynamic shared memory those of all
	// arrays, with a NameSeparator between them.
	Name string
	// Addr is the offset in shared memory, or the device address.
	Addr uint64
	// Size in bytes. Dynamic shared memory gets the launch's size.
	Size uint64
	// Dynamic marks extern __shared__ arrays, which all begin at one Addr.
	Dynamic bool
	// Type is nil where it is not known.
	Type *ctype.Type
	// Register marks a local variable that lives in registers. A read of its memory, which
	// is never written, is where it starts from on the paths that do not set it first: the
	// value is uninitialized, and matters where it is used.
	Register bool
	// Part is set if it stands for an array that is part of another object, with 4 bytes
	// for each element. It is only read beyond its end, where the program uses an index that
	// leads into the array's neighbor. Name is "S::b" for a member, the whole array's for a row.
	Part PartKind
	// Compiler is set for shared memory of a language that has none: the compiler stores in it
	// what threads exchange.
	Compiler bool
}

// PartKind is what a variable that stands for part of an object stands for.
type PartKind uint8

// The kinds of parts.
const (
	NoPart PartKind = iota
	PartMember
	PartRow
)

// NameSeparator stands between the names of one Variable.
const NameSeparator = "/"

// Launch describes one kernel launch.
type Launch struct {
	// ID counts launches of the process from 0.
	ID int
	// Kernel is the mangled name.
	Kernel string
	// Module tells the modules of a process apart: the PTX file's name.
	Module      string
	Grid, Block Dim3
	// Cluster is the extent of a cluster in blocks, zero without clusters.
	Cluster       Dim3
	SharedStatic  uint32
	SharedDynamic uint32
	// GridWorkspace is the device address of the barrier of a cooperative launch,
	// else 0.
	GridWorkspace uint64
	// SM is the emulated compute capability times ten.
	SM    int
	Sites []*Site
	// Shared lists the shared variables by offset.
	Shared []Variable
	// Subarrays are those that the kernel carves out of shared arrays.
	Subarrays []Subarray
	// SharedUnit is the bytes of the smallest elements of arrays in shared memory, 1, 2 or 4, where that
	// is known; 0 means 4.
	SharedUnit int
	// Ordered is set if the blocks run in one fixed order on one core, as they
	// may depend on each other.
	Ordered bool
	// Skipped is how many blocks of the grid are not executed.
	Skipped uint64
	// Repeatable is set if the launch can be run again from its beginning; see
	// LaunchObserver.Again.
	Repeatable bool
	// Nests is set if threads may launch child grids, copies or fills.
	Nests bool
	// Groups are those whose barriers the kernel uses in two parts.
	Groups [NumGroups]bool
	// Dependent is set if device code that is loaded uses griddepcontrol, or host code
	// launches with attributes, so that the program may launch kernels that begin before the
	// one before them ends.
	Dependent bool
	// Params is the parameter buffer.
	Params []byte
	// GlobalAccesses counts, when the launch has ended, the warps' accesses by
	// instructions that name global memory, textures left out, in the blocks that
	// are seen.
	GlobalAccesses uint64
	// Memory returns the live allocation that holds a device address. It may
	// be nil.
	Memory func(addr uint64) (Memory, bool)
	// Live reports whether a live allocation has a device address from lo to hi-1. It
	// may be nil.
	Live func(lo, hi uint64) bool
	// Textures returns the memory that can be read through texture and surface objects as they are now, or written through surface
	// objects; ok is false where that is not known. It may be nil.
	Textures func(written bool) (list []Memory, ok bool)
	// PlainPolls reports whether a loop of the kernel waits for what a plain read of a site reads, and
	// does nothing else in memory. It may be nil.
	PlainPolls func(site int) bool
	// Peek returns n bytes of global memory as they are now, nil outside of live
	// allocations, and whether all of them have been written. It may be nil.
	Peek func(addr uint64, n int) (b []byte, written bool)
}

// Polls reports whether a loop of the kernel waits for what a plain read of a site reads.
func (l *Launch) Polls(s *Site) bool { return l.PlainPolls != nil && l.PlainPolls(s.ID) }

// Warps returns the number of warps of a block.
func (l *Launch) Warps() int { return int((l.Block.Size() + 31) / 32) }

// Block identifies a block that runs. Shared is its shared memory, live.
type Block struct {
	Launch *Launch
	// Index is linear in the grid, x fastest; Coord the same as a coordinate.
	Index  uint64
	Coord  Dim3
	Shared []byte
	// Worker numbers who runs the slot's blocks, from 0: two of one worker do not run at once.
	Worker int
	// Cut says, when the block has ended, that it was ended before its threads
	// had: by a fault, or from outside.
	Cut bool
}

// Async tells the moments of an asynchronous copy (PTX ISA, "Asynchronous
// copy") from other accesses.
type Async uint8

// An access is synchronous: it takes effect when it is sent. Or it is told
// twice, both times by the lanes that issued the copy:
//
// AsyncIssue is when the copy begins: its read of global memory, told once, and
// its write to shared memory, which has no effect yet. From here on until the
// copy completes the source must not be changed, and the destination must
// neither be read nor written by any thread, the one that issued it included.
//
// AsyncComplete is the same write when it takes effect: at the thread's
// cp.async.wait, or before the arrival on an mbarrier that tracks the copy. What
// is ordered after that wait or arrival may read it.
//
// An issue is always followed by its completion for each lane, before the
// thread exits. The completions of one issue may come in several parts.
const (
	Sync Async = iota
	AsyncIssue
	AsyncComplete
)

// Access is one warp's execution of a site that touches memory. It is sent
// before the access takes effect: for an access to shared memory,
// Block.Shared still holds what a read returns and what a write overwrites.
type Access struct {
	Site *Site
	// Space is resolved: never SpaceGeneric.
	Space Space
	// Warp is the index in the block; thread index = 32*Warp + lane.
	Warp int
	// Mask has a bit for each lane that takes part.
	Mask uint32
	// Addr holds an address for each lane in Mask: an offset in the block's
	// shared memory, an offset in the thread's local memory, or a device
	// address.
	Addr *[32]uint64
	// Regular is set if all 32 lanes take part and lane i's address is
	// lane 0's plus i times Step. Where it is false nothing is said.
	Regular bool
	Step    int64
	// Tick is the number of the access among those of its warp since the last full
	// barrier, from 1, stores to local memory left out: accesses of two warps can
	// be put in the order that they have where all warps keep step. Bulk operations that lanes
	// issue by one instruction have the same numbers. It does not depend on who listens to what. It is 0 where an access is told again, see
	// IntervalObserver.
	Tick uint32
	// Async is not Sync for the accesses of asynchronous copies.
	Async Async
	// Shape is what the addresses look like, nil where that is not known.
	Shape *Shape
	// Undefined takes what a read of shared or local memory finds that nothing has
	// written. It is nil where undefined values are not followed.
	Undefined *Undefined
	// Data reads registers; see Value. It is nil where an access is told
	// again, see IntervalObserver.
	Data Data
	// Past has what was in memory before an access that is sent late, nil where that is
	// there still.
	Past Past
}

// Past reads shared memory as it was before an access.
type Past interface {
	// Before returns 4-byte word number word of what a lane writes, counted from the one that
	// has its address.
	Before(lane, word int) uint32
}

// Data reads the source registers of a store.
type Data interface {
	// Value returns element elem that lane writes, zero-extended. For an
	// atomic it is the operand; a compare-and-swap's is what it expects, and element 1
	// what it writes. It must not be called for a read.
	Value(lane, elem int) uint64
}

// Barrier is the completion of a barrier of the block: bar.sync, bar.red, or
// bar.arrive with its bar.sync (PTX ISA, "barrier").
type Barrier struct {
	Site *Site
	ID   int
	// Arrived and Synced have one lane mask per warp. Arrived are all
	// participants; Synced those that waited. What participants did before
	// it is ordered before what the Synced do after it.
	Arrived, Synced []uint32
	// Again are those of Synced that had arrived in the same phase before, without waiting, and whose
	// wait is another arrival: bar.sync after bar.arrive. Nil for none. A wait
	// of a split barrier is none.
	Again []uint32
	// Full is set if every thread of the block that has not exited
	// took part and waited, and that nothing took part without waiting.
	Full bool
	// More is set if other threads have yet to pass the same phase of the barrier.
	More bool
	// Divergent is set if the threads of a warp did not come together to a
	// barrier that says .aligned.
	Divergent *Divergent
}

// Divergent describes a warp whose threads did not all execute one aligned
// barrier (PTX ISA, "bar, barrier": .aligned). Mask is 0 if none of them did, as
// all had ended before.
type Divergent struct {
	Warp int
	// Site is where lanes Mask reached the barrier, Other where lanes
	// Elsewhere of OtherWarp reached it, if any did. Lanes Exited had ended before, lanes
	// Absent had not come when the barrier had all that it counts. Bypassed are those of Exited that did not only return
	// before the barrier, but continued with what comes behind it while others waited there.
	Site, Other                     *Site
	Mask, Elsewhere, Exited, Absent uint32
	Bypassed                        uint32
	// OtherWarp is Warp where the lanes of one warp came apart. Else whole warps reached
	// different barriers of the block, which meet only in PTX.
	OtherWarp int
}

// WarpSync is the completion of a bar.warp.sync. Shuffles, votes and matches, which do not
// order memory, are no events.
type WarpSync struct {
	Site *Site
	Warp int
	Mask uint32
}

// Fence is a membar or fence by the lanes of Mask.
type Fence struct {
	Site  *Site
	Warp  int
	Mask  uint32
	Scope Scope
	Order Order
}
