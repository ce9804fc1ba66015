package host

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Hooks are told what the program does. Any may be nil. They are called from
// one goroutine at a time, before what they tell takes effect unless they say
// otherwise.
type Hooks struct {
	// Asked is called with each request of the program's, a structure of package protocol.
	Asked func(any)
	// Alloc is called after an allocation is made, symbols included. The
	// bytes are zero; only those of symbols and managed memory count as
	// initialized for CUDA.
	Alloc func(*mem.Allocation)
	// Free is called after an allocation has ended.
	Free func(*mem.Allocation)
	// Copy and Fill are called when one is enqueued, Copying and Filling before it is
	// executed.
	Copy, Copying func(*Copy)
	Fill, Filling func(*Fill)
	// InStream is called when memory begins or ends in the order of a stream.
	InStream func(InStream)
	// Freeing is called when the program frees memory.
	Freeing func(Freeing)
	// Order tells what orders streams and the host.
	Order func(Order)
	// Launch is called when a launch that passed the limits is enqueued, Begun before it
	// runs, Launched after it. Parked is called when it waits for a change of memory, so
	// that others may run, Resumed when it continues.
	Launch          func(*LaunchInfo)
	Begun           func(*LaunchInfo)
	Launched        func(*LaunchInfo, LaunchResult)
	Parked, Resumed func(launch int)
	// NotRun is called for a launch that CUDA refuses since a kernel before it failed.
	NotRun func(kernel string)
	// InOrder is called for a programmatic dependent launch that runs in stream order,
	// since the architecture is older than such launches.
	InOrder func(kernel string)
	// GridOver is called when a grid's own threads have ended. Child grids may run
	// between it and Launched, or before it where they are waited for.
	GridOver func(*LaunchInfo)
	// ChildBegins and ChildEnds are called before and after a child grid, or a
	// copy or fill that device code asked for, with its other hooks in between.
	// ChildOrder reports an order of device streams.
	ChildBegins, ChildEnds, ChildOrder func(*ChildWork)
	// Rejected is a launch that CUDA refuses.
	Rejected func(*trace.RejectedLaunch)
	// APIError is misuse of the API.
	APIError func(APIError)
	// Unread is an error of a call that the program does not read.
	Unread func(*trace.UnreadError)
	// Failed is a call that returns an error.
	Failed func(*trace.FailedCall)
	// Unseen is the end of a program that has not waited for the text of a kernel.
	Unseen func(*trace.UnseenText)
	// InvalidFree is a free of what is not a live allocation, which CUDA answers
	// with cudaErrorInvalidValue. It is an APIError as well.
	InvalidFree func(*trace.InvalidFree)
	// Unsupported names an API call or a device feature that warpgrind lacks.
	Unsupported func(what string)
	// BadModule is a module whose PTX is invalid.
	BadModule func(name string, err error)
	// Internal is a bug of warpgrind.
	Internal func(error)
	// Leaks are the device, pinned, managed and device-heap allocations that
	// the program still holds when it ends in order or resets the device, by
	// ID.
	Leaks func([]*mem.Allocation)
	// HostAccess is host code that followed a pointer to device memory. al is
	// the allocation at or nearest to addr, or nil. The program ends by it.
	HostAccess func(addr uint64, al *mem.Allocation, where string)
	// HostWatched and HostTouch are as in trace.Observer; HostTouch.Memory is
	// not set.
	HostWatched func(trace.Range)
	HostTouch   func(*trace.HostTouch)
	// StuckWait is a stream's wait for a value that nothing can end.
	StuckWait func(*trace.StuckWait)
	// HostFunction is what a host function of a stream has done at one place.
	HostFunction func(*HostFunction)
	// Operator is work of a stream that the program has done by itself.
	Operator func(*Operator)
}

// Operator is an operator of a framework that the program's own code has executed on
// memory of the device, in the order of a stream. Marks are bytes some of which it has written.
// Moves is set if the bytes go elsewhere as they are, or come from there: uninitialized ones are not reported, and stay
// uninitialized. Library is set for an operation of NCCL.
type Operator struct {
	Call, Where          string
	Device               int
	Stream               uint64
	Reads, Writes, Marks []trace.Range
	Moves, Library       bool
}

// HostFunction is an access of a host function that a stream has run
// (cudaLaunchHostFunc, cudaStreamAddCallback).
type HostFunction struct {
	Number uint64
	Device int
	Stream uint64
	Touch  *trace.HostTouch
}

// APIError is a call that failed because it was used wrongly.
type APIError struct {
	// Call is the API function, Where its place in the program: file:line, or
	// "" when unknown.
	Call, Where string
	Code        Code
	// Cause is what is wrong, where it is a matter of a transfer; Detail puts it into one
	// line.
	Cause  trace.Cause
	Detail string
	// Transfer is set if what is wrong is the memory that a copy or fill would access: it
	// is outside of an allocation, or not of the kind that the call says, or its rows
	// overlap.
	Transfer bool
	// Ends are the addresses of what is written and what is read, 0 for none.
	Ends [2]uint64
}

// Box is a range of up to three dimensions: Depth slices of Height rows of
// Width bytes, Pitch bytes from row to row and Slice bytes from slice to
// slice.
type Box struct {
	Addr                 uint64
	Width, Height, Depth uint64
	Pitch, Slice         uint64
}

// Ranges calls f for the byte ranges of b in order, as long ones as there are.
func (b Box) Ranges(f func(addr, n uint64)) {
	w, h, d := b.Width, b.Height, b.Depth
	if w == 0 || h == 0 || d == 0 {
		return
	}
	if h > 1 && b.Pitch == w {
		w, h = w*h, 1
	}
	if d > 1 && h == 1 && b.Slice == w {
		w, d = w*d, 1
	}
	for z := range d {
		for y := range h {
			f(b.Addr+z*b.Slice+y*b.Pitch, w)
		}
	}
}

// extent is the bytes from the first to the last, and whether that is
// representable.
func (b Box) extent() (uint64, bool) {
	if b.Width == 0 || b.Height == 0 || b.Depth == 0 {
		return 0, true
	}
	const limit = 1 << 46
	if b.Width > limit || b.Height > limit || b.Depth > limit || b.Pitch > limit || b.Slice > limit {
		return 0, false
	}
	rows, slices := float64(b.Height-1)*float64(b.Pitch), float64(b.Depth-1)*float64(b.Slice)
	if rows+slices > limit {
		return 0, false
	}
	return (b.Depth-1)*b.Slice + (b.Height-1)*b.Pitch + b.Width, true
}

// overlaps reports whether rows or slices have bytes in common. A box whose extent is small
// has few rows otherwise.
func (b Box) overlaps() bool {
	return b.Height > 1 && b.Pitch < b.Width || b.Depth > 1 && b.Slice < (b.Height-1)*b.Pitch+b.Width
}

// meets returns the first byte that two boxes have in common, whose own rows have none.
func (b Box) meets(o Box) (addr uint64, ok bool) {
	n, _ := b.extent()
	m, _ := o.extent()
	if b.Addr >= o.Addr+m || o.Addr >= b.Addr+n {
		return 0, false
	}
	x, y := ranges(b), ranges(o)
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].Addr+x[0].N <= y[0].Addr:
			x = x[1:]
		case y[0].Addr+y[0].N <= x[0].Addr:
			y = y[1:]
		default:
			return max(x[0].Addr, y[0].Addr), true
		}
	}
	return 0, false
}

// Copy is a cudaMemcpy of any kind. An allocation is nil where that side is
// memory of the program that the server does not know.
type Copy struct {
	Call, Where        string
	Dst, Src           Box
	DstAlloc, SrcAlloc *mem.Allocation
	Device             int
	Stream             uint64
	Async              bool
	// Wait is set for a stream's read of a value that it waits for.
	Wait bool
	// Child is set if device code asked for it.
	Child bool
}

// Overwrites is how many bytes of device memory that have been written a copy replaces, before it is executed; 0 where
// that is not tracked.
func (c *Copy) Overwrites() (n uint64) {
	if w := written(c.DstAlloc); w != nil {
		rows(c, func(to, _, size uint64) { n += overwritten(w, to-c.DstAlloc.Base, size) })
	}
	return n
}

// Overwrites is as that of a Copy.
func (f *Fill) Overwrites() (n uint64) {
	if w := written(f.Alloc); w != nil {
		f.Dst.Ranges(func(addr, size uint64) { n += overwritten(w, addr-f.Alloc.Base, size) })
	}
	return n
}

func overwritten(w *mem.Written, at, size uint64) uint64 {
	_, _, unwritten := w.Gap(at, size)
	return size - unwritten
}

// Fill is a cudaMemset of any kind.
type Fill struct {
	Call, Where string
	Dst         Box
	Alloc       *mem.Allocation
	// Pattern is what is repeated: 1, 2 or 4 bytes.
	Pattern []byte
	Device  int
	Stream  uint64
	Async   bool
	// Number is that of a write of a value, 0 for others. Fence is set if it comes after a fence.
	Number uint64
	Fence  bool
	// Child is set if device code asked for it.
	Child bool
}

// InStream is an allocation or a free that is part of a stream's work.
type InStream struct {
	// Free is set if the memory ends; else it begins.
	Free        bool
	Call, Where string
	Alloc       *mem.Allocation
	Device      int
	Stream      uint64
}

// Freeing is a call that frees memory.
type Freeing struct {
	Alloc *mem.Allocation
	// InStream is set if the memory ends in the order of a stream.
	InStream bool
}

// OrderKind says what an Order orders.
type OrderKind uint8

// A new stream; the host waits for a device, a stream or an event, or asks and
// hears that there is nothing to wait for; an event is recorded in a stream; a
// stream waits for an event; a stream gets a name; a stream begins to wait for a value in
// memory, sees it, has written one; a host function is enqueued, begins, has ended.
const (
	OrderStream OrderKind = iota
	OrderSyncDevice
	OrderSyncStream
	OrderSyncEvent
	OrderRecord
	OrderWait
	OrderName
	OrderWaitValue
	OrderSawValue
	OrderWroteValue
	OrderFunction
	OrderFunctionBegins
	OrderFunctionEnds
)

// Order is one edge of the order between streams and the host.
type Order struct {
	Kind OrderKind
	// Device is the stream's, or the one that OrderSyncDevice waits for.
	Device int
	// Stream is LegacyStream for the legacy default stream. Event is the
	// event, or the number of a wait for a value, of a write of one, or of a host function.
	Stream, Event uint64
	// Range is where the value is that a stream waits for.
	Range trace.Range
	// Moment says of OrderRecord when of the kernel before it the event is recorded.
	Moment trace.Moment
	// NonBlocking marks a new stream that does not wait for the default one.
	NonBlocking bool
	// Name is what OrderName calls the stream, in quotation marks, or what
	// OrderStream calls one that is of a branch of a graph.
	Name string
	// Library is the library whose own a stream is that OrderStream makes.
	Library string
}

// LegacyStream is the default stream that all threads share.
const LegacyStream = 0

// LaunchInfo describes a launch to the hooks.
type LaunchInfo struct {
	// Where is the call's place or "".
	Kernel string
	Module string
	Where  string
	// Child is set if device code launched it.
	Child bool
	LaunchConfig
}
