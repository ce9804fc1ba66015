// Package sync reports what stops a kernel from going on: barriers that are
// misused (rule sync) and kernels that do not end (rule hang).
package sync

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Rule is the sync rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "sync",
		Title: "misused barrier",
		Doc: `A barrier that not all of its threads reach, threads that wait for each other
for ever, a thread count that is no multiple of the warp size, or a
__syncwarp, shuffle or vote whose mask names lanes that never come or leaves
out the caller. On a GPU the kernel hangs or goes on with wrong results. The
report says who waits where and who is missing.`,
		Example: `if (threadIdx.x < 64) {
    s[threadIdx.x] = 0;
    __syncthreads();      // the other threads never come here
}`,
		Fixed: `if (threadIdx.x < 64)
    s[threadIdx.x] = 0;
__syncthreads();`,
		Fix: `Move the barrier to a place that all threads of the block reach: out of the
branch, or make the branch the same for all of them. Let masks name exactly
the lanes that execute the call.`,
		References: []string{
			`CUDA C++ Programming Guide, "Synchronization Functions"`,
			`PTX ISA, "Parallel Synchronization and Communication Instructions": bar, barrier, bar.warp.sync`,
		},
	},
	Default: true,
	New:     New,
	Static:  Static,
}

// Hang is the hang rule.
var Hang = check.Rule{
	Rule: finding.Rule{
		ID:    "hang",
		Title: "kernel does not end",
		Doc: `A kernel was stopped because it used up its limit of instructions or of time.
The report names the loop in which it was and what its threads wait for.`,
		Example: `while (*flag == 0) { }   // nobody sets it, or the read is not volatile`,
		Fix: `Look at the loop's condition: a counter that never reaches its end, a flag
that nobody sets, a lock that its holder cannot release because another lane of
its warp spins on it. If the kernel is only long, raise --timeout
or --max-steps.`,
		References: []string{`CUDA C++ Programming Guide, "Independent Thread Scheduling"`},
	},
	Default: true,
	New:     NewHang,
}

// New makes the checker of Rule.
func New(check.Config) check.Checker {
	return &checker{Faults: check.Faults{
		Rule:  "sync",
		Kinds: []trace.FaultKind{trace.FaultDeadlock, trace.FaultBarrier},
		Role:  func(*trace.Fault) string { return "waits here" },
		Describe: func(f *finding.Finding, _ *trace.Launch, e *trace.Fault) {
			f.Kind = "barrier"
			f.Help = "let every thread that the barrier waits for reach it"
			message(f, "barrier misused")
			switch {
			case e.Kind == trace.FaultDeadlock:
				f.Kind, f.Help = "deadlock", "let all threads that a barrier waits for come to it, in the same order of barriers"
			case strings.Contains(f.Message, "multiple of 32"):
				f.Help = "count whole warps: 32 for each warp that comes to the barrier"
			case strings.Contains(f.Message, "barriers 0 to"):
				f.Help = "use fewer barriers: each can be used again once all have left it"
			}
		},
	}}
}

// NewHang makes the checker of Hang.
func NewHang(check.Config) check.Checker {
	return &check.Faults{
		Rule:  "hang",
		Kinds: []trace.FaultKind{trace.FaultBudget},
		Role:  func(*trace.Fault) string { return "was here" },
		Describe: func(f *finding.Finding, _ *trace.Launch, _ *trace.Fault) {
			f.Kind = "budget"
			f.Help = "look at the loop that it is in; if it is only long, raise the limit with --timeout or --max-steps"
			message(f, "kernel stopped at its limit")
		},
	}
}

func message(f *finding.Finding, otherwise string) {
	if f.Message == "" {
		f.Message = otherwise
	}
}
