package order

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// RankLeading puts patches of host code on the way to the launch that a finding is of before others.
func RankLeading(p *code.Program, f *finding.Finding, patches []*code.Patch) []*code.Patch {
	first, last := splitLeading(p, f, patches)
	return append(first, last...)
}

// KeepLeading are the patches of host code that are on the way to the launch that a finding is of.
func KeepLeading(p *code.Program, f *finding.Finding, patches []*code.Patch) []*code.Patch {
	first, _ := splitLeading(p, f, patches)
	return first
}

// splitLeading divides patches: what stands in a branch that does not have the launch is not executed when it is made.
func splitLeading(p *code.Program, f *finding.Finding, patches []*code.Patch) (first, last []*code.Patch) {
	if !f.LaunchedAt.IsValid() {
		return patches, nil
	}
	fn, launched := p.InLine(f.LaunchedAt)
	if fn == nil || code.OnGPU(fn) {
		return patches, nil
	}
	launched = slices.DeleteFunc(slices.Clone(launched), func(s *code.Statement) bool {
		return f.KernelName != "" && len(code.LaunchesIn(fn, f.KernelName)) > 0 && !code.Launches(s.Node, f.KernelName)
	})
	aside := func(patch *code.Patch) bool {
		if patch == nil {
			return false
		}
		here, beside := 0, 0 // a parameter that is new has to be given by all launches
		for _, e := range patch.Inline {
			if e.File == fn.File.Name && fn.Body.Holds(e.From) {
				here++
				beside += code.Boolean(isBesideAny(fn, e, launched) || wrapsBranch(fn, patch, e))
			}
		}
		return here > 0 && here == beside
	}
	for _, patch := range patches {
		if aside(patch) {
			last = append(last, patch)
		} else {
			first = append(first, patch)
		}
	}
	return first, last
}

// isBesideAny reports whether an edit is in a branch of a function that has none of some statements.
func isBesideAny(fn *code.Function, e code.Edit, of []*code.Statement) bool {
	if len(of) == 0 || fn.File.Name != e.File || !fn.Body.Holds(e.From) {
		return false
	}
	at := e.From
	if e.From == e.To && at > 0 && !beginsBranch(fn, at) { // a text behind a statement is in its list
		at--
	}
	for s := fn.Body.Innermost(at); s != nil; s = s.Outer {
		if s.Outer != nil && s.Outer.Node.Kind == "IfStmt" && !slices.ContainsFunc(of, func(l *code.Statement) bool { return s.Holds(l.From) }) && s.Holds(e.From) {
			return true
		}
	}
	return false
}

// RankNear are the program's functions, those that a finding's places are in before others.
func RankNear(p *code.Program, f *finding.Finding) []*code.Function {
	own := code.FunctionsOf(p, f)
	others := slices.DeleteFunc(slices.Clone(p.Functions), func(fn *code.Function) bool { return slices.Contains(own, fn) })
	return append(own, others...)
}

// beginsBranch reports whether a branch without braces begins at an offset: what is inserted there is in the branch.
func beginsBranch(fn *code.Function, at int) bool {
	s := fn.Body.Innermost(at)
	return s.From == at && s.Outer != nil && s.Outer.Node.Kind == "IfStmt"
}

// wrapsBranch reports whether an edit ends what others of its patch begin at a branch without braces.
func wrapsBranch(fn *code.Function, patch *code.Patch, e code.Edit) bool {
	if e.From != e.To || e.From == 0 {
		return false
	}
	s := fn.Body.Innermost(e.From - 1)
	return s.To == e.From && slices.ContainsFunc(patch.Inline, func(o code.Edit) bool {
		return o.File == e.File && o.From == o.To && o.From == s.From && beginsBranch(fn, s.From)
	})
}
