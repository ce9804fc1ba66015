package code

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

var (
	// defined is a macro without parameters.
	defined = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)(?:[ \t]+([^\n]*))?$`)
	// primary is an operand without parentheses around it.
	primary = regexp.MustCompile(`^\w+(?:(?:::|\.|->)\w+)*$`)
)

// operandsOf finds the macros that always expand to one operand: a name, a member, a number or a parenthesized expression.
func operandsOf(texts map[string][]byte) map[string]string {
	out := map[string]string{}
	refused := map[string]bool{}
	for _, text := range texts {
		for _, m := range defined.FindAllSubmatch(text, -1) {
			name, body := string(m[1]), strings.TrimSpace(withoutComment(m[2]))
			if was, known := out[name]; known && was != body || !primary.MatchString(body) && !parenthesized([]byte(body)) {
				refused[name] = true
			}
			out[name] = body
		}
	}
	for name := range refused {
		delete(out, name)
	}
	return out
}

func withoutComment(text []byte) string {
	if n := bytes.Index(text, []byte("//")); n >= 0 {
		text = text[:n]
	}
	return string(text)
}

// parenthesized reports whether a text stands in parentheses as a whole.
func parenthesized(text []byte) bool {
	return len(text) > 2 && text[0] == '(' && Enclosed(text, 0, len(text)) == len(text)
}

// operand reports whether the first or last token of an expression is in the file itself, or is a macro that expands to one operand.
func (f *File) operand(n *syntax.Node, at syntax.Pos) bool {
	if !at.Macro {
		return true
	}
	body, ok := f.operands[syntax.WordAt(f.Text, at.Off)]
	if !ok || at.Arg > 0 {
		return false
	}
	if !n.Begin.Macro || !n.End.Macro || n.Begin.Off != n.End.Off {
		return true
	}
	for n.Kind == "ImplicitCastExpr" && n.Child(0) != nil { // of what is all in the macro, the whole of it
		n = n.Child(0)
	}
	switch {
	case body[0] == '(':
		return n.Kind == "ParenExpr"
	case n.Kind == "DeclRefExpr":
		return n.Ref != nil && n.Ref.Name == body
	case n.Kind == "MemberExpr":
		return strings.HasSuffix(body, n.Name)
	}
	return true
}
