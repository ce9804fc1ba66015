package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// leadingFirst puts patches of host code on the way to the launch that a finding is of before others.
func (p *Program) leadingFirst(f *finding.Finding, patches []*Patch) []*Patch {
	first, last := p.leading(f, patches)
	return append(first, last...)
}

// leadingOnly are the patches of host code that are on the way to the launch that a finding is of.
func (p *Program) leadingOnly(f *finding.Finding, patches []*Patch) []*Patch {
	first, _ := p.leading(f, patches)
	return first
}

// leading divides patches: what stands in a branch that does not have the launch is not executed when it is made.
func (p *Program) leading(f *finding.Finding, patches []*Patch) (first, last []*Patch) {
	if !f.LaunchedAt.IsValid() {
		return patches, nil
	}
	fn, launched := p.inLine(f.LaunchedAt)
	if fn == nil || onGPU(fn) {
		return patches, nil
	}
	launched = slices.DeleteFunc(slices.Clone(launched), func(s *statement) bool {
		return f.KernelName != "" && len(fn.launches(f.KernelName)) > 0 && !launches(s.node, f.KernelName)
	})
	aside := func(patch *Patch) bool {
		if patch == nil {
			return false
		}
		here, beside := 0, 0 // a parameter that is new has to be given by all launches
		for _, e := range patch.Inline {
			if e.File == fn.file.Name && fn.body.holds(e.From) {
				here++
				beside += boolean(fn.beside(e, launched) || fn.wraps(patch, e))
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

// beside reports whether an edit is in a branch of a function that has none of some statements.
func (fn *function) beside(e Edit, of []*statement) bool {
	if len(of) == 0 || fn.file.Name != e.File || !fn.body.holds(e.From) {
		return false
	}
	at := e.From
	if e.From == e.To && at > 0 && !fn.begins(at) { // a text behind a statement is in its list
		at--
	}
	for s := fn.body.innermost(at); s != nil; s = s.outer {
		if s.outer != nil && s.outer.node.Kind == "IfStmt" && !slices.ContainsFunc(of, func(l *statement) bool { return s.holds(l.from) }) && s.holds(e.From) {
			return true
		}
	}
	return false
}

// nearFirst are the program's functions, those that a finding's places are in before others.
func (p *Program) nearFirst(f *finding.Finding) []*function {
	own := p.functionsOf(f)
	others := slices.DeleteFunc(slices.Clone(p.functions), func(fn *function) bool { return slices.Contains(own, fn) })
	return append(own, others...)
}

// begins reports whether a branch without braces begins at an offset: what is inserted there is in the branch.
func (fn *function) begins(at int) bool {
	s := fn.body.innermost(at)
	return s.from == at && s.outer != nil && s.outer.node.Kind == "IfStmt"
}

// wraps reports whether an edit ends what others of its patch begin at a branch without braces.
func (fn *function) wraps(patch *Patch, e Edit) bool {
	if e.From != e.To || e.From == 0 {
		return false
	}
	s := fn.body.innermost(e.From - 1)
	return s.to == e.From && slices.ContainsFunc(patch.Inline, func(o Edit) bool { return o.File == e.File && o.From == o.To && o.From == s.from && fn.begins(s.from) })
}
