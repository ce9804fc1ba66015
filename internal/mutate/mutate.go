// Package mutate makes faulty variants of CUDA sources: one barrier, bounds
// check, fence or initialization taken away at a time, or in asynchronous pipelines
// one wait, arrival, phase, count or scope wrong. It works on the text, so
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

// Mutant is a source with one thing missing or wrong.
type Mutant struct {
	Kind Kind
	// Line counts from 1; Removed is the text that is gone, changed or moved, on one line.
	// With is what a part of it has become, where only a part is changed.
	Line    int
	Removed string
	With    string
	// Text is the whole mutated source; it has as many lines as the original.
	Text []byte
}

// edit replaces src[from:to] by a text, or by parts of the source.
type edit struct {
	kind     Kind
	from, to int
	with     string
	parts    []region
	// shown is the text that a reader is to see, src[from:to] where it is empty.
	shown region
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
	gone, with := src[e.from:e.to], []byte(e.with)
	for _, p := range e.parts {
		with = append(with, src[p.from:p.to]...)
	}
	with = append(with, bytes.Repeat([]byte("\n"), bytes.Count(gone, []byte("\n"))-bytes.Count(with, []byte("\n")))...)
	m := Mutant{Kind: e.kind, Text: slices.Concat(src[:e.from], with, src[e.to:])}
	shown := region{e.from, e.to}
	if e.shown != (region{}) {
		shown, m.With = e.shown, e.with
	}
	m.Line = 1 + bytes.Count(src[:shown.from], []byte("\n"))
	m.Removed = string(bytes.Join(bytes.Fields(src[shown.from:shown.to]), []byte(" ")))
	return m
}
