package order

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// Hoist lets all lanes of a warp execute a warp-level function that is in a branch: before it, with the mask of all. What the function is
// passed has to have its value there.
func Hoist(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	_, s := p.At(f.Primary.Loc.Pos)
	if s == nil || s.Outer == nil {
		return nil
	}
	line := s.File.Line(s.From)
	name := s.Unused(fmt.Sprintf("all%d", line))
	for _, call := range code.Calling(s.Node, func(name string) bool { return takesMask(name) && name != "__syncwarp" }) {
		text, mask := s.Text(call), call.Child(1)
		if text == "" || s.Text(mask) == "" {
			continue
		}
		text = text[:mask.Begin.Off-call.Begin.Off] + "0xffffffff" + text[mask.End.End()-call.Begin.Off:]
		ids, before := declared(call), s.From
		for o := s.Outer; o.Outer != nil; o = o.Outer {
			if o.IsLoop() { // of which a later pass has other values
				before = o.To
			}
			if setsBefore(o.Node, ids, before) {
				break
			}
			if o.Node.Kind != "IfStmt" || !o.Outer.IsList() {
				continue
			}
			first := fmt.Sprintf("auto %s = %s;", name, text)
			use := s.File.Replace(call.Begin.Off, call.End.End(), name)
			out = append(out, &code.Patch{Edits: []code.Edit{o.Insert(o.From, first+"\n"+o.Indent()), use}, Inline: []code.Edit{o.Insert(o.From, first+" "), use},
				What: fmt.Sprintf("let all lanes execute %s of line %d, before the branch of line %d", code.Callee(call), line, s.File.Line(o.From))})
		}
	}
	return code.Distinct(out)
}

// unmaskedBarriers are where the masks of the warp barriers in a statement would stand that name none.
func unmaskedBarriers(s *code.Statement, n *syntax.Node) (at []int) {
	for _, call := range code.Calling(n, func(name string) bool { return name == "__syncwarp" }) {
		end := call.End.End() - 1
		if none := call.Child(1) == nil || call.Child(1).Kind == "CXXDefaultArgExpr"; none && s.Text(call) != "" && s.File.Text[end] == ')' {
			at = append(at, end)
		}
	}
	return at
}

// nameMasks are patches that name the lanes that come to a __syncwarp() without a mask.
func nameMasks(s *code.Statement) (out []*code.Patch) {
	for _, end := range unmaskedBarriers(s, s.Node) {
		for o := s; o.Outer != nil; o = o.Outer {
			name, before, inline := (masking{s}).lanes(o.Outer)
			if name == "" {
				continue
			}
			e := s.Insert(end, name)
			out = append(out, &code.Patch{Edits: append(before, e), Inline: append(inline, e), What: fmt.Sprintf("use the mask %s in line %d", name, s.File.Line(end))})
		}
	}
	return out
}
