package program

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/graph"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Loops are the outermost loops of a program: the cyclic strongly connected
// components of its basic blocks.
type Loops struct {
	p *Program
	// block is the basic block of each step, starts the blocks' first steps.
	block  []int32
	starts []int32
	// of is the loop of each block, nil outside of loops.
	of []*Loop
}

// Loop is one loop.
type Loop struct {
	p      *Program
	blocks []int32
	in     map[int32]bool // blocks as a set
	of     *Loops
	// Endless tells that no step leaves the loop: no branch, return, exit or
	// call.
	Endless bool
	// Decides are the slots of which the way through the loop depends; all do
	// if Whole is set, since the loop calls functions.
	Decides []int32
	Whole   bool
	// awaits says what of memory decides the way out.
	awaits Awaited
}

// Awaited says whether a loop may wait for what others write.
type Awaited uint8

// A loop that only counts waits for nothing, whatever it reads. One whose way out
// depends on what it reads may; it is likely where the reads are strong operations.
const (
	AwaitsNothing Awaited = iota
	AwaitsWeak
	AwaitsStrong
)

// Loops are the program's loops, found on the first call.
func (p *Program) Loops() *Loops {
	p.loopsOnce.Do(func() { p.loops = findLoops(p) })
	return p.loops
}

func findLoops(p *Program) *Loops {
	l := &Loops{p: p, block: make([]int32, len(p.Code))}
	entry := map[int32]bool{}
	for i := range p.Funcs {
		entry[p.Funcs[i].Entry] = true
	}
	for i := range p.Code {
		if p.Code[i].Op == OpEnter || entry[int32(i)] || i == 0 {
			l.starts = append(l.starts, int32(i))
		}
		l.block[i] = int32(len(l.starts) - 1)
	}
	g := graph.New(len(l.starts))
	for b := range l.starts {
		l.edges(int32(b), func(to int32) { g.Add(b, int(to)) })
	}
	comp, cyclic := g.SCC()
	l.of = make([]*Loop, len(l.starts))
	loops := map[int]*Loop{}
	for b, c := range comp {
		if !cyclic[b] {
			continue
		}
		if loops[c] == nil {
			loops[c] = &Loop{p: p, of: l, in: map[int32]bool{}}
		}
		l.of[b] = loops[c]
		loops[c].blocks = append(loops[c].blocks, int32(b))
		loops[c].in[int32(b)] = true
	}
	for _, x := range loops {
		x.analyze()
	}
	return l
}

// span is the range of a block's steps.
func (l *Loops) span(b int32) (from, to int32) {
	if int(b) == len(l.starts)-1 {
		return l.starts[b], int32(len(l.p.Code))
	}
	return l.starts[b], l.starts[b+1]
}

// edges calls f for the blocks that can follow b.
func (l *Loops) edges(b int32, f func(to int32)) {
	from, to := l.span(b)
	falls := int(to) < len(l.p.Code)
	for i := from; i < to; i++ {
		in := &l.p.Code[i]
		switch in.Op {
		case OpJump, OpBranch:
			f(l.block[l.p.Branches[in.X].Target])
		case OpTable:
			for _, t := range l.p.Tables[in.X].Targets {
				f(l.block[t])
			}
		}
		if in.Guard == NoSlot && in.leaves() && in.Op != OpBranch {
			falls = false
		}
	}
	if falls {
		f(l.block[to])
	}
}

// leaves reports a step after which a lane does not continue with the next one.
func (in *Instr) leaves() bool {
	switch in.Op {
	case OpJump, OpBranch, OpTable, OpReturn, OpExit, OpTrap, OpUnsupported:
		return true
	}
	return false
}

// At returns the loop that the step lies in, or nil.
func (l *Loops) At(pc int32) *Loop {
	if int(pc) >= len(l.block) {
		return nil
	}
	return l.of[l.block[pc]]
}

// Each calls f for all steps of the loop.
func (x *Loop) Each(f func(in *Instr)) {
	for _, b := range x.blocks {
		from, to := x.of.span(b)
		for i := from; i < to; i++ {
			f(&x.p.Code[i])
		}
	}
}

// analyze finds out whether the loop has an end, and what decides its way.
func (x *Loop) analyze() {
	x.Endless = true
	for _, b := range x.blocks {
		x.of.edges(b, func(to int32) { x.Endless = x.Endless && x.in[to] })
	}
	set := map[int32]bool{}
	add := func(s int32, u Use) {
		if u&Reads != 0 {
			set[s] = true
		}
	}
	x.Each(func(in *Instr) {
		switch in.Op {
		case OpCall, OpCallIndirect:
			x.Whole, x.Endless = true, false
		case OpHost, OpReturn, OpExit, OpTrap, OpUnsupported:
			x.Endless = false
		}
		if in.leaves() || in.Op == OpSync || in.Op == OpBarrier {
			x.p.Slots(in, add)
		}
	})
	for n := -1; n != len(set); {
		n = len(set)
		x.Each(func(in *Instr) {
			if x.p.writes(in, set) {
				x.p.Slots(in, add)
			}
		})
	}
	for s := range set {
		x.Decides = append(x.Decides, s)
	}
	slices.Sort(x.Decides)
	x.Each(func(in *Instr) { x.awaits = max(x.awaits, x.awaitsBy(in, set)) })
}

// Polled lists the accesses that decide the loop's way and read what others may
// write.
func (x *Loop) Polled() (out []*Mem) {
	set := x.decides()
	x.Each(func(in *Instr) {
		if (in.Op == OpLoad || in.Op == OpAtomic) && x.awaitsBy(in, set) != AwaitsNothing {
			out = append(out, &x.p.Mems[in.X])
		}
	})
	return out
}

// awaitsBy is what the loop may wait for by a step that writes slots of set, which
// decide its way.
func (x *Loop) awaitsBy(in *Instr, set map[int32]bool) Awaited {
	switch in.Op {
	case OpLoad, OpAtomic, OpStep, OpClock, OpCall, OpCallIndirect, OpHost:
	default:
		return AwaitsNothing
	}
	switch {
	case !x.p.writes(in, set):
		return AwaitsNothing
	case in.Op == OpLoad && x.p.Mems[in.X].Site.Order == trace.OrderWeak:
		return AwaitsWeak
	}
	return AwaitsStrong
}

// writes reports that a step writes one of the slots.
func (p *Program) writes(in *Instr, set map[int32]bool) bool {
	any := false
	p.Slots(in, func(s int32, u Use) { any = any || u&Writes != 0 && set[s] })
	return any
}

// Lines returns where the loop lies in the source: the first and the last
// position of its file that is known; ok is false if there is none.
func (x *Loop) Lines() (first, last source.Pos, ok bool) {
	var at []source.Location
	x.Each(func(in *Instr) {
		if s := x.p.siteOf(in); s != nil && s.Loc.IsValid() {
			at = append(at, s.Loc)
		}
	})
	for _, l := range at {
		if l.File != at[0].File || l.Func != at[0].Func {
			continue
		}
		if !ok || l.Pos.Compare(first) < 0 {
			first = l.Pos
		}
		if !ok || l.Pos.Compare(last) > 0 {
			last = l.Pos
		}
		ok = true
	}
	return first, last, ok
}

// Site is a site in the loop, the one of a condition if there is any.
func (x *Loop) Site() *trace.Site {
	var site *trace.Site
	x.Each(func(in *Instr) {
		s := x.p.siteOf(in)
		if s != nil && (site == nil || site.Loc.Line == 0 || in.Op == OpBranch && s.Loc.IsValid()) {
			site = s
		}
	})
	return site
}

// siteOf is the site of a step, or nil.
func (p *Program) siteOf(in *Instr) *trace.Site {
	switch in.Op {
	case OpLoad, OpStore, OpAtomic:
		return p.Mems[in.X].Site
	case OpBranch, OpJump:
		return p.Branches[in.X].Site
	}
	return in.Site
}

// Polls reports whether a loop of the program may wait for what strong operations read.
func (p *Program) Polls() bool {
	if !slices.ContainsFunc(p.Sites, func(s *trace.Site) bool {
		return s.Kind == trace.Atomic || s.Kind == trace.Read && s.Order != trace.OrderWeak
	}) {
		return false
	}
	return slices.ContainsFunc(p.Loops().of, func(x *Loop) bool { return x != nil && x.awaits == AwaitsStrong })
}

// pollCost is what one round of a loop that waits costs of a turn besides its instructions:
// three rounds are enough to see that what the loop waits for does not come. Loops of two, as
// over the neighbors of a vertex by a warp, end within a slice.
const pollCost = 400

// ChargePolls makes the basic blocks that read what a loop waits for cost more of a warp's turn
// than others. It is for the end of lowering.
func (p *Program) ChargePolls() {
	if !p.Polls() {
		return
	}
	for _, x := range p.Loops().of {
		if x == nil || x.awaits != AwaitsStrong {
			continue
		}
		blocks := x.polling()
		for _, b := range blocks { // a round may come through all of them
			p.Code[x.of.starts[b]].Imm = pollCost / uint64(len(blocks))
		}
	}
}

// polling lists the blocks with strong operations that decide the loop's way.
func (x *Loop) polling() (out []int32) {
	set := x.decides()
	for _, b := range x.blocks {
		from, to := x.of.span(b)
		if x.p.Code[from].Op == OpEnter && slices.ContainsFunc(x.p.Code[from:to], func(in Instr) bool { return x.awaitsBy(&in, set) == AwaitsStrong }) {
			out = append(out, b)
		}
	}
	return out
}

// decides are the slots of Decides as a set.
func (x *Loop) decides() map[int32]bool {
	set := map[int32]bool{}
	for _, s := range x.Decides {
		set[s] = true
	}
	return set
}

// Awaits is what lanes at a step may wait for.
func (l *Loops) Awaits(pc int32) Awaited {
	if x := l.At(pc); x != nil {
		return x.awaits
	}
	return AwaitsNothing
}
