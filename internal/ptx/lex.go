package ptx

import "strings"

// tokKind is the kind of a token. Punctuation other than the two-character
// operators has its own character as the kind.
type tokKind uint16

const (
	tEOF tokKind = iota
	tIdent
	tDot    // .word, also .a::b
	tNumber // integer or floating-point literal
	tString // with its quotes
)

// Two-character operators.
const (
	tShl tokKind = 256 + iota
	tShr
	tLe
	tGe
	tEq
	tNe
	tAnd
	tOr
)

// token is a lexical element; its text is src[off:end].
type token struct {
	kind     tokKind
	off, end int
	pos      Pos
	// inAsm is set within inline assembly.
	inAsm bool
}

// lexer splits PTX text into tokens (PTX ISA, "Source Format", "Comments",
// "Identifiers"). Comments and lines that begin with # are layout.
type lexer struct {
	src       string
	off       int
	line      int
	lineStart int
	// inAsm is set between the comments with which LLVM marks inline assembly. Nothing
	// else tells it from code, and within it a .loc counts lines of the assembly's text
	// on from the line that the assembly stands at.
	inAsm bool
	// fail receives the message and place of a lexical error.
	fail func(p Pos, msg string)
}

func (l *lexer) pos(off int) Pos { return Pos{l.line, off - l.lineStart + 1} }

// Character classes of the ASCII table.
const (
	cIdent  = 1 << iota // letters, digits, _ and $
	cStart              // may begin an identifier
	cDigit              // 0 to 9
	cLetter             // letters, digits and _: modifiers
	cHex
)

var class = func() (t [256]uint8) {
	for c := range t {
		b := byte(c)
		switch {
		case b >= '0' && b <= '9':
			t[c] = cIdent | cDigit | cLetter | cHex
		case b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F':
			t[c] = cIdent | cStart | cLetter | cHex
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
			t[c] = cIdent | cStart | cLetter
		case b == '_':
			t[c] = cIdent | cStart | cLetter
		case b == '$':
			t[c] = cIdent | cStart
		case b == '%':
			t[c] = cStart
		}
	}
	return t
}()

// next reads a token.
func (l *lexer) next() token {
	l.skipLayout()
	if l.off >= len(l.src) {
		return token{kind: tEOF, off: len(l.src), end: len(l.src), pos: l.pos(len(l.src))}
	}
	off := l.off
	t := token{off: off, pos: l.pos(off), inAsm: l.inAsm}
	c := l.src[off]
	switch {
	case class[c]&cStart != 0 && (c != '%' || l.identFollows(off+1)):
		t.kind, l.off = tIdent, l.scan(off+1, cIdent)
	case c == '.':
		t.kind, l.off = tDot, l.scanDotWord(off+1)
		if l.off == off+1 {
			t.kind = '.'
		}
	case class[c]&cDigit != 0:
		t.kind, l.off = tNumber, l.scanNumber(off)
	case c == '"':
		t.kind = tString
		l.scanString()
	default:
		t.kind = l.scanOperator()
	}
	t.end = l.off
	return t
}

func (l *lexer) identFollows(off int) bool {
	return off < len(l.src) && class[l.src[off]]&cIdent != 0
}

// scan returns the end of the run of characters of a class that begins at off.
func (l *lexer) scan(off int, mask uint8) int {
	for off < len(l.src) && class[l.src[off]]&mask != 0 {
		off++
	}
	return off
}

// scanDotWord returns the end of a modifier: words joined by two colons.
// Labels in the style of .L$x may hold a $ too.
func (l *lexer) scanDotWord(off int) int {
	for {
		off = l.scan(off, cIdent)
		if !strings.HasPrefix(l.src[off:], "::") || !l.identFollows(off+2) {
			return off
		}
		off += 2
	}
}

// scanNumber returns the end of the literal at off. Its form is checked when
// it is evaluated.
func (l *lexer) scanNumber(off int) int {
	s := l.src
	start := off
	off = l.scan(off, cLetter)
	if isPrefixed(s[start:off]) {
		return off
	}
	if off+1 < len(s) && s[off] == '.' && class[s[off+1]]&cDigit != 0 {
		off = l.scan(off+1, cLetter)
	} else if off < len(s) && s[off] == '.' && !l.identFollows(off+1) {
		off++
	} else if off+1 < len(s) && s[off] == '.' && (s[off+1] == 'e' || s[off+1] == 'E') {
		off = l.scan(off+1, cLetter)
	}
	if (s[off-1] == 'e' || s[off-1] == 'E') && off+1 < len(s) && (s[off] == '+' || s[off] == '-') &&
		class[s[off+1]]&cDigit != 0 {
		off = l.scan(off+1, cLetter)
	}
	return off
}

// isPrefixed reports whether s is a literal that begins with 0x, 0b, 0f or 0d.
func isPrefixed(s string) bool {
	if len(s) < 2 || s[0] != '0' {
		return false
	}
	switch s[1] {
	case 'x', 'X', 'b', 'B', 'f', 'F', 'd', 'D':
		return true
	}
	return false
}

func (l *lexer) scanString() {
	start := l.off
	for l.off++; l.off < len(l.src); l.off++ {
		switch l.src[l.off] {
		case '"':
			l.off++
			return
		case '\n':
			l.fail(l.pos(start), "string not closed")
			return
		case '\\':
			if l.off+1 < len(l.src) && l.src[l.off+1] != '\n' {
				l.off++
			}
		}
	}
	l.off = len(l.src)
	l.fail(l.pos(start), "string not closed")
}

func (l *lexer) scanOperator() tokKind {
	c := l.src[l.off]
	if l.off+1 < len(l.src) {
		if k := twoChar(c, l.src[l.off+1]); k != 0 {
			l.off += 2
			return k
		}
	}
	if c < ' ' || c > '~' {
		l.fail(l.pos(l.off), "unexpected character "+quoteByte(c))
	}
	l.off++
	return tokKind(c)
}

func twoChar(a, b byte) tokKind {
	switch {
	case a == '<' && b == '<':
		return tShl
	case a == '>' && b == '>':
		return tShr
	case a == '<' && b == '=':
		return tLe
	case a == '>' && b == '=':
		return tGe
	case a == '=' && b == '=':
		return tEq
	case a == '!' && b == '=':
		return tNe
	case a == '&' && b == '&':
		return tAnd
	case a == '|' && b == '|':
		return tOr
	}
	return 0
}

// skipLayout skips blanks, comments and # lines.
func (l *lexer) skipLayout() {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.off++
		case l.atComment():
			l.skipOneComment()
		case c == '#' && l.atLineStart():
			l.skipLine()
		case c == 0 && strings.Trim(l.src[l.off:], "\x00 \t\r\n") == "":
			l.off = len(l.src) // a C string's end, as fat binaries store it
		default:
			return
		}
	}
}

// atComment reports whether a comment begins at the offset.
func (l *lexer) atComment() bool {
	return l.src[l.off] == '/' && l.off+1 < len(l.src) && (l.src[l.off+1] == '/' || l.src[l.off+1] == '*')
}

// skipOneComment skips the comment at the offset, not the line end after it.
func (l *lexer) skipOneComment() {
	if l.src[l.off+1] == '/' {
		start := l.off + 2
		l.skipLine()
		switch strings.TrimSpace(l.src[start:l.off]) {
		case "begin inline asm":
			l.inAsm = true
		case "end inline asm":
			l.inAsm = false
		}
	} else {
		l.skipComment()
	}
}

func (l *lexer) newline() {
	l.off++
	l.line++
	l.lineStart = l.off
}

func (l *lexer) skipLine() {
	if n := strings.IndexByte(l.src[l.off:], '\n'); n >= 0 {
		l.off += n
	} else {
		l.off = len(l.src)
	}
}

func (l *lexer) skipComment() {
	start := l.pos(l.off)
	n := strings.Index(l.src[l.off+2:], "*/")
	if n < 0 {
		l.off = len(l.src)
		l.fail(start, "comment not closed")
		return
	}
	end := l.off + 2 + n + 2
	for {
		i := strings.IndexByte(l.src[l.off:end], '\n')
		if i < 0 {
			break
		}
		l.off += i
		l.newline()
	}
	l.off = end
}

// atLineStart reports whether only blanks precede the offset on its line.
func (l *lexer) atLineStart() bool {
	return strings.TrimLeft(l.src[l.lineStart:l.off], " \t") == ""
}
