package cutext

import (
	"fmt"
	"strings"
)

// Place is a place in a text, counted from 1.
type Place struct{ Line, Col int }

// offset is where a place is in a text.
func (p Place) offset(src []byte) int {
	at, line := 0, 1
	for ; at < len(src) && line < p.Line; at++ {
		if src[at] == '\n' {
			line++
		}
	}
	return at + p.Col - 1
}

// AssignArrays makes assignments of the initializers of the arrays whose first lengths
// are at places: arrays of variable length, whose initializers clang rejects.
func AssignArrays(text []byte, places []Place) []byte {
	t := New(text)
	var edits []edit
	for _, p := range places {
		if e, ok := assignArray(text, t.tokens(true), p); ok {
			edits = append(edits, e)
		}
	}
	return apply(text, edits)
}

// assignArray is the change for the array whose first length is at a place.
func assignArray(src []byte, toks []token, p Place) (e edit, ok bool) {
	at := p.offset(src)
	k := 0
	for k < len(toks) && toks[k].end <= at {
		k++
	}
	if k < 2 || k >= len(toks) || !toks[k-1].is(src, "[") || toks[k-2].kind != tokenIdent {
		return e, false
	}
	name := string(src[toks[k-2].pos:toks[k-2].end])
	dims, next := 0, k-1
	for next < len(toks) && toks[next].is(src, "[") {
		end := matching(src, toks, next)
		if end < 0 {
			return e, false
		}
		dims, next = dims+1, end+1
	}
	start := next
	if next < len(toks) && toks[next].is(src, "=") {
		next++
	}
	if next >= len(toks) || !toks[next].is(src, "{") {
		return e, false
	}
	end := matching(src, toks, next)
	if end < 0 || end+1 >= len(toks) {
		return e, false
	}
	sets, ok := elements(src, toks[next:end+1], name, dims)
	if !ok {
		return e, false
	}
	e = edit{pos: toks[start].pos, end: toks[end].end}
	sets = append([]string{fmt.Sprintf("__builtin_memset(%s, 0, sizeof %s)", name, name)}, sets...)
	if toks[end+1].is(src, ";") {
		e.text = "; " + strings.Join(sets, "; ")
	} else { // other variables follow
		e.text = fmt.Sprintf(", __wg_%s = (%s, 0)", name, strings.Join(sets, ", "))
	}
	e.text += strings.Repeat("\n", strings.Count(string(src[e.pos:e.end]), "\n"))
	return e, true
}

// elements are the assignments that the braces toks stand for. Every element must be
// within as many braces as the array has dimensions.
func elements(src []byte, toks []token, array string, dims int) (sets []string, ok bool) {
	index, first := 0, 1
	for i := 1; i < len(toks); i++ {
		t := toks[i]
		if end := matching(src, toks, i); end > i && (t.is(src, "{") || t.is(src, "(") || t.is(src, "[")) {
			if t.is(src, "{") {
				if dims < 2 || i != first {
					return nil, false
				}
				inner, ok := elements(src, toks[i:end+1], fmt.Sprintf("%s[%d]", array, index), dims-1)
				if !ok {
					return nil, false
				}
				sets, first = append(sets, inner...), end+1
			}
			i = end
			continue
		}
		if i < len(toks)-1 && !t.is(src, ",") {
			continue
		}
		if value := strings.ReplaceAll(string(src[toks[first].pos:t.pos]), "\n", " "); i > first {
			if dims > 1 || strings.HasPrefix(value, ".") || strings.HasPrefix(value, "[") {
				return nil, false
			}
			sets = append(sets, fmt.Sprintf("%s[%d] = %s", array, index, strings.TrimSpace(value)))
		}
		index, first = index+1, i+1
	}
	return sets, true
}
