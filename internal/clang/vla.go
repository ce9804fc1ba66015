package clang

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Arrays of variable length with an initializer
//
// GCC, nvcc's host compiler, lets "int a[2][n] = {{1}};" pass (it is an extension); clang
// does not. Which arrays have a variable length only the compiler knows, so it is asked: where
// it rejects initializers, they become assignments,
//
//	int a[2][n]; __builtin_memset(a, 0, sizeof a); a[0][0] = 1;
//
// and the source is compiled again. Lines stay where they are.

// vlaError finds the arrays that clang rejects; the place is that of the first length.
var vlaError = regexp.MustCompile(`(?m)^(.+):(\d+):(\d+): error: variable-sized object may not be initialized$`)

// vlaPlace is an array in the text that clang read.
type vlaPlace struct{ line, col int }

// vlaRounds bounds how often a source is compiled for its arrays: clang ends after some errors.
const vlaRounds = 20

// repairArrays notes the arrays that clang rejected. It reports false where there are none, or
// where the last round had the same.
func (j *job) repairArrays(err error) bool {
	var rejected *CompileError
	if !errors.As(err, &rejected) || len(j.arrays) >= vlaRounds {
		return false
	}
	round := map[string][]vlaPlace{}
	for _, m := range vlaError.FindAllStringSubmatch(rejected.Text, -1) {
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		path, err := filepath.Abs(m[1])
		if err == nil {
			round[path] = append(round[path], vlaPlace{line, col})
		}
	}
	if n := len(j.arrays); len(round) == 0 || n > 0 && fmt.Sprint(j.arrays[n-1]) == fmt.Sprint(round) {
		return false
	}
	j.arrays = append(j.arrays, round)
	return true
}

// assignArrays makes the changes to a file that the rounds so far asked for.
func (j *job) assignArrays(path string, text []byte) []byte {
	for _, round := range j.arrays {
		if len(round[path]) == 0 {
			continue
		}
		toks := tokens(text, true)
		var edits []edit
		for _, p := range round[path] {
			if e, ok := assignArray(text, toks, p); ok {
				edits = append(edits, e)
			}
		}
		text = apply(text, edits)
	}
	return text
}

// assignArray is the change for the array whose first length is at a place.
func assignArray(src []byte, toks []token, p vlaPlace) (e edit, ok bool) {
	at, line := 0, 1
	for ; at < len(src) && line < p.line; at++ {
		if src[at] == '\n' {
			line++
		}
	}
	at += p.col - 1
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
