package clang

import "regexp"

// nvcc accepts alignas behind a memory space, "__shared__ alignas(16) float
// s[4]"; clang wants it in front of all other words there. A macro of the same
// length takes its place, which becomes an attribute that may stand anywhere.

var spaceAlignas = regexp.MustCompile(`\b(__shared__|__device__|__constant__)([ \t]+)alignas\b`)

// movableAlignas replaces alignas behind a memory space by the macro, and
// reports whether there was any.
func movableAlignas(src []byte) ([]byte, bool) {
	if !spaceAlignas.Match(src) {
		return src, false
	}
	return spaceAlignas.ReplaceAll(src, []byte("${1}${2}__wg_al")), true
}
