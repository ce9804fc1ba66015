package static

import (
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// cause is why a value is not known: reports say it of what they leave to the run.
type cause struct {
	kind causeKind
	// op is the opcode of an unmodeled instruction, "" where it has none.
	op string
}

// causeKind tells the causes apart.
type causeKind uint8

// The causes.
const (
	fromThreads    causeKind = iota // memory that the kernel writes, or other lanes
	unmodeled                       // an instruction that has no term, such as floating-point arithmetic
	carried                         // a loop changes the value from round to round
	uncountedLoop                   // the number of a loop's rounds
	earlierBarrier                  // a barrier in a round before
)

// String completes the sentence "it depends on".
func (c cause) String() string {
	switch c.kind {
	case unmodeled:
		if c.op != "" {
			return "the result of an instruction that check does not model (" + c.op + ")"
		}
		return "a computation that check does not model"
	case carried:
		return "a value that a loop carries from round to round"
	case uncountedLoop:
		return "the number of rounds of a loop"
	case earlierBarrier:
		return "whether a round before passed a barrier"
	}
	return "what threads read from memory or get from each other"
}

// causeOf is why the value of v is not known.
func causeOf(v *ssa.Value) cause {
	switch v.Op {
	case ssa.Load, ssa.Atomic, ssa.Lane, ssa.OpCall, ssa.Effect, ssa.Copy:
		return cause{kind: fromThreads}
	case ssa.Phi:
		if v.Block.Loop != nil && v.Block.Loop.Header == v.Block {
			return cause{kind: carried}
		}
	case ssa.Elem:
		return causeOf(v.Args[0])
	case ssa.Pure:
		if c := givenBy(v); c.kind != unmodeled {
			return c
		}
	}
	c := cause{kind: unmodeled}
	if v.Instr != nil {
		c.op = v.Instr.Opcode()
	}
	return c
}

// mostGiven bounds how far arguments are followed for a cause.
const mostGiven = 8

// givenBy is the cause that a function's arguments have: a sum of floating-point numbers from memory is not known for
// the memory's sake.
func givenBy(v *ssa.Value) cause {
	at := []*ssa.Value{v}
	for depth := 0; depth < mostGiven && len(at) > 0; depth++ {
		var next []*ssa.Value
		for _, x := range at {
			for _, a := range x.Args {
				if a.Op == ssa.Load || a.Op == ssa.Atomic || a.Op == ssa.Lane {
					return cause{kind: fromThreads}
				}
				if a.Op != ssa.Phi && len(next) < mostGiven {
					next = append(next, a)
				}
			}
		}
		at = next
	}
	return cause{kind: unmodeled}
}

// unknown is a variable for a value that may differ from thread to thread.
func (k *kernel) unknown(name string, s solve.Sort, why cause) *solve.Term {
	k.causes[opaquePrefix+name] = why
	return solve.Var(opaquePrefix+name, s)
}
