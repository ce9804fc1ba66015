package host

import (
	"context"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// ChildWork is what device code asked the device runtime for: a child grid, a copy
// or fill of memory, or an order of its streams. The Runner has checked
// addresses.
type ChildWork struct {
	Kind  ChildWorkKind
	Child trace.Child
	// Stream is the device's, Event what an order is about.
	Stream trace.DeviceStream
	Event  uint64
	// Kernel and what follows are of a child grid.
	Kernel      Kernel
	Grid, Block trace.Dim3
	Shared      uint32
	Params      []byte
	// Dst and Bytes are those of a copy from Src, or of a fill with Value.
	Dst, Src, Bytes uint64
	Value           byte
	// Where is the place in device code, Site the same; it may be nil.
	Where string
	Site  *trace.Site
}

// ChildWorkKind says what a ChildWork is.
type ChildWorkKind uint8

// The kinds. ChildRecord records an event in a stream, ChildAwait lets a
// stream wait for one.
const (
	ChildLaunch ChildWorkKind = iota
	ChildCopy
	ChildFill
	ChildRecord
	ChildAwait
)

// maxNesting is how deep child grids nest; the others are limits where the
// program sets nothing ("CUDA C++ Programming Guide", "CUDA Dynamic Parallelism
// (CDP1)", "Nesting and Synchronization Depth", "Pending Kernel Launches").
const (
	maxNesting       = 24
	defaultSyncDepth = 2
	defaultPending   = 2048
)

// parentGrid is a grid that runs, as its threads' requests see it. depth is the
// number of its parents.
type parentGrid struct {
	p      *process
	ctx    context.Context
	module *module
	info   *LaunchInfo
	depth  int
}

// Check implements Nesting.
func (g *parentGrid) Check(n *ChildWork) Code {
	k := g.p.newKernel(g.module, n.Kernel)
	code, cause, msg := g.p.s.checkLimits(k, g.config(n), uint64(n.Shared))
	if code == Success && g.depth+1 > maxNesting && n.Stream != trace.TailStream {
		code, cause, msg = ErrorLaunchMaxDepthExceeded, trace.CauseDepth, fmt.Sprintf("child grids nest %d deep, at most %d", g.depth+1, maxNesting)
	}
	if f := g.p.s.cfg.Hooks.Rejected; f != nil && code != Success {
		f(&trace.RejectedLaunch{Kernel: k.Name(), Grid: n.Grid, Block: n.Block, SharedDynamic: uint64(n.Shared),
			Error: code.String(), Cause: cause, Message: msg, Site: n.Site})
	}
	return code
}

// MayWait implements Nesting.
func (g *parentGrid) MayWait(where *trace.Site) Code {
	most := g.info.Limits.SyncDepth
	if uint64(g.depth) < most {
		return Success
	}
	if f := g.p.s.cfg.Hooks.Rejected; f != nil {
		f(&trace.RejectedLaunch{Kernel: g.info.Kernel, Grid: g.info.Grid, Block: g.info.Block, SharedDynamic: uint64(g.info.SharedDynamic),
			Error: ErrorSyncDepthExceeded.String(), Cause: trace.CauseSyncDepth, Site: where, Wait: true,
			Message: fmt.Sprintf("a grid with %d parents waits, but only those with fewer than %d may", g.depth, most)})
	}
	return ErrorSyncDepthExceeded
}

// Wait implements Nesting.
func (g *parentGrid) Wait(printed []byte, list []ChildWork) bool {
	g.p.text = append(g.p.text, printed...)
	g.pend(list)
	for i := range list {
		if !g.carryOut(&list[i]) {
			return false
		}
	}
	return true
}

// finish does what nothing waited for: a parent is over when its children are.
// The tail stream's work comes last. It stops after a fault.
func (g *parentGrid) finish(list []ChildWork) {
	g.pend(list)
	for _, tail := range []bool{false, true} {
		for i := range list {
			if (list[i].Stream == trace.TailStream) == tail && !g.carryOut(&list[i]) {
				return
			}
		}
	}
}

// pend counts the child grids that were launched and have not begun. Whether more
// than there is room for really come together depends on the device, which may
// begin some before their parent has ended.
func (g *parentGrid) pend(list []ChildWork) {
	most := g.info.Limits.Pending
	for i := range list {
		n := &list[i]
		if n.Kind != ChildLaunch {
			continue
		}
		g.p.pending++
		if f := g.p.s.cfg.Hooks.Rejected; f != nil && g.p.pending == most+1 {
			f(&trace.RejectedLaunch{Kernel: n.Kernel.Name(), Grid: n.Grid, Block: n.Block, SharedDynamic: uint64(n.Shared),
				Error: ErrorLaunchOutOfResources.String(), Cause: trace.CausePending, Site: n.Site, Maybe: true,
				Message: fmt.Sprintf("more than %d child grids are pending", most)})
		}
	}
}

// carryOut does one request. False means that no more can be done.
func (g *parentGrid) carryOut(n *ChildWork) bool {
	if g.p.sticky != Success || g.ctx.Err() != nil {
		return false
	}
	h := &g.p.s.cfg.Hooks
	if n.Kind >= ChildRecord {
		if h.ChildOrder != nil {
			h.ChildOrder(n)
		}
		return true
	}
	if h.ChildBegins != nil {
		h.ChildBegins(n)
	}
	if n.Kind == ChildLaunch {
		g.checkArguments(n)
		g.childGrid(n)
	} else {
		g.transfer(n)
	}
	if h.ChildEnds != nil {
		h.ChildEnds(n)
	}
	return g.p.sticky == Success && g.ctx.Err() == nil
}

func (g *parentGrid) config(n *ChildWork) LaunchConfig {
	return LaunchConfig{Grid: n.Grid, Block: n.Block, Cluster: n.Kernel.Cluster(), SharedDynamic: n.Shared, Params: n.Params,
		Stream: g.info.Stream, Device: g.info.Device, Limits: g.info.Limits}
}

// childGrid runs one that was checked. A grid of the tail stream takes the
// parent's place.
func (g *parentGrid) childGrid(n *ChildWork) {
	g.p.pending--
	s, k, cfg := g.p.s, g.p.newKernel(g.module, n.Kernel), g.config(n)
	cfg.Resident = s.cfg.Multiprocessors * blocksPerSM(s.cfg.Arch, k, int(n.Block.Size()), uint64(n.Shared))
	depth := g.depth + 1
	if n.Stream == trace.TailStream {
		depth = g.depth
	}
	cfg.ID, cfg.Await, cfg.Moment = g.p.newLaunch(), g.info.Await, g.info.Moment
	info := &LaunchInfo{Kernel: k.Name(), Module: g.module.name, Where: n.Where, Child: true, LaunchConfig: cfg}
	if f := s.cfg.Hooks.Launch; f != nil {
		f(info)
	}
	g.p.runGrid(g.ctx, k, info, depth)
}

// transfer copies or fills.
func (g *parentGrid) transfer(n *ChildWork) {
	a, h := g.p.s.cfg.Arena, &g.p.s.cfg.Hooks
	box := Box{Addr: n.Dst, Width: n.Bytes, Height: 1, Depth: 1}
	if n.Bytes == 0 {
		return
	}
	if n.Kind == ChildFill {
		f := &Fill{Call: "cudaMemsetAsync", Where: n.Where, Dst: box, Alloc: a.Find(n.Dst), Pattern: []byte{n.Value},
			Device: g.info.Device, Stream: g.info.Stream, Async: true, Child: true}
		both(h.Fill, h.Filling, f)
		a.Fill(n.Dst, n.Bytes, []byte{n.Value})
		return
	}
	src := box
	src.Addr = n.Src
	both(h.Copy, h.Copying, &Copy{Call: "cudaMemcpyAsync", Where: n.Where, Dst: box, Src: src, DstAlloc: a.Find(n.Dst), SrcAlloc: a.Find(n.Src),
		Device: g.info.Device, Stream: g.info.Stream, Async: true, Child: true})
	copy(a.Bytes(n.Dst, n.Bytes), a.Bytes(n.Src, n.Bytes))
}

// both reports what is enqueued and executed at once.
func both[T any](enqueued, begun func(T), v T) {
	for _, f := range []func(T){enqueued, begun} {
		if f != nil {
			f(v)
		}
	}
}
