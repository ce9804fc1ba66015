package lsp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

var severity = map[finding.Level]int{finding.Error: 1, finding.Warning: 2, finding.Info: 3}

// marked is a finding with the diagnostic that shows it.
type marked struct {
	finding *finding.Finding
	diag    diagnostic
	run     *savedRun // nil for what was found without running
}

// all returns the facts about every file, each in order: what the last run
// found and what can be said without running.
func (s *server) all() map[string][]marked {
	out := map[string][]marked{}
	known := map[string]bool{}
	newer := map[string]bool{} // files of which a newer run has said all
	for _, r := range s.runs() {
		for _, f := range r.findings() {
			if file, m, ok := s.mark(f, r.lines); ok && !newer[file] {
				m.run = r
				out[file] = append(out[file], m)
				known[sameFinding(file, &m)] = true
			}
		}
		for file := range r.lines {
			newer[file] = true
		}
	}
	for checked, c := range s.static {
		for _, f := range c.findings {
			if file, m, ok := s.mark(f, map[string][]string{checked: c.lines}); ok && !known[sameFinding(file, &m)] {
				out[file] = append(out[file], m)
			}
		}
	}
	for _, ms := range out {
		slices.SortStableFunc(ms, func(a, b marked) int {
			if a.diag.Range.Start.before(b.diag.Range.Start) {
				return -1
			} else if b.diag.Range.Start.before(a.diag.Range.Start) {
				return 1
			}
			return strings.Compare(a.diag.Message, b.diag.Message)
		})
	}
	return out
}

// sameFinding is equal for what a run found and for the same seen without
// running.
func sameFinding(file string, m *marked) string {
	return strings.Join([]string{file, m.finding.Rule, strconv.Itoa(m.diag.Range.Start.Line)}, "\x00")
}

// mark makes the diagnostic of a finding. old has the sources that its places
// are about, where those are not the present ones. It fails if the line is not
// there any more.
func (s *server) mark(f *finding.Finding, old map[string][]string) (file string, m marked, ok bool) {
	at, inlined := s.anchor(f.Primary.Loc)
	if at.File == "" {
		return "", m, false
	}
	r, ok := s.rangeOf(at, f.Primary.Role, old)
	if !ok || s.stale(f, old) {
		return "", m, false
	}
	m = marked{finding: f, diag: diagnostic{Range: r, Severity: severity[f.Level], Code: f.Rule, Source: "warpgrind", Message: text(f)}}
	add := func(p *finding.Place, message string) {
		if r, ok := s.rangeOf(p.Loc.Pos, p.Role, old); ok {
			m.diag.Related = append(m.diag.Related, related{location{uriOf(p.Loc.File), r}, message})
		}
	}
	if inlined {
		add(&f.Primary, "here: "+role(&f.Primary))
	}
	for i := range f.Related {
		add(&f.Related[i], role(&f.Related[i]))
	}
	for _, g := range f.Members {
		if g.Primary.Loc.Pos != f.Primary.Loc.Pos {
			add(&g.Primary, "the same cause: "+g.Message)
		}
	}
	return at.File, m, true
}

// stale reports whether the text has changed where a finding asks for a repair: its other access is not
// there as it was, or something between the two is new.
func (s *server) stale(f *finding.Finding, old map[string][]string) bool {
	if !f.Repair.Placed() || f.Repair.From.File != f.Repair.To.File {
		return false
	}
	before, ok := old[f.Repair.From.File]
	from, to := f.Repair.From.Line-1, f.Repair.To.Line-1
	if from, to = min(from, to), max(from, to); !ok || from < 0 || to >= len(before) {
		return false
	}
	now := s.moved(before, s.lines(f.Repair.From.File))
	for i := from; i <= to; i++ {
		if now[i] < 0 || now[i]-now[from] != i-from {
			return true
		}
	}
	return false
}

// anchor is where a finding is shown: its own place, or the call of it in the
// workspace if it lies in a library.
func (s *server) anchor(l source.Location) (at source.Pos, inlined bool) {
	for i, p := range append([]source.Pos{l.Pos}, l.InlinedAt...) {
		if p.IsValid() && below(p.File, s.root) {
			return p, i > 0
		}
	}
	return l.Pos, false
}

func role(p *finding.Place) string {
	if what := p.What(); what != "" {
		return what
	}
	return "also here"
}

// text is what an editor lists: the message, and how to repair it.
func text(f *finding.Finding) string {
	if f.Help == "" {
		return f.Message
	}
	return f.Message + "\nhelp: " + f.Help
}

// rangeOf finds a position of a source as it was in the present one; role is
// what happens there.
func (s *server) rangeOf(p source.Pos, role string, old map[string][]string) (span, bool) {
	lines := s.lines(p.File)
	n := p.Line - 1
	if before, ok := old[p.File]; ok {
		if n < 0 || n >= len(before) {
			return span{}, false
		}
		if n = s.moved(before, lines)[n]; n < 0 {
			return span{}, false
		}
	}
	if n < 0 || n >= len(lines) {
		return span{}, false
	}
	from, to := report.Extent(lines[n], p.Col, !strings.Contains(role, "read"))
	return span{
		Start: position{n, character(lines[n], from, s.utf8)},
		End:   position{n, character(lines[n], to, s.utf8)},
	}, true
}

// moved is lineMap, kept until the text changes.
func (s *server) moved(before, now []string) []int {
	m, ok := s.maps[&before[0]]
	if !ok {
		m = lineMap(before, now)
		s.maps[&before[0]] = m
	}
	return m
}

// lines are those of a file as the editor has it, else as it is on disk.
func (s *server) lines(file string) []string {
	if d := s.docs[file]; d != nil {
		return d.lines
	}
	if ls, ok := s.disk[file]; ok {
		return ls
	}
	var ls []string
	if b, err := userfile.Read(file); err == nil {
		ls = splitLines(string(b))
	}
	s.disk[file] = ls
	return ls
}
