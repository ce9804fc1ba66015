package lower

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// Which registers have one value for all active lanes of a warp?
//
// A register varies if an instruction that writes it gives lanes different
// values, if it may be read before it is written, or if lanes that took
// different ways can see different writes. A uniform register is kept once
// per warp, while diverged groups of lanes run one after the other between a
// divergent branch b and its meeting point, so the last part must also
// exclude that one group overwrites what another still reads. With region(b)
// the blocks between them, a register that is written in region(b) varies if
//   - it lives at the meeting point: the lanes that come there bring different
//     values, or not all of them an old one; or
//   - it lives at the start of a side of b and is written on the way of
//     another side, whose lanes may run first. If b lies in its own region,
//     lanes of several rounds wait at each side, so that all sides count as
//     others. A side that is the meeting point itself does not count: no
//     lanes run there before all have come.
//
// It does not matter how often a register is written in the text: one write
// in a loop is enough for two values. Lanes that go on without waiting for
// the others (Warp.Nudge) take a copy of all uniform values with them.

// maxLiveness bounds blocks times registers for the precise analysis; beyond
// it everything varies.
const maxLiveness = 1 << 30

type uniformity struct {
	u      *unit
	f      *fn
	regs   []*reg
	liveIn [][]uint64
	writes [][]*reg // by block, with repetitions
}

// analyse sets reg.varying for all registers of f.
func (u *unit) analyse(f *fn) {
	a := &uniformity{u: u, f: f}
	a.collect()
	for _, v := range f.g.PTX.Params {
		if r, ok := f.regs[v.Name]; ok {
			r.varying = true // the caller writes it
		}
	}
	if f.reentrant || len(a.regs)*len(f.g.Blocks) > maxLiveness {
		for _, r := range a.regs {
			r.varying = true
		}
		return
	}
	a.liveness()
	a.zeroes()
	for _, r := range f.zero {
		r.varying = true
	}
	for a.spread() || a.diverge() {
	}
}

// collect numbers the registers and counts their writes and reads.
func (a *uniformity) collect() {
	a.writes = make([][]*reg, len(a.f.g.Blocks))
	for _, b := range a.f.g.Blocks {
		for _, in := range b.Instrs {
			w, r := results(in)
			for _, o := range w {
				walkRegs(o, func(rr *ptx.RegRef) {
					if x := a.f.reg(rr); x != nil {
						x.defs++
						a.writes[b.ID] = append(a.writes[b.ID], x)
					}
				})
			}
			for _, o := range r {
				walkRegs(o, func(rr *ptx.RegRef) {
					if x := a.f.reg(rr); x != nil {
						x.uses++
					}
				})
			}
			if in.Guard != nil {
				if x := a.f.reg(&ptx.RegRef{Name: in.Guard.Reg}); x != nil {
					x.uses++
				}
			}
		}
	}
	a.regs = a.f.byID()
}

// liveness computes which registers are read before they are written from
// the start of each block on. A guarded write does not end a value's life.
func (a *uniformity) liveness() {
	n, words := len(a.f.g.Blocks), (len(a.regs)+63)/64
	gen, kill := bitRows(n, words), bitRows(n, words)
	a.liveIn = bitRows(n, words)
	for _, b := range a.f.g.Blocks {
		g, k := gen[b.ID], kill[b.ID]
		for _, in := range b.Instrs {
			a.eachUse(in, func(x *reg) {
				if !has(k, x.id) {
					set(g, x.id)
				}
			})
			if in.Guard == nil {
				a.eachDef(in, func(x *reg) { set(k, x.id) })
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for b := n - 1; b >= 0; b-- {
			in := a.liveIn[b]
			for w := range in {
				var out uint64
				for _, s := range a.f.g.Graph.Succ[b] {
					out |= a.liveIn[s][w]
				}
				if v := gen[b][w] | out&^kill[b][w]; v != in[w] {
					in[w] = v
					changed = true
				}
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

func (a *uniformity) eachDef(in *ptx.Instr, f func(*reg)) {
	w, _ := results(in)
	for _, o := range w {
		walkRegs(o, func(rr *ptx.RegRef) {
			if x := a.f.reg(rr); x != nil {
				f(x)
			}
		})
	}
}

func (a *uniformity) eachUse(in *ptx.Instr, f func(*reg)) {
	_, r := results(in)
	for _, o := range r {
		walkRegs(o, func(rr *ptx.RegRef) {
			if x := a.f.reg(rr); x != nil {
				f(x)
			}
		})
	}
	if in.Guard != nil {
		if x := a.f.reg(&ptx.RegRef{Name: in.Guard.Reg}); x != nil {
			f(x)
		}
	}
}

// spread marks results of instructions that read varying values or give
// each lane its own.
func (a *uniformity) spread() bool {
	changed := false
	for again := true; again; {
		again = false
		for _, b := range a.f.g.Blocks {
			for _, in := range b.Instrs {
				if !a.instrVaries(in) && !a.anyResultVaries(in) {
					continue
				}
				a.eachDef(in, func(x *reg) {
					if !x.varying {
						x.varying, again, changed = true, true, true
					}
				})
			}
		}
	}
	return changed
}

// anyResultVaries reports a varying result. Instructions with several results
// write all of them in the same way.
func (a *uniformity) anyResultVaries(in *ptx.Instr) bool {
	varies := false
	a.eachDef(in, func(x *reg) { varies = varies || x.varying })
	return varies
}

func (a *uniformity) instrVaries(in *ptx.Instr) bool {
	if !a.u.canBeUniform(a.f, in) {
		return true
	}
	varies := false
	a.eachUse(in, func(x *reg) { varies = varies || x.varying })
	_, r := results(in)
	for _, o := range r {
		walkRegs(o, func(rr *ptx.RegRef) {
			if a.f.reg(rr) == nil {
				s, ok := a.u.special(rr.Name)
				varies = varies || !ok || s.kind == warp.Lane
			}
		})
	}
	return varies
}

// diverge applies the rules for divergent branches.
func (a *uniformity) diverge() bool {
	changed := false
	for _, b := range a.f.g.Blocks {
		if len(a.f.g.Graph.Succ[b.ID]) > 1 && a.branchVaries(b.Instrs[len(b.Instrs)-1]) {
			changed = a.divergent(b.ID) || changed
		}
	}
	return changed
}

func (a *uniformity) branchVaries(in *ptx.Instr) bool {
	varies := false
	a.eachUse(in, func(x *reg) { varies = varies || x.varying })
	return varies
}

// divergent applies the rules for branch b. It reports whether a register
// became varying.
func (a *uniformity) divergent(b int) bool {
	meet := a.f.g.IPdom[b]
	var sides []int
	var reach [][]bool
	cyclic := false
	for _, s := range a.f.g.Graph.Succ[b] {
		if s == meet {
			continue
		}
		r := a.f.g.Graph.Reachable(s, func(n int) bool { return n == meet })
		sides, reach = append(sides, s), append(reach, r)
		cyclic = cyclic || r[b]
	}
	changed := false
	for n := range a.f.g.Blocks {
		for _, x := range a.writes[n] {
			if !x.varying && a.exposed(x, n, meet, sides, reach, cyclic) {
				x.varying, changed = true, true
			}
		}
	}
	return changed
}

// exposed tells whether the write of x in block n varies by the rules: sides
// are the successors of a divergent branch, without the meeting point, and
// reach the blocks between them and it.
func (a *uniformity) exposed(x *reg, n, meet int, sides []int, reach [][]bool, cyclic bool) bool {
	for from := range sides {
		if !reach[from][n] {
			continue
		}
		if meet >= 0 && has(a.liveIn[meet], x.id) {
			return true
		}
		for k, s := range sides {
			if (k != from || cyclic && len(sides) > 1) && has(a.liveIn[s], x.id) {
				return true
			}
		}
	}
	return false
}

// zeroes lists the registers that may be read before they are written, so
// that such a program does the same each time.
func (a *uniformity) zeroes() {
	for w, v := range a.liveIn[0] {
		for ; v != 0; v &= v - 1 {
			a.f.zero = append(a.f.zero, a.regs[w*64+bits.TrailingZeros64(v)])
		}
	}
}
