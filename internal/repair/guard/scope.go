package guard

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// dependentNames are the names of the variables that can be named at a statement and whose values are made of
// those in an index.
func dependentNames(fn *code.Function, s *code.Statement, index *syntax.Node) map[string]bool {
	ids, out := map[string]bool{}, map[string]bool{}
	for _, v := range code.Variables(index) {
		ids[v.Ref.ID] = true
	}
	for _, v := range s.Locals() {
		if code.Whole[v.Desugared] && !ids[v.ID] && slices.ContainsFunc(v.Inner, func(c *syntax.Node) bool { return code.Mentions(c, ids) }) {
			out[v.Name] = true
		}
	}
	return out
}

// addStrides are that a thread's index is less than a distance that is added to it, where that is the same for all threads:
// the threads that have a partner in a step of a tree.
func addStrides(fn *code.Function, s *code.Statement, index *syntax.Node, c *conditions) {
	placed := fn.PlacedAt(s)
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n = code.Stripped(n); n == nil {
			return
		}
		if n.Kind == "BinaryOperator" && n.Opcode == "+" {
			terms := code.Terms(n)
			for _, a := range terms {
				for _, b := range terms {
					if placed(a) && b.Ref != nil && b.Ref.Kind == "VarDecl" && code.Whole[b.Desugared] && !placed(b) && (a.Ref != nil || a.Kind != "BinaryOperator") {
						if x, y := s.Text(a), s.Text(b); x != "" && y != "" {
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
