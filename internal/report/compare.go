package report

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Comparison is the difference of two runs. Findings are the same where their
// fingerprints are.
type Comparison struct {
	// New are only in the later run, Gone only in the earlier one, Same in both and
	// as often, as the later one has them. Unchecked are those of the earlier run
	// whose rule the later one did not check.
	New, Gone, Same, Unchecked []*finding.Finding
	// Changed are in both runs, more or less often.
	Changed []Change
}

// Change is a finding of two runs that differs in its count.
type Change struct{ Was, Now *finding.Finding }

// Compare compares an earlier run with a later one.
func Compare(before, after *Report) Comparison {
	var c Comparison
	old := map[string]*finding.Finding{}
	for _, f := range before.Findings {
		old[f.Fingerprint] = f
	}
	now := map[string]bool{}
	for _, f := range after.Findings {
		now[f.Fingerprint] = true
		switch was := old[f.Fingerprint]; {
		case was == nil:
			c.New = append(c.New, f)
		case was.Count != f.Count:
			c.Changed = append(c.Changed, Change{was, f})
		default:
			c.Same = append(c.Same, f)
		}
	}
	for _, f := range before.Findings {
		switch {
		case now[f.Fingerprint]:
		case len(after.Tools) > 0 && !slices.Contains(after.Tools, f.Rule):
			c.Unchecked = append(c.Unchecked, f)
		default:
			c.Gone = append(c.Gone, f)
		}
	}
	return c
}

// NewErrors counts new findings at error level.
func (c Comparison) NewErrors() int {
	n := 0
	for _, f := range c.New {
		if f.Level == finding.Error {
			n++
		}
	}
	return n
}

// Summary counts them: "1 new, 2 gone, 1 with another count, 3 the same".
func (c Comparison) Summary() string {
	s := fmt.Sprintf("%d new, %d gone", len(c.New), len(c.Gone))
	if n := len(c.Changed); n > 0 {
		s += fmt.Sprintf(", %d with another count", n)
	}
	s += fmt.Sprintf(", %d the same", len(c.Same))
	if n := len(c.Unchecked); n > 0 {
		s += fmt.Sprintf(", %d of rules that were not checked now", n)
	}
	return s
}
