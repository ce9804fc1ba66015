package code

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// Locals are the variables that are declared before a statement and can be named there, the outermost
// last.
func (s *Statement) Locals() (out []*syntax.Node) {
	declared := func(d *syntax.Node) {
		for _, v := range d.Inner {
			if v != nil && v.Kind == "VarDecl" && v.Name != "" {
				out = append(out, v)
			}
		}
	}
	for o := s; o.Outer != nil; o = o.Outer {
		if first := o.Outer.Node.Child(0); o.Outer.Node.Kind == "ForStmt" && first != nil && first.Kind == "DeclStmt" {
			declared(first)
		}
		if !o.Outer.IsList() {
			continue
		}
		for _, d := range o.Outer.Inner {
			if d.Node.Kind == "DeclStmt" && d.To <= s.From {
				declared(d.Node)
			}
		}
	}
	return out
}

// Visible are the function's parameters and its variables that can be named at a statement.
func (fn *Function) Visible(s *Statement) []*syntax.Node {
	out := s.Locals()
	for _, c := range fn.Node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" && c.Name != "" {
			out = append(out, c)
		}
	}
	return out
}

// Mentions reports whether an expression names one of some declarations, by ID.
func Mentions(n *syntax.Node, ids map[string]bool) bool {
	if n == nil {
		return false
	}
	return n.Ref != nil && ids[n.Ref.ID] || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return Mentions(c, ids) })
}

// PlacedAt tells which expressions at a statement depend on the thread's or the block's index, by
// themselves or by the variables in them.
func (fn *Function) PlacedAt(s *Statement) func(n *syntax.Node) bool {
	ids := map[string]bool{}
	locals := s.Locals()
	for range locals { // the order in which they are declared is lost
		for _, v := range locals {
			if !ids[v.ID] && slices.ContainsFunc(v.Inner, func(c *syntax.Node) bool { return Placed(c) || Mentions(c, ids) }) {
				ids[v.ID] = true
			}
		}
	}
	return func(n *syntax.Node) bool { return Placed(n) || Mentions(n, ids) }
}
