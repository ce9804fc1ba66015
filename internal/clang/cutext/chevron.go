package cutext

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// nvcc accepts a launch whose chevrons have spaces inside, "k << < g, b >> >
// (x)"; clang does not. It is handed such a source with the chevrons closed up.
// The spaces move in front of the chevrons, so that lines and columns stay.

var (
	openChevron  = regexp.MustCompile(`<<[ \t]+<|<[ \t]+<<|<[ \t]+<[ \t]+<`)
	closeChevron = regexp.MustCompile(`>>[ \t]+>|>[ \t]+>>`)
)

// closeChevrons closes spaced chevrons up, in texts that open some.
func closeChevrons(t *Text) (edits []edit) {
	open := openChevron.FindAllIndex(t.src, -1)
	if open == nil {
		return nil
	}
	for _, m := range slices.Concat(open, closeChevron.FindAllIndex(t.src, -1)) {
		mark := string(t.src[m[0]])
		edits = append(edits, edit{m[0], m[1], strings.Repeat(" ", m[1]-m[0]-3) + strings.Repeat(mark, 3)})
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.pos - b.pos })
	return edits
}

// nameBraces puts the type in front of braces that are the grid or the block of
// a launch, "k<<<{2, 2}, {32}>>>(x)", where clang wants an expression.
func nameBraces(t *Text) (edits []edit) {
	src := t.src
	if !bytes.Contains(src, []byte("<<<")) {
		return nil
	}
	toks := t.tokens(true)
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
	return edits
}
