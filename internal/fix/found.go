package fix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check/initialized"
	"github.com/warpgrind/warpgrind/internal/check/memory"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
)

// inOrder puts wrong accesses before what may only follow from them: races of threads that should
// not be there, and reads of what they did not write. Of these it puts writes before reads, since without
// the wrong write what was read for it changes nothing.
func inOrder(errs []*finding.Finding) []*finding.Finding {
	rank := func(f *finding.Finding) int {
		switch {
		case f.Rule == memory.Rule.ID && f.Primary.Access != finding.Read:
			return 0
		case f.Rule == memory.Rule.ID:
			return 1
		case f.Rule == initialized.Rule.ID:
			return 3
		}
		return 2
	}
	out := slices.Clone(errs)
	slices.SortStableFunc(out, func(a, b *finding.Finding) int { return rank(a) - rank(b) })
	return out
}

// errorsOf returns the errors of a run, one for each cause.
func errorsOf(s *session.Session) []*finding.Finding {
	return foundOf(s, func(l finding.Level) bool { return l >= finding.Error })
}

// warningsOf returns the warnings of a run, one for each cause.
func warningsOf(s *session.Session) []*finding.Finding {
	return foundOf(s, func(l finding.Level) bool { return l == finding.Warning })
}

func foundOf(s *session.Session, level func(finding.Level) bool) []*finding.Finding {
	var out []*finding.Finding
	seen := map[string]bool{}
	for _, f := range s.Found {
		if id := identity(f); level(f.Level) && !seen[id] {
			seen[id] = true
			out = append(out, f)
		}
	}
	finding.Sort(out)
	return out
}

// identity names a finding across runs of texts with the same lines. How the accesses are
// made is not part of it: a patch changes that, and what it does not remove is then still
// the same defect.
func identity(f *finding.Finding) string {
	parts := []string{f.Rule, f.Kernel}
	if r := f.Repair; r != nil && r.Kind == finding.WriteFirst && f.Object != nil { // of two variables that one line reads
		parts = append(parts, f.Object.Name)
	}
	for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
		parts = append(parts, fmt.Sprintf("%s:%d", p.Loc.File, p.Loc.Line))
	}
	return strings.Join(parts, "\x00")
}

func identities(fs []*finding.Finding) map[string]bool {
	ids := map[string]bool{}
	for _, f := range fs {
		ids[identity(f)] = true
	}
	return ids
}

// displaced is a finding with its places elsewhere.
func displaced(e *finding.Finding, to func(source.Pos) source.Pos) *finding.Finding {
	g := *e
	place := func(l *source.Location) {
		l.Pos, l.InlinedAt = to(l.Pos), slices.Clone(l.InlinedAt)
		for i := range l.InlinedAt {
			l.InlinedAt[i] = to(l.InlinedAt[i])
		}
	}
	place(&g.Primary.Loc)
	g.LaunchedAt = to(e.LaunchedAt)
	g.Related = slices.Clone(e.Related)
	for i := range g.Related {
		place(&g.Related[i].Loc)
	}
	if e.Repair == nil {
		return &g
	}
	g.Repair = e.Repair.Moved(to)
	return &g
}

// within reports whether all that is in a is in b.
func within(a, b map[string]bool) bool {
	for id := range a {
		if !b[id] {
			return false
		}
	}
	return true
}
