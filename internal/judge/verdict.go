package judge

import (
	"encoding/json"
	"io"

	"github.com/warpgrind/warpgrind/internal/kernels"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/sandbox"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// Code names a verdict, or a reason for one.
type Reason string

// The reasons, those first that say more. Correct is the verdict without any.
const (
	Correct Reason = "correct"

	InvalidJob       Reason = "invalid_job"
	ReferenceFailed  Reason = "reference_failed"
	JudgeFailed      Reason = "judge_failed"
	CompileError     Reason = "compile_error"
	InvalidLaunch    Reason = "invalid_launch"
	Unsupported      Reason = "unsupported"
	MemoryLimit      Reason = "memory_limit"
	OutputLimit      Reason = "output_limit"
	HostFailed       Reason = "host_failed"
	UnfinishedWork   Reason = "unfinished_work"
	Hang             Reason = "hang"
	Timeout          Reason = "timeout"
	WritesOutside    Reason = "writes_outside"
	ReadsOutside     Reason = "reads_outside"
	InvalidAccess    Reason = "invalid_access"
	Trap             Reason = "trap"
	ModifiesInputs   Reason = "modifies_inputs"
	Uninitialized    Reason = "uninitialized_read"
	UnwrittenOutput  Reason = "unwritten_output"
	ConstantOutput   Reason = "constant_output"
	Stateful         Reason = "stateful"
	HostOutput       Reason = "host_output"
	Suspect          Reason = "suspect"
	MisusedBarrier   Reason = "misused_barrier"
	Race             Reason = "race"
	Nondeterministic Reason = "nondeterministic"
	WrongPrecision   Reason = "wrong_precision"
	WrongOutput      Reason = "wrong_output"
	Defect           Reason = "defect"
)

// order is that of the reasons of a verdict, the first of which names it.
var order = []Reason{InvalidJob, ReferenceFailed, JudgeFailed, CompileError, InvalidLaunch, Unsupported, MemoryLimit, OutputLimit, HostFailed, UnfinishedWork, Hang, Timeout,
	WritesOutside, ReadsOutside, InvalidAccess, Trap, ModifiesInputs, Uninitialized, UnwrittenOutput, ConstantOutput, Stateful, HostOutput, Suspect,
	MisusedBarrier, Race, Nondeterministic, WrongPrecision, WrongOutput, Defect}

// Verdict is the result for a candidate.
type Verdict struct {
	Version int `json:"version"`
	// Job is the position of the job in its input, from 0; ID is the job's.
	Job int    `json:"job"`
	ID  string `json:"id,omitempty"`
	// Verdict is Correct, or the first of Reasons.
	Verdict Reason `json:"verdict"`
	Correct bool   `json:"correct"`
	Reasons []Why  `json:"reasons"`
	// Compile is nil for PTX, Correctness nil where nothing ran.
	Compile     *Compile     `json:"compile,omitempty"`
	Correctness *Correctness `json:"correctness,omitempty"`
	Findings    []Finding    `json:"findings"`
	// ByRule counts the findings by rule.
	ByRule         map[string]int  `json:"findings_by_rule,omitempty"`
	Nondeterminism *Nondeterminism `json:"nondeterminism,omitempty"`
	Precision      *Precision      `json:"precision,omitempty"`
	Cost           *Cost           `json:"cost,omitempty"`
	// NotChecked says what this verdict does not mean.
	NotChecked []string `json:"not_checked"`
	// Sandbox is what held the candidate, nil where nothing of it was compiled or run.
	Sandbox *sandbox.Report `json:"sandbox,omitempty"`
	// Seconds are the only part that differs from run to run.
	Seconds *Seconds `json:"seconds,omitempty"`
}

// Why is a reason with what it is about, for people. HostOutput and Suspect have a Cause.
type Why struct {
	Reason  Reason `json:"reason"`
	Cause   Cause  `json:"cause,omitempty"`
	Message string `json:"message"`
}

// Cause is the way in which host code contributed to an output, or the reason why that is unknown.
type Cause string

// The causes of HostOutput, and those of Suspect.
const (
	NoLaunch        Cause = "no_launch"
	CopiedFromHost  Cause = "copied"
	CarriedByKernel Cause = "carried_by_kernel"
	FilledByHost    Cause = "filled"

	HostData    Cause = "host_data"
	OneInput    Cause = "one_input"
	NotFollowed Cause = "not_followed"
)

// Compile is what the compiler said.
type Compile struct {
	OK     bool                `json:"ok"`
	Errors []report.Diagnostic `json:"errors,omitempty"`
}

// Correctness compares outputs with the expected ones: the worst of all calls and schedules.
type Correctness struct {
	// Calls with different inputs, each under so many Schedules.
	Calls     int           `json:"calls"`
	Schedules int           `json:"schedules"`
	Outputs   []OutputError `json:"outputs"`
}

// OutputError is how far one output is from the expected one.
type OutputError struct {
	Name     string `json:"name"`
	Elements int    `json:"elements"`
	// Mismatches are elements outside of the tolerance in the worst run, Unwritten those that
	// were not written, or not as a whole.
	Mismatches int `json:"mismatches"`
	Unwritten  int `json:"unwritten"`
	// MaxAbs and MaxRel are the worst differences of finite elements, with where they are.
	MaxAbs *Worst `json:"max_abs,omitempty"`
	MaxRel *Worst `json:"max_rel,omitempty"`
	// First is the first element outside of the tolerance.
	First *Worst `json:"first_mismatch,omitempty"`
}

// Worst is a difference at an element. Numbers are text where JSON has none.
type Worst struct {
	Call     int     `json:"call"`
	Schedule string  `json:"schedule"`
	Index    []int   `json:"index"`
	Got      float   `json:"got"`
	Expected float   `json:"expected"`
	Error    float   `json:"error"`
	error    float64 // the same
}

// Finding is a defect or a slow access.
type Finding struct {
	Rule    string `json:"rule"`
	Kind    string `json:"kind,omitempty"`
	Level   string `json:"level"`
	Kernel  string `json:"kernel,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
	Count   uint64 `json:"count,omitempty"`
	Unit    string `json:"unit,omitempty"`
	// Access is "read", "write" or "atomic".
	Access string `json:"access,omitempty"`

	waits bool
}

// Nondeterminism compares the schedules.
type Nondeterminism struct {
	Schedules []string `json:"schedules"`
	// Deterministic is set if all outputs are equal, bit by bit, under all of them.
	Deterministic bool         `json:"deterministic"`
	Differing     []Difference `json:"differing,omitempty"`
}

// Difference counts the elements of an output that depend on the schedule.
type Difference struct {
	Name     string `json:"name"`
	Elements int    `json:"elements"`
	MaxAbs   float  `json:"max_abs"`
}

// Precision is about floating-point types.
type Precision struct {
	// Narrowest is the narrowest type that instructions round to, or that holds all elements of an
	// output that should need a wider one. Arguments is the narrowest of the arguments.
	Narrowest string `json:"narrowest"`
	Arguments Type   `json:"arguments"`
}

// Cost is what a call costs by a model, not by a clock: counted in the first call under the
// default schedule.
type Cost struct {
	Launches []LaunchCost `json:"launches"`
	// Instructions are those of warps, ThreadInstructions those of threads.
	Instructions       uint64 `json:"instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
	// Sectors of 32 bytes are moved between global memory and the multiprocessors, of which
	// the accesses need at least IdealSectors.
	Sectors      uint64 `json:"sectors"`
	IdealSectors uint64 `json:"ideal_sectors"`
	// BankPasses are the cycles of shared memory, of which the accesses need at least IdealPasses.
	BankPasses  uint64 `json:"bank_passes"`
	IdealPasses uint64 `json:"ideal_bank_passes"`
	// IdleLanes is the share of lanes that had no part in instructions.
	IdleLanes float64 `json:"idle_lanes"`
}

// LaunchCost is a launch's part.
type LaunchCost struct {
	Kernel       string `json:"kernel"`
	Blocks       uint64 `json:"blocks"`
	Threads      uint64 `json:"threads_per_block"`
	Instructions uint64 `json:"instructions"`
	// SharedBytes are those of a block. Registers are an estimate of those of a thread.
	SharedBytes uint64 `json:"shared_bytes"`
	Registers   int    `json:"registers_estimate"`
	// Limits are the blocks that a multiprocessor holds by each of its limits alone; Warps the
	// resident warps by all of them, of MaxWarps.
	Limits   kernels.Residence `json:"blocks_per_multiprocessor"`
	Warps    int               `json:"resident_warps"`
	MaxWarps int               `json:"max_warps"`
}

// Seconds are what the parts of a verdict took, in wall-clock time.
type Seconds struct {
	Compile   float64 `json:"compile"`
	Reference float64 `json:"reference"`
	Run       float64 `json:"run"`
	Total     float64 `json:"total"`
}

// because adds a reason, unless it is there already.
func (v *Verdict) because(r Reason, message string) { v.becauseOf(r, "", message) }

// becauseOf is because for a reason that has causes.
func (v *Verdict) becauseOf(r Reason, cause Cause, message string) {
	for _, w := range v.Reasons {
		if w.Reason == r {
			return
		}
	}
	v.Reasons = append(v.Reasons, Why{r, cause, message})
}

// write writes the verdict as a line of JSON.
func (v *Verdict) write(w io.Writer) error { return json.NewEncoder(visible.JSONWriter(w)).Encode(v) }
