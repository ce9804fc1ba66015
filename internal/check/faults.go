package check

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Faults is the checker of a rule that reports what ends launches: it asks for
// no events and so costs nothing while a kernel runs.
type Faults struct {
	// Rule is the rule's ID.
	Rule string
	// Kinds are the faults that it reports.
	Kinds []trace.FaultKind
	// Describe fills in kind, message, notes and help. f has all else.
	Describe func(f *finding.Finding, l *trace.Launch, e *trace.Fault)
	// Role is what the primary place is called.
	Role func(*trace.Fault) string

	set finding.Set
}

// Findings returns what was found, in the order of a report.
func (c *Faults) Findings() []*finding.Finding { return c.set.Sorted() }

// Add adds a finding that is not a fault.
func (c *Faults) Add(f *finding.Finding) { c.set.Add(f) }

// Observer observes faults only.
func (c *Faults) Observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{Fault: c.In(l)}}
	}}
}

// In returns the observer of a launch's fault.
func (c *Faults) In(l *trace.Launch) func(*trace.Fault) {
	return func(e *trace.Fault) { c.fault(l, e) }
}

// fault adds a finding if the fault is one of the rule's.
func (c *Faults) fault(l *trace.Launch, e *trace.Fault) {
	if !slices.Contains(c.Kinds, e.Kind) {
		return
	}
	lane := max(e.Lane, 0)
	var by *finding.Thread
	if e.Warp != trace.NoWarp {
		by = Thread(l, e.Block, e.Warp, lane)
	}
	f := &finding.Finding{
		Rule: c.Rule, Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: 1, Unit: "launch",
		Cause: finding.Cause(e.Cause), Object: ObjectOf(e.Space, e.Object), Nearest: e.Nearest,
		Message: demangled(e.Message),
		Witness: [4]uint64{uint64(l.ID), e.Block, uint64(max(e.Warp, 0)), uint64(lane)},
	}
	for _, n := range e.Notes {
		f.Notes = append(f.Notes, demangled(n))
	}
	if e.Site == nil && by != nil { // no place will show the thread
		f.Notes = append(f.Notes, "in "+by.String())
	}
	f.Primary = CalledPlace(e.Site, e.Callers, c.Role(e), by)
	c.Describe(f, l, e)
	f.Key = fmt.Sprintf("%s\x00%s", f.Kind, lineKey(e.Site))
	c.set.Add(f)
}

var mangled = regexp.MustCompile(`\b_Z\w+`)

// demangled replaces the mangled names in a text.
func demangled(text string) string {
	return mangled.ReplaceAllStringFunc(text, finding.Demangle)
}
