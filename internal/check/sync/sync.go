// Package sync reports what stops a kernel from going on: barriers that are
// misused (rule sync) and kernels that do not end (rule hang).
package sync

import (
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
		Doc: `A barrier or a warp-level operation that not all come to, of those that should.
On a GPU the kernel hangs or goes on with wrong results. The report says who waits
where and who is missing.

- deadlock: threads wait for each other for ever, or for more threads than the
  block has. The launch ends here.
- barrier: a barrier's number is too high, or its count no multiple of 32. The
  launch ends here. Or an mbarrier that is valid is initialized again, without
  mbarrier.inval.
- divergent: of a warp, only some threads come to __syncthreads, or they come to
  different ones.
- exited (a warning): whole warps had ended before others came to __syncthreads. GPUs
  go on without them, but the language does not promise it. Barriers with a number
  and a count, as warps with different tasks use them, are for those that they count.
- split: of a barrier in two parts (barrier_arrive and barrier_wait), a thread arrives
  twice before it waits, or ends without waiting. One that waits without having arrived
  is a deadlock.
- mask: the mask of a __syncwarp, shuffle, vote or match leaves out a lane that
  executes it, or names one that ends without coming. Lanes that ended before, or do
  nothing more than end, may be named.
- absent-lane: a shuffle reads from a lane that takes no part in it. What it gets is
  undefined, and 0 here. It is an error where all lanes read the same lane. Else
  the result may be one that nobody uses, as in reductions of partly filled warps: it
  is a warning if the mask names the lane, and information if it does not and all
  that execute the shuffle read from such lanes.`,
		Example: `__global__ void clear(int *out) {
    __shared__ int s[64];
    if (threadIdx.x < 40) {
        s[threadIdx.x] = 0;
        __syncthreads();      // the other threads never come here
    }
    if (threadIdx.x < 40) out[threadIdx.x] = s[39 - threadIdx.x];
}`,
		Fixed: `__global__ void clear(int *out) {
    __shared__ int s[64];
    if (threadIdx.x < 40) s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 40) out[threadIdx.x] = s[39 - threadIdx.x];
}`,
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
	Faults:  func() check.Checker { f := faults(); return &f },
	Static:  Static,
}

// Hang is the hang rule.
var Hang = check.Rule{
	Rule: finding.Rule{
		ID:    "hang",
		Rank:  finding.Stops,
		Title: "kernel does not end",
		Doc: `A kernel was stopped because it goes on for ever, or has used up its limit of
instructions or of time. It goes on for ever if no lane can leave a loop, or if
all threads that are left are in a state in which they were before, with nothing
written since: a spin that nobody can end. Computing for long is not that: it ends
with --timeout or --max-steps only. What meets --timeout is a note, and the exit code is 3: nothing
is known to be wrong. What meets --max-steps is an error, since the limit is the user's. The report names the loop, the threads that are in
it and those that wait elsewhere, what the loop's conditions compare, and what the
mbarriers still wait for that it tests. It names the words of memory that the threads wait
for, their values, and the thread that wrote each last by an atomic operation or a volatile
store, or that holds it as a lock.`,
		Example: `__global__ void wait(volatile int *flag, int *out) {
    while (*flag == 0) { }   // nobody sets it
    out[threadIdx.x] = 1;
}`,
		Fixed: `__global__ void wait(volatile int *flag, int *out) {
    if (threadIdx.x == 0) *flag = 1;
    while (*flag == 0) { }
    out[threadIdx.x] = 1;
}`,
		Fix: `Look at the loop's condition: a counter that never reaches its end, a flag
that nobody sets, a lock that its holder cannot release because another lane of
its warp spins on it. If the kernel is only long, raise --timeout
or --max-steps.`,
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
					kind = SameBarriers
				}
			case !ok:
				kind = ReachBarrier
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
			case e.Endless && gridBarrier(l, e.Site):
				repair(f, ReachGridBarrier)
			case e.Endless:
				repair(f, EndLoop)
			default:
				repair(f, RaiseLimit)
			}
			if e.Cause == trace.CauseTime {
				f.Kind, f.Level = "time", finding.Info
				f.Help = "raise --timeout, or make the problem smaller"
			}
			message(f, "kernel stopped at its limit")
			c.awaits(f, l, e)
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
