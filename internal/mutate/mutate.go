// Package mutate makes faulty variants of CUDA sources: one barrier, bounds
// check, fence or initialization taken away at a time. It works on the text, so
// that all else stays as it is; what it makes need not compile.
package mutate

import (
	"bytes"
	"slices"
)

// Kind says what a mutant lacks.
type Kind string

// The kinds of mutants.
const (
	Barrier  Kind = "barrier"        // __syncthreads, sync() of a group
	WarpSync Kind = "__syncwarp"     // __syncwarp
	Fence    Kind = "fence"          // __threadfence and its relatives
	Wait     Kind = "wait"           // the wait for asynchronous copies
	Bounds   Kind = "bounds check"   // a comparison of a thread's index
	Init     Kind = "initialization" // a constant stored in memory, a copy or a fill by the host
)

// Mutant is a source with one thing missing.
type Mutant struct {
	Kind Kind
	// Line counts from 1; Removed is the text that is gone, on one line.
	Line    int
	Removed string
	// Text is the whole mutated source; it has as many lines as the original.
	Text []byte
}

// edit replaces src[from:to].
type edit struct {
	kind     Kind
	from, to int
	with     string
}

// All returns the mutants of a source, in the order of the text.
func All(src []byte) []Mutant {
	t := blank(src)
	var edits []edit
	for _, r := range deviceRegions(t) {
		edits = append(edits, syncs(t, r)...)
		edits = append(edits, bounds(t, r)...)
		edits = append(edits, constants(t, r)...)
	}
	edits = append(edits, hostWrites(t)...)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	edits = slices.CompactFunc(edits, func(a, b edit) bool { return a.from == b.from && a.to == b.to })
	var out []Mutant
	for _, e := range edits {
		out = append(out, e.apply(src))
	}
	return out
}

func (e edit) apply(src []byte) Mutant {
	gone := src[e.from:e.to]
	with := e.with + string(bytes.Repeat([]byte("\n"), bytes.Count(gone, []byte("\n"))-bytes.Count([]byte(e.with), []byte("\n"))))
	return Mutant{
		Kind: e.kind, Line: 1 + bytes.Count(src[:e.from], []byte("\n")),
		Removed: string(bytes.Join(bytes.Fields(gone), []byte(" "))),
		Text:    slices.Concat(src[:e.from], []byte(with), src[e.to:]),
	}
}
