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
	saved                              [len(SerialSaved)]uint64
	cells                              [maxSerialCells]uint64
	rows                               [maxSerialRows][32]uint64
}

// Bounds of what a loop may need.
const (
	maxSerialCells = 32
	maxSerialRows  = 12
	maxSerialVecs  = 12
	// MinSerialTurns is how many rounds a turn must allow.
	MinSerialTurns = 4
)

// Loops run serially so many times, less one, before vector code looks whether lanes are neighbors by now. After trouble
// vector code does the next loops, serialPause of them.
const SerialTimes, SerialPause = 64, 256

// SerialLoop has the facts about such a loop.
type SerialLoop struct {
	view     Scope
	Plan     *Plan
	From, To int // the first step and the branch
	Begins   BlockStep
	Leads    BranchStep
	Homes    map[int32]*Home
	// Preds are the cells of predicates, loads how addresses of loads are made, by step.
	Preds map[int32]int32
	Loads map[int]*SerialLoad
	// Indices are the steps whose results only loads take, as indices.
	Indices map[int]bool
	cells   int32
	unused  []jit.Reg // of serialHomes
	Vectors uint32
	// Atomic is the step of an atomic operation, 0 for none.
	Atomic int
	// lane is set where values are in RBX, regions where they are in R13.
	lane, Regions bool
	// Flagged is set where the branch takes the flags of the comparison before it.
	Flagged bool
	// Trouble drops what was done.
	Trouble jit.Label
}

// NewSerialLoop looks whether a run, which repeats, can be such a loop. It returns nil if not.
func NewSerialLoop(view Scope, first, until int) *SerialLoop {
	l := &SerialLoop{view: view, Plan: view.Plan, From: first, To: until - 1, Homes: map[int32]*Home{}, Preds: map[int32]int32{}, Loads: map[int]*SerialLoad{},
		Indices: map[int]bool{}, unused: slices.Clone(serialHomes)}
	l.Begins, l.Leads = view.Does[l.From].(BlockStep), view.Does[l.To].(BranchStep)
	if !l.supported() || !l.predicates() || !l.findLoads() {
		return nil
	}
	return l.place()
}

// supported reports whether all steps are such as serial code can do.
func (l *SerialLoop) supported() bool {
	if l.view.Program.Loops().Awaits(int32(l.From)) == program.AwaitsStrong {
		return false
	}
	for i := l.From + 1; i < l.To; i++ {
		in := &l.view.Program.Code[i]
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
			m := &l.view.Program.Mems[in.X]
			if m.Space != trace.SpaceGlobal && m.Space != trace.SpaceShared || l.view.Follows(m) || l.view.Sieved(m) ||
				m.Scalar || m.Base == program.NoSlot || m.ScalarRegs || m.Site.Order != trace.OrderWeak {
				return false
			}
		case program.OpAtomic:
			if l.Atomic != 0 || !l.settles(i) {
				return false
			}
			l.Atomic = i
		default:
			return false
		}
	}
	return true
}

// predicates gives predicates their cells. They must be computed in each round before they are read, and only the
// branch's may live after the loop.
func (l *SerialLoop) predicates() bool {
	decides := l.Leads.Predicate
	for i := l.From + 1; i < l.To; i++ {
		in := &l.view.Program.Code[i]
		for _, s := range l.readPreds(in) {
			if l.Preds[s] == 0 {
				return false
			}
		}
		if l.writesPred(in) && l.Preds[in.D] == 0 {
			l.Preds[in.D] = l.cell()
		}
	}
	if l.Preds[decides] == 0 {
		return false
	}
	after := l.Plan.LiveIn[int32(l.To+1)]
	for s := range l.Preds {
		if n := l.Plan.IDs[s]; s != decides && (after[n/64]>>(n%64)&1 != 0 || l.Plan.Kept[n]) {
			return false
		}
	}
	return true
}

// readPreds lists the predicates that a step reads.
func (l *SerialLoop) readPreds(in *program.Instr) []int32 {
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
func (l *SerialLoop) writesPred(in *program.Instr) bool {
	switch in.Op {
	case program.OpCmp, program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		return true
	}
	return false
}

// cell takes a new cell of the context. Its place is never 0.
func (l *SerialLoop) cell() int32 {
	l.cells++
	return ctxSerialCells + 8*(l.cells-1)
}

// Operands calls f for the rows that a step reads, with their widths, and whether it takes them in general
// registers, in vectors, or wherever they are (unplaced).
func (l *SerialLoop) Operands(i int, f func(slot int32, w alu.Width, c Class)) {
	in := &l.view.Program.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		if o := l.Plan.General(in); o != nil {
			for k, s := range []int32{in.A, in.B, in.C}[:len(o.Args)] {
				c := InGeneral
				if o.Moves() {
					c = Unplaced
				}
				f(s, WidthOf(o.Args[k]), c)
			}
			return
		}
		for k, arg := range BodyOf(in.ALU).Args {
			f([]int32{in.A, in.B, in.C, in.E}[k], WidthOf(arg), InVector)
		}
	case program.OpCmp:
		w, c := WidthOf(BodyOf(in.ALU).Args[0]), InVector
		if isGeneralTest(BodyOf(in.ALU)) {
			c = InGeneral
		}
		f(in.A, w, c)
		f(in.B, w, c)
	case program.OpSel:
		f(in.A, in.Dst, Unplaced)
		f(in.B, in.Dst, Unplaced)
	case program.OpLoad:
		m := &l.view.Program.Mems[in.X]
		f(m.Base, m.BaseWidth, InGeneral)
	case program.OpAtomic:
		m := &l.view.Program.Mems[in.X]
		f(m.Base, m.BaseWidth, InGeneral)
		f(m.B, m.Width, InGeneral)
		if m.C != program.NoSlot {
			f(m.C, m.Width, InGeneral)
		}
	}
}

// results calls f for the rows that a step writes, with their widths and where it has them.
func (l *SerialLoop) results(i int, f func(slot int32, w alu.Width, c Class)) {
	in := &l.view.Program.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		c := InVector
		if o := l.Plan.General(in); o != nil {
			c = InGeneral
			if o.Moves() {
				c = Unplaced
			}
		}
		f(in.D, in.Dst, c)
	case program.OpSel:
		f(in.D, in.Dst, Unplaced)
	case program.OpLoad:
		m := &l.view.Program.Mems[in.X]
		for _, s := range m.Regs[:m.Count] {
			if s != program.NoSlot {
				f(s, m.Width, Unplaced)
			}
		}
	}
}

// Wanted says which lanes vector code wants a row of: none, those that stay in the loop, or all.
type Wanted uint8

const (
	notWanted Wanted = iota
	WantedToStay
	WantedAfter
)

// Leaves says of which lanes vector code wants a slot's row.
func (l *SerialLoop) Leaves(slot int32) Wanted {
	n, ok := l.Plan.IDs[slot]
	live := func(at int) bool { return l.Plan.LiveIn[int32(at)][n/64]>>(n%64)&1 != 0 }
	switch {
	case !ok:
		return notWanted
	case live(l.To + 1):
		return WantedAfter
	case live(l.From) || l.Plan.Kept[n]:
		return WantedToStay
	}
	return notWanted
}

// Gathers lists the loads that learn whether lanes are neighbors, but for those from the same place in each round.
func (l *SerialLoop) Gathers() (list []int32) {
	for _, i := range slices.Sorted(maps.Keys(l.Loads)) {
		if in := &l.view.Program.Code[i]; in.Op == program.OpLoad && l.view.Program.Mems[in.X].Count == 1 && l.Loads[i].Kind != ByLane {
			list = append(list, in.X)
		}
	}
	return list
}

// InOrder goes over the homes by their slots.
func (l *SerialLoop) InOrder() func(yield func(int32, *Home) bool) {
	return func(yield func(int32, *Home) bool) {
		for _, s := range slices.Sorted(maps.Keys(l.Homes)) {
			if !yield(s, l.Homes[s]) {
				return
			}
		}
	}
}

// Rows lists the slots whose rows vector code wants.
func (l *SerialLoop) Rows() []int32 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.Homes)), func(s int32) bool { return l.Leaves(s) == notWanted })
}

// TurnShift divides a budget by what a round costs at most.
func (l *SerialLoop) TurnShift() int { return bits.Len32(uint32(l.Begins.Cost)) }

// Tallies is how the accesses of a round are counted.
func (l *SerialLoop) Tallies() (t Tally) {
	for i := range l.Loads {
		t.Add(l.view.planAccess(&l.view.Program.Code[i]).Done)
	}
	return t
}

// WatchedLoads lists the accesses that observers may want to hear of: where they do, vector code has the loop.
func (l *SerialLoop) WatchedLoads() (list []int32) {
	for _, i := range slices.Sorted(maps.Keys(l.Loads)) {
		if x := l.Loads[i]; l.view.Enters(x.Mem) || l.view.Marks(x.Mem) {
			list = append(list, x.Index)
		}
	}
	return list
}

// Written reports whether the loop writes a slot.
func (l *SerialLoop) Written(slot int32) (yes bool) {
	for i := l.From + 1; i < l.To; i++ {
		l.results(i, func(s int32, _ alu.Width, _ Class) { yes = yes || s == slot })
	}
	return yes
}

// Repeats reports whether a run is a loop that can keep rows in registers: its last step branches to the first one,
// where no other lanes come, or leaves it.
func Repeats(p *program.Program, first, until int) bool {
	last := &p.Code[until-1]
	if last.Op != program.OpBranch || last.Guard != program.NoSlot || until == len(p.Code) {
		return false
	}
	br, in := &p.Branches[last.X], &p.Code[first]
	return br.Target == int32(first) && br.Meet == int32(until) && in.Op == program.OpEnter && !in.Join
}

// Loosens reports whether a row that a loop keeps in registers may be loose where it begins: the loop ends with a loose
// one, and a row from before is only an operand of operations to which all NaN are the same, so that nothing shows if
// its NaN become canonical.
func Loosens(p *program.Program, pl *Plan, slot int32, first, until int) bool {
	loose, written := false, false
	for i := first; i < until; i++ {
		in, e := &p.Code[i], &pl.Steps[i]
		var b *body.Body
		if in.Op == program.OpVec || in.Op == program.OpVec4 {
			b = valueBody(in.ALU)
		}
		for _, s := range e.Reads {
			if s == slot && !written && (b == nil || !b.Floats) {
				return false
			}
		}
		for _, s := range e.Writes {
			if s == slot {
				loose, written = b != nil && b.Loose() != nil, true
			}
		}
	}
	return loose
}
