package order

import (
	"math"
	"slices"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// CanMoveOver reports whether a statement does the same before others as behind them as far as variables tell by their names: none of them
// declares or changes one that it names, and none names one that it changes.
func CanMoveOver(s *code.Statement, others []*code.Statement) bool {
	named, changed := declared(s.Node), map[string]bool{}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if to := code.Stripped(code.Changed(n)); to != nil && to.Ref != nil {
			changed[to.Ref.ID] = true
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(s.Node)
	return !slices.ContainsFunc(others, func(o *code.Statement) bool {
		return setsBefore(o.Node, named, math.MaxInt) || code.Mentions(o.Node, changed)
	})
}

// declared are the IDs of the declarations that an expression names.
func declared(n *syntax.Node) map[string]bool {
	ids := map[string]bool{}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Ref != nil {
			ids[n.Ref.ID] = true
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(n)
	return ids
}

// changes reports whether an expression itself, and not one in it, changes a variable.
func changes(n *syntax.Node, ids map[string]bool) bool { return namesAny(code.Changed(n), ids) }

// namesAny reports whether an expression is the name of one of some variables.
func namesAny(n *syntax.Node, ids map[string]bool) bool {
	n = code.Stripped(n)
	return n != nil && n.Ref != nil && ids[n.Ref.ID]
}

// setsBefore reports whether a statement declares or changes one of some variables before an offset of the text: what names them cannot be
// moved from there to before the statement.
func setsBefore(n *syntax.Node, ids map[string]bool, before int) bool {
	if n == nil || n.Begin.Off >= before {
		return false
	}
	return n.Kind == "VarDecl" && ids[n.ID] || changes(n, ids) || slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return setsBefore(c, ids, before) })
}
