package code

import (
	"bytes"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// unread is what a statement is that is neither a launch nor a call.
const unread = "UnreadExpr"

// heads are the statements that begin with a word and what stands in parentheses behind it.
var heads = map[string]string{"if": "IfStmt", "for": "ForStmt", "while": "WhileStmt"}

// unreadAt is the statement of a gap at an offset; nil if none is complete before its end.
func (s gap) unreadAt(at, end int) *Statement {
	text := s.File.Text
	out := &Statement{File: s.File, From: at, Outer: s.Statement}
	word := syntax.WordAt(text, at)
	if kind := heads[word]; kind != "" {
		open := syntax.SkipBlank(text, at+len(word))
		shut := Enclosed(text, open, end)
		if shut < 0 || text[open] != '(' {
			return nil
		}
		then := syntax.SkipBlank(text, shut)
		if then >= end || text[then] == '{' || syntax.WordAt(text, then) == "else" {
			return nil
		}
		out.Node = s.exprAt(kind, at, shut)
		body := gap{out}.unreadAt(then, end)
		if body == nil || syntax.WordAt(text, syntax.SkipBlank(text, body.To)) == "else" {
			return nil
		}
		out.Node.Inner = []*syntax.Node{s.exprAt(unread, open+1, shut-1), body.Node}
		out.Inner, out.To = []*Statement{body}, body.To
		out.Node.End = body.Node.End
		return out
	}
	for i := at; i < end; {
		switch text[i] {
		case ';':
			if i == at {
				return nil
			}
			out.Node, out.To = s.unreadExpr(at, i), i+1
			return out
		case '(', '[', '{':
			if i = Enclosed(text, i, end); i < 0 {
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

// exprAt is an expression of a kind in the bytes from one offset to another.
func (s gap) exprAt(kind string, from, to int) *syntax.Node {
	for to > from && bytes.IndexByte([]byte(" \t\r\n"), s.File.Text[to-1]) >= 0 {
		to--
	}
	from = min(syntax.SkipBlank(s.File.Text, from), to)
	at := func(off int) syntax.Pos { return syntax.Pos{File: s.File.Name, Off: off, Len: 1} }
	return &syntax.Node{Kind: kind, Begin: at(from), End: at(max(from, to-1))}
}

// unreadExpr is a launch or a call in the bytes of a statement without its semicolon, where it is one.
func (s gap) unreadExpr(from, to int) *syntax.Node {
	text := s.File.Text
	if i := bytes.Index(text[from:to], []byte("<<<")); i > 0 {
		open := from + i
		if i := bytes.Index(text[open:to], []byte(">>>")); i > 0 {
			shut := open + i
			if args := syntax.SkipBlank(text, shut+3); args < to && text[args] == '(' && Enclosed(text, args, to) == to {
				l := s.exprAt("CUDAKernelCallExpr", from, to)
				config := s.exprAt("CallExpr", open, shut+3)
				config.Inner = append([]*syntax.Node{nil}, s.arguments(open+3, shut)...)
				if len(config.Inner) > 4 {
					config.Inner[4].Desugared = StreamType
				}
				l.Inner = append([]*syntax.Node{s.named(from, open), config}, s.arguments(args+1, to-1)...)
				return l
			}
		}
	}
	name := syntax.WordAt(text, from)
	if open := syntax.SkipBlank(text, from+len(name)); name != "" && open < to && text[open] == '(' && Enclosed(text, open, to) == to {
		call := s.exprAt("CallExpr", from, to)
		call.Inner = append([]*syntax.Node{s.named(from, open)}, s.arguments(open+1, to-1)...)
		return call
	}
	return s.exprAt(unread, from, to)
}

// named is an expression that names a function.
func (s gap) named(from, to int) *syntax.Node {
	n := s.exprAt("DeclRefExpr", from, to)
	name := s.File.Text[from:n.End.End()]
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
	text := s.File.Text
	begin := from
	for i := from; i < to; {
		switch text[i] {
		case '(', '[', '{':
			end := Enclosed(text, i, to)
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
