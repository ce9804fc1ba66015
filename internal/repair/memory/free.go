package memory

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
	"github.com/warpgrind/warpgrind/internal/repair/order"
)

// frees are the calls that free what their first argument points to.
var frees = map[string]bool{"cudaFree": true, "cudaFreeAsync": true, "cudaFreeHost": true,
	"cuMemFree": true, "cuMemFree_v2": true, "cuMemFreeAsync": true, "cuMemFreeHost": true}

// FreeLater moves a call that frees an argument of a later launch of the kernel in the same function behind
// that launch, the last one first.
func FreeLater(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, fn := range p.Functions {
		for _, l := range slices.Backward(code.LaunchesIn(fn, f.KernelName)) {
			for _, pointer := range launchArgumentsIn(l, l.Node) {
				for _, free := range freesIn(fn, pointer) {
					if !isCallAt(free, f.Repair.At) {
						continue
					}
					if patch := moveBehindLaunch(free, l, pointer); patch != nil && free.From < l.From && !branchWithout(free, l) {
						out = append(out, patch)
					}
				}
			}
		}
	}
	return out
}

// isCallAt reports whether the statement has a call at a line, or nothing is known of the line.
func isCallAt(s *code.Statement, p *finding.Point) bool {
	if p == nil || !p.IsValid() {
		return true
	}
	return filepath.Base(s.File.Name) == filepath.Base(p.File) && s.File.Line(s.From) <= p.Line && p.Line <= s.File.Line(s.To-1)
}

// moveBehindLaunch moves the statement, which frees a pointer, behind a launch; with the branch that has no other.
func moveBehindLaunch(s *code.Statement, l *code.Statement, pointer string) *code.Patch {
	line := s.File.Line(s.From)
	s = withItsBranch(s, l)
	to := outermostBehind(l, s)
	c, ok := order.Moving(s)
	if to.Outer == nil || !to.Outer.IsList() || !ok {
		return nil
	}
	if !s.Outer.IsList() {
		c.Edits[0] = s.File.Replace(s.From, s.To, ";")
		c.Inline[0].Text = ";" + c.Inline[0].Text
	}
	indent := "\n" + to.Indent()
	return &code.Patch{
		Edits:  append(c.Edits, to.Insert(to.LineEnd(), indent+c.With(indent))),
		Inline: append(c.Inline, to.Insert(to.To, " "+c.With(" "))),
		What:   fmt.Sprintf("move the call in line %d that frees %s behind line %d", line, pointer, s.File.Line(to.To-1)),
	}
}

// withItsBranch is the statement with the branches around it that have no other and that a launch is not in, as far as their conditions
// may be evaluated later as well.
func withItsBranch(s *code.Statement, l *code.Statement) *code.Statement {
	for o := s.Outer; o != nil && o.Outer != nil && !o.Holds(l.From); o = o.Outer {
		switch {
		case o.IsList() && len(o.Inner) == 1 && o.Outer.Node.Kind == "IfStmt":
		case o.Node.Kind == "IfStmt" && !o.Node.Else && len(o.Node.Inner) == 2 && !code.Acts(o.Node.Child(0)):
			s = o
		default:
			return s
		}
	}
	return s
}

// branchWithout reports whether the statement stands in a branch that does more than to free, and that a launch is not in: what is freed there
// is what the branch is about.
func branchWithout(s *code.Statement, l *code.Statement) bool {
	for o := s; o.Outer != nil && !o.Outer.Holds(l.From); o = o.Outer {
		if o.Outer.IsList() && slices.ContainsFunc(o.Outer.Inner, func(other *code.Statement) bool {
			return other != o && len(code.Calling(other.Node, func(name string) bool { return frees[name] })) == 0
		}) {
			return true
		}
	}
	return false
}

// launchArgumentsIn are the texts of what a launch passes to the kernel.
func launchArgumentsIn(s *code.Statement, n *syntax.Node) (out []string) {
	if n == nil {
		return nil
	}
	if n.Kind == "CUDAKernelCallExpr" {
		for _, a := range n.Inner[min(2, len(n.Inner)):] { // the kernel and the configuration come before
			if text := s.Text(code.Uncast(a)); text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		return out
	}
	for _, c := range n.Inner {
		out = append(out, launchArgumentsIn(s, c)...)
	}
	return out
}

// freesIn are the statements of a function that free a pointer of a text.
func freesIn(fn *code.Function, pointer string) (out []*code.Statement) {
	var visit func(s *code.Statement)
	visit = func(s *code.Statement) {
		if w := s.Written(); freesPointer(w, w.Node, pointer) && len(w.Node.Inner) > 0 && (w != s || len(s.Inner) == 0) {
			if !slices.Contains(out, w) && w.Outer != nil {
				out = append(out, w)
			}
			return
		}
		for _, in := range s.Inner {
			visit(in)
		}
	}
	visit(fn.Body)
	return out
}

// freesPointer reports whether an expression has a call that frees a pointer of a text.
func freesPointer(s *code.Statement, n *syntax.Node, pointer string) bool {
	if n == nil {
		return false
	}
	if n.Kind == "CallExpr" && frees[code.Callee(n)] && s.Argument(code.Uncast(n.Child(1))) == pointer {
		return true
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return freesPointer(s, c, pointer) })
}

// FreeOnce removes the call that frees memory again.
func FreeOnce(p *code.Program, f *finding.Finding) []*code.Patch {
	_, s := p.At(f.Primary.Loc.Pos)
	if s == nil || s.Outer == nil {
		return nil
	}
	if s = s.Written(); s.Outer == nil || s.IsList() {
		return nil
	}
	take := s.File.Replace(s.From, s.To, "")
	if !s.Outer.IsList() {
		take.Text = ";"
	}
	return []*code.Patch{{Edits: []code.Edit{s.Lines(take)}, Inline: []code.Edit{take}, What: fmt.Sprintf("remove the call in line %d, which frees again", s.File.Line(s.From))}}
}

// MatchFree frees the pointer that an allocation returned instead of one into its memory, or with another function, or
// not at all, where the memory is freed elsewhere.
func MatchFree(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	var out []*code.Patch
	replace := func(n *syntax.Node, text string) {
		if from, to := code.Span(s, n); from < to && text != "" {
			edits := []code.Edit{s.File.Replace(from, to, text)}
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("write %s for %s in line %d", text, s.File.Text[from:to], s.File.Line(from))})
		}
	}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "CallExpr" && (frees[code.Callee(n)] || code.Callee(n) == "free") && len(n.Inner) == 2 {
			if sum := code.Uncast(n.Child(1)); guard.Offset(sum) != nil {
				for _, side := range sum.Inner {
					if side != guard.Offset(sum) {
						replace(sum, s.Argument(code.Uncast(side)))
					}
				}
			}
			for _, name := range []string{"cudaFree", "cudaFreeHost", "free"} {
				if name != code.Callee(n) && !code.OnGPU(fn) { // which has one allocator
					replace(code.Stripped(n.Child(0)), name)
				}
			}
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(s.Node)
	for _, none := range FreeOnce(p, f) {
		none.What = fmt.Sprintf("remove the call in line %d, which frees nothing", f.Primary.Loc.Line)
		out = append(out, none)
	}
	return out
}
