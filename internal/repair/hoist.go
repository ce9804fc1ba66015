package repair

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// hoisted lets all lanes of a warp execute a warp-level function that is in a branch: before it, with the mask of all.
func hoisted(p *Program, f *finding.Finding) (out []*Patch) {
	_, s := p.at(f.Primary.Loc.Pos)
	if s == nil || s.outer == nil {
		return nil
	}
	line := s.file.line(s.from)
	name := s.unused(fmt.Sprintf("all%d", line))
	for _, call := range calling(s.node, func(name string) bool { return takesMask(name) && name != "__syncwarp" }) {
		text, mask := s.text(call), call.Child(1)
		if text == "" || s.text(mask) == "" {
			continue
		}
		text = text[:mask.Begin.Off-call.Begin.Off] + "0xffffffff" + text[mask.End.End()-call.Begin.Off:]
		for o := s.outer; o.outer != nil; o = o.outer {
			if o.node.Kind != "IfStmt" || !o.outer.isList() {
				continue
			}
			before := fmt.Sprintf("auto %s = %s;", name, text)
			use := Edit{s.file.Name, call.Begin.Off, call.End.End(), name}
			out = append(out, &Patch{Edits: []Edit{o.insert(o.from, before+"\n"+o.indent()), use}, Inline: []Edit{o.insert(o.from, before+" "), use},
				What: fmt.Sprintf("let all lanes execute %s of line %d, before the branch of line %d", callee(call), line, s.file.line(o.from))})
		}
	}
	return distinct(out)
}

// unmasked are where the masks of the warp barriers in a statement would stand that name none.
func (s *statement) unmasked(n *syntax.Node) (at []int) {
	for _, call := range calling(n, func(name string) bool { return name == "__syncwarp" }) {
		end := call.End.End() - 1
		if none := call.Child(1) == nil || call.Child(1).Kind == "CXXDefaultArgExpr"; none && s.text(call) != "" && s.file.Text[end] == ')' {
			at = append(at, end)
		}
	}
	return at
}

// masksNamed are patches that name the lanes that come to a __syncwarp() without a mask.
func (s *statement) masksNamed() (out []*Patch) {
	for _, end := range s.unmasked(s.node) {
		for o := s; o.outer != nil; o = o.outer {
			name, before, inline := (masking{s}).lanes(o.outer)
			if name == "" {
				continue
			}
			e := s.insert(end, name)
			out = append(out, &Patch{Edits: append(before, e), Inline: append(inline, e), What: fmt.Sprintf("use the mask %s in line %d", name, s.file.line(end))})
		}
	}
	return out
}
