package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Extent returns the bytes of a source line that a mark is to cover: of the
// expression at column col, which counts bytes from 1. Of a name that is what
// follows it in brackets, too; of an assignment, whose column is that of its
// operator, what is assigned to, unless the access is a read (write is false)
// that the operator's other side makes. Column 0, or one past the line, is
// the whole line.
func Extent(line string, col int, write bool) (from, to int) {
	if col <= 0 || col > len(line) {
		from = len(line) - len(strings.TrimLeft(line, " \t"))
		return from, max(from, len(strings.TrimRight(line, " \t")))
	}
	at := col - 1
	switch op := operator(line[at:]); {
	case op == "" && isName(line[at]):
		return at, postfix(line, at)
	case op == "":
		_, n := utf8.DecodeRuneInString(line[at:])
		return at, at + n
	case (op == "++" || op == "--") && at+2 < len(line) && isName(line[at+2]):
		return at + 2, postfix(line, at+2)
	case op != "=" || write:
		if from, to := operand(line[:at]); from < to {
			return from, to
		}
	}
	return at, at + 1
}

// operators change what is left of them.
var operators = []string{"<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

// operator returns the operator that text begins with, "" if none that writes.
func operator(text string) string {
	i := slices.IndexFunc(operators, func(o string) bool { return strings.HasPrefix(text, o) })
	switch {
	case i >= 0:
		return operators[i]
	case strings.HasPrefix(text, "=") && !strings.HasPrefix(text, "=="):
		return "="
	}
	return ""
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// postfix returns the end of the name at from with the indices that follow it.
func postfix(line string, from int) int {
	to := from
	for to < len(line) && isName(line[to]) {
		to++
	}
	for to < len(line) && line[to] == '[' {
		depth := 0
		end := strings.IndexFunc(line[to:], func(r rune) bool {
			switch r {
			case '[':
				depth++
			case ']':
				depth--
			}
			return depth == 0
		})
		if end < 0 {
			break
		}
		to += end + 1
	}
	return to
}

// operand returns the expression that a line ends with, as it stands left of an
// assignment: names, members, indices, what is in parentheses, and stars.
func operand(line string) (from, to int) {
	to = len(strings.TrimRight(line, " \t"))
	from = to
	for from > 0 {
		switch c := line[from-1]; {
		case isName(c) || c == '.' || c == ':':
			from--
		case c == '>' && from > 1 && line[from-2] == '-':
			from -= 2
		case c == ']' || c == ')':
			open := opening(line, from-1)
			if open < 0 || c == ')' && isStatement(line[:open]) {
				return from, to
			}
			from = open
		default:
			for from > 0 && line[from-1] == '*' && from < to {
				from--
			}
			return from, to
		}
	}
	return from, to
}

// isStatement reports whether the parenthesis after text is that of a
// statement: "if (x)", "for (;;)".
func isStatement(text string) bool {
	text = strings.TrimRight(text, " \t")
	return slices.ContainsFunc([]string{"if", "while", "for", "switch"}, func(word string) bool {
		before, ok := strings.CutSuffix(text, word)
		return ok && (before == "" || !isName(before[len(before)-1]))
	})
}

// opening returns the index of the bracket that the one at end closes, or -1.
func opening(line string, end int) int {
	depth := 0
	for i := end; i >= 0; i-- {
		switch line[i] {
		case ']', ')':
			depth++
		case '[', '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// UTF16Len is the length of s in UTF-16 units, which browsers and editors count.
func UTF16Len(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x10000 {
			n++
		}
	}
	return n
}
