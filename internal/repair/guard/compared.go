package guard

import (
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// ComparedElsewhere is the text of an expression as a side of a comparison by <, <=, > or >=, with no more parentheses than it needs there;
// "" where it has no text of its own. What a macro makes keeps those that it has, and gets some around an operator:
// whoever reads its use does not see how it binds.
func ComparedElsewhere(s *code.Statement, n *syntax.Node) string {
	for n != nil && (n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr") && !inMacro(n) {
		n = n.Child(0)
	}
	text := writtenCondition(s, n)
	if text == "" {
		return ""
	}
	outer := n
	for outer.Kind == "ImplicitCastExpr" {
		outer = outer.Child(0)
	}
	if isOperator(outer) && (inMacro(n) || !tighter[outer.Opcode]) {
		return "(" + text + ")"
	}
	return text
}

func inMacro(n *syntax.Node) bool { return n.Begin.Macro || n.End.Macro }

// isOperator reports whether an expression has operands on both sides of an operator.
func isOperator(n *syntax.Node) bool {
	switch n.Kind {
	case "BinaryOperator", "CompoundAssignOperator", "ConditionalOperator":
		return true
	case "CXXOperatorCallExpr": // of a class
		f := code.Stripped(n.Child(0))
		return len(n.Inner) == 3 && f != nil && f.Ref != nil && f.Ref.Name != "operator[]" && f.Ref.Name != "operator()"
	}
	return false
}

// tighter are the binary operators that bind more than the relational ones (C++ standard, [expr]). Shifts are left out: compilers
// warn of them beside a comparison.
var tighter = map[string]bool{"*": true, "/": true, "%": true, "+": true, "-": true}
