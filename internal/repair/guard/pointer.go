package guard

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// CheckPointers lets an access happen only where the pointer by which it is made is not null: malloc on a device returns null where
// the heap is full, and a pointer in a structure may never have been set.
func CheckPointers(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		_, s, off := p.Place(at)
		if s == nil || s.IsList() || s.Outer == nil {
			continue
		}
		var there, others []*code.Patch
		dereferences(s, s.Node, nil, func(a Access, pointer *syntax.Node) {
			text := s.Text(pointer)
			if text == "" || code.Effects(pointer) {
				return
			}
			g := Guard{Condition: code.Factor(text) + " != nullptr", At: f.Primary.Loc.Pos, S: s, bounds: true}
			made := []*code.Patch{g.Statement(), g.Read(a)}
			if a.Subscript != nil && a.Subscript.Begin.Off <= off && off < a.Subscript.End.End() {
				there = append(there, made...)
			} else {
				others = append(others, made...)
			}
		})
		out = slices.Concat(out, there, others)
	}
	return code.Distinct(out)
}

// dereferences visits what an expression accesses by a pointer, inner accesses first: p->m, p[i], *p, and what a call is given a pointer
// to, which has no subscript.
func dereferences(s *code.Statement, n, parent *syntax.Node, visit func(a Access, pointer *syntax.Node)) {
	if n == nil {
		return
	}
	for _, c := range n.Inner {
		if c != nil && !s.IsInner(c) {
			dereferences(s, c, n, visit)
		}
	}
	var pointer *syntax.Node
	switch {
	case n.Kind == "MemberExpr" && n.Arrow, n.Kind == "ArraySubscriptExpr", n.Kind == "UnaryOperator" && n.Opcode == "*":
		pointer = pointerIn(n.Child(0))
	case n.Kind == "CallExpr" || n.Kind == "CXXMemberCallExpr":
		for _, a := range n.Inner[1:] {
			if pointer := pointerIn(a); pointer != nil {
				visit(Access{}, pointer)
			}
		}
		return
	}
	if pointer == nil {
		return
	}
	a := Access{Subscript: n}
	if parent != nil && parent.Kind == "ImplicitCastExpr" && parent.Cast == "LValueToRValue" {
		a.read = parent
	}
	visit(a, pointer)
}

// pointerIn is the pointer in an expression that may add to it; nil for an array, and for anything but a pointer.
func pointerIn(n *syntax.Node) *syntax.Node {
	n = code.Stripped(n)
	switch {
	case n == nil || !code.IsPointer(n):
		return nil
	case n.Kind == "BinaryOperator":
		for _, side := range n.Inner {
			if p := pointerIn(side); p != nil {
				return p
			}
		}
		return nil
	case n.Kind == "DeclRefExpr" || n.Kind == "MemberExpr" || n.Kind == "ArraySubscriptExpr":
		return n
	}
	return nil
}
