package native

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// A step is what generated code does for one step of a program. scope decides it once; back ends render it, in a switch
// over its type. A step that is nil is the interpreter's.
type step interface{ isStep() }

type (
	// nothingStep has no effect, fenceStep only keeps accesses in the order of the program.
	nothingStep struct{}
	fenceStep   struct{}
	// guardedStep is a load under a guard, which the interpreter does where any lane executes it.
	guardedStep struct {
		guard  int32
		not    bool
		writes []int32
	}
	// blockStep begins a basic block, of so many instructions, whose cost the budget pays. Lanes may meet there. counts is the
	// block whose executions are counted, or program.NoBlock.
	blockStep struct {
		meets        bool
		cost, instrs int32
		counts       int32
	}
	// operationStep computes a row, or with test a predicate, by a body. beyond tells that the body does not hold for all arguments:
	// the interpreter does the others.
	operationStep struct {
		*program.Instr
		body         *body.Body
		test, beyond bool
	}
	// chooseStep is a choice by a predicate, scalarStep an operation on values that are the same in all lanes, without a body a
	// choice, predicateStep one on predicates.
	chooseStep struct{ *program.Instr }
	scalarStep struct {
		*program.Instr
		body *body.Body
	}
	predicateStep struct{ *program.Instr }
	// packStep and unpackStep are moves between a register and its two halves.
	packStep   struct{ *program.Pack }
	unpackStep struct{ *program.Pack }
	// syncStep is a warp-level operation, for the lanes that run if the member mask names just these.
	syncStep struct {
		*program.Sync
		members members
		shuffle bool
	}
	// runningStep writes the mask of the running lanes, decideStep counts a condition.
	runningStep struct{ to int32 }
	decideStep  struct{ *program.Instr }
	jumpStep    struct{ target int32 }
	// branchStep goes to target where a predicate holds, or does not, else to next. Lanes that part meet at meet. With loops, it
	// is the end of a loop whose exit is there: lanes leave it one by one.
	branchStep struct {
		predicate          int32
		not                bool
		target, next, meet int32
		parts              parting
		loops              bool
	}
)

// members says how the member mask of a warp-level operation is compared with the running lanes.
type members uint8

const (
	anyMembers  members = iota // not at all
	sameMembers                // once: it is the same in all lanes
	eachMembers                // in each lane
)

// parting says what becomes of lanes that part at a branch.
type parting uint8

const (
	partsNever parting = iota // the interpreter does the branch
	takenMeets                // the lanes that branch are where all meet, the others run
	nextMeets                 // the other way around
	bothRun                   // the lanes that branch run after the others
)

func (nothingStep) isStep()   {}
func (fenceStep) isStep()     {}
func (guardedStep) isStep()   {}
func (blockStep) isStep()     {}
func (operationStep) isStep() {}
func (chooseStep) isStep()    {}
func (scalarStep) isStep()    {}
func (predicateStep) isStep() {}
func (packStep) isStep()      {}
func (unpackStep) isStep()    {}
func (memoryStep) isStep()    {}
func (atomicStep) isStep()    {}
func (syncStep) isStep()      {}
func (runningStep) isStep()   {}
func (decideStep) isStep()    {}
func (jumpStep) isStep()      {}
func (branchStep) isStep()    {}

// decide returns what code does for step i.
func (s scope) decide(i int) step {
	in := &s.p.Code[i]
	if in.Guard != program.NoSlot {
		if in.Op != program.OpLoad {
			return nil
		}
		return guardedStep{in.Guard, in.Not, s.steps[i].writes}
	}
	switch in.Op {
	case program.OpNop:
		return nothingStep{}
	case program.OpSubarray:
		return unless(s.watched&Subarrays != 0, nothingStep{})
	case program.OpFence:
		return unless(s.watched&Fenced != 0, fenceStep{})
	case program.OpEnter:
		return s.planBlock(in)
	case program.OpJump:
		return jumpStep{s.p.Branches[in.X].Target}
	case program.OpBranch:
		return s.planBranch(i, in)
	case program.OpActiveMask:
		return runningStep{in.D}
	case program.OpDecide:
		if s.watched&Counted == 0 {
			return nothingStep{}
		}
		return decideStep{in}
	case program.OpSync:
		return s.planSync(&s.p.Syncs[in.X])
	case program.OpLoad, program.OpStore:
		return s.planMemory(in)
	case program.OpAtomic:
		return s.planAtomic(in)
	}
	return s.planCompute(in)
}

// unless is a step but where the interpreter must do it.
func unless(interpreted bool, x step) step {
	if interpreted {
		return nil
	}
	return x
}

// planCompute decides steps that only compute.
func (s scope) planCompute(in *program.Instr) step {
	switch in.Op {
	case program.OpVec, program.OpVec4, program.OpCmp:
		b, test := bodyOf(in.ALU), in.Op == program.OpCmp
		return unless(b == nil || b.Test != test, operationStep{in, b, test, limited(in.ALU)})
	case program.OpSel:
		return chooseStep{in}
	case program.OpScalar:
		return s.planScalar(in)
	case program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		return predicateStep{in}
	case program.OpPack:
		return unless(!nativePack(&s.p.Packs[in.X]), packStep{&s.p.Packs[in.X]})
	case program.OpUnpack:
		return unless(!nativePack(&s.p.Packs[in.X]), unpackStep{&s.p.Packs[in.X]})
	}
	return nil
}

// planScalar decides an OpScalar. Operations that the lowering made of others have a function of their own, and no code.
func (s scope) planScalar(in *program.Instr) step {
	if op, err := alu.Lookup(in.ALU.Name); err != nil || op != in.ALU || in.D == program.NoSlot || in.D2 != program.NoSlot {
		return nil
	}
	if strings.HasPrefix(in.ALU.Name, "selp.") {
		return scalarStep{in, nil}
	}
	b := bodyOf(in.ALU)
	return unless(b == nil || limited(in.ALU), scalarStep{in, b})
}

func (s scope) planBlock(in *program.Instr) blockStep {
	x := blockStep{meets: in.Join, cost: in.Cost(), instrs: in.N, counts: program.NoBlock}
	if s.watched&Counted != 0 {
		x.counts = in.X
	}
	return x
}

func (s scope) planBranch(i int, in *program.Instr) branchStep {
	br, next := &s.p.Branches[in.X], int32(i+1)
	x := branchStep{in.A, in.PredNot, br.Target, next, br.Meet, bothRun, br.Target <= int32(i) && br.Meet == next}
	switch br.Meet {
	case br.Target:
		x.parts = takenMeets
	case next:
		x.parts = nextMeets
	}
	if br.Meet < 0 {
		x.parts = partsNever
	}
	return x
}

// planSync decides shuffles, votes, and bar.warp.sync where no observer wants to know of it.
func (s scope) planSync(x *program.Sync) step {
	d := syncStep{Sync: x, members: eachMembers, shuffle: shuffles(x.Kind)}
	switch {
	case x.Legacy:
		d.members = anyMembers
	case s.same[x.Mask]:
		d.members = sameMembers
	}
	switch x.Kind {
	case program.SyncWarp:
		return unless(s.watched&Synced != 0, d)
	case program.Converge, program.VoteAll, program.VoteAny, program.VoteUni, program.VoteBallot:
		return d
	}
	return unless(!d.shuffle, d)
}

func shuffles(k program.SyncKind) bool { return k >= program.ShflUp && k <= program.ShflIdx }

// mayLeave reports whether the code of step i may leave for the interpreter.
func (s scope) mayLeave(i int) bool {
	switch x := s.does[i].(type) {
	case guardedStep, blockStep, memoryStep, atomicStep, syncStep:
		return true
	case operationStep:
		return x.beyond
	}
	return false
}

// A run is straight steps that have code, from first up to the next leader, jump or step without code, until.
type run struct {
	first, until int
	ends         ending
	// lastRead and lastWrite are the last steps of the run that read and write a slot, by its number, 0 for none.
	lastRead, lastWrite []int
	touched             []int
	liveOut             []uint64
}

// ending says how a run ends.
type ending uint8

const (
	jumps ending = iota // by its last step
	falls               // into the next run
	stops               // the interpreter continues
)

// survey finds the run that begins with a step that has code, in place of the one before.
func (s scope) survey(r *run, first int) {
	if r.lastRead == nil {
		r.lastRead, r.lastWrite = make([]int, len(s.slots)), make([]int, len(s.slots))
	}
	for _, n := range r.touched {
		r.lastRead[n], r.lastWrite[n] = 0, 0
	}
	r.first, r.touched = first, r.touched[:0]
	for i := first; ; i++ {
		e := &s.steps[i]
		for _, slot := range e.reads {
			r.notes(s.ids[slot], i, r.lastRead)
		}
		for _, slot := range e.writes {
			if e.exact {
				r.notes(s.ids[slot], i, r.lastWrite)
			} else { // lanes that it leaves alone keep what was there
				r.notes(s.ids[slot], i, r.lastRead)
			}
		}
		if r.until = i + 1; s.endsAfter(r, i) {
			break
		}
	}
	r.liveOut = s.liveBefore(r.until)
}

func (r *run) notes(slot, step int, last []int) {
	last[slot] = step
	r.touched = append(r.touched, slot)
}

// endsAfter reports whether step i is the last one of a run, and notes how the run ends.
func (s scope) endsAfter(r *run, i int) bool {
	switch s.does[i].(type) {
	case jumpStep, branchStep:
		r.ends = jumps
		return true
	}
	switch {
	case i+1 == len(s.p.Code) || s.leader[i+1]:
		r.ends = falls
	case s.does[i+1] == nil:
		r.ends = stops
	default:
		return false
	}
	return true
}
