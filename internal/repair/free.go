package repair

import (
	"fmt"
	"path/filepath"
	"slices"

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
					if !free.isAt(f.Repair.At) {
						continue
					}
					if patch := free.behind(l, pointer); patch != nil && free.from < l.from && !free.ofBranch(l) {
						out = append(out, patch)
					}
				}
			}
		}
	}
	return out
}

// isAt reports whether the statement has a call at a line, or nothing is known of the line.
func (s *statement) isAt(p *finding.Point) bool {
	if p == nil || !p.IsValid() {
		return true
	}
	return filepath.Base(s.file.Name) == filepath.Base(p.File) && s.file.line(s.from) <= p.Line && p.Line <= s.file.line(s.to-1)
}

// behind moves the statement, which frees a pointer, behind a launch; with the branch that has no other.
func (s *statement) behind(l *statement, pointer string) *Patch {
	line := s.file.line(s.from)
	s = s.withBranch(l)
	to := l.outermost(s)
	c, ok := moving(s)
	if to.outer == nil || !to.outer.isList() || !ok {
		return nil
	}
	if !s.outer.isList() {
		c.edits[0] = Edit{s.file.Name, s.from, s.to, ";"}
		c.inline[0].Text = ";" + c.inline[0].Text
	}
	indent := "\n" + to.indent()
	return &Patch{
		Edits:  append(c.edits, to.insert(to.lineEnd(), indent+c.with(indent))),
		Inline: append(c.inline, to.insert(to.to, " "+c.with(" "))),
		What:   fmt.Sprintf("move the call in line %d that frees %s behind line %d", line, pointer, s.file.line(to.to-1)),
	}
}

// withBranch is the statement with the branches around it that have no other and that a launch is not in, as far as their conditions
// may be evaluated later as well.
func (s *statement) withBranch(l *statement) *statement {
	for o := s.outer; o != nil && o.outer != nil && !o.holds(l.from); o = o.outer {
		switch {
		case o.isList() && len(o.inner) == 1 && o.outer.node.Kind == "IfStmt":
		case o.node.Kind == "IfStmt" && !o.node.Else && len(o.node.Inner) == 2 && !acts(o.node.Child(0)):
			s = o
		default:
			return s
		}
	}
	return s
}

// ofBranch reports whether the statement stands in a branch that does more than to free, and that a launch is not in: what is freed there
// is what the branch is about.
func (s *statement) ofBranch(l *statement) bool {
	for o := s; o.outer != nil && !o.outer.holds(l.from); o = o.outer {
		if o.outer.isList() && slices.ContainsFunc(o.outer.inner, func(other *statement) bool {
			return other != o && len(calling(other.node, func(name string) bool { return frees[name] })) == 0
		}) {
			return true
		}
	}
	return false
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

// matched frees the pointer that an allocation returned instead of one into its memory, or with another function, or
// not at all, where the memory is freed elsewhere.
func (p *Program) matched(f *finding.Finding) []*Patch {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	var out []*Patch
	replace := func(n *syntax.Node, text string) {
		if from, to := span(s, n); from < to && text != "" {
			edits := []Edit{{s.file.Name, from, to, text}}
			out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("write %s for %s in line %d", text, s.file.Text[from:to], s.file.line(from))})
		}
	}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "CallExpr" && (frees[callee(n)] || callee(n) == "free") && len(n.Inner) == 2 {
			if sum := uncast(n.Child(1)); offset(sum) != nil {
				for _, side := range sum.Inner {
					if side != offset(sum) {
						replace(sum, s.argument(uncast(side)))
					}
				}
			}
			for _, name := range []string{"cudaFree", "cudaFreeHost", "free"} {
				if name != callee(n) && !onGPU(fn) { // which has one allocator
					replace(stripped(n.Child(0)), name)
				}
			}
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(s.node)
	for _, none := range p.freedOnce(f) {
		none.What = fmt.Sprintf("remove the call in line %d, which frees nothing", f.Primary.Loc.Line)
		out = append(out, none)
	}
	return out
}

// span are the bytes of an expression, also of one in a macro's argument; both are 0 for others.
func span(s *statement, n *syntax.Node) (from, to int) {
	if s.argument(n) == "" {
		return 0, 0
	}
	if n.Begin.Macro {
		return n.Begin.Arg - 1, n.End.Arg - 1 + n.End.ArgLen
	}
	return n.Begin.Off, n.End.End()
}
