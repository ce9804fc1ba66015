package host

import "github.com/warpgrind/warpgrind/internal/host/protocol"

// Limits are a device's limits that the program can set, in bytes ("CUDA
// Runtime API", "cudaDeviceSetLimit"). 0 means the device's own choice.
type Limits struct {
	// Stack is of each thread, Heap what device-side malloc has, Printf the
	// buffer of device-side printf.
	Stack, Heap, Printf uint64
	// SyncDepth is the levels of grids that may wait for their child grids, Pending
	// how many child grids may have been launched and not begun.
	SyncDepth, Pending uint64
}

// DefaultHeap is what device-side malloc has where the program sets nothing
// ("CUDA C++ Programming Guide", "Heap Memory Allocation").
const DefaultHeap = 8 << 20

// DefaultPrintf is the bytes of the printf buffer where the program sets nothing
// (ibid., "Formatted Output"), maxStack the most local memory of a thread (ibid.,
// "Technical Specifications per Compute Capability").
const (
	DefaultPrintf = 1 << 20
	maxStack      = 512 << 10
)

// The values of cudaLimit that mean something here.
const (
	limitStack   = 0
	limitPrintf  = 1
	limitHeap    = 2
	limitSync    = 3
	limitPending = 4
)

// syncDepthUntil is the first architecture without the limit of synchronization
// depth ("CUDA Runtime API", "cudaDeviceSetLimit").
const syncDepthUntil = 90

func (p *process) doSetLimit(q *request, in *protocol.SetLimit, r *reply) {
	limit, value := in.Limit, in.Value
	l := &p.limits[q.device]
	switch {
	case limit == limitPrintf && p.printed && value != l.Printf:
		p.misuse(q, r, ErrorInvalidValue, "the printf buffer can no longer change: a kernel has used printf")
		return
	case limit == limitSync && p.s.cfg.Arch.SM >= syncDepthUntil:
		p.misuse(q, r, ErrorUnsupportedLimit, "%s has no limit on the synchronization depth", p.s.cfg.Arch)
		return
	case limit == limitStack && value > maxStack:
		p.misuse(q, r, ErrorInvalidValue, "a stack of %d bytes, at most %d", value, maxStack)
		return
	}
	switch limit {
	case limitStack:
		l.Stack = value
	case limitPrintf:
		l.Printf = value
	case limitHeap:
		l.Heap = value
	case limitSync:
		l.SyncDepth = value
	case limitPending:
		l.Pending = value
	}
}
