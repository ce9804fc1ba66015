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
		Title: "refused launch",
		Doc: `A kernel was launched in a way that the device refuses: no threads or too many
in a block, too big a grid, too much shared memory. The kernel does not run at
all, and a program that does not ask for the error goes on with what its output
buffers held before.

The same holds for launches in device code, which also must not nest more than 24
deep; and a cudaDeviceSynchronize there waits for nothing if its grid has more
parents than cudaLimitDevRuntimeSyncDepth allows. More child grids than
cudaLimitDevRuntimePendingLaunchCount that have not begun are a warning: a device
that has not begun some of them earlier refuses the next one. A pointer to shared or
local memory among the arguments of a child grid is an error as well: the child has no
access to what it points to.`,
		Example: `kernel<<<n / 256, 2048>>>(a, n);   // at most 1024 threads a block`,
		Fixed:   `kernel<<<(n + 255) / 256, 256>>>(a, n);`,
		Fix: `Stay within the limit that the report names, and look at cudaGetLastError()
after each launch.`,
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
		Title: "kernel stopped itself",
		Doc: `A device-side assert failed or a trap instruction was executed. The launch
ends there; on a GPU the context is lost. The barrier of a grid (grid.sync() of
cooperative groups) executes a trap where the launch is not a cooperative one.`,
		Example:    `assert(i < n);`,
		Fixed:      `if (i >= n) return;`,
		Fix:        `Look at the condition and at the thread that the report names.`,
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

// Rejected adds a finding for a refused launch; the same refusal of one kernel
// counts up.
func (c *checker) Rejected(r *trace.RejectedLaunch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	d := Details{check.Coord(r.Grid), check.Coord(r.Block), r.SharedDynamic, r.Error, r.Message}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "rejected", Level: finding.Error, Kernel: r.Kernel,
		Message: "launch refused: " + r.Message, Count: 1, Unit: "launch",
		Notes: []string{fmt.Sprintf("launched as <<<%v, %v, %d>>>; CUDA reports %s",
			d.Grid, d.Block, d.SharedDynamic, r.Error)},
		Cause: finding.Cause(r.Cause), Repair: &finding.Repair{Kind: repairOf(r.Cause)},
		Details: d, Key: r.Error + "\x00" + r.Message, Witness: [4]uint64{c.seq},
	}
	f.Help = helps[f.Repair.Kind] + ", and check cudaGetLastError() after the launch"
	if r.Where != "" {
		f.Key += "\x00" + r.Where
		f.Primary = finding.Place{Role: "launched here", Loc: check.HostPlace(r.Where)}
	}
	if r.Site != nil {
		f.Key += "\x00" + check.SiteKey(r.Site)
		f.Primary = check.Place(r.Site, "launched", nil)
	}
	if r.Maybe {
		f.Level, f.Message = finding.Warning, "launch may be refused: "+r.Message
		f.Notes = []string{"the room for them is cudaLimitDevRuntimePendingLaunchCount; where it is full, a launch fails with " + r.Error}
		f.Help = helps[f.Repair.Kind]
	}
	if r.Cause == trace.CauseParentMemory {
		f.Kind, f.Message = "argument", "child grid gets memory that it has no access to: "+r.Message
		f.Notes = []string{"shared memory belongs to one block and local memory to one thread: what the child finds at that address is undefined"}
		f.Help = helps[f.Repair.Kind]
	}
	if r.Wait {
		f.Message, f.Unit = "cudaDeviceSynchronize refused: "+r.Message, "call"
		f.Notes = []string{"it waits for nothing, and returns " + r.Error}
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
