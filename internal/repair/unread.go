package repair

import (
	"bytes"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// Statements that clang leaves out of its tree: launches, and calls of the runtime, in device code, which it refuses. They are found in
// the gaps between those that it has, by their tokens.

// unread is what a statement is that is neither a launch nor a call.
const unread = "UnreadExpr"

// heads are the statements that begin with a word and what stands in parentheses behind it.
var heads = map[string]string{"if": "IfStmt", "for": "ForStmt", "while": "WhileStmt"}

// everyList visits the lists of statements in a statement.
func everyList(s *statement, visit func(*statement)) {
	for _, in := range s.inner {
		everyList(in, visit)
	}
	if s.isList() {
		visit(s)
	}
}

// gap is a statement with gaps.
type gap struct{ *statement }

// addUnread adds the statements in the gaps of a list. In a gap with a directive there may be text that is not compiled.
func (s gap) addUnread() {
	if !s.isList() || s.node.Begin.Macro || s.node.End.Macro {
		return
	}
	var all []*statement
	from := s.from + 1
	add := func(to int) {
		if from < to && !bytes.Contains(s.file.Text[from:to], []byte("#")) {
			for at := syntax.SkipBlank(s.file.Text, from); at < to; at = syntax.SkipBlank(s.file.Text, at) {
				in := s.unreadAt(at, to)
				if in == nil {
					break
				}
				all = append(all, in)
				at = in.to
			}
		}
	}
	for _, in := range s.inner {
		if in.node.Kind == "RecoveryExpr" && s.file.Text[in.to-1] == ';' { // a call with functions that are not the device's
			in.node = s.unreadExpr(in.from, in.to-1)
		}
		add(in.from)
		all = append(all, in)
		from = max(from, in.to)
	}
	add(s.to - 1)
	s.inner = all
}

// unreadAt is the statement of a gap at an offset; nil if none is complete before its end.
func (s gap) unreadAt(at, end int) *statement {
	text := s.file.Text
	out := &statement{file: s.file, from: at, outer: s.statement}
	word := syntax.WordAt(text, at)
	if kind := heads[word]; kind != "" {
		open := syntax.SkipBlank(text, at+len(word))
		shut := enclosed(text, open, end)
		if shut < 0 || text[open] != '(' {
			return nil
		}
		then := syntax.SkipBlank(text, shut)
		if then >= end || text[then] == '{' || syntax.WordAt(text, then) == "else" {
			return nil
		}
		out.node = s.exprAt(kind, at, shut)
		body := gap{out}.unreadAt(then, end)
		if body == nil || syntax.WordAt(text, syntax.SkipBlank(text, body.to)) == "else" {
			return nil
		}
		out.node.Inner = []*syntax.Node{s.exprAt(unread, open+1, shut-1), body.node}
		out.inner, out.to = []*statement{body}, body.to
		out.node.End = body.node.End
		return out
	}
	for i := at; i < end; {
		switch text[i] {
		case ';':
			if i == at {
				return nil
			}
			out.node, out.to = s.unreadExpr(at, i), i+1
			return out
		case '(', '[', '{':
			if i = enclosed(text, i, end); i < 0 {
				return nil
			}
		case ')', ']', '}':
			return nil
		default:
			i = max(i+1, syntax.SkipToken(text, i))
		}
	}
	return nil
}

// enclosed is the place behind the bracket that closes the one at an offset, -1 for none before the end.
func enclosed(text []byte, at, end int) int {
	depth := 0
	for i := at; i < end; i = syntax.SkipToken(text, i) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// exprAt is an expression of a kind in the bytes from one offset to another.
func (s gap) exprAt(kind string, from, to int) *syntax.Node {
	for to > from && bytes.IndexByte([]byte(" \t\r\n"), s.file.Text[to-1]) >= 0 {
		to--
	}
	from = min(syntax.SkipBlank(s.file.Text, from), to)
	at := func(off int) syntax.Pos { return syntax.Pos{File: s.file.Name, Off: off, Len: 1} }
	return &syntax.Node{Kind: kind, Begin: at(from), End: at(max(from, to-1))}
}

// unreadExpr is a launch or a call in the bytes of a statement without its semicolon, where it is one.
func (s gap) unreadExpr(from, to int) *syntax.Node {
	text := s.file.Text
	if i := bytes.Index(text[from:to], []byte("<<<")); i > 0 {
		open := from + i
		if i := bytes.Index(text[open:to], []byte(">>>")); i > 0 {
			shut := open + i
			if args := syntax.SkipBlank(text, shut+3); args < to && text[args] == '(' && enclosed(text, args, to) == to {
				l := s.exprAt("CUDAKernelCallExpr", from, to)
				config := s.exprAt("CallExpr", open, shut+3)
				config.Inner = append([]*syntax.Node{nil}, s.arguments(open+3, shut)...)
				if len(config.Inner) > 4 {
					config.Inner[4].Desugared = streamType
				}
				l.Inner = append([]*syntax.Node{s.named(from, open), config}, s.arguments(args+1, to-1)...)
				return l
			}
		}
	}
	name := syntax.WordAt(text, from)
	if open := syntax.SkipBlank(text, from+len(name)); name != "" && open < to && text[open] == '(' && enclosed(text, open, to) == to {
		call := s.exprAt("CallExpr", from, to)
		call.Inner = append([]*syntax.Node{s.named(from, open)}, s.arguments(open+1, to-1)...)
		return call
	}
	return s.exprAt(unread, from, to)
}

// named is an expression that names a function.
func (s gap) named(from, to int) *syntax.Node {
	n := s.exprAt("DeclRefExpr", from, to)
	name := s.file.Text[from:n.End.End()]
	if i := bytes.IndexByte(name, '<'); i > 0 {
		name = name[:i]
	}
	if i := bytes.LastIndex(name, []byte("::")); i >= 0 {
		name = name[i+2:]
	}
	n.Ref = &syntax.Ref{Kind: "FunctionDecl", Name: string(bytes.TrimSpace(name))}
	return n
}

// arguments are the expressions in bytes with commas between them.
func (s gap) arguments(from, to int) (out []*syntax.Node) {
	text := s.file.Text
	begin := from
	for i := from; i < to; {
		switch text[i] {
		case '(', '[', '{':
			end := enclosed(text, i, to)
			if end < 0 {
				return out
			}
			i = end
			continue
		case ',':
			out = append(out, s.exprAt(unread, begin, i))
			begin = i + 1
		}
		i = syntax.SkipToken(text, i)
	}
	if syntax.SkipBlank(text, begin) < to {
		out = append(out, s.exprAt(unread, begin, to))
	}
	return out
}
