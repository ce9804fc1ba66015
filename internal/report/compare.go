package report

import "github.com/warpgrind/warpgrind/internal/finding"

// Comparison is the difference of two runs. Findings are the same where their
// fingerprints are.
type Comparison struct {
	// New are only in the later run, Gone only in the earlier one, Same in
	// both, as the later one has them.
	New, Gone, Same []*finding.Finding
}

// Compare compares an earlier run with a later one.
func Compare(before, after *Report) Comparison {
	var c Comparison
	old := map[string]bool{}
	for _, f := range before.Findings {
		old[f.Fingerprint] = true
	}
	now := map[string]bool{}
	for _, f := range after.Findings {
		now[f.Fingerprint] = true
		if old[f.Fingerprint] {
			c.Same = append(c.Same, f)
		} else {
			c.New = append(c.New, f)
		}
	}
	for _, f := range before.Findings {
		if !now[f.Fingerprint] {
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
