package tensor

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// registersPool returns the block's pool, which is made for its first setmaxnreg.
func (b *Block) registersPool(u *Unit) *registerPool {
	if b.pool == nil {
		n := b.WarpCount()
		p := &registerPool{start: startRegisters(u), has: make([]int, n), done: make([]int, n), asked: make([]*setRegisters, n), groups: make([][]*setRegisters, n/4+1)}
		for k := range p.has {
			p.has[k] = p.start
		}
		b.pool = p
	}
	return b.pool
}

// mostRegisters is the most that a thread may have, in units of registerUnit, by which they are given to warps.
const (
	mostRegisters = 256
	registerUnit  = 8
)

// startRegisters is how many registers each thread has at the launch: what .maxnreg says, else what .maxntid (or .reqntid) and
// .minnctapersm leave for each, as ptxas gives kernels with a setmaxnreg all of them. It is 0 where the kernel has no such
// directive: then "setmaxnreg may have no effect" (PTX ISA).
func startRegisters(u *Unit) int {
	p := u.warp.Program()
	switch {
	case p.MaxRegisters > 0:
		return min(p.MaxRegisters, mostRegisters) &^ (registerUnit - 1)
	case p.MaxThreads > 0:
		warps := (p.MaxThreads + 31) / 32
		return min(u.warp.Arch().RegsPerSM/(max(p.MinBlocks, 1)*warps*32), mostRegisters) &^ (registerUnit - 1)
	}
	return 0
}

// exec carries out setmaxnreg. A .inc for which the pool has not enough waits for other warps to release registers.
func (s *setRegisters) exec(u *Unit, m uint32) bool {
	p := u.block.registersPool(u)
	if p.asked[u.warp.Number()] == nil && !p.begins(u, s, m) {
		return false
	}
	if has := p.has[u.warp.Number()]; p.start > 0 && (s.More || s.Count <= has) {
		need := (s.Count - has) * 32
		if need > p.free && s.More {
			p.asked[u.warp.Number()], u.Waits = s, true
			return true
		}
		p.free -= need
	}
	p.has[u.warp.Number()], p.asked[u.warp.Number()] = s.Count, nil
	u.did.Progress++
	if !s.More {
		p.wake(u.block)
	}
	return true
}

// begins notes a setmaxnreg that the warp comes to, and checks it.
func (p *registerPool) begins(u *Unit, s *setRegisters, m uint32) bool {
	if m != u.warp.Existing() {
		u.warp.Fault(trace.FaultBarrier, trace.CausePartialRegisters, s.Site, m, "setmaxnreg by %d of the %d threads of a warp: all must execute it together", vec.Popcount(m), vec.Popcount(u.warp.Existing()))
		return false
	}
	g := &p.groups[u.warp.Number()/4]
	switch n := p.done[u.warp.Number()]; {
	case n < len(*g):
		p.compare(u, (*g)[n], s)
	case !p.areLeft(u, s):
		return false
	default:
		*g = append(*g, s)
	}
	p.done[u.warp.Number()]++
	p.checkCount(u, s)
	return true
}

// areLeft checks that no warp of the warpgroup has exited before it came to a setmaxnreg, to which w is the first to come.
func (p *registerPool) areLeft(u *Unit, s *setRegisters) bool {
	for k := u.warp.Number() &^ 3; k < min(u.warp.Number()&^3+4, u.block.WarpCount()); k++ {
		if u.block.WarpEnded(k) {
			return p.missed(u, s, u.warp.Number(), k)
		}
	}
	return true
}

// missed reports whether u is a setmaxnreg that warp by executes and warp gone of its warpgroup does not.
func (p *registerPool) missed(u *Unit, s *setRegisters, by, gone int) bool {
	f := u.warp.Fault(trace.FaultBarrier, trace.CausePartialRegisters, s.Site, ^uint32(0), "setmaxnreg by warp %d, but warp %d of its warpgroup exits without executing it", by, gone)
	f.Warp = by
	f.Notes = append(f.Notes, "all four warps of a warpgroup must execute the same setmaxnreg, otherwise the behavior is undefined (PTX ISA)")
	return false
}

// compare reports a warp that sets another number of registers than others of its warpgroup.
func (p *registerPool) compare(u *Unit, first, s *setRegisters) {
	if first.Count == s.Count && first.More == s.More {
		return
	}
	if f := u.block.Observer().Defect; f != nil {
		f(&trace.Defect{Kind: trace.DefectRegistersDiffer, Site: s.Site, Warp: u.warp.Number(), Mask: u.warp.Existing(), Exist: u.warp.Existing(),
			Registers: &trace.Registers{Want: s.Count, More: s.More, Other: first.Site, OtherWant: first.Count, OtherMore: first.More}})
	}
}

// checkCount reports a .dec to more registers than the warp has, and a .inc to fewer. What it has at the launch is at
// most start.
func (p *registerPool) checkCount(u *Unit, s *setRegisters) {
	has := p.has[u.warp.Number()]
	fewer := s.More && p.done[u.warp.Number()] > 1 && s.Count < has
	more := !s.More && has > 0 && s.Count > has
	if f := u.block.Observer().Defect; f != nil && (fewer || more) {
		f(&trace.Defect{Kind: trace.DefectRegisterCount, Site: s.Site, Warp: u.warp.Number(), Mask: u.warp.Existing(), Exist: u.warp.Existing(),
			Registers: &trace.Registers{Want: s.Count, More: s.More, Has: has}})
	}
}

// wake lets the warps that wait for registers look again.
func (p *registerPool) wake(b *Block) {
	for k, s := range p.asked {
		if s != nil {
			b.WakeWarp(k)
		}
	}
}

// leavesRegisters notes that the warp exits. It should have executed each setmaxnreg that others of its warpgroup have.
func (u *Unit) leavesRegisters() bool {
	p := u.block.pool
	if p == nil || u.warp.Faulted() {
		return true
	}
	g, n := p.groups[u.warp.Number()/4], p.done[u.warp.Number()]
	if n >= len(g) {
		return true
	}
	by := slices.IndexFunc(p.done[u.warp.Number()&^3:], func(done int) bool { return done > n })
	return p.missed(u, g[n], u.warp.Number()&^3+by, u.warp.Number())
}

// RegisterWait is a warp that waits for registers.
type RegisterWait struct {
	Site *trace.Site
	Warp int
	// Has and Want are the registers of a thread, Start those at the launch. All and Free are those of the block.
	Has, Want, Start, All, Free int
}

// RegisterWait returns the first warp of the block that waits for registers, nil if none does.
func (b *Block) RegisterWait() *RegisterWait {
	p := b.pool
	if p == nil {
		return nil
	}
	for k, s := range p.asked {
		if s != nil {
			return &RegisterWait{Site: s.Site, Warp: k, Has: p.has[k], Want: s.Count, Start: p.start, All: p.start * 32 * b.WarpCount(), Free: p.free}
		}
	}
	return nil
}

// WaitsForRegisters reports whether the warp does.
func (u *Unit) WaitsForRegisters() bool {
	p := u.block.pool
	return p != nil && p.asked[u.warp.Number()] != nil
}

// Registers returns how many registers a thread of each warp has, nil where the block sets none.
func (b *Block) Registers() []int {
	if b.pool == nil {
		return nil
	}
	return b.pool.has
}
