package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Place is where a group of lanes is. Site is at or after it, nil if there is
// none. PC is its step.
type Place struct {
	Site *trace.Site
	PC   int32
	Mask uint32
	// Registers is set where they wait for registers of the block.
	Barrier, Waits, Registers bool
}

// Places calls f for each group of lanes, those that run next first.
func (w *Warp) Places(f func(Place)) {
	w.spread()
	for i := len(w.ready) - 1; i >= 0; i-- {
		g := &w.groups[w.ready[i]]
		f(Place{Site: w.siteAfter(g.pc), PC: g.pc, Mask: g.mask})
	}
	for _, i := range w.inOrder() {
		switch g := &w.groups[i]; g.state {
		case groupBarrier:
			f(Place{Site: w.Prog.Bars[g.sync].Site, PC: g.pc, Mask: g.mask, Barrier: true})
		case groupSync:
			f(Place{Site: w.Prog.Syncs[g.sync].Site, PC: g.pc, Mask: g.mask, Waits: true})
		case groupWarps:
			f(Place{Site: w.siteAfter(g.pc), PC: g.pc, Mask: g.mask, Barrier: !w.tensor.WaitsForRegisters(), Registers: w.tensor.WaitsForRegisters()})
		}
	}
	for i := range w.joins {
		if j := &w.joins[i]; j.arrived != 0 && j.arrived != j.expected && j.rpc >= 0 {
			f(Place{Site: w.siteAfter(j.rpc), PC: j.rpc, Mask: j.arrived, Waits: true})
		}
	}
}

// NeverEnds reports whether some lanes run in a loop that they cannot leave.
func (w *Warp) NeverEnds(l *program.Loops) bool {
	w.spread()
	for _, i := range w.ready {
		if x := l.At(w.groups[i].pc); x != nil && x.Endless {
			return true
		}
	}
	return false
}

// siteAfter follows the code from pc to the first step that has a site.
func (w *Warp) siteAfter(pc int32) *trace.Site {
	for n := 0; n < 200 && int(pc) < len(w.Prog.Code); n++ {
		in := &w.Prog.Code[pc]
		pc++
		switch {
		case in.Site != nil && in.Op != program.OpEnter:
			return in.Site
		case in.Op == program.OpLoad || in.Op == program.OpStore || in.Op == program.OpAtomic:
			return w.Prog.Mems[in.X].Site
		case in.Op == program.OpBranch && w.Prog.Branches[in.X].Site != nil:
			return w.Prog.Branches[in.X].Site
		case in.Op == program.OpJump:
			pc = w.Prog.Branches[in.X].Target
		case in.Op == program.OpReturn || in.Op == program.OpExit:
			return nil
		}
	}
	return nil
}
