package native

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// A loop of one straight run that only computes and loads, and whose lanes load from places far apart, runs serially:
// scalar code runs one lane after the other to the end of the loop. A gather takes some cycles for each lane that it
// loads for, and all lanes wait for the one with the most rounds; a scalar load takes a fraction of that, and a lane
// that is done costs nothing.
//
// Results go to the context first. Where a lane would go where it must not, they are dropped, and the loop begins again
// in vector code, which loads the same values: the loop writes no memory, or only by an atomic operation that it may
// repeat, and do in any order, to memory that it does not load from. Where the warp's turn ends, the lanes
// that have more to do continue in vector code at the beginning of the loop, while the others have left it. What is
// counted is what vector code counts: the rounds of the lane that has the most.

// serialArea is what serial code keeps in the context.
type serialArea struct {
	// times counts the loops that might run serially. It is negative while they do not, after trouble.
	times int64
	// lane is the one that runs, todo are those that have yet to run, stay those that had more to do when the turn ended.
	lane, todo, stay uint64
	// bound are the rounds of a turn, turns those that the lane may do, most and total those that lanes did, changes
	// counts the atomic operations that changed something.
	bound, turns, most, total, changes uint64
	saved                              [len(serialSaved)]uint64
	cells                              [maxSerialCells]uint64
	rows                               [maxSerialRows][32]uint64
}

// Bounds of what a loop may need.
const (
	maxSerialCells = 32
	maxSerialRows  = 12
	maxSerialVecs  = 12
	// minSerialTurns is how many rounds a turn must allow.
	minSerialTurns = 4
)

// serialLoop has the facts about such a loop, serialCode is its generator.
type serialLoop struct {
	view     scope
	pl       *plan
	from, to int // the first step and the branch
	begins   blockStep
	leads    branchStep
	homes    map[int32]*home
	// preds are the cells of predicates, loads how addresses of loads are made, by step.
	preds map[int32]int32
	loads map[int]*serialLoad
	// indices are the steps whose results only loads take, as indices.
	indices map[int]bool
	cells   int32
	unused  []jit.Reg // of serialHomes
	vectors uint32
	// atomic is the step of an atomic operation, 0 for none.
	atomic int
	// lane is set where values are in RBX, regions where they are in R13.
	lane, regions bool
	// flagged is set where the branch takes the flags of the comparison before it.
	flagged bool
	// trouble drops what was done.
	trouble jit.Label
}

type serialCode struct {
	*serialLoop
	*gen
}

// newSerialLoop looks whether a run, which repeats, can be such a loop. It returns nil if not.
func newSerialLoop(view scope, first, until int) *serialLoop {
	l := &serialLoop{view: view, pl: view.plan, from: first, to: until - 1, homes: map[int32]*home{}, preds: map[int32]int32{}, loads: map[int]*serialLoad{},
		indices: map[int]bool{}, unused: slices.Clone(serialHomes)}
	l.begins, l.leads = view.does[l.from].(blockStep), view.does[l.to].(branchStep)
	if !l.supported() || !l.predicates() || !l.findLoads() {
		return nil
	}
	return l.place()
}

// supported reports whether all steps are such as serial code can do.
func (l *serialLoop) supported() bool {
	if l.view.p.Loops().Awaits(int32(l.from)) == program.AwaitsStrong {
		return false
	}
	for i := l.from + 1; i < l.to; i++ {
		in := &l.view.p.Code[i]
		if in.Guard != program.NoSlot {
			return false
		}
		switch in.Op {
		case program.OpVec, program.OpVec4:
			if in.ALU.Formula != nil { // they take long, and many registers
				return false
			}
		case program.OpCmp, program.OpSel, program.OpNop, program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		case program.OpLoad:
			m := &l.view.p.Mems[in.X]
			if m.Space != trace.SpaceGlobal && m.Space != trace.SpaceShared || l.view.follows(m) || l.view.sieved(m) ||
				m.Scalar || m.Base == program.NoSlot || m.ScalarRegs || m.Site.Order != trace.OrderWeak {
				return false
			}
		case program.OpAtomic:
			if l.atomic != 0 || !l.settles(i) {
				return false
			}
			l.atomic = i
		default:
			return false
		}
	}
	return true
}

// predicates gives predicates their cells. They must be computed in each round before they are read, and only the
// branch's may live after the loop.
func (l *serialLoop) predicates() bool {
	decides := l.leads.predicate
	for i := l.from + 1; i < l.to; i++ {
		in := &l.view.p.Code[i]
		for _, s := range l.readPreds(in) {
			if l.preds[s] == 0 {
				return false
			}
		}
		if l.writesPred(in) && l.preds[in.D] == 0 {
			l.preds[in.D] = l.cell()
		}
	}
	if l.preds[decides] == 0 {
		return false
	}
	after := l.pl.liveIn[int32(l.to+1)]
	for s := range l.preds {
		if n := l.pl.ids[s]; s != decides && (after[n/64]>>(n%64)&1 != 0 || l.pl.kept[n]) {
			return false
		}
	}
	return true
}

// readPreds lists the predicates that a step reads.
func (l *serialLoop) readPreds(in *program.Instr) []int32 {
	switch in.Op {
	case program.OpSel:
		return []int32{in.C}
	case program.OpPredMov, program.OpPredNot:
		return []int32{in.A}
	case program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		return []int32{in.A, in.B}
	}
	return nil
}

// writesPred reports whether a step's result is a predicate.
func (l *serialLoop) writesPred(in *program.Instr) bool {
	switch in.Op {
	case program.OpCmp, program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		return true
	}
	return false
}

// cell takes a new cell of the context. Its place is never 0.
func (l *serialLoop) cell() int32 {
	l.cells++
	return ctxSerialCells + 8*(l.cells-1)
}

// operands calls f for the rows that a step reads, with their widths, and whether it takes them in general
// registers, in vectors, or wherever they are (unplaced).
func (l *serialLoop) operands(i int, f func(slot int32, w alu.Width, c class)) {
	in := &l.view.p.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		if o := l.pl.general(in); o != nil {
			for k, s := range []int32{in.A, in.B, in.C}[:len(o.args)] {
				c := inGeneral
				if o.moves() {
					c = unplaced
				}
				f(s, widthOf(o.args[k]), c)
			}
			return
		}
		for k, arg := range bodyOf(in.ALU).Args {
			f([]int32{in.A, in.B, in.C, in.E}[k], widthOf(arg), inVector)
		}
	case program.OpCmp:
		w, c := widthOf(bodyOf(in.ALU).Args[0]), inVector
		if isGeneralTest(bodyOf(in.ALU)) {
			c = inGeneral
		}
		f(in.A, w, c)
		f(in.B, w, c)
	case program.OpSel:
		f(in.A, in.Dst, unplaced)
		f(in.B, in.Dst, unplaced)
	case program.OpLoad:
		m := &l.view.p.Mems[in.X]
		f(m.Base, m.BaseWidth, inGeneral)
	case program.OpAtomic:
		m := &l.view.p.Mems[in.X]
		f(m.Base, m.BaseWidth, inGeneral)
		f(m.B, m.Width, inGeneral)
		if m.C != program.NoSlot {
			f(m.C, m.Width, inGeneral)
		}
	}
}

// results calls f for the rows that a step writes, with their widths and where it has them.
func (l *serialLoop) results(i int, f func(slot int32, w alu.Width, c class)) {
	in := &l.view.p.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		c := inVector
		if o := l.pl.general(in); o != nil {
			c = inGeneral
			if o.moves() {
				c = unplaced
			}
		}
		f(in.D, in.Dst, c)
	case program.OpSel:
		f(in.D, in.Dst, unplaced)
	case program.OpLoad:
		m := &l.view.p.Mems[in.X]
		for _, s := range m.Regs[:m.Count] {
			if s != program.NoSlot {
				f(s, m.Width, unplaced)
			}
		}
	}
}

// wanted says which lanes vector code wants a row of: none, those that stay in the loop, or all.
type wanted uint8

const (
	notWanted wanted = iota
	wantedToStay
	wantedAfter
)

// leaves says of which lanes vector code wants a slot's row.
func (l *serialLoop) leaves(slot int32) wanted {
	n, ok := l.pl.ids[slot]
	live := func(at int) bool { return l.pl.liveIn[int32(at)][n/64]>>(n%64)&1 != 0 }
	switch {
	case !ok:
		return notWanted
	case live(l.to + 1):
		return wantedAfter
	case live(l.from) || l.pl.kept[n]:
		return wantedToStay
	}
	return notWanted
}

// gathers lists the loads that learn whether lanes are neighbors, but for those from the same place in each round.
func (l *serialLoop) gathers() (list []int32) {
	for _, i := range slices.Sorted(maps.Keys(l.loads)) {
		if in := &l.view.p.Code[i]; in.Op == program.OpLoad && l.view.p.Mems[in.X].Count == 1 && l.loads[i].kind != byLane {
			list = append(list, in.X)
		}
	}
	return list
}

// inOrder goes over the homes by their slots.
func (l *serialLoop) inOrder() func(yield func(int32, *home) bool) {
	return func(yield func(int32, *home) bool) {
		for _, s := range slices.Sorted(maps.Keys(l.homes)) {
			if !yield(s, l.homes[s]) {
				return
			}
		}
	}
}

// rows lists the slots whose rows vector code wants.
func (l *serialLoop) rows() []int32 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.homes)), func(s int32) bool { return l.leaves(s) == notWanted })
}

// turnShift divides a budget by what a round costs at most.
func (l *serialLoop) turnShift() int { return bits.Len32(uint32(l.begins.cost)) }

// tallies is how the accesses of a round are counted.
func (l *serialLoop) tallies() (t tally) {
	for i := range l.loads {
		t.add(l.view.planAccess(&l.view.p.Code[i]).done)
	}
	return t
}

// watchedLoads lists the accesses that observers may want to hear of: where they do, vector code has the loop.
func (l *serialLoop) watchedLoads() (list []int32) {
	for _, i := range slices.Sorted(maps.Keys(l.loads)) {
		if x := l.loads[i]; l.view.enters(x.m) || l.view.marks(x.m) {
			list = append(list, x.x)
		}
	}
	return list
}

// written reports whether the loop writes a slot.
func (l *serialLoop) written(slot int32) (yes bool) {
	for i := l.from + 1; i < l.to; i++ {
		l.results(i, func(s int32, _ alu.Width, _ class) { yes = yes || s == slot })
	}
	return yes
}

// repeats reports whether a run is a loop that can keep rows in registers: its last step branches to the first one,
// where no other lanes come, or leaves it.
func repeats(p *program.Program, first, until int) bool {
	last := &p.Code[until-1]
	if last.Op != program.OpBranch || last.Guard != program.NoSlot || until == len(p.Code) {
		return false
	}
	br, in := &p.Branches[last.X], &p.Code[first]
	return br.Target == int32(first) && br.Meet == int32(until) && in.Op == program.OpEnter && !in.Join
}

// loosens reports whether a row that a loop keeps in registers may be loose where it begins: the loop ends with a loose
// one, and a row from before is only an operand of operations to which all NaN are the same, so that nothing shows if
// its NaN become canonical.
func loosens(p *program.Program, pl *plan, slot int32, first, until int) bool {
	loose, written := false, false
	for i := first; i < until; i++ {
		in, e := &p.Code[i], &pl.steps[i]
		var b *body.Body
		if in.Op == program.OpVec || in.Op == program.OpVec4 {
			b = valueBody(in.ALU)
		}
		for _, s := range e.reads {
			if s == slot && !written && (b == nil || !b.Floats) {
				return false
			}
		}
		for _, s := range e.writes {
			if s == slot {
				loose, written = b != nil && b.Loose() != nil, true
			}
		}
	}
	return loose
}
