package explore

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/schedule"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Extent tells how much of a launch was explored, and whether its result depends on the order.
func (r *Result) Extent() string {
	if r.Executions == 0 && r.Cut {
		return fmt.Sprintf("not explored: its first execution was not finished; one may take %d instructions of warps", MaxSteps)
	}
	if r.Executions == 0 {
		return "not explored: the launch faults in the order of the run"
	}
	same := "memory is the same, bit by bit, at the end of each"
	if n := len(r.Outcomes); n > 1 {
		same = fmt.Sprintf("%d outcomes", n)
	}
	if r.Complete && r.Executions == 1 {
		return "all orders are the same execution: memory does not depend on the order"
	}
	if r.Complete {
		return fmt.Sprintf("all %s explored: %s", check.Plural(uint64(r.Executions), "execution"), same)
	}
	if r.Teams && r.Left == 0 && !r.Cut {
		return fmt.Sprintf("%s explored, and not all: which warps meet at a numbered barrier may depend on the order in which they arrive, which is not varied; so far: %s",
			check.Plural(uint64(r.Executions), "execution"), same)
	}
	return fmt.Sprintf("%s explored, and not all: at least %s were still to be tried; so far: %s", check.Plural(uint64(r.Executions), "execution"),
		check.Plural(uint64(r.Left), "step"), same)
}

// maxOutcomes bounds the outcomes that a finding lists.
const maxOutcomes = 8

// Finding is the finding of a launch with several outcomes.
func (r *Result) Finding() *finding.Finding {
	f := &finding.Finding{Rule: schedule.Rule.ID, Kind: "outcomes", Level: finding.Warning, Kernel: r.Launch.Kernel, Launches: finding.InLaunch(r.Launch.ID),
		Count: uint64(len(r.Outcomes)), Unit: "outcomes", Key: "outcomes",
		Message: fmt.Sprintf("the launch has %d outcomes, by the order of its warps", len(r.Outcomes))}
	for i, o := range r.Outcomes[:min(len(r.Outcomes), maxOutcomes)] {
		what := "as in the first execution"
		if i > 0 {
			what = inWords(o)
		}
		f.Notes = append(f.Notes, fmt.Sprintf("outcome %d, of %s: %s; --schedule %s", i+1, check.Plural(uint64(o.Executions), "execution"), what, Short(o.Order)))
	}
	return f
}

// inWords tells how an outcome differs from the first one.
func inWords(o *Outcome) string {
	var parts []string
	if o.Fault != nil {
		parts = append(parts, o.Fault.Message)
	}
	if o.Words > 0 {
		text := fmt.Sprintf("%s is 0x%x, not 0x%x", o.First, o.Now, o.Was)
		if o.Words > 1 {
			text += others(o.Words - 1)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// others describes n further words that differ.
func others(n int) string {
	if n == 1 {
		return ", and 1 other word differs"
	}
	return fmt.Sprintf(", and %d other words differ", n)
}
