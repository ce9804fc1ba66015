package clang

import "bytes"

// What nvcc accepts and clang does not is changed in the text of the source
// before clang reads it (see overlay.go). That needs no parser, but comments,
// literals and nesting have to be told apart.

// tokenKind classifies a token.
type tokenKind uint8

const (
	tokenIdent tokenKind = iota
	tokenPunct           // one byte
	tokenString
	tokenOther     // numbers and character literals
	tokenDirective // a preprocessor's line, with its continuations
)

// token is text[pos:end] of the source it came from.
type token struct {
	kind     tokenKind
	pos, end int
}

func (t token) is(src []byte, text string) bool {
	return t.kind != tokenString && string(src[t.pos:t.end]) == text
}

// tokens splits C++ up. Where directives is false, the words within
// preprocessor lines are tokens like others.
func tokens(src []byte, directives bool) []token {
	var out []token
	fresh := true // nothing but blanks since the line began
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			fresh = true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\\':
			i++
		case bytes.HasPrefix(src[i:], []byte("//")):
			i = lineEnd(src, i)
		case bytes.HasPrefix(src[i:], []byte("/*")):
			i = after(src, i+2, "*/")
		case c == '#' && fresh && directives:
			end := lineEnd(src, i)
			out = append(out, token{tokenDirective, i, end})
			i = end
		default:
			t := token{pos: i}
			t.kind, t.end = word(src, i)
			out = append(out, t)
			i, fresh = t.end, false
		}
	}
	return out
}

// word finds the end of the token at i.
func word(src []byte, i int) (tokenKind, int) {
	c := src[i]
	switch {
	case c == '"':
		return tokenString, literal(src, i)
	case c == '\'':
		return tokenOther, literal(src, i)
	case isIdent(c) && (c < '0' || c > '9'):
		end := identEnd(src, i)
		if end < len(src) && src[end] == '"' && src[end-1] == 'R' {
			return tokenString, rawString(src, end)
		}
		return tokenIdent, end
	case c >= '0' && c <= '9':
		end := i
		for end < len(src) && (isIdent(src[end]) || src[end] == '.' || src[end] == '\'' && end+1 < len(src) && isIdent(src[end+1])) {
			end++
		}
		return tokenOther, end
	}
	return tokenPunct, i + 1
}

func isIdent(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func identEnd(src []byte, i int) int {
	for i < len(src) && isIdent(src[i]) {
		i++
	}
	return i
}

// lineEnd is the end of a line that backslashes may continue, without the
// newline.
func lineEnd(src []byte, i int) int {
	for i < len(src) {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return len(src)
		}
		i += n
		if !bytes.HasSuffix(bytes.TrimSuffix(src[:i], []byte("\r")), []byte(`\`)) {
			return i
		}
		i++
	}
	return i
}

// after is the place behind the next end mark.
func after(src []byte, i int, mark string) int {
	if n := bytes.Index(src[i:], []byte(mark)); n >= 0 {
		return i + n + len(mark)
	}
	return len(src)
}

// literal is the end of a string or character literal.
func literal(src []byte, i int) int {
	quote := src[i]
	for i++; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return min(i, len(src))
}

// rawString is the end of a raw string whose quote is at i.
func rawString(src []byte, i int) int {
	open := bytes.IndexByte(src[i:], '(')
	if open < 0 {
		return len(src)
	}
	return after(src, i, ")"+string(src[i+1:i+open])+`"`)
}

// matching finds the token that closes the bracket at toks[i]; -1 if there is
// none, or no bracket.
func matching(src []byte, toks []token, i int) int {
	if t := toks[i]; !t.is(src, "(") && !t.is(src, "[") && !t.is(src, "{") {
		return -1
	}
	depth := 0
	for ; i < len(toks); i++ {
		if toks[i].kind != tokenPunct {
			continue
		}
		switch src[toks[i].pos] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// edit replaces src[pos:end] by text.
type edit struct {
	pos, end int
	text     string
}

// apply carries out edits, which are in order and do not overlap.
func apply(src []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return src
	}
	var out []byte
	last := 0
	for _, e := range edits {
		out = append(append(out, src[last:e.pos]...), e.text...)
		last = e.end
	}
	return append(out, src[last:]...)
}
