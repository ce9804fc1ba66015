package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// NameLanes lets a warp-level function name all lanes, or those that come there: for which the conditions of the
// branches around it hold, or those do not with which threads leave before.
func NameLanes(p *code.Program, f *finding.Finding) []*code.Patch {
	fn, s := p.At(f.Primary.Loc.Pos)
	if s == nil {
		return nil
	}
	out := nameMasks(s)
	for _, mask := range (masking{s}).maskArguments(s.Node) {
		own := s.Text(mask)
		if own == "" {
			continue
		}
		add := func(text string, before, inline []code.Edit) {
			e := s.File.Replace(mask.Begin.Off, mask.End.End(), text)
			out = append(out, &code.Patch{Edits: append(before, e), Inline: append(inline, e),
				What: fmt.Sprintf("use the mask %s in line %d instead of %s", text, s.File.Line(mask.Begin.Off), own)})
		}
		for _, name := range masksIn(fn, s) {
			if name != own {
				add(name, nil, nil)
			}
		}
		add("0xffffffff", nil, nil)
		for o := s; o.Outer != nil; o = o.Outer {
			if name, before, inline := (masking{s}).lanes(o.Outer); name != "" {
				add(name, before, inline)
			}
			if !o.Outer.IsList() {
				continue
			}
			for _, e := range o.Outer.Inner { // those that leave before
				if e.To <= o.From && (masking{e}).isExit() {
					if name, before, inline := (masking{s}).counted(e, "!("+e.Text(e.Node.Child(0))+")"); name != "" {
						add(name, before, inline)
					}
				}
			}
		}
	}
	return code.Distinct(out)
}

// masking is a statement as one that lanes of a warp come to.
type masking struct{ *code.Statement }

// isExit reports whether a statement is a condition with which threads leave.
func (s masking) isExit() bool {
	if s.Node.Kind != "IfStmt" || s.Node.Else || len(s.Node.Inner) != 2 || len(s.Inner) == 0 {
		return false
	}
	last := s.Inner[0]
	for last.IsList() && len(last.Inner) > 0 {
		last = last.Inner[len(last.Inner)-1]
	}
	return code.Leaves(last) && s.Text(s.Node.Child(0)) != ""
}

// maskArguments are the masks of the warp-level functions that an expression calls.
func (s masking) maskArguments(n *syntax.Node) (out []*syntax.Node) {
	if n == nil || s.IsInner(n) {
		return nil
	}
	if n.Kind == "CallExpr" && takesMask(code.Callee(n)) {
		if mask := code.Stripped(n.Child(1)); mask != nil {
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
func (s masking) lanes(branch *code.Statement) (name string, before, inline []code.Edit) {
	if branch.Node.Kind != "IfStmt" || len(branch.Node.Inner) < 2 || len(branch.Inner) == 0 {
		return "", nil, nil
	}
	condition := branch.Text(branch.Node.Child(0))
	if condition == "" || slices.ContainsFunc(branch.Node.Inner, func(n *syntax.Node) bool { return n.Kind == "DeclStmt" }) {
		return "", nil, nil
	}
	if branch.Node.Else && !branch.Inner[0].Holds(s.From) {
		condition = "!(" + condition + ")"
	}
	return s.counted(branch, condition)
}

// counted are the lanes for which a condition holds before a statement.
func (s masking) counted(at *code.Statement, condition string) (name string, before, inline []code.Edit) {
	if at.Outer == nil || !at.Outer.IsList() {
		return "", nil, nil
	}
	name = s.Unused(fmt.Sprintf("lanes%d", s.File.Line(at.From)))
	text := fmt.Sprintf("unsigned %s = __ballot_sync(0xffffffff, %s);", name, condition)
	return name, []code.Edit{at.Insert(at.From, text+"\n"+at.Indent())}, []code.Edit{at.Insert(at.From, text+" ")}
}

// NameAllLanes lets all lanes of the warp come to the __syncwarp() that a repair names: without its mask, or by another one behind the barrier of
// a smaller group.
func NameAllLanes(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	if f.Repair.At == nil {
		return nil
	}
	_, s := p.At(f.Repair.At.Pos)
	if s == nil || s.IsList() {
		return nil
	}
	whole := s
	for whole.Outer != nil && !whole.Outer.IsList() {
		whole = whole.Outer
	}
	for _, call := range code.Calling(s.Node, func(name string) bool { return name == "__syncwarp" }) {
		if len(call.Inner) > 1 && whole == s {
			out = append(out, code.Rewrite(s, call, finding.Syncwarp))
		}
	}
	if len(out) == 0 {
		c := code.Calls{Text: finding.Syncwarp + ";"}
		c.Behind(whole)
		out = c.Patches
	}
	return code.Distinct(out)
}
