package engine

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/devrt"
)

// ChildGrids runs what threads of a launch asked the device runtime for, while the
// launch runs: it may call Engine.Run. See devrt.Children, which does not have
// the text that the launch printed before.
type ChildGrids interface {
	Prepare(n *devrt.ChildWork) (bytes uint64, code uint32)
	Wait(site *trace.Site, printed []byte, list []devrt.ChildWork) (code uint32, ok bool)
}

// children serves the threads of one slot. Blocks of a kernel that asks for
// anything take turns on one worker.
type children struct {
	b *block
	ChildGrids
}

// Wait implements devrt.Children.
func (c children) Wait(site *trace.Site, list []devrt.ChildWork) (code uint32, ok bool) {
	r := c.b.r
	r.keep(c.b)
	printed := r.printed()
	c.b.env.Runtime.Out = c.b.env.Runtime.Out[:0]
	code, ok = c.ChildGrids.Wait(site, printed, list)
	if r.heap != nil {
		r.heap.Recount(r.heapSize, r.e.cfg.Arena)
	}
	if !ok {
		r.ended.Store(true)
		r.next.Store(r.total)
	}
	return code, ok
}
