package lower

import (
	"math"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Which registers have one value for all active lanes of a warp?
//
// A register varies if an instruction that writes it gives lanes different
// values, if it may be read before it is written, or if lanes that took
// different ways can see different writes. A uniform register is kept once
// per warp, while diverged groups of lanes run one after the other between a
// divergent branch b and its reconvergence point, so the last part must also
// exclude that one group overwrites what another still reads. With region(b)
// the blocks between them, a register that is written in region(b) varies if
//   - it lives at the reconvergence point: the lanes that come there bring different
//     values, or not all of them an old one; or
//   - it lives at the start of a side of b and is written on the way of
//     another side, whose lanes may run first. If b lies in its own region,
//     lanes of several rounds wait at each side, so that all sides count as
//     others. A side that is the reconvergence point itself does not count: no
//     lanes run there before all have come.
//
// It does not matter how often a register is written in the text: one write
// in a loop is enough for two values. Lanes that continue without waiting for
// the others (Warp.Nudge) take a copy of all uniform values with them.

// maxLiveness bounds blocks times registers, and maxRegions the blocks that the
// regions of all divergent branches have together; beyond them everything
// varies.
const (
	maxLiveness = 1 << 28
	maxRegions  = 1 << 27
)

type uniformity struct {
	u    *unit
	f    *fn
	regs []*reg
	// refs are what each instruction names, in the order of the text; block b
	// has those from first[b] to first[b+1]. byReg lists them by register.
	refs  []instrRefs
	first []int
	byReg [][]int32
	// index numbers the registers that may live at the start of a block, -1 for
	// others; liveIn has a bit for each.
	index  []int32
	liveIn [][]uint64
	// work are varying registers whose instructions are to be examined,
	// branches blocks whose lanes may leave to different sides.
	work     []*reg
	branches []int32
	// Marks of blocks, by side of a branch, and the blocks visited so far.
	seen    []int32
	stamp   int32
	visited int
}

// instrRefs are the registers that an instruction writes and reads. branch is
// its block if it leads to several others, else -1.
type instrRefs struct {
	in         *ptx.Instr
	defs, uses []*reg
	branch     int32
}

var noBlocks = blockRange{math.MaxInt32, -1}

func (r *blockRange) add(b int) { r.first, r.last = min(r.first, int32(b)), max(r.last, int32(b)) }

// analyze sets reg.varying for all registers of f.
func (u *unit) analyze(f *fn) {
	a := &uniformity{u: u, f: f}
	a.collect()
	for _, v := range f.g.PTX.Params {
		if r, ok := f.regs[v.Name]; ok {
			r.varying = true // the caller writes it
		}
	}
	known := a.liveness()
	if known {
		a.zeroes()
	}
	if f.reentrant || !known {
		a.allVary()
		return
	}
	for _, r := range f.zero {
		r.varying = true
	}
	if !a.propagate() {
		a.allVary()
	}
}

func (a *uniformity) allVary() {
	a.f.regions = nil
	for _, r := range a.regs {
		r.varying = true
	}
}

// collect numbers the registers and counts their writes and reads.
func (a *uniformity) collect() {
	for _, b := range a.f.g.Blocks {
		a.first = append(a.first, len(a.refs))
		for _, in := range b.Instrs {
			ref := a.instrRefs(in)
			for _, x := range ref.defs {
				x.defs++
			}
			for _, x := range ref.uses {
				x.uses++
			}
			a.refs = append(a.refs, ref)
		}
		if n := len(b.Instrs); n > 0 && len(a.f.g.Graph.Succ[b.ID]) > 1 {
			a.refs[len(a.refs)-1].branch = int32(b.ID)
		}
	}
	a.first = append(a.first, len(a.refs))
	a.regs = a.f.byID()
	a.byReg = make([][]int32, len(a.regs))
	for i := range a.refs {
		for _, list := range [][]*reg{a.refs[i].defs, a.refs[i].uses} {
			for _, x := range list {
				a.byReg[x.id] = append(a.byReg[x.id], int32(i))
			}
		}
	}
}

func (a *uniformity) instrRefs(in *ptx.Instr) instrRefs {
	ref := instrRefs{in: in, branch: -1}
	add := func(list *[]*reg, ops []ptx.Operand) {
		for _, o := range ops {
			walkRegs(o, func(rr *ptx.RegRef) {
				if x := a.f.reg(rr); x != nil {
					*list = append(*list, x)
				}
			})
		}
	}
	w, r := results(in)
	add(&ref.defs, w)
	add(&ref.uses, r)
	if in.Guard != nil {
		add(&ref.uses, []ptx.Operand{&ptx.RegRef{Name: in.Guard.Reg}})
	}
	return ref
}

// block returns what the instructions of block b name.
func (a *uniformity) block(b int) []instrRefs { return a.refs[a.first[b]:a.first[b+1]] }

// liveness computes which registers are read before they are written from
// the start of each block on. A guarded write does not end a value's life. It
// returns false if that would take too much memory.
func (a *uniformity) liveness() bool {
	n, words := len(a.f.g.Blocks), (a.numberGlobal()+63)/64
	if n*words > maxLiveness/64 {
		return false
	}
	kill := bitRows(n, words)
	a.liveIn = bitRows(n, words)
	for b := range n {
		a.effects(b, a.liveIn[b], kill[b])
	}
	a.flow(kill)
	return true
}

// numberGlobal numbers the registers that are read before they are written in
// some block, or used in several, and returns how many there are.
func (a *uniformity) numberGlobal() int {
	const unseen, global = -1, -2
	home := make([]int32, len(a.regs))
	for i := range home {
		home[i] = unseen
	}
	a.index = make([]int32, len(a.regs))
	for b := range a.f.g.Blocks {
		for _, ref := range a.block(b) {
			for _, x := range ref.uses {
				if home[x.id] != int32(b) {
					home[x.id] = global
				}
			}
			for _, x := range ref.defs {
				if home[x.id] != int32(b) && (home[x.id] != unseen || ref.in.Guard != nil) {
					home[x.id] = global
				} else {
					home[x.id] = int32(b)
				}
			}
		}
	}
	count := 0
	for i, h := range home {
		a.index[i] = -1
		if h == global {
			a.index[i] = int32(count)
			count++
		}
	}
	return count
}

// effects sets the bits of what block b reads before it writes it, and of what
// it writes.
func (a *uniformity) effects(b int, gen, kill []uint64) {
	for _, ref := range a.block(b) {
		for _, x := range ref.uses {
			if i := a.index[x.id]; i >= 0 && !has(kill, int(i)) {
				set(gen, int(i))
			}
		}
		if ref.in.Guard != nil {
			continue
		}
		for _, x := range ref.defs {
			if i := a.index[x.id]; i >= 0 {
				set(kill, int(i))
			}
		}
	}
}

// flow adds to what lives at the start of each block what the following
// blocks want.
func (a *uniformity) flow(kill [][]uint64) {
	n := len(kill)
	pred := a.f.g.Graph.Reverse().Succ
	work, queued := make([]int, n), make([]bool, n)
	for b := range n {
		work[b], queued[b] = b, true
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work, queued[s] = work[:len(work)-1], false
		for _, b := range pred[s] {
			changed := false
			for w, v := range a.liveIn[s] {
				if add := v &^ kill[b][w] &^ a.liveIn[b][w]; add != 0 {
					a.liveIn[b][w] |= add
					changed = true
				}
			}
			if changed && !queued[b] {
				work, queued[b] = append(work, b), true
			}
		}
	}
}

func bitRows(n, words int) [][]uint64 {
	all := make([]uint64, n*words)
	rows := make([][]uint64, n)
	for i := range rows {
		rows[i] = all[i*words : (i+1)*words]
	}
	return rows
}

func has(s []uint64, i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func set(s []uint64, i int)      { s[i/64] |= 1 << (i % 64) }

// lives reports whether x lives at the start of block b.
func (a *uniformity) lives(x *reg, b int) bool {
	i := a.index[x.id]
	return i >= 0 && has(a.liveIn[b], int(i))
}

// propagate marks what varies until nothing new comes. It returns false if the
// regions of branches are too large together.
func (a *uniformity) propagate() bool {
	for _, r := range a.regs {
		if r.varying {
			a.work = append(a.work, r)
		}
	}
	for i := range a.refs {
		if a.ownValues(a.refs[i].in) {
			a.mark(a.refs[i].defs)
		}
	}
	blocks := a.f.g.Blocks
	a.seen = make([]int32, len(blocks))
	a.f.regions = make([]blockRange, len(blocks))
	for i := range a.f.regions {
		a.f.regions[i] = noBlocks
	}
	done := make([]bool, len(blocks))
	for a.spread(); len(a.branches) > 0; a.spread() {
		for _, b := range a.branches {
			if !done[b] {
				done[b] = true
				a.divergent(int(b))
			}
			if a.visited > maxRegions {
				return false
			}
		}
		a.branches = a.branches[:0]
	}
	return true
}

func (a *uniformity) mark(list []*reg) {
	for _, x := range list {
		if !x.varying {
			x.varying = true
			a.work = append(a.work, x)
		}
	}
}

// spread marks results of instructions that read varying values, and all
// results of one that writes a varying one: it writes them in the same way.
func (a *uniformity) spread() {
	for len(a.work) > 0 {
		x := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		for _, i := range a.byReg[x.id] {
			a.mark(a.refs[i].defs)
			if b := a.refs[i].branch; b >= 0 {
				a.branches = append(a.branches, b)
			}
		}
	}
}

// ownValues reports whether in is an instruction that gives each lane its own result even if
// all registers that it reads are the same in all lanes.
func (a *uniformity) ownValues(in *ptx.Instr) bool {
	if !a.u.canBeUniform(a.f, in) {
		return true
	}
	varies := false
	_, r := results(in)
	for _, o := range r {
		walkRegs(o, func(rr *ptx.RegRef) {
			if a.f.reg(rr) == nil {
				s, ok := a.u.special(rr.Name)
				varies = varies || !ok || s.kind == program.Lane
			}
		})
	}
	return varies
}

// divergent applies the rules for branch b.
func (a *uniformity) divergent(b int) {
	meet := a.f.g.IPdom[b]
	var sides []int
	var reach [][]int32
	cyclic := false
	region := noBlocks
	for _, s := range a.f.g.Graph.Succ[b] {
		if s == meet {
			continue
		}
		r := a.reach(s, meet)
		for _, n := range r {
			region.add(int(n))
			cyclic = cyclic || int(n) == b
		}
		sides, reach = append(sides, s), append(reach, r)
	}
	for from := range sides {
		for _, n := range reach[from] {
			for _, ref := range a.block(int(n)) {
				for _, x := range ref.defs {
					if a.visited++; !x.varying && a.exposed(x, from, meet, sides, cyclic) {
						a.mark([]*reg{x})
					}
				}
			}
		}
	}
	a.noteRegion(region, meet, sides)
}

// noteRegion keeps the region's range with its sides and its reconvergence point.
func (a *uniformity) noteRegion(region blockRange, meet int, sides []int) {
	if region == noBlocks {
		return
	}
	if meet >= 0 {
		sides = append(sides, meet)
	}
	for _, s := range sides {
		a.f.regions[s].add(int(region.first))
		a.f.regions[s].add(int(region.last))
	}
}

// reach lists the blocks between s and the reconvergence point.
func (a *uniformity) reach(s, meet int) []int32 {
	a.stamp++
	a.seen[s] = a.stamp
	list := []int32{int32(s)}
	for i := 0; i < len(list) && a.visited <= maxRegions; i++ {
		for _, t := range a.f.g.Graph.Succ[list[i]] {
			if t != meet && a.seen[t] != a.stamp {
				a.seen[t] = a.stamp
				list = append(list, int32(t))
			}
		}
		a.visited++
	}
	return list
}

// exposed tells whether a write of x on the way of the side with number from
// makes it varying.
func (a *uniformity) exposed(x *reg, from, meet int, sides []int, cyclic bool) bool {
	if meet >= 0 && a.lives(x, meet) {
		return true
	}
	a.visited += len(sides)
	for k, s := range sides {
		if (k != from || cyclic && len(sides) > 1) && a.lives(x, s) {
			return true
		}
	}
	return false
}

// zeroes lists the registers that may be read before they are written, so
// that such a program does the same each time.
func (a *uniformity) zeroes() {
	global := make([]*reg, 0, len(a.regs))
	for _, r := range a.regs {
		if a.index[r.id] >= 0 {
			global = append(global, r)
		}
	}
	for w, v := range a.liveIn[0] {
		for ; v != 0; v &= v - 1 {
			a.f.zero = append(a.f.zero, global[w*64+bits.TrailingZeros64(v)])
		}
	}
}
