// Package check is the contract between rules and those who run them: what a
// rule is made of and what a checker, made from it for one run, must do. The
// rules themselves live below it; package registry lists them.
package check

import (
	"context"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/analysis/equivalent"
	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// RaceModel says which accesses program structure alone orders.
type RaceModel uint8

// The race models.
const (
	// ITS takes lanes of one warp for different threads, as independent
	// thread scheduling makes them (sm_70 and later).
	ITS RaceModel = iota
	// Lockstep orders the lanes of a warp by instruction, so that within a
	// warp only one instruction can race (GRace; hardware before sm_70).
	Lockstep
	// Threads knows no warps: only barriers order (Boyer et al.).
	Threads
)

var modelNames = [...]string{"its", "lockstep", "thread"}

// String returns "its", "lockstep" or "thread".
func (m RaceModel) String() string { return modelNames[m] }

// RaceModelOf is the model of an architecture: warps run in step before sm_70 (CUDA
// C++ Programming Guide, "Independent Thread Scheduling").
func RaceModelOf(a *arch.Arch) RaceModel {
	if a.SM < 70 {
		return Lockstep
	}
	return ITS
}

// ParseRaceModel reads what --race-model takes.
func ParseRaceModel(s string) (RaceModel, error) {
	for i, n := range modelNames {
		if n == s {
			return RaceModel(i), nil
		}
	}
	return 0, fmt.Errorf("unknown race model %q: want its, lockstep or thread", s)
}

// Config is what checkers of a run share.
type Config struct {
	// Arch gives the bank geometry. nil means arch.Default.
	Arch      *arch.Arch
	RaceModel RaceModel
	// RacePolicy decides what experts do not agree on.
	RacePolicy RacePolicy
	// Predict is how much is done to find races that the order of the run hid, Holds the order
	// of one launch.
	Predict Prediction
	Holds   Holds
	// WideBanks selects the 8-byte bank mode of sm_30 to sm_37
	// (cudaSharedMemBankSizeEightByte). It has no effect elsewhere.
	WideBanks bool
	// AllErrors lets the rule api report every call that fails, and not those only whose
	// error the program never reads.
	AllErrors bool
	// Unused lets the rule init report allocations of which at least as many percent are
	// never written; nil for none.
	Unused *float64
	// Files gives source text for messages; it may be nil.
	Files *source.Files
	// Text returns the static form of a loaded kernel, whatever its size, nil where there is none:
	// for what rules say about a finding, and for what they need not follow. It may be nil.
	Text func(module, kernel string) *ssa.Func
	// Private proves which accesses of a launch to global memory cannot race, so that
	// they need not be watched; nil where that is not worth it. It may be nil.
	Private func(*trace.Launch) *ownership.Proof
	// Equivalent proves which blocks of a launch do the same in shared memory, nil for
	// none; equal launches have one proof. It may be nil.
	Equivalent func(*trace.Launch) *equivalent.Proof
}

// Geometry returns the architecture, the default one where none is set.
func (c Config) Geometry() *arch.Arch {
	if c.Arch != nil {
		return c.Arch
	}
	a, err := arch.Parse(arch.Default)
	if err != nil {
		panic(err) // arch.Default names an entry of arch's own table
	}
	return a
}

// Rule is a rule as a value: its documentation and how to make a checker.
type Rule struct {
	finding.Rule
	// Default is set if the rule runs where --tool is not given.
	Default bool
	// PerBlock is set if whether the rule finds something in a block does not depend on the other blocks. It is not
	// set for rules that weigh what they find by all that the kernel does.
	PerBlock bool
	New      func(Config) Checker
	// Faults makes the checker of the rule's part that reports what ends launches; it
	// is used where the rule is not chosen. nil where it has none.
	Faults func() Checker
	// Static finds what can be said of a kernel without running it, for one
	// launch, in the order of a report; nil where the rule has no such part.
	Static func(context.Context, Config, *static.Unit) []*finding.Finding
	// Diagnosed makes findings of the compiler's warnings; nil where the rule has no
	// such part. A rule that has nothing else has no New.
	Diagnosed func([]Diagnostic) []*finding.Finding
}

// Runs reports whether the rule has a part that observes runs.
func (r *Rule) Runs() bool { return r.New != nil }

// Looks reports whether the rule has a part that needs no run.
func (r *Rule) Looks() bool { return r.Static != nil || r.Diagnosed != nil }

// Diagnostic is a warning of the compiler's on device code.
type Diagnostic struct {
	// Group is the name of the warning's option: "array-bounds".
	Group string
	Text  string
	Loc   source.Location
	Notes []DiagnosticNote
	// Kernel is the mangled name of the kernel that it is in, "" for other functions.
	Kernel string
}

// DiagnosticNote is what the compiler says about another place.
type DiagnosticNote struct {
	Loc  source.Location
	Text string
}

// Checker is a rule at work in one run. It observes launches one after the
// other; the blocks of one launch may be observed at once.
type Checker interface {
	// Observer returns what the rule wants of the run.
	Observer() *trace.Observer
	// Findings returns what was found so far, in the order of a report. It
	// must not be called while a launch runs. The caller does not change it.
	Findings() []*finding.Finding
}

// Origin is where an undefined value in global memory comes from: the launch that loaded it, the
// place of the load, and the memory that was not initialized, in words.
type Origin struct {
	Launch int
	Loc    source.Location
	Object string
}

// OriginKeeper is a checker that numbers the origins of undefined values in global memory.
type OriginKeeper interface {
	// Origin is the origin of a number, which may have trace.Computed added.
	Origin(number uint32) (o Origin, ok bool)
	// Adopt returns a number for an origin that an earlier run has found.
	Adopt(o Origin) (number uint32)
}

// Remarker is a checker with something to say of the run besides findings.
type Remarker interface {
	// Remarks returns lines for the report.
	Remarks() []string
}

// Statistician is a checker with numbers that are not findings.
type Statistician interface {
	// Statistics returns a structure ready for JSON, nil for none.
	Statistics() any
}
