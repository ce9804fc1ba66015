// Package launch reports launches that CUDA refuses (rule launch) and kernels
// that stop themselves by assert or trap (rule assert).
package launch

import (
	"fmt"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Rule is the launch rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "launch",
		Rank:  finding.Stops,
		Title: "invalid kernel launch",
		Doc: `A kernel was launched with a configuration that the device rejects: a block with no
threads or too many, too large a grid, too much shared memory. The kernel does not run,
and a program that does not check the error continues with the old contents of its
output buffers.

Launches in device code have the same limits. In addition they must not nest more than
24 levels deep, and cudaDeviceSynchronize() does not wait if its grid has more parents
than cudaLimitDevRuntimeSyncDepth allows. A pointer to shared or local memory as an
argument of a child grid is an error, since the child cannot access that memory.

More pending child grids than cudaLimitDevRuntimePendingLaunchCount are a warning: the
next launch fails unless the device has already started some of them.`,
		Example: `kernel<<<n / 256, 2048>>>(a, n);   // at most 1024 threads per block`,
		Fixed:   `kernel<<<(n + 255) / 256, 256>>>(a, n);`,
		Fix: `Stay within the limit that the report names, and check cudaGetLastError() after each
launch.`,
		References: []string{
			`CUDA C++ Programming Guide, "Compute Capabilities": table of technical specifications`,
			`CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Configuration Options"`,
			`Langdon: Debugging CUDA (GECCO 2011)`,
		},
	},
	Default: true,
	New:     New,
}

// Assert is the assert rule.
var Assert = check.Rule{
	Rule: finding.Rule{
		ID:    "assert",
		Rank:  finding.Stops,
		Title: "failed assertion or trap in a kernel",
		Doc: `A device-side assert() failed, or a trap instruction was executed. The launch ends
there; on a GPU the context is lost. The grid barrier of cooperative groups
(grid.sync()) executes a trap if the launch is not cooperative.`,
		Example:    `assert(i < n);`,
		Fixed:      `if (i >= n) return;`,
		Fix:        `Check the condition for the thread that the report names.`,
		References: []string{`CUDA C++ Programming Guide, "Assertion"`, `PTX ISA, "trap"`},
	},
	Default: true,
	New:     NewAssert,
	Faults:  func() check.Checker { return NewAssert(check.Config{}) },
}

// Details is the launch rule's part of a finding in JSON.
type Details struct {
	Grid          finding.Coord `json:"grid"`
	Block         finding.Coord `json:"block"`
	SharedDynamic uint64        `json:"shared_dynamic"`
	// Error is the runtime's name for it, Limit the limit that it exceeds.
	Error string `json:"error"`
	Limit string `json:"limit"`
}

// BlockShape returns the threads of a block of the launch.
func (d Details) BlockShape() finding.Coord { return d.Block }

// New makes the checker of Rule.
func New(check.Config) check.Checker { return &checker{} }

type checker struct {
	mu  sync.Mutex
	seq uint64
	set finding.Set
}

// Observer observes launches that are refused.
func (c *checker) Observer() *trace.Observer { return &trace.Observer{Rejected: c.Rejected} }

func (c *checker) Findings() []*finding.Finding { return c.set.Sorted() }

// Rejected adds a finding for an invalid kernel launch; the same refusal of one kernel
// counts up.
func (c *checker) Rejected(r *trace.RejectedLaunch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	d := Details{check.Coord(r.Grid), check.Coord(r.Block), r.SharedDynamic, r.Error, r.Message}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "rejected", Level: finding.Error, Kernel: r.Kernel,
		Message: "invalid launch: " + r.Message, Count: 1, Unit: "launch",
		Notes: []string{fmt.Sprintf("launched as <<<%v, %v, %d>>>; CUDA returns %s",
			d.Grid, d.Block, d.SharedDynamic, r.Error)},
		Cause: finding.Cause(r.Cause), Repair: &finding.Repair{Kind: repairOf(r.Cause)},
		Details: d, Key: r.Error + "\x00" + r.Message, Witness: [4]uint64{c.seq},
	}
	f.Help = helps[f.Repair.Kind] + ", and check cudaGetLastError() after the launch"
	if r.Cause == trace.CauseUnconfigured {
		f.Notes = []string{"nothing is launched; CUDA returns " + r.Error}
	}
	if r.Where != "" {
		f.Key += "\x00" + r.Where
		f.Primary = finding.Place{Role: "launched here", Loc: check.HostPlace(r.Where)}
	}
	if r.Site != nil {
		f.Key += "\x00" + check.SiteKey(r.Site)
		f.Primary = check.Place(r.Site, "launched", nil)
	}
	if r.Maybe {
		f.Level, f.Message = finding.Warning, "launch may fail: "+r.Message
		f.Notes = []string{"cudaLimitDevRuntimePendingLaunchCount limits their number; beyond it a launch fails with " + r.Error}
		f.Help = helps[f.Repair.Kind]
	}
	if r.Cause == trace.CauseParentMemory {
		f.Kind, f.Message = "argument", "child grid receives a pointer to memory that it cannot access: "+r.Message
		f.Notes = []string{"shared memory belongs to one block and local memory to one thread: for the child the contents of that address are undefined"}
		f.Help = helps[f.Repair.Kind]
	}
	if r.Wait {
		f.Message, f.Unit = "cudaDeviceSynchronize fails: "+r.Message, "call"
		f.Notes = []string{"it does not wait, and returns " + r.Error}
		f.Help = helps[f.Repair.Kind]
		f.Key = r.Error + "\x00" + check.SiteKey(r.Site)
		f.Primary.Role = "waited for child grids"
	}
	c.set.Add(f)
}

// NewAssert makes the checker of Assert.
func NewAssert(check.Config) check.Checker {
	return &check.Faults{
		Rule:  "assert",
		Kinds: []trace.FaultKind{trace.FaultAssert, trace.FaultTrap},
		Role:  func(*trace.Fault) string { return "stopped by" },
		Describe: func(f *finding.Finding, _ *trace.Launch, e *trace.Fault) {
			f.Kind = "assert"
			if e.Kind == trace.FaultTrap {
				f.Kind = "trap"
			}
			f.Repair = &finding.Repair{Kind: repairOf(e.Cause)}
			f.Help = helps[f.Repair.Kind]
			if e.Cause == trace.CauseNotCooperative {
				f.Message = "grid barrier in a launch that is not cooperative"
			}
			if f.Message == "" {
				f.Message = "kernel stopped by " + f.Kind
			}
		},
	}
}
