package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A warpgroup is four warps with contiguous numbers, the first of which is a multiple of 4
// (PTX ISA, "Warpgroup"). All of them must execute the same wgmma instructions, with the
// same descriptors. The engine runs each warp's part by itself, so this is checked by a log: warp
// i's n-th operation must be the one that the first warp to get there has executed.
type warpgroup struct {
	// log has the operations from number first on that not all warps have executed.
	log   []groupOp
	first int
	// done counts those of each warp, ended has the warps that have exited.
	done  [4]int
	ended [4]bool
}

// groupOp is an operation of a warpgroup: its site, and the descriptors of a product.
type groupOp struct {
	site *trace.Site
	a, b uint64
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
	g, q := w.group(), w.Index%4
	if threads := w.Env.Block.Launch.Block.Size(); uint64(w.Index|3)*32+32 > threads {
		return w.apart(op.site, trace.CausePartialWarpgroup, "by a block of %d threads: warp %d is in an incomplete warpgroup, which takes four warps of 32 threads", threads, w.Index)
	}
	n := g.done[q] - g.first
	switch {
	case n < len(g.log) && g.log[n].site != op.site:
		return w.apart(op.site, trace.CausePartialWarpgroup, "by warp %d, where another warp of the warpgroup has executed %s: all four must execute the same instruction", w.Index, whereIs(g.log[n].site))
	case n < len(g.log) && g.log[n] != op:
		return w.apart(op.site, trace.CauseDescriptorDiffers, "by warp %d with another matrix descriptor than the other warps of its warpgroup", w.Index)
	case n == len(g.log):
		for other, ended := range g.ended {
			if ended && g.done[other] <= g.done[q] {
				return w.apart(op.site, trace.CausePartialWarpgroup, "by warp %d, but warp %d of its warpgroup has exited without executing it: all four must execute it", w.Index, w.Index&^3+other)
			}
		}
		g.log = append(g.log, op)
	}
	g.done[q]++
	g.trim()
	return true
}

// trim drops what all warps have executed.
func (g *warpgroup) trim() {
	least := min(g.done[0], g.done[1], g.done[2], g.done[3])
	if n := max(least-g.first, len(g.log)-maxGroupLog); n > 0 {
		g.log = append(g.log[:0], g.log[n:]...)
		g.first += n
	}
	for q := range g.done {
		g.done[q] = max(g.done[q], g.first)
	}
}

// exits notes that the warp ends. It should have executed what others of its warpgroup have.
func (w productUnit) exits() {
	if w.Env.products == nil {
		return
	}
	g, q := w.group(), w.Index%4
	g.ended[q] = true
	if n := g.done[q] - g.first; n < len(g.log) && w.Env.Fault == nil {
		w.apart(g.log[n].site, trace.CausePartialWarpgroup, "by another warp of the warpgroup, but warp %d has exited without executing it: all four must execute it", w.Index)
	}
}

// isFenced checks that a wgmma.fence comes before the first product (PTX ISA, "wgmma.fence").
func (w productUnit) isFenced(s *wgmma) bool {
	return w.wgmma.fenced || w.apart(s.Site, trace.CauseNoProductFence, "by warp %d without a wgmma.fence before: it orders earlier accesses to the registers before the product", w.Index)
}

func (w productUnit) apart(site *trace.Site, cause trace.Cause, format string, args ...any) bool {
	w.fault(trace.FaultBarrier, cause, site, ^uint32(0), opcodeOf(site)+" "+format, args...)
	return false
}

// whereIs names another instruction: its opcode, and its line if that is known.
func whereIs(site *trace.Site) string {
	if site.Loc.IsValid() {
		return opcodeOf(site) + " at " + site.Loc.Pos.String()
	}
	return opcodeOf(site)
}
