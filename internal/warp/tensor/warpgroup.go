package tensor

import "github.com/warpgrind/warpgrind/internal/trace"

// maxGroupLog bounds how far a warp may be ahead of the slowest one of its warpgroup and
// still be compared with it.
const maxGroupLog = 1 << 16

func (u *Unit) group() *warpgroup {
	p := u.block.scratch()
	for len(p.groups) <= u.warp.Number()/4 {
		p.groups = append(p.groups, warpgroup{})
	}
	return &p.groups[u.warp.Number()/4]
}

// inStep notes an operation and checks that the warpgroup executes the same one.
func (u *Unit) inStep(op groupOp) bool {
	_, ok := u.logged(op, func() uint64 { return 0 })
	return ok
}

// product is inStep for a product. It returns its number in the log and among the block's
// asynchronous operations.
func (u *Unit) product(op groupOp) (p inFlight, ok bool) {
	p.op, ok = u.logged(op, func() uint64 { return u.async.NextOp(u.warp.Number() &^ 3) })
	p.at = u.group().done[u.warp.Number()%4] - 1
	return p, ok
}

// logged is inStep. It returns what number gives for the first warp that executes it.
func (u *Unit) logged(op groupOp, number func() uint64) (async uint64, ok bool) {
	g, q := u.group(), u.warp.Number()%4
	n := g.done[q] - g.first
	if !u.agrees(g, op, n) {
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
func (u *Unit) agrees(g *warpgroup, op groupOp, n int) bool {
	q := u.warp.Number() % 4
	if threads := u.block.Place().Launch.Block.Size(); uint64(u.warp.Number()|3)*32+32 > threads {
		return u.apart(op.site, trace.CausePartialWarpgroup, "by a block of %d threads: warp %d is in an incomplete warpgroup, which takes four warps of 32 threads", threads, u.warp.Number())
	}
	switch {
	case n < len(g.log) && g.log[n].site != op.site:
		return u.apart(op.site, trace.CausePartialWarpgroup, "by warp %d, where another warp of the warpgroup has executed %s: all four must execute the same instruction", u.warp.Number(), g.log[n].site.Name())
	case n < len(g.log) && g.log[n].groupOp != op:
		return u.apart(op.site, trace.CauseDescriptorDiffers, "by warp %d with another matrix descriptor than the other warps of its warpgroup", u.warp.Number())
	case n == len(g.log):
		for other, ended := range g.ended {
			if ended && g.done[other] <= g.done[q] {
				return u.apart(op.site, trace.CausePartialWarpgroup, "by warp %d, but warp %d of its warpgroup has exited without executing it: all four must execute it", u.warp.Number(), u.warp.Number()&^3+other)
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
	for q, u := range g.waiting {
		if u == nil {
			continue
		}
		g.waiting[q] = nil
		u.warp.StepAgain()
	}
}

// exits notes that the warp ends. It should have executed what others of its warpgroup have.
func (u *Unit) exits() bool {
	if u.block.products == nil {
		return true
	}
	g, q := u.group(), u.warp.Number()%4
	g.ended[q] = true
	if n := g.done[q] - g.first; n < len(g.log) && !u.warp.Faulted() {
		return u.apart(g.log[n].site, trace.CausePartialWarpgroup, "by another warp of the warpgroup, but warp %d has exited without executing it: all four must execute it", u.warp.Number())
	}
	return true
}

// isFenced checks that a wgmma.fence comes before the first product (PTX ISA, "wgmma.fence").
func (u *Unit) isFenced(s *wgmma) bool {
	return u.wgmma.fenced || u.apart(s.Site, trace.CauseNoProductFence, "by warp %d without a wgmma.fence before: it orders earlier accesses to the registers before the product", u.warp.Number())
}

func (u *Unit) apart(site *trace.Site, cause trace.Cause, format string, args ...any) bool {
	u.warp.Fault(trace.FaultBarrier, cause, site, ^uint32(0), site.Opcode()+" "+format, args...)
	return false
}
