package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// frees are the calls that free what their first argument points to.
var frees = map[string]bool{"cudaFree": true, "cudaFreeAsync": true, "cudaFreeHost": true,
	"cuMemFree": true, "cuMemFree_v2": true, "cuMemFreeAsync": true, "cuMemFreeHost": true}

// freedLater moves a call that frees an argument of a later launch of the kernel in the same function behind
// that launch, the last one first.
func (p *Program) freedLater(f *finding.Finding) []*Patch {
	var out []*Patch
	for _, fn := range p.functions {
		for _, l := range slices.Backward(fn.launches(f.KernelName)) {
			for _, pointer := range l.launchArguments(l.node) {
				for _, free := range fn.freeing(pointer) {
					if patch := free.behind(l, pointer); patch != nil && free.from < l.from {
						out = append(out, patch)
					}
				}
			}
		}
	}
	return out
}

// behind moves the statement, which frees a pointer, behind a launch.
func (s *statement) behind(l *statement, pointer string) *Patch {
	text, to := string(s.file.Text[s.from:s.to]), l.outermost(s)
	if to.outer == nil || !to.outer.isList() || strings.Contains(text, "\n") {
		return nil
	}
	take := Edit{s.file.Name, s.from, s.to, ""}
	if !s.outer.isList() {
		take.Text = ";"
	}
	return &Patch{
		Edits:  []Edit{s.lines(take), to.insert(to.lineEnd(), "\n"+to.indent()+text)},
		Inline: []Edit{take, to.insert(to.to, " "+text)},
		What:   fmt.Sprintf("move the call in line %d that frees %s behind line %d", s.file.line(s.from), pointer, s.file.line(to.to-1)),
	}
}

// launchArguments are the texts of what a launch passes to the kernel.
func (s *statement) launchArguments(n *syntax.Node) (out []string) {
	if n == nil {
		return nil
	}
	if n.Kind == "CUDAKernelCallExpr" {
		for _, a := range n.Inner[min(2, len(n.Inner)):] { // the kernel and the configuration come before
			if text := s.text(uncast(a)); text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		return out
	}
	for _, c := range n.Inner {
		out = append(out, s.launchArguments(c)...)
	}
	return out
}

// freeing are the statements of a function that free a pointer of a text.
func (fn *function) freeing(pointer string) (out []*statement) {
	var visit func(s *statement)
	visit = func(s *statement) {
		if w := s.written(); w.frees(w.node, pointer) && len(w.node.Inner) > 0 && (w != s || len(s.inner) == 0) {
			if !slices.Contains(out, w) && w.outer != nil {
				out = append(out, w)
			}
			return
		}
		for _, in := range s.inner {
			visit(in)
		}
	}
	visit(fn.body)
	return out
}

// frees reports whether an expression has a call that frees a pointer of a text.
func (s *statement) frees(n *syntax.Node, pointer string) bool {
	if n == nil {
		return false
	}
	if n.Kind == "CallExpr" && frees[callee(n)] && s.argument(uncast(n.Child(1))) == pointer {
		return true
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return s.frees(c, pointer) })
}

// freedOnce removes the call that frees memory again.
func (p *Program) freedOnce(f *finding.Finding) []*Patch {
	_, s := p.at(f.Primary.Loc.Pos)
	if s == nil || s.outer == nil {
		return nil
	}
	if s = s.written(); s.outer == nil || s.isList() {
		return nil
	}
	take := Edit{s.file.Name, s.from, s.to, ""}
	if !s.outer.isList() {
		take.Text = ";"
	}
	return []*Patch{{Edits: []Edit{s.lines(take)}, Inline: []Edit{take}, What: fmt.Sprintf("remove the call in line %d, which frees again", s.file.line(s.from))}}
}
