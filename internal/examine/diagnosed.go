package examine

import (
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/undefined"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

// diagnose keeps the warnings of clang that a rule reports; the others are text for
// the user, which it returns.
func (s *staticSession) diagnose(m *ptx.Module, list []clang.Diagnostic) (text string) {
	kernels := map[string]bool{}
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Entry {
			kernels[f.Name] = true
		}
	}
	on := slices.ContainsFunc(s.Rules, func(r check.Rule) bool { return r.Diagnosed != nil })
	for _, d := range list {
		if !on || !undefined.Reports(d.Group) {
			text += d.Output
			continue
		}
		c := check.Diagnostic{Group: d.Group, Text: d.Text, Loc: locate(d.Position)}
		if kernels[d.Function] {
			c.Kernel = d.Function
		}
		for _, n := range d.Notes {
			if n.Proposes {
				continue
			}
			c.Notes = append(c.Notes, check.DiagnosticNote{Loc: locate(n.Position), Text: n.Text})
		}
		if g := s.Filter; c.Kernel == "" || g.Kernels == nil || g.Kernels.MatchKernel(c.Kernel) {
			s.diagnostics = append(s.diagnostics, c)
		}
	}
	return text
}

func locate(p clang.Position) source.Location {
	return source.Location{Pos: source.Pos{File: filepath.Clean(p.File), Line: p.Line, Col: p.Col}}
}

// addDiagnosed adds the findings of the compiler's warnings that no other rule has.
func (s *staticSession) addDiagnosed() {
	for _, r := range s.Rules {
		if r.Diagnosed != nil {
			s.set.AddAll(undefined.Distinct(r.Diagnosed(s.diagnostics), s.set.Sorted()))
		}
	}
}
