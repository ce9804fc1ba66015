package cutext

import (
	"bytes"
	"cmp"
	"slices"
)

// NameTemplates writes "x.template f<N>(y)" and "T::template f<N>(y)" for members at places
// that are templates, which clang has to be told where x or T depends on a template's
// parameters.
func NameTemplates(text []byte, places []Place) []byte {
	places = slices.Clone(places)
	slices.SortFunc(places, func(a, b Place) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) })
	var edits []edit
	for _, p := range slices.Compact(places) { // each instance of a template has them again
		if at, ok := memberTemplate(text, p.offset(text)); ok {
			edits = append(edits, edit{at, at, "template "})
		}
	}
	return apply(text, edits)
}

// memberTemplate finds the name of a member with arguments in angle brackets: at a place, or
// at the end of the qualified name there ("S<T>::f<N>").
func memberTemplate(text []byte, at int) (int, bool) {
	for at < len(text) && isIdent(text[at]) {
		open := skipBlanks(text, identEnd(text, at))
		args := bytes.HasPrefix(text[open:], []byte("<"))
		colons := open
		if args {
			colons = skipBlanks(text, anglesEnd(text, open))
		}
		switch {
		case bytes.HasPrefix(text[colons:], []byte("::")):
			at = skipBlanks(text, colons+2)
		case args:
			before := bytes.TrimRight(text[:at], " \t\r\n")
			return at, bytes.HasSuffix(before, []byte(".")) || bytes.HasSuffix(before, []byte("->")) || bytes.HasSuffix(before, []byte("::"))
		default:
			return at, false
		}
	}
	return at, false
}

// skipBlanks finds what follows blanks and the ends of lines.
func skipBlanks(text []byte, at int) int {
	return len(text) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
}

// anglesEnd finds what follows the arguments in angle brackets at a place: the place itself where
// the bracket is a comparison, so that no other closes it before the statement ends.
func anglesEnd(text []byte, open int) int {
	depth, nested := 0, 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(', '[':
			nested++
		case ')', ']':
			nested--
		case ';', '{', '}':
			return open
		case '<':
			if nested == 0 {
				depth++
			}
		case '>':
			if nested == 0 {
				depth--
			}
		}
		if nested < 0 {
			return open
		}
		if depth == 0 {
			return i + 1
		}
	}
	return open
}

// NameTypes writes "typename T::type" for names at places that are types, which clang has to be told
// where T depends on a template's parameters.
func NameTypes(text []byte, places []Place) []byte {
	places = slices.Clone(places)
	slices.SortFunc(places, func(a, b Place) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) })
	var edits []edit
	for _, p := range slices.Compact(places) {
		if at := p.offset(text); at >= 0 && at < len(text) && (isIdent(text[at]) || text[at] == ':') {
			edits = append(edits, edit{at, at, "typename "})
		}
	}
	return apply(text, edits)
}
