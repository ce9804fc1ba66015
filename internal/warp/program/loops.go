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
	// succ and pred are the blocks that may follow and precede each block, entries the first
	// blocks of functions, fails those from which all ways end in a trap or a failed assertion.
	succ, pred [][]int32
	entries    map[int32]bool
	fails      []bool
	// of is the outermost loop of each block, inner the innermost one, nil outside of loops.
	of, inner []*Loop
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
	// Decides are the slots on which the way through the loop depends; all do
	// if Whole is set, since the loop calls functions.
	Decides []int32
	Whole   bool
	// around is the loop of the nest that this one is in, inside are those in it.
	around *Loop
	inside []*Loop
	// leaving are the steps that decide when the loop is left; local is set if local memory does
	// too, handsOn if a value in a slot that a round leaves for the next one does. awaits says
	// what other memory does.
	leaving        map[int32]bool
	local, handsOn bool
	awaits         Awaited
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
	l := &Loops{p: p, block: make([]int32, len(p.Code)), entries: map[int32]bool{}}
	entry := map[int32]bool{}
	for i := range p.Funcs {
		entry[p.Funcs[i].Entry] = true
	}
	for i := range p.Code {
		if p.Code[i].Op == OpEnter || entry[int32(i)] || i == 0 {
			l.starts = append(l.starts, int32(i))
		}
		l.block[i] = int32(len(l.starts) - 1)
		if entry[int32(i)] {
			l.entries[l.block[i]] = true
		}
	}
	n := len(l.starts)
	l.succ, l.pred, l.of, l.inner = make([][]int32, n), make([][]int32, n), make([]*Loop, n), make([]*Loop, n)
	all := make([]int32, n)
	for b := range int32(n) {
		all[b] = b
		l.follow(b)
		for _, to := range l.succ[b] {
			l.pred[to] = append(l.pred[to], b)
		}
	}
	l.findFailures()
	for _, x := range l.cycles(all, -1) {
		for _, b := range x.blocks {
			l.of[b] = x
		}
		x.analyze()
	}
	l.nest(l.outermost())
	for _, x := range l.all() { // the outer ones first
		for _, b := range x.blocks {
			l.inner[b] = x
		}
	}
	return l
}

// cycles are the strongly connected components with cycles of a set of blocks without block but.
func (l *Loops) cycles(blocks []int32, but int32) (out []*Loop) {
	number := make(map[int32]int, len(blocks))
	for i, b := range blocks {
		number[b] = i
	}
	g := graph.New(len(blocks))
	for i, b := range blocks {
		for _, to := range l.succ[b] {
			if k, ok := number[to]; ok && b != but && to != but {
				g.Add(i, k)
			}
		}
	}
	comp, cyclic := g.SCC()
	loops := map[int]*Loop{}
	for i, b := range blocks {
		if !cyclic[i] {
			continue
		}
		x := loops[comp[i]]
		if x == nil {
			x = &Loop{p: l.p, of: l, in: map[int32]bool{}}
			loops[comp[i]] = x
			out = append(out, x)
		}
		x.blocks = append(x.blocks, b)
		x.in[b] = true
	}
	return out
}

// findFailures marks the blocks from which all ways end in a trap or a failed assertion.
func (l *Loops) findFailures() {
	l.fails = make([]bool, len(l.starts))
	var work []int32
	fail := func(b int32) {
		l.fails[b] = true
		work = append(work, b)
	}
	for b := range int32(len(l.starts)) {
		fails := false
		l.each(b, func(in *Instr) { fails = fails || in.Guard == NoSlot && l.p.fails(in) })
		if fails {
			fail(b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, from := range l.pred[b] {
			if !l.fails[from] && !l.ends(from) && !slices.ContainsFunc(l.succ[from], func(to int32) bool { return !l.fails[to] }) {
				fail(from)
			}
		}
	}
}

// fails reports whether in is a step that ends the kernel as failed.
func (p *Program) fails(in *Instr) bool {
	switch in.Op {
	case OpTrap, OpUnsupported:
		return true
	case OpHost:
		return hostFuncs[p.Hosts[in.X].Name].Fails
	}
	return false
}

// ends reports whether b is a block in which a lane may return or exit.
func (l *Loops) ends(b int32) (ends bool) {
	l.each(b, func(in *Instr) { ends = ends || in.Op == OpReturn || in.Op == OpExit })
	return ends
}

// span is the range of a block's steps.
func (l *Loops) span(b int32) (from, to int32) {
	if int(b) == len(l.starts)-1 {
		return l.starts[b], int32(len(l.p.Code))
	}
	return l.starts[b], l.starts[b+1]
}

// each calls f for the steps of a block.
func (l *Loops) each(b int32, f func(in *Instr)) {
	from, to := l.span(b)
	for i := from; i < to; i++ {
		f(&l.p.Code[i])
	}
}

// follow finds the blocks that can follow b.
func (l *Loops) follow(b int32) {
	from, to := l.span(b)
	falls := int(to) < len(l.p.Code)
	for i := from; i < to; i++ {
		in := &l.p.Code[i]
		switch in.Op {
		case OpJump, OpBranch:
			l.succ[b] = append(l.succ[b], l.block[l.p.Branches[in.X].Target])
		case OpTable:
			for _, t := range l.p.Tables[in.X].Targets {
				l.succ[b] = append(l.succ[b], l.block[t])
			}
		}
		if in.Guard == NoSlot && in.leaves() && in.Op != OpBranch {
			falls = false
		}
	}
	if falls {
		l.succ[b] = append(l.succ[b], l.block[to])
	}
}

// edges calls f for the blocks that can follow b.
func (l *Loops) edges(b int32, f func(to int32)) {
	for _, to := range l.succ[b] {
		f(to)
	}
}

// leaves reports whether in is a step after which a lane does not continue with the next one.
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
		x.of.each(b, f)
	}
}

// analyze finds out whether the loop has an end, and what decides its way.
func (x *Loop) analyze() {
	x.Endless = true
	for _, b := range x.blocks {
		x.of.edges(b, func(to int32) { x.Endless = x.Endless && x.in[to] })
	}
	x.Each(func(in *Instr) {
		switch in.Op {
		case OpCall, OpCallIndirect:
			x.Whole, x.Endless = true, false
		case OpHost, OpReturn, OpExit, OpTrap, OpUnsupported:
			x.Endless = false
		}
	})
	for s := range x.conditions() {
		x.Decides = append(x.Decides, s)
	}
	slices.Sort(x.Decides)
}

// conditions are the slots on which the way through the loop depends.
func (x *Loop) conditions() map[int32]bool {
	set := map[int32]bool{}
	add := func(s int32, u Use) {
		if u&Reads != 0 {
			set[s] = true
		}
	}
	x.Each(func(in *Instr) {
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
	return set
}

// writes reports whether a step writes one of the slots.
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
	return slices.ContainsFunc(p.Loops().inner, func(x *Loop) bool { return x.nestAwaits() == AwaitsStrong })
}

// PollsGlobal reports whether memory other than shared memory may decide when a loop of the program
// is left, so that other threads' writes there may be what the loop waits for.
func (p *Program) PollsGlobal() bool {
	return slices.ContainsFunc(p.Loops().inner, (*Loop).pollsGlobal)
}

func (x *Loop) pollsGlobal() (polls bool) {
	if x == nil {
		return false
	}
	x.eachStep(func(at int32) {
		in := &x.p.Code[at]
		shared := in.Op == OpLoad && x.p.Mems[in.X].Space == trace.SpaceShared
		polls = polls || !shared && x.awaitsBy(at) != AwaitsNothing
	})
	return polls
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
	for _, x := range p.Loops().all() {
		if x.awaits != AwaitsStrong {
			continue
		}
		blocks := x.polling()
		for _, b := range blocks { // a round may come through all of them
			first := &p.Code[x.of.starts[b]]
			first.Imm = max(first.Imm, pollCost/uint64(len(blocks)))
		}
	}
}

// polling lists the blocks with strong operations that decide when the loop is left.
func (x *Loop) polling() (out []int32) {
	for _, b := range x.blocks {
		from, to := x.of.span(b)
		polls := false
		for at := from; at < to; at++ {
			polls = polls || x.awaitsBy(at) == AwaitsStrong
		}
		if polls && x.p.Code[from].Op == OpEnter {
			out = append(out, b)
		}
	}
	return out
}

// Awaits is what lanes at a step may wait for.
func (l *Loops) Awaits(pc int32) Awaited {
	if int(pc) >= len(l.block) {
		return AwaitsNothing
	}
	return l.inner[l.block[pc]].nestAwaits()
}
