package cutext

import (
	"cmp"
	"slices"
)

// NameTemplates writes "x.template f<N>(y)" for members at places that are templates, which
// clang has to be told where x depends on a template's parameters.
func NameTemplates(text []byte, places []Place) []byte {
	places = slices.Clone(places)
	slices.SortFunc(places, func(a, b Place) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) })
	var edits []edit
	for _, p := range slices.Compact(places) { // each instance of a template has them again
		if at := p.offset(text); isMemberTemplate(text, at) {
			edits = append(edits, edit{at, at, "template "})
		}
	}
	return apply(text, edits)
}

// isMemberTemplate reports whether a member's name is at a place, with arguments in angle
// brackets.
func isMemberTemplate(text []byte, at int) bool {
	if at < 2 || at >= len(text) || !isIdent(text[at]) || text[at-1] != '.' && string(text[at-2:at]) != "->" {
		return false
	}
	end := identEnd(text, at)
	for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return end < len(text) && text[end] == '<'
}
