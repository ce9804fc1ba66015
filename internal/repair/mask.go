package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// renamed lets a warp-level function name all lanes, or those that come there: for which the conditions of the
// branches around it hold, or those do not with which threads leave before.
func (p *Program) renamed(f *finding.Finding) []*Patch {
	fn, s := p.at(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	out := s.masksNamed()
	for _, mask := range (masking{s}).maskArguments(s.node) {
		own := s.text(mask)
		if own == "" {
			continue
		}
		add := func(text string, before, inline []Edit) {
			e := Edit{s.file.Name, mask.Begin.Off, mask.End.End(), text}
			out = append(out, &Patch{Edits: append(before, e), Inline: append(inline, e),
				What: fmt.Sprintf("use the mask %s in line %d instead of %s", text, s.file.line(mask.Begin.Off), own)})
		}
		for _, name := range fn.masks(s) {
			if name != own {
				add(name, nil, nil)
			}
		}
		add("0xffffffff", nil, nil)
		for o := s; o.outer != nil; o = o.outer {
			if name, before, inline := (masking{s}).lanes(o.outer); name != "" {
				add(name, before, inline)
			}
			if !o.outer.isList() {
				continue
			}
			for _, e := range o.outer.inner { // those that leave before
				if e.to <= o.from && (masking{e}).isExit() {
					if name, before, inline := (masking{s}).counted(e, "!("+e.text(e.node.Child(0))+")"); name != "" {
						add(name, before, inline)
					}
				}
			}
		}
	}
	return distinct(out)
}

// masking is a statement as one that lanes of a warp come to.
type masking struct{ *statement }

// isExit reports whether a statement is a condition with which threads leave.
func (s masking) isExit() bool {
	if s.node.Kind != "IfStmt" || s.node.Else || len(s.node.Inner) != 2 || len(s.inner) == 0 {
		return false
	}
	last := s.inner[0]
	for last.isList() && len(last.inner) > 0 {
		last = last.inner[len(last.inner)-1]
	}
	return leaves(last) && s.text(s.node.Child(0)) != ""
}

// maskArguments are the masks of the warp-level functions that an expression calls.
func (s masking) maskArguments(n *syntax.Node) (out []*syntax.Node) {
	if n == nil || s.isInner(n) {
		return nil
	}
	if n.Kind == "CallExpr" && takesMask(callee(n)) {
		if mask := stripped(n.Child(1)); mask != nil {
			out = append(out, mask)
		}
	}
	for _, c := range n.Inner {
		out = append(out, s.maskArguments(c)...)
	}
	return out
}

// takesMask reports whether a function is one of those of a warp that have a mask as their first argument.
func takesMask(name string) bool {
	return name == "__syncwarp" || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "_sync")
}

// lanes are the lanes of a warp that take the branch to s, which are counted before it.
func (s masking) lanes(branch *statement) (name string, before, inline []Edit) {
	if branch.node.Kind != "IfStmt" || len(branch.node.Inner) < 2 || len(branch.inner) == 0 {
		return "", nil, nil
	}
	condition := branch.text(branch.node.Child(0))
	if condition == "" || slices.ContainsFunc(branch.node.Inner, func(n *syntax.Node) bool { return n.Kind == "DeclStmt" }) {
		return "", nil, nil
	}
	if branch.node.Else && !branch.inner[0].holds(s.from) {
		condition = "!(" + condition + ")"
	}
	return s.counted(branch, condition)
}

// counted are the lanes for which a condition holds before a statement.
func (s masking) counted(at *statement, condition string) (name string, before, inline []Edit) {
	if at.outer == nil || !at.outer.isList() {
		return "", nil, nil
	}
	name = s.unused(fmt.Sprintf("lanes%d", s.file.line(at.from)))
	text := fmt.Sprintf("unsigned %s = __ballot_sync(0xffffffff, %s);", name, condition)
	return name, []Edit{at.insert(at.from, text+"\n"+at.indent())}, []Edit{at.insert(at.from, text+" ")}
}

// allLanes lets all lanes of the warp come to the __syncwarp() that a repair names: without its mask, or by another one behind the barrier of
// a smaller group.
func allLanes(p *Program, f *finding.Finding) (out []*Patch) {
	if f.Repair.At == nil {
		return nil
	}
	_, s := p.at(f.Repair.At.Pos)
	if s == nil || s.isList() {
		return nil
	}
	whole := s
	for whole.outer != nil && !whole.outer.isList() {
		whole = whole.outer
	}
	for _, call := range calling(s.node, func(name string) bool { return name == "__syncwarp" }) {
		if len(call.Inner) > 1 && whole == s {
			out = append(out, rewrite(s, call, finding.Syncwarp))
		}
	}
	if len(out) == 0 {
		c := calls{text: finding.Syncwarp + ";"}
		c.behind(whole)
		out = c.patches
	}
	return distinct(out)
}
