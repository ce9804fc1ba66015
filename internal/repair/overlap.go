package repair

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// overlapping reports whether the accesses of a race mean elements of two arrays that a function lays over each other in one block of memory: it writes
// to both. No order of the accesses makes that right.
func (p *Program) overlapping(f *finding.Finding) bool {
	if f.Rule != "race" || len(f.Related) == 0 {
		return false
	}
	fn, s, off := p.place(f.Primary.Loc.Pos)
	other, o, at := p.place(f.Related[0].Loc.Pos)
	if s == nil || o == nil || fn != other {
		return false
	}
	a, b := s.partAt(fn, off, f.Primary.Access), o.partAt(fn, at, f.Related[0].Access)
	return a.id != "" && b.id != "" && a.id != b.id && a.whole == b.whole && a.offset != b.offset && fn.writesThrough(a.id) && fn.writesThrough(b.id)
}

// part is a pointer to a part of an array, which no assignment changes: its ID, the array's, and what is added to that.
type part struct{ id, whole, offset string }

// partAt is the part that the access at an offset is to.
func (s *statement) partAt(fn *function, off int, access finding.Access) (found part) {
	all := subscripts(s.node)
	if to := s.node.Child(0); access == finding.Write && to != nil && to.Kind == "ArraySubscriptExpr" {
		all, off = []*syntax.Node{to}, to.Begin.Off
	}
	for _, n := range all {
		if n.Begin.Macro || off < n.Begin.Off || off >= n.End.End() {
			continue
		}
		base := uncast(n.Child(0))
		if base == nil || base.Ref == nil {
			continue
		}
		d, v := fn.body.declaration(base.Ref.Name)
		if v == nil || v.ID != base.Ref.ID || len(v.Inner) == 0 || !isPointer(v) || fn.assigned(v.ID) {
			continue
		}
		if whole, offset := d.partOf(v.Child(0)); whole != "" {
			found = part{v.ID, whole, offset}
		}
	}
	return found
}

// partOf is the array that an expression points into, by its declaration's ID, and the text of the rest.
func (s *statement) partOf(n *syntax.Node) (whole, offset string) {
	n = uncast(n)
	switch {
	case n == nil:
		return "", ""
	case n.Kind == "DeclRefExpr" && n.Ref != nil:
		return n.Ref.ID, ""
	case n.Kind == "UnaryOperator" && n.Opcode == "&":
		if in := uncast(n.Child(0)); in != nil && in.Kind == "ArraySubscriptExpr" {
			whole, _ = s.partOf(in.Child(0))
			return whole, s.text(in.Child(1))
		}
	case n.Kind == "BinaryOperator" && n.Opcode == "+":
		for i := range 2 {
			if side := uncast(n.Child(i)); side != nil && side.Ref != nil && (isPointer(side) || strings.Contains(side.Desugared, "[")) {
				return side.Ref.ID, s.text(n.Child(1 - i))
			}
		}
	}
	return "", ""
}

// subscripts are the accesses by index in an expression.
func subscripts(n *syntax.Node) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "ArraySubscriptExpr" {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		out = append(out, subscripts(c)...)
	}
	return out
}

// assigned reports whether a function gives a variable another value than its first.
func (fn *function) assigned(id string) bool { return writes(fn.body.node, id, false) }

// writesThrough reports whether a function writes to an element that a pointer of an ID points to.
func (fn *function) writesThrough(id string) bool { return writes(fn.body.node, id, true) }

// changed returns the operand to which an expression gives another value, nil if it gives none.
func changed(n *syntax.Node) *syntax.Node {
	switch n.Kind {
	case "CompoundAssignOperator":
		return n.Child(0)
	case "BinaryOperator":
		if n.Opcode == "=" {
			return n.Child(0)
		}
	case "UnaryOperator":
		if n.Opcode == "++" || n.Opcode == "--" {
			return n.Child(0)
		}
	case "CXXOperatorCallExpr":
		if callee := stripped(n.Child(0)); callee != nil && callee.Ref != nil && assignments[callee.Ref.Name] {
			return n.Child(1)
		}
	}
	return nil
}

// assignments are the operators that change their first operand.
var assignments = map[string]bool{"operator=": true, "operator++": true, "operator--": true, "operator+=": true, "operator-=": true, "operator*=": true,
	"operator/=": true, "operator%=": true, "operator&=": true, "operator|=": true, "operator^=": true, "operator<<=": true, "operator>>=": true}

// writes reports whether an expression assigns to a variable, or to an element that it points to.
func writes(n *syntax.Node, id string, element bool) bool {
	if n == nil {
		return false
	}
	if to := changed(n); to != nil {
		if element && to.Kind == "ArraySubscriptExpr" {
			to = uncast(to.Child(0))
		} else if element {
			to = nil
		}
		if to != nil && to.Kind == "DeclRefExpr" && to.Ref != nil && to.Ref.ID == id {
			return true
		}
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return writes(c, id, element) })
}
