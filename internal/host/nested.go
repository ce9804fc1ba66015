package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Nested is what device code asked the device runtime for: a child grid, or a
// copy or fill of memory. The Runner has checked addresses.
type Nested struct {
	// Kernel is the kernel of a child grid; nil for the others.
	Kernel      Kernel
	Grid, Block trace.Dim3
	Shared      uint32
	Params      []byte
	// Dst and Bytes are those of a copy, or of a fill with Value if Src is 0.
	Dst, Src, Bytes uint64
	Value           byte
	// Where is the place in device code, Tail says that it comes after all that
	// its parent asked for otherwise.
	Where string
	Tail  bool
}

// maxNesting is how deep child grids nest ("CUDA C++ Programming Guide",
// "CUDA Dynamic Parallelism", "Nesting and Synchronization Depth").
const maxNesting = 24

// runNested does what a grid asked for: a parent is over when its children are.
// It stops after a fault.
func (p *process) runNested(ctx context.Context, m *module, parent *LaunchInfo, list []Nested, depth int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Nested) int { return b2i(a.Tail) - b2i(b.Tail) })
	for i := range list {
		if p.sticky != Success || ctx.Err() != nil {
			return
		}
		if n := &list[i]; n.Kernel != nil {
			p.childGrid(ctx, m, parent, n, depth+1)
		} else {
			p.nestedTransfer(parent, n)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// childGrid runs one. What is wrong with its configuration is told as for a
// launch of the host.
func (p *process) childGrid(ctx context.Context, m *module, parent *LaunchInfo, n *Nested, depth int) {
	cfg := LaunchConfig{Grid: n.Grid, Block: n.Block, SharedDynamic: n.Shared, Params: n.Params,
		Stream: parent.Stream, Device: parent.Device, Limits: parent.Limits}
	k := p.newKernel(m, n.Kernel)
	code, msg := p.s.checkLimits(k, cfg, uint64(n.Shared))
	if code == Success && depth > maxNesting {
		code, msg = ErrLaunchMaxDepth, fmt.Sprintf("child grids nest %d deep, at most %d", depth, maxNesting)
	}
	if code != Success {
		if f := p.s.cfg.Hooks.Rejected; f != nil {
			f(&trace.RejectedLaunch{Kernel: k.Name(), Grid: n.Grid, Block: n.Block, SharedDynamic: uint64(n.Shared), Error: code.String(), Message: msg})
		}
		return
	}
	cfg.Resident = p.s.cfg.Multiprocessors * blocksPerSM(p.s.cfg.Arch, k, int(n.Block.Size()), uint64(n.Shared))
	p.launchNested(ctx, k, &LaunchInfo{ID: p.s.launches, Kernel: k.Name(), Module: m.name, Where: n.Where, LaunchConfig: cfg}, depth)
}

// nestedTransfer copies or fills.
func (p *process) nestedTransfer(parent *LaunchInfo, n *Nested) {
	a, h := p.s.cfg.Arena, &p.s.cfg.Hooks
	box := Box{Addr: n.Dst, Width: n.Bytes, Height: 1, Depth: 1}
	if n.Bytes == 0 {
		return
	}
	if n.Src == 0 {
		if h.Fill != nil {
			h.Fill(&Fill{Call: "cudaMemsetAsync", Where: n.Where, Dst: box, Alloc: a.Find(n.Dst), Pattern: []byte{n.Value}, Stream: parent.Stream, Async: true})
		}
		fill(a.Bytes(n.Dst, n.Bytes), []byte{n.Value})
		return
	}
	if h.Copy != nil {
		src := box
		src.Addr = n.Src
		h.Copy(&Copy{Call: "cudaMemcpyAsync", Where: n.Where, Dst: box, Src: src, DstAlloc: a.Find(n.Dst), SrcAlloc: a.Find(n.Src), Stream: parent.Stream, Async: true})
	}
	copy(a.Bytes(n.Dst, n.Bytes), a.Bytes(n.Src, n.Bytes))
}
