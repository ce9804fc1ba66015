package cutext

import "regexp"

// nvcc accepts alignas behind a memory space, "__shared__ alignas(16) float
// s[4]"; clang wants it in front of all other words there. A macro of the same
// length takes its place, which becomes an attribute that may stand anywhere.

var spaceAlignas = regexp.MustCompile(`\b(__shared__|__device__|__constant__)([ \t]+)alignas\b`)

// movableAlignas replaces alignas behind a memory space by the macro.
func movableAlignas(t *Text) (edits []edit) {
	for _, m := range spaceAlignas.FindAllIndex(t.src, -1) {
		edits = append(edits, edit{m[1] - len("alignas"), m[1], "__wg_al"})
	}
	return edits
}
