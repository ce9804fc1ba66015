package repair

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// statement is a statement of a function with those in it, in their order.
type statement struct {
	file *File
	node *syntax.Node
	// from and to are its bytes, a semicolon that ends it included.
	from, to int
	outer    *statement
	inner    []*statement
}

// nested makes a statement of a node. It is nil where the node has no text of its own.
func nested(file *File, n *syntax.Node, outer *statement) *statement {
	if n.Begin.File == "" || n.End.End() > len(file.Text) || n.Begin.Off >= n.End.End() {
		return nil
	}
	s := &statement{file: file, node: n, from: n.Begin.Off, to: n.End.End(), outer: outer}
	if n.Begin.Macro || n.End.Macro {
		s.to = max(s.to, syntax.UseEnd(file.Text, n.End.Off))
	}
	s.to = afterSemicolon(file.Text, s.to)
	s.collect(n)
	slices.SortStableFunc(s.inner, func(a, b *statement) int { return a.from - b.from })
	return s
}

// collect finds the statements directly in a node. Those of lambdas are statements of the
// expression's statement.
func (s *statement) collect(n *syntax.Node) {
	for _, c := range n.Inner {
		switch {
		case c == nil:
		case isStatement(c, n):
			if in := nested(s.file, c, s); in != nil && in.from >= s.from && in.to <= max(s.to, in.from) {
				s.inner = append(s.inner, in)
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

// holds reports whether an offset lies in the statement.
func (s *statement) holds(off int) bool { return s.from <= off && off < s.to }

// innermost is the innermost statement at an offset.
func (s *statement) innermost(off int) *statement {
	for _, in := range s.inner {
		if in.holds(off) {
			return in.innermost(off)
		}
	}
	return s
}

// path are the statements around s from the outermost to s itself.
func (s *statement) path() []*statement {
	var out []*statement
	for ; s != nil; s = s.outer {
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// fork returns the paths of two statements, and how many statements they share from the outermost on.
func fork(x, y *statement) (a, b []*statement, common int) {
	a, b = x.path(), y.path()
	for common < len(a) && common < len(b) && a[common] == b[common] {
		common++
	}
	return a, b, common
}

// isList reports whether statements can stand one after the other directly in s.
func (s *statement) isList() bool { return s.node.Kind == "CompoundStmt" }

// labels reports whether the statement is one behind a label.
func (s *statement) labels() bool {
	switch s.node.Kind {
	case "CaseStmt", "DefaultStmt", "LabelStmt":
		return true
	}
	return false
}

func (s *statement) isLoop() bool {
	switch s.node.Kind {
	case "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt":
		return true
	}
	return false
}

// body is the statement that a loop repeats; nil for none.
func (s *statement) body() *statement {
	if len(s.inner) == 0 {
		return nil
	}
	return s.inner[len(s.inner)-1]
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
