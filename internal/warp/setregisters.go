package warp

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// registerPool is what the warps of a block share for setmaxnreg (PTX ISA, section of that name): the block's registers,
// and what each warpgroup has executed. All warps of a warpgroup must execute the same setmaxnreg.
type registerPool struct {
	// start is how many registers a thread has when the block begins, 0 where that is not known: then no warp waits.
	// free counts the registers of the block that no warp has.
	start, free int
	// has are the registers of a thread by warp, 0 where that is not known.
	has []int
	// done counts the setmaxnreg of each warp, asked is the one at which it waits, nil for none.
	done  []int
	asked []*setRegisters
	// groups are those that a warp of each warpgroup has executed, in order.
	groups [][]*setRegisters
}

// registersPool returns the block's pool, which is made for its first setmaxnreg.
func (env *Env) registersPool(w *Warp) *registerPool {
	if env.pool == nil {
		n := len(env.Warps)
		p := &registerPool{start: startRegisters(w), has: make([]int, n), done: make([]int, n), asked: make([]*setRegisters, n), groups: make([][]*setRegisters, n/4+1)}
		for k := range p.has {
			p.has[k] = p.start
		}
		env.pool = p
	}
	return env.pool
}

// mostRegisters is the most that a thread may have, in units of registerUnit, by which they are given to warps.
const (
	mostRegisters = 256
	registerUnit  = 8
)

// startRegisters is how many registers each thread has at the launch: what .maxnreg says, else what .maxntid (or .reqntid) and
// .minnctapersm leave for each, as ptxas gives kernels with a setmaxnreg all of them. It is 0 where the kernel has no such
// directive: then "setmaxnreg may have no effect" (PTX ISA).
func startRegisters(w *Warp) int {
	p := w.Prog
	switch {
	case p.MaxRegisters > 0:
		return min(p.MaxRegisters, mostRegisters) &^ (registerUnit - 1)
	case p.MaxThreads > 0:
		warps := (p.MaxThreads + 31) / 32
		return min(w.Env.Arch.RegsPerSM/(max(p.MinBlocks, 1)*warps*32), mostRegisters) &^ (registerUnit - 1)
	}
	return 0
}

// exec carries out setmaxnreg. A .inc for which the pool has not enough waits for other warps to release registers.
func (s *setRegisters) exec(w *Warp, m uint32) bool {
	p := w.Env.registersPool(w)
	if p.asked[w.Index] == nil && !p.begins(w, s, m) {
		return false
	}
	if has := p.has[w.Index]; p.start > 0 && (s.More || s.Count <= has) {
		need := (s.Count - has) * 32
		if need > p.free && s.More {
			p.asked[w.Index], w.waitsForWarps = s, true
			return true
		}
		p.free -= need
	}
	p.has[w.Index], p.asked[w.Index] = s.Count, nil
	w.Progress++
	if !s.More {
		p.wake(w.Env)
	}
	return true
}

// begins notes a setmaxnreg that the warp comes to, and checks it.
func (p *registerPool) begins(w *Warp, s *setRegisters, m uint32) bool {
	if m != w.Exist {
		w.Fault(trace.FaultBarrier, trace.CausePartialRegisters, s.Site, m, "setmaxnreg by %d of the %d threads of a warp: all must execute it together", vec.Popcount(m), vec.Popcount(w.Exist))
		return false
	}
	g := &p.groups[w.Index/4]
	switch n := p.done[w.Index]; {
	case n < len(*g):
		p.compare(w, (*g)[n], s)
	case !p.areLeft(w, s):
		return false
	default:
		*g = append(*g, s)
	}
	p.done[w.Index]++
	p.checkCount(w, s)
	return true
}

// areLeft checks that no warp of the warpgroup has exited before it came to a setmaxnreg, to which w is the first to come.
func (p *registerPool) areLeft(w *Warp, s *setRegisters) bool {
	for k := w.Index &^ 3; k < min(w.Index&^3+4, len(w.Env.Warps)); k++ {
		if w.Env.Warps[k].Live == 0 {
			return p.missed(w, s, w.Index, k)
		}
	}
	return true
}

// missed reports a setmaxnreg that warp by executes and warp gone of its warpgroup does not.
func (p *registerPool) missed(w *Warp, s *setRegisters, by, gone int) bool {
	f := w.Fault(trace.FaultBarrier, trace.CausePartialRegisters, s.Site, ^uint32(0), "setmaxnreg by warp %d, but warp %d of its warpgroup exits without executing it", by, gone)
	f.Warp = by
	f.Notes = append(f.Notes, "all four warps of a warpgroup must execute the same setmaxnreg, otherwise the behavior is undefined (PTX ISA)")
	return false
}

// compare reports a warp that sets another number of registers than others of its warpgroup.
func (p *registerPool) compare(w *Warp, first, s *setRegisters) {
	if first.Count == s.Count && first.More == s.More {
		return
	}
	if f := w.Env.On.Defect; f != nil {
		f(&trace.Defect{Kind: trace.DefectRegistersDiffer, Site: s.Site, Warp: w.Index, Mask: w.Exist, Exist: w.Exist,
			Registers: &trace.Registers{Want: s.Count, More: s.More, Other: first.Site, OtherWant: first.Count, OtherMore: first.More}})
	}
}

// checkCount reports a .dec to more registers than the warp has, and a .inc to fewer. What it has at the launch is at
// most start.
func (p *registerPool) checkCount(w *Warp, s *setRegisters) {
	has := p.has[w.Index]
	fewer := s.More && p.done[w.Index] > 1 && s.Count < has
	more := !s.More && has > 0 && s.Count > has
	if f := w.Env.On.Defect; f != nil && (fewer || more) {
		f(&trace.Defect{Kind: trace.DefectRegisterCount, Site: s.Site, Warp: w.Index, Mask: w.Exist, Exist: w.Exist,
			Registers: &trace.Registers{Want: s.Count, More: s.More, Has: has}})
	}
}

// wake lets the warps that wait for registers look again.
func (p *registerPool) wake(env *Env) {
	for k, s := range p.asked {
		if s != nil {
			env.Warps[k].stepAgain()
		}
	}
}

// leavesRegisters notes that the warp exits. It should have executed each setmaxnreg that others of its warpgroup have.
func (w *Warp) leavesRegisters() bool {
	p := w.Env.pool
	if p == nil || w.Env.Fault != nil {
		return true
	}
	g, n := p.groups[w.Index/4], p.done[w.Index]
	if n >= len(g) {
		return true
	}
	by := slices.IndexFunc(p.done[w.Index&^3:], func(done int) bool { return done > n })
	return p.missed(w, g[n], w.Index&^3+by, w.Index)
}

// RegisterWait is a warp that waits for registers.
type RegisterWait struct {
	Site *trace.Site
	Warp int
	// Has and Want are the registers of a thread, Start those at the launch. All and Free are those of the block.
	Has, Want, Start, All, Free int
}

// RegisterWait returns the first warp of the block that waits for registers, nil if none does.
func (env *Env) RegisterWait() *RegisterWait {
	p := env.pool
	if p == nil {
		return nil
	}
	for k, s := range p.asked {
		if s != nil {
			return &RegisterWait{Site: s.Site, Warp: k, Has: p.has[k], Want: s.Count, Start: p.start, All: p.start * 32 * len(env.Warps), Free: p.free}
		}
	}
	return nil
}

// waitsForRegisters reports whether the warp does.
func (w *Warp) waitsForRegisters() bool {
	p := w.Env.pool
	return p != nil && p.asked[w.Index] != nil
}

// Registers returns how many registers a thread of each warp has, nil where the block sets none.
func (env *Env) Registers() []int {
	if env.pool == nil {
		return nil
	}
	return env.pool.has
}
