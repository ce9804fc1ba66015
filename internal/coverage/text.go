package coverage

import (
	"slices"
	"strings"
)

// DropLines leaves out lines that have no code: comments, directives of the preprocessor, and lines of nothing but braces and
// the like. clang counts such a line with the statements around it, or where code was made of none of a function. text gives
// the source; without it lines stay.
func (r *Result) DropLines(text func(file string) (string, bool)) {
	for i := range r.Files {
		f := &r.Files[i]
		t, ok := text(f.Path)
		if !ok {
			continue
		}
		has := codeLines(t)
		f.Lines = slices.DeleteFunc(f.Lines, func(l Line) bool { return l.Line <= len(has) && !has[l.Line-1] })
	}
}

// codeLines tells which lines of a source have code. Lines of a macro's definition but the first have.
func codeLines(text string) (has []bool) {
	s := stripper{}
	for line := range strings.Lines(text) {
		has = append(has, s.hasCode(strings.TrimRight(line, "\r\n")))
	}
	return has
}

// stripper goes over the lines of a source.
type stripper struct {
	comment   bool // within a comment of several lines
	directive bool // within a directive that continues in the next line
}

// punctuation is what lines without code may have.
const punctuation = " \t\v\f{}();,"

func (s *stripper) hasCode(line string) bool {
	code, first := false, true
	defer func() { s.directive = s.directive && strings.HasSuffix(line, "\\") }()
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch c := line[i]; {
		case s.comment:
			if end := strings.Index(rest, "*/"); end >= 0 {
				s.comment = false
				i += end + 1
				continue
			}
			return code
		case strings.HasPrefix(rest, "//"):
			return code
		case strings.HasPrefix(rest, "/*"):
			s.comment = true
			i++
		case c == '#' && first && !s.directive:
			s.directive = true
			return isDefinition(rest)
		case c == '"' || c == '\'':
			code, first = true, false
			i += literalEnd(rest)
		case strings.IndexByte(punctuation, c) < 0 && rest != "\\":
			code, first = true, false
		case c > ' ':
			first = false
		}
	}
	return code
}

// isDefinition reports whether a directive defines a macro, whose text may be executed.
func isDefinition(directive string) bool {
	return strings.HasPrefix(strings.TrimLeft(directive[1:], " \t"), "define")
}

// literalEnd is the index of the quote that ends a literal, or of the line's last byte.
func literalEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i
		}
	}
	return len(s) - 1
}
