package warp

import "github.com/warpgrind/warpgrind/internal/trace"

// A warpgroup is four warps with contiguous numbers, the first of which is a multiple of 4
// (PTX ISA, "Warpgroup"). All of them must execute the same wgmma instructions, with the
// same descriptors. The engine runs each warp's part by itself, so this is checked by a log: warp
// i's n-th operation must be the one that the first warp to get there has executed.
//
// A product is one operation of the four: it is not complete before the last of them has issued
// it. So who waits for it waits for the others to come that far, and knows then that all parts
// have ended: one thread of a warpgroup may tell others that its tiles may be overwritten.
type warpgroup struct {
	// log has the operations from number first on that not all warps have executed.
	log   []loggedOp
	first int
	// done counts those of each warp, ended has the warps that have exited, waiting those that
	// wait for others to issue a product.
	done    [4]int
	ended   [4]bool
	waiting [4]*Warp
}

// groupOp is an operation of a warpgroup: its site, and the descriptors of a product.
type groupOp struct {
	site *trace.Site
	a, b uint64
}

// loggedOp is an operation in the log; async is a product's number among the asynchronous
// operations of the block.
type loggedOp struct {
	groupOp
	async uint64
}

// maxGroupLog bounds how far a warp may be ahead of the slowest one of its warpgroup and
// still be compared with it.
const maxGroupLog = 1 << 16

func (w productUnit) group() *warpgroup {
	p := w.Env.productScratch()
	for len(p.groups) <= w.Index/4 {
		p.groups = append(p.groups, warpgroup{})
	}
	return &p.groups[w.Index/4]
}

// inStep notes an operation and checks that the warpgroup executes the same one.
func (w productUnit) inStep(op groupOp) bool {
	_, ok := w.logged(op, func() uint64 { return 0 })
	return ok
}

// product is inStep for a product. It returns its number in the log and among the block's
// asynchronous operations.
func (w productUnit) product(op groupOp) (p inFlight, ok bool) {
	p.op, ok = w.logged(op, func() uint64 { return w.Env.Async.NextOp(w.Index &^ 3) })
	p.at = w.group().done[w.Index%4] - 1
	return p, ok
}

// logged is inStep. It returns what number gives for the first warp that executes it.
func (w productUnit) logged(op groupOp, number func() uint64) (async uint64, ok bool) {
	g, q := w.group(), w.Index%4
	n := g.done[q] - g.first
	if !w.agrees(g, op, n) {
		return 0, false
	}
	if n == len(g.log) {
		g.log = append(g.log, loggedOp{op, number()})
	}
	async = g.log[n].async
	g.done[q]++
	g.trim()
	return async, true
}

// agrees checks that an operation may be number n of the log.
func (w productUnit) agrees(g *warpgroup, op groupOp, n int) bool {
	q := w.Index % 4
	if threads := w.Env.Block.Launch.Block.Size(); uint64(w.Index|3)*32+32 > threads {
		return w.apart(op.site, trace.CausePartialWarpgroup, "by a block of %d threads: warp %d is in an incomplete warpgroup, which takes four warps of 32 threads", threads, w.Index)
	}
	switch {
	case n < len(g.log) && g.log[n].site != op.site:
		return w.apart(op.site, trace.CausePartialWarpgroup, "by warp %d, where another warp of the warpgroup has executed %s: all four must execute the same instruction", w.Index, g.log[n].site.Name())
	case n < len(g.log) && g.log[n].groupOp != op:
		return w.apart(op.site, trace.CauseDescriptorDiffers, "by warp %d with another matrix descriptor than the other warps of its warpgroup", w.Index)
	case n == len(g.log):
		for other, ended := range g.ended {
			if ended && g.done[other] <= g.done[q] {
				return w.apart(op.site, trace.CausePartialWarpgroup, "by warp %d, but warp %d of its warpgroup has exited without executing it: all four must execute it", w.Index, w.Index&^3+other)
			}
		}
	}
	return true
}

// haveIssued reports whether all warps of the warpgroup have executed operation at of the log.
func (g *warpgroup) haveIssued(at int) bool { return at < g.first }

// trim drops what all warps have executed.
func (g *warpgroup) trim() {
	least := min(g.done[0], g.done[1], g.done[2], g.done[3])
	if n := max(least-g.first, len(g.log)-maxGroupLog); n > 0 {
		g.log = append(g.log[:0], g.log[n:]...)
		g.first += n
		g.wake()
	}
	for q := range g.done {
		g.done[q] = max(g.done[q], g.first)
	}
}

// wake lets the warps that wait for a product look again.
func (g *warpgroup) wake() {
	for q, w := range g.waiting {
		if w == nil {
			continue
		}
		g.waiting[q] = nil
		w.stepAgain()
	}
}

// stepAgain lets the lanes that wait for other warps execute their step again.
func (w *Warp) stepAgain() {
	for i := range w.groups {
		if w.groups[i].state == groupWarps {
			w.groups[i].state = groupReady
			w.ready = append(w.ready, int32(i))
		}
	}
}

// exits notes that the warp ends. It should have executed what others of its warpgroup have.
func (w productUnit) exits() bool {
	if w.Env.products == nil {
		return true
	}
	g, q := w.group(), w.Index%4
	g.ended[q] = true
	if n := g.done[q] - g.first; n < len(g.log) && w.Env.Fault == nil {
		return w.apart(g.log[n].site, trace.CausePartialWarpgroup, "by another warp of the warpgroup, but warp %d has exited without executing it: all four must execute it", w.Index)
	}
	return true
}

// isFenced checks that a wgmma.fence comes before the first product (PTX ISA, "wgmma.fence").
func (w productUnit) isFenced(s *wgmma) bool {
	return w.wgmma.fenced || w.apart(s.Site, trace.CauseNoProductFence, "by warp %d without a wgmma.fence before: it orders earlier accesses to the registers before the product", w.Index)
}

func (w productUnit) apart(site *trace.Site, cause trace.Cause, format string, args ...any) bool {
	w.Fault(trace.FaultBarrier, cause, site, ^uint32(0), site.Opcode()+" "+format, args...)
	return false
}
