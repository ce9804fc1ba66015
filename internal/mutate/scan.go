package mutate

import (
	"bytes"
	"regexp"
)

// blank returns src with comments, literals and preprocessor lines replaced by
// spaces of the same length, so that places stay the same.
func blank(src []byte) []byte {
	t := bytes.Clone(src)
	for i := 0; i < len(t); {
		n := skip(t, i)
		if n == 0 {
			i++
			continue
		}
		for k := i; k < i+n; k++ {
			if t[k] != '\n' {
				t[k] = ' '
			}
		}
		i += n
	}
	return t
}

// skip returns the length of the comment, literal or preprocessor line that
// begins at i; 0 where there is none.
func skip(t []byte, i int) int {
	rest := t[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		return until(rest, "\n")
	case bytes.HasPrefix(rest, []byte("/*")):
		return until(rest, "*/")
	case rest[0] == '"':
		return literal(rest)
	case rest[0] == '\'' && (i == 0 || !isWord(t[i-1])): // not 1'000
		return literal(rest)
	case rest[0] == '#' && len(bytes.TrimSpace(t[bytes.LastIndexByte(t[:i], '\n')+1:i])) == 0:
		return directive(rest)
	}
	return 0
}

func until(t []byte, end string) int {
	if n := bytes.Index(t[1:], []byte(end)); n >= 0 {
		return 1 + n + len(end)
	}
	return len(t)
}

func literal(t []byte) int {
	for i := 1; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case t[0], '\n':
			return i + 1
		}
	}
	return len(t)
}

// directive is a preprocessor line with those that continue it.
func directive(t []byte) int {
	for i := range t {
		if t[i] == '\n' && (i == 0 || t[i-1] != '\\') {
			return i
		}
	}
	return len(t)
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|32 && c|32 <= 'z'
}

// region is t[from:to], the body of a function with its braces.
type region struct{ from, to int }

var deviceWord = regexp.MustCompile(`\b__(global|device)__\b`)

// deviceRegions finds the bodies of device functions.
func deviceRegions(t []byte) []region {
	var out []region
	for _, m := range deviceWord.FindAllIndex(t, -1) {
		if len(out) > 0 && m[0] < out[len(out)-1].to {
			continue
		}
		if open := bodyAfter(t, m[1]); open >= 0 {
			out = append(out, region{open, matching(t, open)})
		}
	}
	return out
}

// bodyAfter finds the brace that opens the function declared at i; -1 for a
// declaration or a variable.
func bodyAfter(t []byte, i int) int {
	parens := false
	for ; i < len(t); i++ {
		switch t[i] {
		case '(':
			i, parens = matching(t, i)-1, true
		case '{':
			if parens {
				return i
			}
			return -1
		case ';', '=', '}':
			return -1
		}
	}
	return -1
}

// matching returns the place after the bracket that closes the one at i.
func matching(t []byte, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch t[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(t)
}
