// Package cutext changes in the text of CUDA sources what nvcc accepts and clang does
// not, before clang reads it. That needs no parser, but comments, literals and nesting
// have to be told apart: all fixes work on the tokens of a Text, which is split up once,
// and return edits. Lines stay where they are, and columns where that is possible.
//
// To add a fix: a function in a file of its own and a row in fixes.
package cutext

import "bytes"

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

// Text is a source or a header.
type Text struct {
	src []byte
	// statements are the tokens with preprocessor lines as one token each, words those
	// with the words within them; nil until someone asks.
	statements, words []token
}

// New is a text that has not been split up.
func New(src []byte) *Text { return &Text{src: src} }

// tokens are those of the text. Where directives is false, the words within
// preprocessor lines are tokens like others.
func (t *Text) tokens(directives bool) []token {
	list := &t.words
	if directives {
		list = &t.statements
	}
	if *list == nil {
		*list = split(t.src, directives)
	}
	return *list
}

// split splits C++ up.
func split(src []byte, directives bool) []token {
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

// fixes are the changes that are the same on both sides of a compilation, in their order:
// spaced chevrons are closed before launches are looked for.
var fixes = []struct {
	name, does string
	// inPlace is set if everything else keeps its column.
	inPlace bool
	edits   func(t *Text) []edit
}{
	{"chevrons", "closes launches with spaces in their chevrons", true, closeChevrons},
	{"alignas", "makes alignas behind a memory space an attribute that may stand there", true, movableAlignas},
	{"braces", "names the type of braces that are the grid or the block of a launch", false, nameBraces},
	{"extern", "makes arrays of extern shared variables that are none", false, externShared},
	{"asm", "doubles single % signs of inline assembly that clang would not take, and puts the commas between operands", false, plainAsm},
}

// Spell returns a text as clang spells it.
func Spell(src []byte) []byte { return spell(src, false) }

// SpellInPlace makes the changes that move nothing else.
func SpellInPlace(src []byte) []byte { return spell(src, true) }

func spell(src []byte, inPlaceOnly bool) []byte {
	t := New(src)
	for _, f := range fixes {
		if inPlaceOnly && !f.inPlace {
			continue
		}
		if edits := f.edits(t); len(edits) > 0 {
			t = New(apply(t.src, edits))
		}
	}
	return t.src
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
