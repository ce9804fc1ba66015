package code

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// Statement is a statement of a function with those in it, in their order.
type Statement struct {
	File *File
	Node *syntax.Node
	// from and to are its bytes, a semicolon that ends it included.
	From, To int
	Outer    *Statement
	Inner    []*Statement
}

// nested makes a statement of a node. It is nil where the node has no text of its own.
func nested(file *File, n *syntax.Node, outer *Statement) *Statement {
	if n.Begin.File == "" || n.End.End() > len(file.Text) || n.Begin.Off >= n.End.End() {
		return nil
	}
	s := &Statement{File: file, Node: n, From: n.Begin.Off, To: n.End.End(), Outer: outer}
	if n.Begin.Macro || n.End.Macro {
		s.To = max(s.To, syntax.UseEnd(file.Text, n.End.Off))
	}
	s.To = afterSemicolon(file.Text, s.To)
	s.collect(n)
	slices.SortStableFunc(s.Inner, func(a, b *Statement) int { return a.From - b.From })
	return s
}

// collect finds the statements directly in a node. Those of lambdas are statements of the
// expression's statement.
func (s *Statement) collect(n *syntax.Node) {
	for _, c := range n.Inner {
		switch {
		case c == nil:
		case isStatement(c, n):
			if in := nested(s.File, c, s); in != nil && in.From >= s.From && in.To <= max(s.To, in.From) {
				s.Inner = append(s.Inner, in)
			}
		default:
			s.collect(c)
		}
	}
}

// isStatement reports whether a child of parent is a statement and not a part of one.
func isStatement(n, parent *syntax.Node) bool {
	if n.Kind == "CompoundStmt" {
		return true
	}
	switch parent.Kind {
	case "CompoundStmt", "CaseStmt", "DefaultStmt", "LabelStmt":
	case "IfStmt", "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt":
		if !isBody(n, parent) {
			return false
		}
	default:
		return false
	}
	return !strings.HasSuffix(n.Kind, "Attr") && n.Kind != "ConstantExpr"
}

// isBody reports whether a child of a conditional or a loop is what it executes, and not the
// condition or the like.
func isBody(n, parent *syntax.Node) bool {
	i, bodies := slices.Index(parent.Inner, n), 1
	switch {
	case parent.Kind == "DoStmt":
		return i == 0
	case parent.Kind == "IfStmt" && parent.Else:
		bodies = 2
	}
	return i >= len(parent.Inner)-bodies
}

// Holds reports whether an offset lies in the statement.
func (s *Statement) Holds(off int) bool { return s.From <= off && off < s.To }

// Innermost is the innermost statement at an offset.
func (s *Statement) Innermost(off int) *Statement {
	for _, in := range s.Inner {
		if in.Holds(off) {
			return in.Innermost(off)
		}
	}
	return s
}

// path are the statements around s from the outermost to s itself.
func (s *Statement) path() []*Statement {
	var out []*Statement
	for ; s != nil; s = s.Outer {
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// Fork returns the paths of two statements, and how many statements they share from the outermost on.
func Fork(x, y *Statement) (a, b []*Statement, common int) {
	a, b = x.path(), y.path()
	for common < len(a) && common < len(b) && a[common] == b[common] {
		common++
	}
	return a, b, common
}

// IsList reports whether statements can stand one after the other directly in s.
func (s *Statement) IsList() bool { return s.Node.Kind == "CompoundStmt" }

// Labels reports whether the statement is one behind a label.
func (s *Statement) Labels() bool {
	switch s.Node.Kind {
	case "CaseStmt", "DefaultStmt", "LabelStmt":
		return true
	}
	return false
}

func (s *Statement) IsLoop() bool {
	switch s.Node.Kind {
	case "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt":
		return true
	}
	return false
}

// Body is the statement that a loop repeats; nil for none.
func (s *Statement) Body() *Statement {
	if len(s.Inner) == 0 {
		return nil
	}
	return s.Inner[len(s.Inner)-1]
}

// afterSemicolon is the place behind the semicolon that comes next, or to where another
// token does.
func afterSemicolon(text []byte, to int) int {
	if to > 0 && (text[to-1] == ';' || text[to-1] == '}') {
		return to
	}
	if i := syntax.SkipBlank(text, to); i < len(text) && text[i] == ';' {
		return i + 1
	}
	return to
}
