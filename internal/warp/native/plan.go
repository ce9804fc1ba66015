package native

import (
	"errors"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Plan is what the code generator knows of a program: which rows only repeat a
// scalar, where straight runs begin, and what lives after them.
type Plan struct {
	Program *program.Program
	// Same are the rows whose lanes are all equal, repeats those of them that
	// scalar steps write. Generated code writes only the first lanes of them, and
	// the others before the interpreter reads them.
	Same    map[int32]bool
	repeats map[int32]alu.Width
	// rows are those of repeats, full lists by step those that it reads.
	rows []RepeatedRow
	full [][]RepeatedRow
	// Kept are the slots, by number, that are written to the slab in any case.
	Kept map[int]bool
	// Values are those of constants, of scalars and rows.
	Values map[int32]uint64
	Steps  []effects
	Leader []bool
	IDs    map[int32]int
	slots  []int32
	// LiveIn has a bit per slot, by leader.
	LiveIn map[int32][]uint64
	words  int
}

// Why a program has no plan.
var (
	ErrTooLarge = errors.New("the kernel is too large for it")
	errNotSame  = errors.New("lanes write a value that is the same in all lanes")
)

// NewPlan analyses a program. The error is why it cannot be compiled.
func NewPlan(p *program.Program) (*Plan, error) {
	if len(p.Code) > MaxSteps {
		return nil, ErrTooLarge
	}
	pl := &Plan{Program: p, Same: map[int32]bool{}, repeats: map[int32]alu.Width{}, Kept: map[int]bool{}, Values: map[int32]uint64{}, IDs: map[int32]int{}, LiveIn: map[int32][]uint64{}}
	for i := range p.Code {
		pl.Steps = append(pl.Steps, pl.effects(i))
	}
	pl.findSame()
	if !pl.checkSame() {
		return nil, errNotSame
	}
	pl.findFull()
	pl.findLeaders()
	if !pl.liveness() {
		return nil, ErrTooLarge
	}
	return pl, nil
}

// effects lists what a step reads and writes. all tells that it may read any
// slot; exact that it writes all that it lists in every lane that executes it.
type effects struct {
	Reads, Writes []int32
	all, Exact    bool
}

// effects of a step.
func (pl *Plan) effects(i int) (e effects) {
	in := &pl.Program.Code[i]
	e.Exact = in.Guard == program.NoSlot
	known := pl.Program.Slots(in, func(slot int32, u program.Use) {
		if u&program.Reads != 0 {
			e.Reads = append(e.Reads, slot)
		}
		if u&program.Writes != 0 {
			e.Writes = append(e.Writes, slot)
		}
		e.Exact = e.Exact && u&program.Partly == 0
	})
	switch {
	case !known:
		e.all, e.Exact = true, false
	case in.Op == program.OpReturn:
		for _, w := range pl.function(i).Rets {
			e.Reads = append(e.Reads, w...)
		}
	case in.Op == program.OpActiveMask || in.Op == program.OpSync || in.Op == program.OpBarrier || in.Op == program.OpStep:
		e.Exact = false
	}
	return e
}

// function is the one that a step is in.
func (pl *Plan) function(i int) *program.Func {
	fs := pl.Program.Funcs
	n := len(fs) - 1
	for n > 0 && fs[n].Entry > int32(i) {
		n--
	}
	return &fs[n]
}

// findSame finds the rows whose lanes are equal: constants, and copies of
// scalars.
func (pl *Plan) findSame() {
	p := pl.Program
	for _, c := range p.Consts {
		pl.Values[c.Slot] = c.Value
		if !c.Scalar && c.Width != alu.Pred {
			pl.Same[c.Slot] = true
		}
	}
	for _, s := range p.Specials {
		if !s.Vector && s.Bcast != program.NoSlot {
			pl.Same[s.Bcast] = true
		}
	}
	for _, i := range p.Preloads {
		for _, s := range p.Mems[i].Bcast[:p.Mems[i].Count] {
			pl.Same[s] = true
		}
	}
	for i := range p.Code {
		switch in := &p.Code[i]; {
		case in.Op == program.OpScalar && in.Dst != alu.Pred:
			pl.repeat(in.Bcast, in.Dst)
		case in.Op == program.OpLoad && p.Mems[in.X].ScalarRegs:
			m := &p.Mems[in.X]
			for k := range m.Count {
				pl.repeat(m.Bcast[k], m.Width)
			}
		}
	}
	delete(pl.Same, program.NoSlot)
}

func (pl *Plan) repeat(row int32, w alu.Width) {
	if row != program.NoSlot {
		pl.Same[row], pl.repeats[row] = true, w
	}
}

// RepeatedRow is a row that repeats its first element.
type RepeatedRow struct {
	Slot  int32
	Width alu.Width
}

// findFull lists the rows that the interpreter must fill before it does a step.
func (pl *Plan) findFull() {
	for s, w := range pl.repeats {
		pl.rows = append(pl.rows, RepeatedRow{s, w})
	}
	pl.full = make([][]RepeatedRow, len(pl.Steps))
	for i := range pl.Steps {
		for _, s := range pl.Steps[i].Reads {
			if w, ok := pl.repeats[s]; ok {
				pl.full[i] = append(pl.full[i], RepeatedRow{s, w})
			}
		}
	}
}

// checkSame reports whether only scalar steps write the rows of scalars.
func (pl *Plan) checkSame() bool {
	for i := range pl.Program.Code {
		in := &pl.Program.Code[i]
		if in.Op == program.OpScalar || in.Op == program.OpLoad && pl.Program.Mems[in.X].ScalarRegs {
			continue
		}
		for _, s := range pl.Steps[i].Writes {
			if pl.Same[s] {
				return false
			}
		}
	}
	return true
}

// findKept finds what messages about loops tell: the operands of comparisons
// stay in the slab even if nothing reads them again (see Loop.Conditions).
func (pl *Plan) findKept() {
	for i := range pl.Program.Code {
		if in := &pl.Program.Code[i]; in.Op == program.OpCmp || in.Op == program.OpScalar && in.Dst == alu.Pred {
			for _, s := range pl.Steps[i].Reads {
				pl.Kept[pl.Id(s)] = true
			}
		}
	}
}

// findLeaders marks where control may come from elsewhere.
func (pl *Plan) findLeaders() {
	p := pl.Program
	pl.Leader = make([]bool, len(p.Code)+1)
	mark := func(i int32) {
		if i >= 0 {
			pl.Leader[i] = true
		}
	}
	mark(0)
	for _, f := range p.Funcs {
		mark(f.Entry)
	}
	for _, b := range p.Branches {
		mark(b.Target)
		mark(b.Meet)
	}
	for _, t := range p.Tables {
		mark(t.Meet)
		for _, i := range t.Targets {
			mark(i)
		}
	}
	for i := range p.Code {
		switch p.Code[i].Op {
		case program.OpEnter:
			mark(int32(i))
		case program.OpBranch, program.OpJump, program.OpTable, program.OpCall, program.OpCallIndirect, program.OpReturn, program.OpExit, program.OpTrap, program.OpUnsupported:
			mark(int32(i) + 1)
		}
	}
}

// Id numbers slots.
func (pl *Plan) Id(slot int32) int {
	n, ok := pl.IDs[slot]
	if !ok {
		n = len(pl.slots)
		pl.IDs[slot] = n
		pl.slots = append(pl.slots, slot)
	}
	return n
}

// successors of the run that ends with step i.
func (pl *Plan) successors(i int32) []int32 {
	p := pl.Program
	switch in := &p.Code[i]; in.Op {
	case program.OpJump:
		return []int32{p.Branches[in.X].Target}
	case program.OpBranch:
		return []int32{p.Branches[in.X].Target, i + 1}
	case program.OpTable:
		return append([]int32{i + 1}, p.Tables[in.X].Targets...)
	case program.OpReturn, program.OpExit, program.OpTrap, program.OpUnsupported:
		if in.Guard == program.NoSlot {
			return nil
		}
	}
	if int(i)+1 < len(p.Code) {
		return []int32{i + 1}
	}
	return nil
}

// maxLive bounds the words of memory that liveness takes.
const maxLive = 1 << 22

// straight is a run of steps from a leader to the step before the next one,
// with what it reads before it writes it, and what it writes.
type straight struct {
	first, last int32
	gen, kill   []uint64
}

// liveness computes which slots are read before they are written from each
// leader on. It returns false if that would take too much memory.
func (pl *Plan) liveness() bool {
	pl.number()
	leaders := 0
	for _, is := range pl.Leader {
		if is {
			leaders++
		}
	}
	if 3*leaders*pl.words > maxLive {
		return false
	}
	var runs []straight
	for i := range pl.Program.Code {
		if pl.Leader[i] {
			runs = append(runs, straight{int32(i), 0, make([]uint64, pl.words), make([]uint64, pl.words)})
			pl.LiveIn[int32(i)] = make([]uint64, pl.words)
		}
		r := &runs[len(runs)-1]
		r.last = int32(i)
		pl.step(&pl.Steps[i], r.gen, r.kill)
	}
	for changed := true; changed; {
		changed = false
		for k := len(runs) - 1; k >= 0; k-- {
			changed = pl.flow(&runs[k]) || changed
		}
	}
	return true
}

// number gives all slots that steps name their numbers.
func (pl *Plan) number() {
	pl.findKept()
	for _, e := range pl.Steps {
		for _, s := range e.Reads {
			pl.Id(s)
		}
		for _, s := range e.Writes {
			pl.Id(s)
		}
	}
	pl.words = (len(pl.slots) + 63) / 64
}

// flow adds what lives before a run, and reports whether there is anything new.
func (pl *Plan) flow(r *straight) bool {
	in, changed := pl.LiveIn[r.first], false
	succ := pl.successors(r.last)
	for w := range in {
		var out uint64
		for _, s := range succ {
			if l := pl.LiveIn[s]; l != nil {
				out |= l[w]
			}
		}
		if v := r.gen[w] | out&^r.kill[w]; v != in[w] {
			in[w], changed = v, true
		}
	}
	return changed
}

// step adds a step's effects to those of the run before it.
func (pl *Plan) step(e *effects, gen, kill []uint64) {
	if e.all {
		for w := range gen {
			gen[w] |= ^kill[w]
		}
	}
	for _, s := range e.Reads {
		if n := pl.IDs[s]; kill[n/64]>>(n%64)&1 == 0 {
			gen[n/64] |= 1 << (n % 64)
		}
	}
	if e.Exact {
		for _, s := range e.Writes {
			n := pl.IDs[s]
			kill[n/64] |= 1 << (n % 64)
		}
	}
}

// liveAfter tells which slots live after step i, the last one of a run.
func (pl *Plan) liveAfter(i int32) []uint64 {
	out := make([]uint64, pl.words)
	for _, s := range pl.successors(i) {
		for w, v := range pl.LiveIn[s] {
			out[w] |= v
		}
	}
	return out
}

// liveBefore tells what lives after step i-1: the rest of its run decides.
func (pl *Plan) liveBefore(i int) []uint64 {
	if i >= len(pl.Program.Code) || pl.Leader[i] {
		return pl.liveAfter(int32(i) - 1)
	}
	gen, kill := make([]uint64, pl.words), make([]uint64, pl.words)
	for ; ; i++ {
		pl.step(&pl.Steps[i], gen, kill)
		if i+1 == len(pl.Program.Code) || pl.Leader[i+1] {
			break
		}
	}
	for w, v := range pl.liveAfter(int32(i)) {
		gen[w] |= v &^ kill[w]
	}
	return gen
}
