package code

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// IsExpression reports whether a node is an expression, as one that initializes a variable.
func IsExpression(n *syntax.Node) bool {
	return strings.HasSuffix(n.Kind, "Expr") || strings.HasSuffix(n.Kind, "Literal") || strings.HasSuffix(n.Kind, "Operator")
}

// Span are the bytes of an expression, also of one in a macro's argument; both are 0 for others.
func Span(s *Statement, n *syntax.Node) (from, to int) {
	if s.Argument(n) == "" {
		return 0, 0
	}
	if n.Begin.Macro {
		return n.Begin.Arg - 1, n.End.Arg - 1 + n.End.ArgLen
	}
	return n.Begin.Off, n.End.End()
}

// Placed reports whether an expression is made of the thread's or the block's index.
func Placed(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	if n.Kind == "MemberExpr" && Ranks[n.Name] {
		return true
	}
	if n.Kind == "DeclRefExpr" && n.Ref != nil && (n.Ref.Name == "threadIdx" || n.Ref.Name == "blockIdx") {
		return true
	}
	return slices.ContainsFunc(n.Inner, Placed)
}

// Ranks are the member functions of groups that place a thread (CUDA C++ Programming Guide, "Cooperative Groups").
var Ranks = map[string]bool{"thread_rank": true, "thread_index": true, "block_rank": true, "block_index": true, "group_index": true, "meta_group_rank": true}

// Arithmetic are the types of which 0 is a value.
var Arithmetic = map[string]bool{"int": true, "unsigned int": true, "float": true, "double": true, "char": true, "signed char": true, "unsigned char": true,
	"short": true, "unsigned short": true, "long": true, "unsigned long": true, "long long": true, "unsigned long long": true, "bool": true,
	"const int": true, "const unsigned int": true, "const float": true, "const double": true, "const char": true, "const unsigned char": true,
	"const short": true, "const unsigned short": true, "const long": true, "const unsigned long": true, "const long long": true, "const unsigned long long": true}

// Variables are those in an index that are whole numbers, each once: the local ones, and the
// parameters only where there is no other.
func Variables(n *syntax.Node) []*syntax.Node {
	if out := named(n, "VarDecl"); len(out) > 0 {
		return out
	}
	return named(n, "ParmVarDecl")
}

// named are the variables of a kind of declaration in an expression.
func named(n *syntax.Node, kind string) (out []*syntax.Node) {
	if n == nil {
		return nil
	}
	if n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == kind && Whole[n.Desugared] {
		out = append(out, n)
	}
	for _, c := range n.Inner {
		for _, v := range named(c, kind) {
			if !slices.ContainsFunc(out, func(o *syntax.Node) bool { return o.Ref.ID == v.Ref.ID }) {
				out = append(out, v)
			}
		}
	}
	return out
}

func Boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// IsConstant reports whether an expression is made of numbers only.
func IsConstant(n *syntax.Node) bool {
	if n == nil {
		return true
	}
	if n.Kind == "DeclRefExpr" || n.Kind == "MemberExpr" || n.Kind == "CallExpr" || n.Kind == "PseudoObjectExpr" {
		return false
	}
	return !slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return !IsConstant(c) })
}

// Factor is a text as it stands in a product.
func Factor(text string) string {
	if Word.MatchString(text) {
		return text
	}
	return "(" + text + ")"
}

// Summand is a text as it stands in a sum: operators that bind less than its own are in parentheses.
func Summand(text string) string {
	if strings.ContainsAny(text, "?<>=&|^,") {
		return "(" + text + ")"
	}
	return text
}

var Word = regexp.MustCompile(`^[\w.]+$`)

// Terms are those of a sum.
func Terms(n *syntax.Node) []*syntax.Node {
	n = Stripped(n)
	if n != nil && n.Kind == "BinaryOperator" && n.Opcode == "+" {
		return append(Terms(n.Child(0)), Terms(n.Child(1))...)
	}
	if n == nil {
		return nil
	}
	return []*syntax.Node{n}
}

// OperatorAt is where the operator of a binary expression stands; 0 where that is not sure.
func OperatorAt(f *File, n *syntax.Node) int {
	from, to := n.Child(0).End, n.Child(1).Begin
	if from.File == "" || from.Macro || to.Macro || from.File != to.File || from.End() >= to.Off || to.Off > len(f.Text) {
		return 0
	}
	between := f.Text[from.End():to.Off]
	if i := bytes.Index(between, []byte(n.Opcode)); i >= 0 && len(bytes.Trim(between, " \t\r\n()")) == len(n.Opcode) {
		return from.End() + i
	}
	return 0
}

// ChangeComparison is a patch that changes a comparison.
func ChangeComparison(f *File, at source.Pos, n *syntax.Node, e Edit) *Patch {
	from, to := n.Begin.Off, n.End.End()
	if n.Begin.Macro || n.End.Macro || e.From < from || e.To > to {
		return nil
	}
	now := string(f.Text[from:e.From]) + e.Text + string(f.Text[e.To:to])
	edits := []Edit{e}
	return &Patch{Edits: edits, Inline: edits, KeepsMemory: true, Skips: at, What: fmt.Sprintf("compare %s in line %d", now, f.Line(from))}
}

// ConstantValue is that of a constant expression, or of the constant that a declaration makes.
func ConstantValue(p *Program, n *syntax.Node, depth int) (int64, bool) {
	const deepest = 50
	if n = Stripped(n); n == nil || depth > deepest {
		return 0, false
	}
	switch n.Kind {
	case "IntegerLiteral":
		v, err := strconv.ParseInt(n.Value, 10, 64)
		return v, err == nil
	case "ConstantExpr":
		return ConstantValue(p, n.Child(0), depth+1)
	case "VarDecl":
		return ConstantValue(p, n.Child(0), depth+1)
	case "DeclRefExpr":
		for _, v := range p.Fixed {
			if n.Ref != nil && v.ID == n.Ref.ID {
				return ConstantValue(p, v, depth+1)
			}
		}
	case "BinaryOperator":
		a, ok := ConstantValue(p, n.Child(0), depth+1)
		b, too := ConstantValue(p, n.Child(1), depth+1)
		if !ok || !too {
			return 0, false
		}
		switch n.Opcode {
		case "+":
			return a + b, true
		case "-":
			return a - b, true
		case "*":
			return a * b, true
		case "/":
			if b != 0 {
				return a / b, true
			}
		}
	}
	return 0, false
}

// Extents are those of an array's type; the rest of it is the type of the elements.
var Extents = regexp.MustCompile(`^([^\[\]]+?)\s*((?:\[\d+\])*)$`)

// LoopCondition is the comparison that a loop is repeated for; nil for others.
func LoopCondition(s *Statement) *syntax.Node {
	i, ok := map[string]int{"ForStmt": 2, "WhileStmt": 0, "DoStmt": 1}[s.Node.Kind]
	if n := Stripped(s.Node.Child(i)); ok && n != nil && n.Kind == "BinaryOperator" {
		return n
	}
	return nil
}

// Class is the name of a variable's class, without its namespace and what a template has as arguments.
func Class(v *syntax.Node) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(v.Desugared, "const "), "<")
	name = strings.TrimRight(name, " &")
	return name[strings.LastIndex(name, ":")+1:]
}

// OperandWords matches the names and the numbers in an expression.
var OperandWords = regexp.MustCompile(`\w+`)
