package repair

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// frees are the calls that free what their first argument points to.
var frees = map[string]bool{"cudaFree": true, "cudaFreeAsync": true, "cudaFreeHost": true,
	"cuMemFree": true, "cuMemFree_v2": true, "cuMemFreeAsync": true, "cuMemFreeHost": true}

// freedLater moves the call that frees an allocation, made at r.From, behind the last launch of the kernel in
// the same function, or an earlier one.
func (p *Program) freedLater(f *finding.Finding) []*Patch {
	if f.Repair.From == nil {
		return nil
	}
	fn, s := p.at(f.Repair.From.Pos)
	if s == nil {
		return nil
	}
	s = s.written()
	var out []*Patch
	for _, call := range callsOf(s.node, allocations) {
		pointer := s.pointee(call.Child(1))
		for _, free := range fn.freeing(pointer) {
			text := string(s.file.Text[free.from:free.to])
			for _, l := range slices.Backward(fn.launches(f.KernelName)) {
				to := l.outermost(free)
				if pointer == "" || l.from < free.from || to.outer == nil || !to.outer.isList() || bytes.Contains([]byte(text), []byte("\n")) {
					continue
				}
				take := Edit{s.file.Name, free.from, free.to, ""}
				if !free.outer.isList() {
					take.Text = ";"
				}
				out = append(out, &Patch{
					Edits:  []Edit{free.lines(take), to.insert(to.lineEnd(), "\n"+to.indent()+text)},
					Inline: []Edit{take, to.insert(to.to, " "+text)},
					What:   fmt.Sprintf("move the call in line %d that frees %s behind line %d", s.file.line(free.from), pointer, s.file.line(to.to-1)),
				})
			}
		}
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
