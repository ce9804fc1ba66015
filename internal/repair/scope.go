package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// locals are the variables that are declared before a statement and can be named there, the outermost
// last.
func (s *statement) locals() (out []*syntax.Node) {
	declared := func(d *syntax.Node) {
		for _, v := range d.Inner {
			if v != nil && v.Kind == "VarDecl" && v.Name != "" {
				out = append(out, v)
			}
		}
	}
	for o := s; o.outer != nil; o = o.outer {
		if first := o.outer.node.Child(0); o.outer.node.Kind == "ForStmt" && first != nil && first.Kind == "DeclStmt" {
			declared(first)
		}
		if !o.outer.isList() {
			continue
		}
		for _, d := range o.outer.inner {
			if d.node.Kind == "DeclStmt" && d.to <= s.from {
				declared(d.node)
			}
		}
	}
	return out
}

// visible are the function's parameters and its variables that can be named at a statement.
func (fn *function) visible(s *statement) []*syntax.Node {
	out := s.locals()
	for _, c := range fn.node.Inner {
		if c != nil && c.Kind == "ParmVarDecl" && c.Name != "" {
			out = append(out, c)
		}
	}
	return out
}

// mentions reports whether an expression names one of some declarations, by ID.
func mentions(n *syntax.Node, ids map[string]bool) bool {
	if n == nil {
		return false
	}
	return n.Ref != nil && ids[n.Ref.ID] || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return mentions(c, ids) })
}

// made are the names of the variables that can be named at a statement and whose values are made of
// those in an index.
func (fn *function) made(s *statement, index *syntax.Node) map[string]bool {
	ids, out := map[string]bool{}, map[string]bool{}
	for _, v := range variables(index) {
		ids[v.Ref.ID] = true
	}
	for _, v := range s.locals() {
		if whole[v.Desugared] && !ids[v.ID] && slices.ContainsFunc(v.Inner, func(c *syntax.Node) bool { return mentions(c, ids) }) {
			out[v.Name] = true
		}
	}
	return out
}

// strides are that a thread's index is less than a distance that is added to it, where that is the same for all threads:
// the threads that have a partner in a step of a tree.
func (fn *function) strides(s *statement, index *syntax.Node, c *conditions) {
	placed := fn.placedAt(s)
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n = stripped(n); n == nil {
			return
		}
		if n.Kind == "BinaryOperator" && n.Opcode == "+" {
			terms := terms(n)
			for _, a := range terms {
				for _, b := range terms {
					if placed(a) && b.Ref != nil && b.Ref.Kind == "VarDecl" && whole[b.Desugared] && !placed(b) && (a.Ref != nil || a.Kind != "BinaryOperator") {
						if x, y := s.text(a), s.text(b); x != "" && y != "" {
							c.add(x + " < " + y)
						}
					}
				}
			}
			return
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(index)
}

// terms are those of a sum.
func terms(n *syntax.Node) []*syntax.Node {
	n = stripped(n)
	if n != nil && n.Kind == "BinaryOperator" && n.Opcode == "+" {
		return append(terms(n.Child(0)), terms(n.Child(1))...)
	}
	if n == nil {
		return nil
	}
	return []*syntax.Node{n}
}

// placedAt tells which expressions at a statement depend on the thread's or the block's index, by
// themselves or by the variables in them.
func (fn *function) placedAt(s *statement) func(n *syntax.Node) bool {
	ids := map[string]bool{}
	locals := s.locals()
	for range locals { // the order in which they are declared is lost
		for _, v := range locals {
			if !ids[v.ID] && slices.ContainsFunc(v.Inner, func(c *syntax.Node) bool { return placed(c) || mentions(c, ids) }) {
				ids[v.ID] = true
			}
		}
	}
	return func(n *syntax.Node) bool { return placed(n) || mentions(n, ids) }
}
