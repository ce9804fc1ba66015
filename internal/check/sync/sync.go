// Package sync reports what stops a kernel from continuing: barriers that are
// misused (rule sync) and kernels that do not end (rule hang).
package sync

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Rule is the sync rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "sync",
		Rank:  finding.Stops,
		Title: "misused barrier",
		Doc: `A barrier or warp-level primitive that some of its participants never reach, or that
is used in an undefined way. On a GPU the kernel hangs or continues with wrong
results. The report names the threads that wait at each barrier and those that are
missing.

- deadlock: threads wait for each other forever, or for more threads than the block
  has. The launch ends here.
- barrier: a barrier number is too high, or its thread count is not a multiple of 32.
  The launch ends here. Also: a valid mbarrier is initialized again or overwritten without
  mbarrier.inval.
- divergent: only some threads of a warp reach __syncthreads() or another .aligned
  barrier (bar.sync, bar.arrive, bar.red; barrier.sync may be divergent), or they reach
  different ones. It is a warning if whole warps reach different __syncthreads().
- exited (a warning): threads had exited before others reached __syncthreads(). GPUs
  from sm_70 on wait for the non-exited threads, earlier ones for all warps that have any:
  there it is an error (divergent) if a part of a warp has exited.
- split: a thread arrives twice at a split barrier (barrier_arrive and barrier_wait)
  before it waits, or exits without waiting.
- mask: the mask of a __syncwarp, shuffle, vote or match omits a lane that executes it,
  or includes one that exits without reaching it.
- tensor-map (a warning): a block uses a tensor map in global memory and none of its
  threads has executed fence.proxy.tensormap::generic.acquire for it.
- registers: setmaxnreg.dec to more registers than a thread has, or .inc to fewer; a
  warning where the warps of a warpgroup set different numbers. A setmaxnreg that only
  some threads of a warp, or some warps of a warpgroup, execute is of kind barrier.
- absent-lane: a shuffle reads from a lane that does not participate. The value read
  is undefined; warpgrind returns 0.`,
		More: `Barriers with a number and a count, as warps with different tasks use them, wait for the
counted threads only. A thread that waits at a split barrier without having arrived is a
deadlock.

A mask may include lanes that exited before, or that do nothing but exit.

An absent lane is an error if all lanes read the same one. Otherwise the result may be
unused, as in reductions of partly filled warps: the rule init follows the value, and reports it
where it matters. Without that rule it is a warning if the mask includes the lane, and
information if the mask omits it and every lane that executes the shuffle reads from
such lanes.`,
		Example: `__global__ void clear(int *out) {
    __shared__ int s[64];
    if (threadIdx.x < 40) {
        s[threadIdx.x] = 0;
        __syncthreads();      // the other threads never come here
    }
    out[threadIdx.x] = s[threadIdx.x % 40];
}`,
		Fixed: `__global__ void clear(int *out) {
    __shared__ int s[64];
    if (threadIdx.x < 40) s[threadIdx.x] = 0;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x % 40];
}`,
		Fix: `Move the barrier to a place that all threads of the block reach: out of the branch, or
make the condition uniform across the block. Let masks name exactly the lanes that
execute the call.`,
		References: []string{
			`CUDA C++ Programming Guide, "Synchronization Functions"`,
			`PTX ISA, "Parallel Synchronization and Communication Instructions": bar, barrier, bar.warp.sync`,
		},
	},
	Default:  true,
	PerBlock: true,
	New:      New,
	Faults:   func() check.Checker { f := faults(); return &f },
	Static:   Static,
}

// Hang is the hang rule.
var Hang = check.Rule{
	Rule: finding.Rule{
		ID:    "hang",
		Rank:  finding.Stops,
		Title: "kernel does not terminate",
		Doc: `A kernel was stopped because it would run forever, or because it exceeded its limit of
instructions or of time. It runs forever if no lane can leave a loop, or if all
remaining threads return to an earlier state with nothing written in between: a spin
that no thread can end.

The report names the loop, the threads in it and those that wait elsewhere, the values
that the loop's condition compares, what the mbarriers that it tests still wait for, and
which threads arrived there.
For each memory location that the threads wait for it shows the value, and the thread
that last wrote it by an atomic operation or a volatile store, or that holds it as a lock.

A setmaxnreg.inc waits until the pool of its block has enough registers. Where no warp
releases them the report has the numbers: those of the block, of each warp, and what is
missing. They are known for kernels with __launch_bounds__ or .maxnreg.

A collective operation of NCCL hangs if a rank does not take part, and may hang if the ranks
call different operations or with different counts, types or roots. NCCL does not check
this; warpgrind reports it, and the call returns an error.

A stream that waits for a value in memory (cuStreamWaitValue32) hangs if no work and no
thread of the host is left to write it.

A long computation is not a hang; it ends only at --timeout or --max-steps. Exceeding
--timeout is a note and gives exit code 3: nothing is known to be wrong. Exceeding
--max-steps is an error, since the user set the limit.`,
		Example: `__global__ void wait(volatile int *flag, int *out) {
    while (*flag == 0) { }   // no thread sets it
    out[threadIdx.x] = 1;
}`,
		Fixed: `__global__ void wait(volatile int *flag, int *out) {
    if (threadIdx.x == 0) *flag = 1;
    while (*flag == 0) { }
    out[threadIdx.x] = 1;
}`,
		Fix: `Check the loop's condition: a counter that never reaches its bound, a flag that is
never set, a lock whose holder cannot release it because another lane of its warp
spins on it. If the kernel is merely slow, raise --timeout or --max-steps.`,
		References: []string{`CUDA C++ Programming Guide, "Independent Thread Scheduling"`},
	},
	Default: true,
	New:     NewHang,
	Faults:  func() check.Checker { return NewHang(check.Config{}) },
}

// New makes the checker of Rule.
func New(check.Config) check.Checker { return &checker{Faults: faults()} }

// faults are the barriers that end a launch.
func faults() check.Faults {
	return check.Faults{
		Rule:  "sync",
		Kinds: []trace.FaultKind{trace.FaultDeadlock, trace.FaultBarrier},
		Role:  func(*trace.Fault) string { return "waits here" },
		Describe: func(f *finding.Finding, _ *trace.Launch, e *trace.Fault) {
			f.Kind = "barrier"
			message(f, "barrier misused")
			kind, ok := repairs[e.Cause]
			switch {
			case e.Kind == trace.FaultDeadlock:
				f.Kind, f.Waits = "deadlock", true
				if !ok {
					kind = finding.SameBarriers
				}
			case !ok:
				kind = finding.ReachBarrier
			}
			repair(f, kind)
		},
	}
}

// NewHang makes the checker of Hang.
func NewHang(check.Config) check.Checker {
	c := &hangChecker{}
	c.Faults = check.Faults{
		Rule:  "hang",
		Kinds: []trace.FaultKind{trace.FaultBudget},
		Role:  func(*trace.Fault) string { return "was here" },
		Describe: func(f *finding.Finding, l *trace.Launch, e *trace.Fault) {
			f.Kind, f.Waits = "budget", e.Object != nil
			switch {
			case e.Cause == trace.CauseNoRegisters:
				f.Waits = true
				repair(f, finding.ReleaseRegisters)
			case e.Endless && gridBarrier(l, e.Site):
				repair(f, finding.ReachGridBarrier)
			case e.Endless:
				repair(f, finding.EndLoop)
			default:
				repair(f, finding.RaiseLimit)
			}
			if e.Cause == trace.CauseTime {
				f.Kind, f.Level = "time", finding.Info
				f.Help = "raise --timeout, or reduce the problem size"
			}
			message(f, "kernel stopped at its limit")
			c.awaits(f, l, e)
			if l.Skipped > 0 && f.Level == finding.Error {
				f.Level = finding.Warning
				f.Notes = append(f.Notes, fmt.Sprintf("one of the blocks that were not executed (%d) may be what it waits for", l.Skipped))
			}
			if e.Endless && f.Repair.Kind == finding.EndLoop {
				explainEnd(f, l, e)
			}
			f.Notes = append(f.Notes, hostNotes(e.Host)...)
		},
	}
	return c
}

// gridBarrier reports whether a site is in the barrier of a grid, where the trap of that
// is.
func gridBarrier(l *trace.Launch, s *trace.Site) bool {
	return s != nil && s.Loc.IsValid() && slices.ContainsFunc(l.Sites, func(o *trace.Site) bool {
		return o.GridBarrier && o.Loc.Pos == s.Loc.Pos
	})
}

func message(f *finding.Finding, otherwise string) {
	if f.Message == "" {
		f.Message = otherwise
	}
}
