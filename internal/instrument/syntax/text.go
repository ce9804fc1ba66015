package syntax

import "bytes"

// WordAt is the identifier that begins at an offset, "" for none.
func WordAt(text []byte, at int) string {
	end := at
	for end < len(text) && IsWord(text[end]) {
		end++
	}
	return string(text[at:end])
}

// UseEnd returns the end of a macro's use: of its name, or of the parentheses
// that follow it; -1 if there is no name.
func UseEnd(text []byte, at int) int {
	end := at + len(WordAt(text, at))
	if end == at {
		return -1
	}
	open := SkipBlank(text, end)
	if open >= len(text) || text[open] != '(' {
		return end
	}
	depth := 0
	for i := open; i < len(text); {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i = SkipToken(text, i)
	}
	return end
}

// SkipBlank skips white space, joined lines and comments.
func SkipBlank(text []byte, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c == ' ', c == '\t', c == '\n', c == '\r', c == '\\' && i+1 < len(text) && text[i+1] == '\n':
			i++
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = SkipToken(text, i)
		default:
			return i
		}
	}
	return i
}

// SkipToken skips a comment, a literal or one byte.
func SkipToken(text []byte, i int) int {
	rest := text[i:]
	until := func(s string, from int) int {
		if n := bytes.Index(rest[from:], []byte(s)); n >= 0 {
			return i + from + n + len(s)
		}
		return len(text)
	}
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		return until("\n", 2)
	case bytes.HasPrefix(rest, []byte("/*")):
		return until("*/", 2)
	case bytes.HasPrefix(rest, []byte(`R"`)):
		if n := bytes.IndexByte(rest, '('); n >= 0 {
			return until(")"+string(rest[2:n])+`"`, n)
		}
	case rest[0] == '"', rest[0] == '\'' && (i == 0 || !IsWord(text[i-1])):
		for j := 1; j < len(rest); j++ {
			if rest[j] == '\\' {
				j++
			} else if rest[j] == rest[0] || rest[j] == '\n' {
				return i + j + 1
			}
		}
		return len(text)
	}
	return i + 1
}

// IsWord reports whether a byte can be part of an identifier.
func IsWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
