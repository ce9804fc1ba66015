package perf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
)

// membersSplit makes an array of each member that is used of an array of structures in shared memory: neighboring threads, which
// access one member of neighboring elements, then access neighboring banks. There is none where a use of the array is more than a
// member of an element: the structures stay what they are elsewhere.
func membersSplit(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Object == nil || f.Object.Space != "shared" {
		return nil
	}
	fn, _ := p.At(f.Primary.Loc.Pos)
	if fn == nil {
		return nil
	}
	s, v := fn.Body.Declaration(f.Object.Name)
	if v == nil || len(s.Node.Inner) != 1 || v.Has("AlignedAttr") || !strings.HasPrefix(string(s.File.Text[s.From:s.To]), "__shared__") {
		return nil
	}
	m := code.Extents.FindStringSubmatch(v.Desugared)
	from, to := memory.ExtentAt(s, v)
	if m == nil || strings.Count(m[2], "[") != 1 || code.Arithmetic[m[1]] || to <= from {
		return nil
	}
	split := &memberSplit{fn: fn, s: s, v: v, types: map[string]string{}, whole: true}
	split.visit(fn.Body.Node)
	if !split.whole || len(split.types) < 2 {
		return nil
	}
	var arrays []string
	for _, member := range slices.Sorted(maps.Keys(split.types)) {
		arrays = append(arrays, fmt.Sprintf("__shared__ %s %s[%s];", split.types[member], split.name(member), s.File.Text[from:to]))
	}
	edits := func(sep string) []code.Edit {
		return append([]code.Edit{s.File.Replace(s.From, s.To, strings.Join(arrays, sep))}, split.edits...)
	}
	return []*code.Patch{{Edits: edits("\n" + s.Indent()), Inline: edits(" "), What: fmt.Sprintf("make an array of each member of %s in line %d", v.Name, s.File.Line(s.From))}}
}

// memberSplit is an array of structures whose members become arrays.
type memberSplit struct {
	fn *code.Function
	s  *code.Statement
	v  *syntax.Node
	// types are those of the members that are used, edits change the uses; whole is set unless one is not that of a member.
	types map[string]string
	edits []code.Edit
	whole bool
}

// name is that of a member's array.
func (m *memberSplit) name(member string) string { return m.s.Unused(m.v.Name + "_" + member) }

// visit changes the uses in an expression.
func (m *memberSplit) visit(n *syntax.Node) {
	if n == nil || !m.whole {
		return
	}
	if element := code.Stripped(n.Child(0)); n.Kind == "MemberExpr" && element != nil && element.Kind == "ArraySubscriptExpr" {
		if base := code.Stripped(element.Child(0)); base != nil && base.Ref != nil && base.Ref.ID == m.v.ID {
			if m.whole = code.Arithmetic[n.Desugared] && m.s.File.Name == n.Begin.File && m.fn.Body.Text(n) != "" && m.fn.Body.Text(base) != ""; m.whole {
				m.types[n.Name] = strings.TrimPrefix(n.Desugared, "const ")
				m.edits = append(m.edits, m.s.File.Replace(base.Begin.Off, base.End.End(), m.name(n.Name)), m.s.File.Replace(element.End.End(), n.End.End(), ""))
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
