package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// pointersChecked lets an access happen only where the pointer by which it is made is not null: malloc on a device returns null where
// the heap is full, and a pointer in a structure may never have been set.
func pointersChecked(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		_, s, off := p.place(at)
		if s == nil || s.isList() || s.outer == nil {
			continue
		}
		var there, others []*Patch
		dereferences(s, s.node, nil, func(a access, pointer *syntax.Node) {
			text := s.text(pointer)
			if text == "" || effects(pointer) {
				return
			}
			g := guard{condition: factor(text) + " != nullptr", at: f.Primary.Loc.Pos, s: s, bounds: true}
			made := []*Patch{g.statement(), g.read(a)}
			if a.subscript != nil && a.subscript.Begin.Off <= off && off < a.subscript.End.End() {
				there = append(there, made...)
			} else {
				others = append(others, made...)
			}
		})
		out = slices.Concat(out, there, others)
	}
	return distinct(out)
}

// dereferences visits what an expression accesses by a pointer, inner accesses first: p->m, p[i], *p, and what a call is given a pointer
// to, which has no subscript.
func dereferences(s *statement, n, parent *syntax.Node, visit func(a access, pointer *syntax.Node)) {
	if n == nil {
		return
	}
	for _, c := range n.Inner {
		if c != nil && !s.isInner(c) {
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
				visit(access{}, pointer)
			}
		}
		return
	}
	if pointer == nil {
		return
	}
	a := access{subscript: n}
	if parent != nil && parent.Kind == "ImplicitCastExpr" && parent.Cast == "LValueToRValue" {
		a.read = parent
	}
	visit(a, pointer)
}

// pointerIn is the pointer in an expression that may add to it; nil for an array, and for anything but a pointer.
func pointerIn(n *syntax.Node) *syntax.Node {
	n = stripped(n)
	switch {
	case n == nil || !isPointer(n):
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
