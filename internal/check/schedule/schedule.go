// Package schedule documents the schedule rule: results that depend on the
// order in which warps and blocks run. It needs several runs, which only the
// one who starts them can compare; see New.
package schedule

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Rule is the schedule rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "schedule",
		Title: "result that depends on the schedule",
		Doc: `With --runs N the program runs N times, each time with another order of blocks, warps
and the lanes of atomics: first the default order, then the reverse, then random ones.
Device memory is compared after each launch at whose end no other work is left, and the
program's output at the end. A difference means that the result is not deterministic on
a GPU either. Differences between two runs with the default schedule, such as printed
times, are ignored. If a race on the memory concerned can have changed the result, it is
named as the cause.

Not every difference is a defect: floating-point sums by atomics differ in the last
bits, and a list that is filled by atomicAdd has its elements in any order. Those are
warnings without a race as the cause.`,
		Example: `if (threadIdx.x == 0) s[0] = 1;
out[threadIdx.x] = s[0];           // 0 or 1, depending on the order of the warps`,
		Fixed: `if (threadIdx.x == 0) s[0] = 1;
__syncthreads();
out[threadIdx.x] = s[0];`,
		Fix: `Repair the race that the report names. Without one, decide whether the order may
affect the result; where it must not, sort, or sum in a fixed order.`,
		References: []string{`CUDA C++ Programming Guide, "Thread Hierarchy": blocks must be able to run in any order`},
	},
	New: New,
}

// New makes a checker that finds nothing: what a single run does cannot show it.
func New(check.Config) check.Checker { return checker{} }

type checker struct{}

func (checker) Observer() *trace.Observer    { return &trace.Observer{} }
func (checker) Findings() []*finding.Finding { return nil }

// Change is a place where two runs differ.
type Change struct {
	// Launch is after which launch it shows, Kernel its mangled name. They mean
	// nothing for Output.
	Launch int
	Kernel string
	// Buffer describes the memory, Element names the first element that differs,
	// "cudaMalloc3[5]", or is "" if that is not known.
	Buffer, Element string
	// Was is the value in the first run, Now that under the schedule Under.
	Was, Now, Under string
	// Count is the elements that differ.
	Count int
	// Output is set if it is what the program printed, or its exit code.
	Output bool
}

// Finding makes the finding of a change. all are the changes, races the races of the
// runs.
func Finding(c Change, all []Change, races []*finding.Finding) *finding.Finding {
	f := &finding.Finding{Rule: Rule.ID, Kind: "result", Level: finding.Warning, Kernel: c.Kernel,
		Key: c.Buffer, Message: message(c)}
	if !c.Output {
		f.Launches = finding.InLaunch(c.Launch)
		f.Count, f.Unit = uint64(c.Count), "elements differ"
	} else {
		f.Kind = "output"
	}
	if c.Element != "" {
		f.Notes = append(f.Notes, "in "+c.Buffer)
	}
	f.Notes = append(f.Notes, "first value: default schedule; second value: schedule "+c.Under)
	explain(f, c, all, races)
	return f
}

func message(c Change) string {
	switch {
	case c.Output:
		return fmt.Sprintf("%s depends on the schedule: %s or %s", c.Buffer, c.Was, c.Now)
	case c.Element == "":
		return c.Buffer + " depends on the schedule"
	}
	return fmt.Sprintf("%s depends on the schedule: %s or %s", c.Element, c.Was, c.Now)
}

// explain adds the races that can be the cause.
func explain(f *finding.Finding, c Change, all []Change, races []*finding.Finding) {
	causes := causesOf(c, all, races)
	for _, r := range causes {
		if f.Primary.Loc.Line == 0 && r.Kernel == c.Kernel {
			f.Primary = r.Primary
		}
		f.Notes = append(f.Notes, fmt.Sprintf("possible cause: %s at %v", r.Message, r.Primary.Loc.Pos))
	}
	if len(causes) == 0 {
		f.Notes = append(f.Notes, "no race explains it: check floating-point sums by atomics, the return values of atomics, and clocks")
		return
	}
	f.Repair = &finding.Repair{Kind: finding.RaceFirst}
	f.Help = "repair the race first"
}

// causesOf returns the races on data that what changed depends on. All memory was the
// same before the launch after which it shows, but for what had changed already: the
// cause is a race in that launch, or that of an earlier change. What the program
// printed depends on memory that changed.
func causesOf(c Change, all []Change, races []*finding.Finding) []*finding.Finding {
	var out []*finding.Finding
	for _, r := range races {
		for _, d := range append([]Change{c}, all...) {
			earlier := d.Under == c.Under && (c.Output || d.Launch < c.Launch)
			if !d.Output && (d == c || earlier) && r.Kernel == d.Kernel && r.Launches.First() <= d.Launch {
				out = append(out, r)
				break
			}
		}
	}
	return out
}
