package clang

import (
	"bytes"
	"regexp"
)

// nvcc accepts a launch whose chevrons have spaces inside, "k << < g, b >> >
// (x)"; clang does not. It is handed such a source with the chevrons closed up.
// The spaces move in front of the chevrons, so that lines and columns stay.

var (
	openChevron  = regexp.MustCompile(`<<[ \t]+<|<[ \t]+<<|<[ \t]+<[ \t]+<`)
	closeChevron = regexp.MustCompile(`>>[ \t]+>|>[ \t]+>>`)
)

// closeChevrons returns the text with spaced chevrons closed up, and whether
// there were any.
func closeChevrons(src []byte) ([]byte, bool) {
	if !openChevron.Match(src) {
		return src, false
	}
	closeUp := func(m []byte, c byte) []byte {
		out := bytes.Repeat([]byte{' '}, len(m))
		copy(out[len(m)-3:], bytes.Repeat([]byte{c}, 3))
		return out
	}
	out := openChevron.ReplaceAllFunc(src, func(m []byte) []byte { return closeUp(m, '<') })
	return closeChevron.ReplaceAllFunc(out, func(m []byte) []byte { return closeUp(m, '>') }), true
}

// nameBraces puts the type in front of braces that are the grid or the block of
// a launch, "k<<<{2, 2}, {32}>>>(x)", where clang wants an expression.
func nameBraces(src []byte) []byte {
	if !bytes.Contains(src, []byte("<<<")) {
		return src
	}
	toks := tokens(src, true)
	var edits []edit
	for i := range toks {
		if !chevrons(src, toks, i, '<') {
			continue
		}
		l, ok := launchAt(src, toks, i)
		if !ok {
			continue
		}
		for k, first := i+3, true; k < l.close; k++ {
			if toks[k].is(src, "{") && first {
				edits = append(edits, edit{toks[k].pos, toks[k].pos, "dim3"})
			}
			first = toks[k].is(src, ",")
			if end := matching(src, toks[:l.close], k); end > k {
				k = end
			}
		}
	}
	return apply(src, edits)
}
