package native

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// A Step is what generated code does for one step of a program. Scope decides it once; back ends render it, in a switch
// over its type. A step that is nil is the interpreter's.
type Step interface{ isStep() }

type (
	// NothingStep has no effect, FenceStep only keeps accesses in the order of the program.
	NothingStep struct{}
	FenceStep   struct{}
	// GuardedStep is a load under a guard, which the interpreter does where any lane executes it.
	GuardedStep struct {
		Guard  int32
		Not    bool
		Writes []int32
	}
	// BlockStep begins a basic block, of so many instructions, whose cost the budget pays. Lanes may meet there. Counts is the
	// block whose executions are counted, or program.NoBlock.
	BlockStep struct {
		Meets        bool
		Cost, Instrs int32
		Counts       int32
	}
	// OperationStep computes a row, or with Test a predicate, by a body. Beyond is set if the body does not hold for all arguments:
	// the interpreter does the others.
	OperationStep struct {
		*program.Instr
		Body         *body.Body
		Test, Beyond bool
	}
	// ChooseStep is a choice by a predicate, ScalarStep an operation on values that are the same in all lanes, without a body a
	// choice, PredicateStep one on predicates.
	ChooseStep struct{ *program.Instr }
	ScalarStep struct {
		*program.Instr
		Body *body.Body
	}
	PredicateStep struct{ *program.Instr }
	// PackStep and UnpackStep are moves between a register and its two halves.
	PackStep   struct{ *program.Pack }
	UnpackStep struct{ *program.Pack }
	// SyncStep is a warp-level operation, for the lanes that run if the member mask names just these.
	SyncStep struct {
		*program.Sync
		Members Members
		Shuffle bool
	}
	// RunningStep writes the mask of the running lanes, DecideStep counts a condition.
	RunningStep struct{ To int32 }
	DecideStep  struct{ *program.Instr }
	JumpStep    struct{ Target int32 }
	// BranchStep goes to Target where a predicate holds, or does not, else to Next. Lanes that part meet at Meet. With Loops, it
	// is the end of a loop whose exit is there: lanes leave it one by one.
	BranchStep struct {
		Predicate          int32
		Not                bool
		Target, Next, Meet int32
		Parts              Parting
		Loops              bool
	}
)

// Members is how often the member mask of a warp-level operation is compared with the running lanes.
type Members uint8

const (
	AnyMembers  Members = iota // not at all
	SameMembers                // once: it is the same in all lanes
	EachMembers                // in each lane
)

// Parting is what generated code does with lanes that part at a branch.
type Parting uint8

const (
	PartsNever Parting = iota // the interpreter does the branch
	TakenMeets                // the lanes that branch are where all meet, the others run
	NextMeets                 // the other way around
	BothRun                   // the lanes that branch run after the others
)

func (NothingStep) isStep()   {}
func (FenceStep) isStep()     {}
func (GuardedStep) isStep()   {}
func (BlockStep) isStep()     {}
func (OperationStep) isStep() {}
func (ChooseStep) isStep()    {}
func (ScalarStep) isStep()    {}
func (PredicateStep) isStep() {}
func (PackStep) isStep()      {}
func (UnpackStep) isStep()    {}
func (MemoryStep) isStep()    {}
func (AtomicStep) isStep()    {}
func (SyncStep) isStep()      {}
func (RunningStep) isStep()   {}
func (DecideStep) isStep()    {}
func (JumpStep) isStep()      {}
func (BranchStep) isStep()    {}

// decide returns what code does for step i.
func (s Scope) decide(i int) Step {
	in := &s.Program.Code[i]
	if in.Guard != program.NoSlot {
		if in.Op != program.OpLoad {
			return nil
		}
		return GuardedStep{in.Guard, in.Not, s.Steps[i].Writes}
	}
	switch in.Op {
	case program.OpNop:
		return NothingStep{}
	case program.OpSubarray:
		return unless(s.Watched&Subarrays != 0, NothingStep{})
	case program.OpFence:
		return unless(s.Watched&Fenced != 0, FenceStep{})
	case program.OpEnter:
		return s.planBlock(in)
	case program.OpJump:
		return JumpStep{s.Program.Branches[in.X].Target}
	case program.OpBranch:
		return s.planBranch(i, in)
	case program.OpActiveMask:
		return RunningStep{in.D}
	case program.OpDecide:
		if s.Watched&Counted == 0 {
			return NothingStep{}
		}
		return DecideStep{in}
	case program.OpSync:
		return s.planSync(&s.Program.Syncs[in.X])
	case program.OpLoad, program.OpStore:
		return s.planMemory(in)
	case program.OpAtomic:
		return s.planAtomic(in)
	}
	return s.planCompute(in)
}

// unless is a step but where the interpreter must do it.
func unless(interpreted bool, x Step) Step {
	if interpreted {
		return nil
	}
	return x
}

// planCompute decides steps that only compute.
func (s Scope) planCompute(in *program.Instr) Step {
	switch in.Op {
	case program.OpVec, program.OpVec4, program.OpCmp:
		b, test := BodyOf(in.ALU), in.Op == program.OpCmp
		return unless(b == nil || b.Test != test, OperationStep{in, b, test, limited(in.ALU)})
	case program.OpSel:
		return ChooseStep{in}
	case program.OpScalar:
		return s.planScalar(in)
	case program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		return PredicateStep{in}
	case program.OpPack:
		return unless(!nativePack(&s.Program.Packs[in.X]), PackStep{&s.Program.Packs[in.X]})
	case program.OpUnpack:
		return unless(!nativePack(&s.Program.Packs[in.X]), UnpackStep{&s.Program.Packs[in.X]})
	}
	return nil
}

// planScalar decides an OpScalar. Operations that the lowering made of others have a function of their own, and no code.
func (s Scope) planScalar(in *program.Instr) Step {
	if op, err := alu.Lookup(in.ALU.Name); err != nil || op != in.ALU || in.D == program.NoSlot || in.D2 != program.NoSlot {
		return nil
	}
	if strings.HasPrefix(in.ALU.Name, "selp.") {
		return ScalarStep{in, nil}
	}
	b := BodyOf(in.ALU)
	return unless(b == nil || limited(in.ALU), ScalarStep{in, b})
}

func (s Scope) planBlock(in *program.Instr) BlockStep {
	x := BlockStep{Meets: in.Join, Cost: in.Cost(), Instrs: in.N, Counts: program.NoBlock}
	if s.Watched&Counted != 0 {
		x.Counts = in.X
	}
	return x
}

func (s Scope) planBranch(i int, in *program.Instr) BranchStep {
	br, next := &s.Program.Branches[in.X], int32(i+1)
	x := BranchStep{in.A, in.PredNot, br.Target, next, br.Meet, BothRun, br.Target <= int32(i) && br.Meet == next}
	switch br.Meet {
	case br.Target:
		x.Parts = TakenMeets
	case next:
		x.Parts = NextMeets
	}
	if br.Meet < 0 {
		x.Parts = PartsNever
	}
	return x
}

// planSync decides shuffles, votes, and bar.warp.sync where no observer wants to know of it.
func (s Scope) planSync(x *program.Sync) Step {
	d := SyncStep{Sync: x, Members: EachMembers, Shuffle: shuffles(x.Kind)}
	switch {
	case x.Legacy:
		d.Members = AnyMembers
	case s.Same[x.Mask]:
		d.Members = SameMembers
	}
	switch x.Kind {
	case program.SyncWarp:
		return unless(s.Watched&Synced != 0, d)
	case program.Converge, program.VoteAll, program.VoteAny, program.VoteUni, program.VoteBallot:
		return d
	}
	return unless(!d.Shuffle, d)
}

func shuffles(k program.SyncKind) bool { return k >= program.ShflUp && k <= program.ShflIdx }

// MayLeave reports whether the code of step i may leave for the interpreter.
func (s Scope) MayLeave(i int) bool {
	switch x := s.Does[i].(type) {
	case GuardedStep, BlockStep, MemoryStep, AtomicStep, SyncStep:
		return true
	case OperationStep:
		return x.Beyond
	}
	return false
}

// A Run is straight steps that have code, from first up to the next leader, jump or step without code, Until.
type Run struct {
	first, Until int
	Ends         Ending
	// LastRead and LastWrite are the last steps of the run that read and write a slot, by its number, 0 for none.
	LastRead, LastWrite []int
	touched             []int
	LiveOut             []uint64
}

// Ending says how a run ends.
type Ending uint8

const (
	Jumps Ending = iota // by its last step
	Falls               // into the next run
	Stops               // the interpreter continues
)

// Survey finds the run that begins with a step that has code, in place of the one before.
func (s Scope) Survey(r *Run, first int) {
	if r.LastRead == nil {
		r.LastRead, r.LastWrite = make([]int, len(s.slots)), make([]int, len(s.slots))
	}
	for _, n := range r.touched {
		r.LastRead[n], r.LastWrite[n] = 0, 0
	}
	r.first, r.touched = first, r.touched[:0]
	for i := first; ; i++ {
		e := &s.Steps[i]
		for _, slot := range e.Reads {
			r.notes(s.IDs[slot], i, r.LastRead)
		}
		for _, slot := range e.Writes {
			if e.Exact {
				r.notes(s.IDs[slot], i, r.LastWrite)
			} else { // lanes that it leaves alone keep what was there
				r.notes(s.IDs[slot], i, r.LastRead)
			}
		}
		if r.Until = i + 1; s.endsAfter(r, i) {
			break
		}
	}
	r.LiveOut = s.liveBefore(r.Until)
}

func (r *Run) notes(slot, step int, last []int) {
	last[slot] = step
	r.touched = append(r.touched, slot)
}

// endsAfter reports whether step i is the last one of a run, and notes how the run ends.
func (s Scope) endsAfter(r *Run, i int) bool {
	switch s.Does[i].(type) {
	case JumpStep, BranchStep:
		r.Ends = Jumps
		return true
	}
	switch {
	case i+1 == len(s.Program.Code) || s.Leader[i+1]:
		r.Ends = Falls
	case s.Does[i+1] == nil:
		r.Ends = Stops
	default:
		return false
	}
	return true
}
