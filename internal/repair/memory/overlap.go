package memory

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// IsOverlap reports whether the accesses of a race mean elements of two arrays that a function lays over each other in one block of memory: it writes
// to both. No order of the accesses makes that right.
func IsOverlap(p *code.Program, f *finding.Finding) bool {
	if f.Rule != "race" || len(f.Related) == 0 {
		return false
	}
	fn, s, off := p.Place(f.Primary.Loc.Pos)
	other, o, at := p.Place(f.Related[0].Loc.Pos)
	if s == nil || o == nil || fn != other {
		return false
	}
	a, b := partAccessedAt(s, fn, off, f.Primary.Access), partAccessedAt(o, fn, at, f.Related[0].Access)
	return a.id != "" && b.id != "" && a.id != b.id && a.whole == b.whole && a.offset != b.offset && isWrittenThrough(fn, a.id) && isWrittenThrough(fn, b.id)
}

// part is a pointer to a part of an array, which no assignment changes: its ID, the array's, and what is added to that.
type part struct{ id, whole, offset string }

// partAccessedAt is the part that the access at an offset is to.
func partAccessedAt(s *code.Statement, fn *code.Function, off int, access finding.Access) (found part) {
	all := subscripts(s.Node)
	if to := s.Node.Child(0); access == finding.Write && to != nil && to.Kind == "ArraySubscriptExpr" {
		all, off = []*syntax.Node{to}, to.Begin.Off
	}
	for _, n := range all {
		if n.Begin.Macro || off < n.Begin.Off || off >= n.End.End() {
			continue
		}
		base := code.Uncast(n.Child(0))
		if base == nil || base.Ref == nil {
			continue
		}
		d, v := fn.Body.Declaration(base.Ref.Name)
		if v == nil || v.ID != base.Ref.ID || len(v.Inner) == 0 || !code.IsPointer(v) || isAssigned(fn, v.ID) {
			continue
		}
		if whole, offset := partOfArray(d, v.Child(0)); whole != "" {
			found = part{v.ID, whole, offset}
		}
	}
	return found
}

// partOfArray is the array that an expression points into, by its declaration's ID, and the text of the rest.
func partOfArray(s *code.Statement, n *syntax.Node) (whole, offset string) {
	n = code.Uncast(n)
	switch {
	case n == nil:
		return "", ""
	case n.Kind == "DeclRefExpr" && n.Ref != nil:
		return n.Ref.ID, ""
	case n.Kind == "UnaryOperator" && n.Opcode == "&":
		if in := code.Uncast(n.Child(0)); in != nil && in.Kind == "ArraySubscriptExpr" {
			whole, _ = partOfArray(s, in.Child(0))
			return whole, s.Text(in.Child(1))
		}
	case n.Kind == "BinaryOperator" && n.Opcode == "+":
		for i := range 2 {
			if side := code.Uncast(n.Child(i)); side != nil && side.Ref != nil && (code.IsPointer(side) || strings.Contains(side.Desugared, "[")) {
				return side.Ref.ID, s.Text(n.Child(1 - i))
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

// isAssigned reports whether a function gives a variable another value than its first.
func isAssigned(fn *code.Function, id string) bool { return writes(fn.Body.Node, id, false) }

// isWrittenThrough reports whether a function writes to an element that a pointer of an ID points to.
func isWrittenThrough(fn *code.Function, id string) bool { return writes(fn.Body.Node, id, true) }

// writes reports whether an expression assigns to a variable, or to an element that it points to.
func writes(n *syntax.Node, id string, element bool) bool {
	if n == nil {
		return false
	}
	if to := code.Changed(n); to != nil {
		if element && to.Kind == "ArraySubscriptExpr" {
			to = code.Uncast(to.Child(0))
		} else if element {
			to = nil
		}
		if to != nil && to.Kind == "DeclRefExpr" && to.Ref != nil && to.Ref.ID == id {
			return true
		}
	}
	return slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return writes(c, id, element) })
}
