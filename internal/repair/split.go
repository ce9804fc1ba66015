package repair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// membersSplit makes an array of each member that is used of an array of structures in shared memory: neighboring threads, which
// access one member of neighboring elements, then access neighboring banks. There is none where a use of the array is more than a
// member of an element: the structures stay what they are elsewhere.
func membersSplit(p *Program, f *finding.Finding) []*Patch {
	if f.Object == nil || f.Object.Space != "shared" {
		return nil
	}
	fn, _ := p.at(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	s, v := fn.body.declaration(f.Object.Name)
	if v == nil || len(s.node.Inner) != 1 || v.Has("AlignedAttr") || !strings.HasPrefix(string(s.file.Text[s.from:s.to]), "__shared__") {
		return nil
	}
	m := extents.FindStringSubmatch(v.Desugared)
	from, to := s.extent(v)
	if m == nil || strings.Count(m[2], "[") != 1 || arithmetic[m[1]] || to <= from {
		return nil
	}
	split := &memberSplit{fn: fn, s: s, v: v, types: map[string]string{}, whole: true}
	split.visit(fn.body.node)
	if !split.whole || len(split.types) < 2 {
		return nil
	}
	var arrays []string
	for _, member := range slices.Sorted(maps.Keys(split.types)) {
		arrays = append(arrays, fmt.Sprintf("__shared__ %s %s[%s];", split.types[member], split.name(member), s.file.Text[from:to]))
	}
	edits := func(sep string) []Edit {
		return append([]Edit{{s.file.Name, s.from, s.to, strings.Join(arrays, sep)}}, split.edits...)
	}
	return []*Patch{{Edits: edits("\n" + s.indent()), Inline: edits(" "), What: fmt.Sprintf("make an array of each member of %s in line %d", v.Name, s.file.line(s.from))}}
}

// memberSplit is an array of structures whose members become arrays.
type memberSplit struct {
	fn *function
	s  *statement
	v  *syntax.Node
	// types are those of the members that are used, edits change the uses; whole is set unless one is not that of a member.
	types map[string]string
	edits []Edit
	whole bool
}

// name is that of a member's array.
func (m *memberSplit) name(member string) string { return m.s.unused(m.v.Name + "_" + member) }

// visit changes the uses in an expression.
func (m *memberSplit) visit(n *syntax.Node) {
	if n == nil || !m.whole {
		return
	}
	if element := stripped(n.Child(0)); n.Kind == "MemberExpr" && element != nil && element.Kind == "ArraySubscriptExpr" {
		if base := stripped(element.Child(0)); base != nil && base.Ref != nil && base.Ref.ID == m.v.ID {
			if m.whole = arithmetic[n.Desugared] && m.s.file.Name == n.Begin.File && m.fn.body.text(n) != "" && m.fn.body.text(base) != ""; m.whole {
				m.types[n.Name] = strings.TrimPrefix(n.Desugared, "const ")
				m.edits = append(m.edits, Edit{m.s.file.Name, base.Begin.Off, base.End.End(), m.name(n.Name)}, Edit{m.s.file.Name, element.End.End(), n.End.End(), ""})
				m.visit(element.Child(1))
			}
			return
		}
	}
	if n.Ref != nil && n.Ref.ID == m.v.ID {
		m.whole = false
		return
	}
	for _, c := range n.Inner {
		m.visit(c)
	}
}
