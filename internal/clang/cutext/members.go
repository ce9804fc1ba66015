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
// at the end of the qualified name there.
func memberTemplate(text []byte, at int) (int, bool) {
	for at >= 2 && at < len(text) && isIdent(text[at]) {
		end := identEnd(text, at)
		switch rest := bytes.TrimLeft(text[end:], " \t"); {
		case bytes.HasPrefix(rest, []byte("::")):
			at = len(text) - len(bytes.TrimLeft(rest[2:], " \t"))
		case bytes.HasPrefix(rest, []byte("<")):
			return at, text[at-1] == '.' || string(text[at-2:at]) == "->" || string(text[at-2:at]) == "::"
		default:
			return at, false
		}
	}
	return at, false
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
