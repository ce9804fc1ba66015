package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// hover says all about the findings at a position, and what their rules mean.
func (s *server) hover(p *hoverParams) *hover {
	var b strings.Builder
	var at *span
	var rules []string
	here := span{p.Position, p.Position}
	for _, m := range s.all()[pathOf(p.TextDocument.URI)] {
		if !m.diag.Range.touches(here) {
			continue
		}
		if at == nil {
			at = &m.diag.Range
		}
		describe(&b, m.finding)
		if !slices.Contains(rules, m.finding.Rule) {
			rules = append(rules, m.finding.Rule)
		}
	}
	if at == nil {
		return nil
	}
	for _, r := range s.o.Rules {
		if slices.Contains(rules, r.ID) {
			b.WriteString("\n---\n" + report.Markdown(r))
		}
	}
	return &hover{Contents: markup{"markdown", b.String()}, Range: at}
}

// describe writes a finding as Markdown.
func describe(b *strings.Builder, f *finding.Finding) {
	_, _ = visible.Fprintf(b, "**%v[%s]**: %s\n\n", f.Level, plain(f.Rule), plain(f.Message))
	if f.KernelName != "" {
		_, _ = visible.Fprintf(b, "- in kernel `%s`\n", strings.ReplaceAll(visible.Line(f.KernelName), "`", "'"))
	}
	for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
		if p.Role != "" && p.Loc.IsValid() {
			_, _ = visible.Fprintf(b, "- line %d: %s\n", p.Loc.Line, plain(role(&p)))
		}
	}
	for _, n := range f.Notes {
		_, _ = visible.Fprintf(b, "- %s\n", plain(strings.TrimPrefix(n, "- ")))
	}
	if f.Help != "" {
		_, _ = visible.Fprintf(b, "\n**help**: %s\n", plain(f.Help))
	}
}

// plain keeps Markdown from reading marks into text.
func plain(s string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "<", "&lt;", "[", "\\[", "`", "\\`").Replace(visible.Line(s))
}

// codeActions offers for each finding in the range the patches that remove it, and the comment that
// suppresses it.
func (s *server) codeActions(p *codeActionParams) []codeAction {
	out := []codeAction{}
	file := pathOf(p.TextDocument.URI)
	for _, m := range s.all()[file] {
		if m.diag.Range.touches(p.Range) {
			out = append(out, s.fixesAt(&m)...)
		}
		if !m.diag.Range.touches(p.Range) || !s.isRule(m.finding.Rule) {
			continue
		}
		n := m.diag.Range.Start.Line
		line := s.lines(file)[n]
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		start := position{Line: n}
		out = append(out, codeAction{
			Title: "Suppress this " + m.finding.Rule + " finding with a comment", Kind: "quickfix", Diagnostics: []diagnostic{m.diag},
			Edit: workspaceEdit{map[string][]textEdit{p.TextDocument.URI: {{
				Range: span{start, start}, NewText: fmt.Sprintf("%s// warpgrind: ignore %s\n", indent, m.finding.Rule),
			}}}},
		})
	}
	return out
}

func (s *server) isRule(id string) bool {
	return slices.ContainsFunc(s.o.Rules, func(r finding.Rule) bool { return r.ID == id })
}
