package solve

import (
	"slices"
)

// part is a question about variables that no other part of it has.
type part struct {
	all    *Term
	vars   []*Term
	script string
}

// parts takes a conjunction apart: it can be met where each part can. Those
// with the shortest text are first: one that cannot be met settles all.
func parts(conjuncts []*Term) []part {
	var out []part
	for _, group := range groups(conjuncts) {
		p := part{all: And(group...)}
		p.script, p.vars = script(p.all)
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b part) int { return len(a.script) - len(b.script) })
	return out
}

// groups puts together the terms that share variables, in their order.
func groups(terms []*Term) [][]*Term {
	group := make([]int, len(terms)) // the index of a term before, of its group
	root := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	first := map[string]int{}
	for i, t := range terms {
		group[i] = i
		for _, v := range Variables(t) {
			if j, seen := first[v.name]; seen {
				a, b := root(i), root(j)
				group[max(a, b)] = min(a, b)
			} else {
				first[v.name] = i
			}
		}
	}
	at := map[int]int{}
	var out [][]*Term
	for i, t := range terms {
		r := root(i)
		if _, ok := at[r]; !ok {
			at[r] = len(out)
			out = append(out, nil)
		}
		out[at[r]] = append(out[at[r]], t)
	}
	return out
}

// Conjuncts are the terms of which t is the conjunction.
func Conjuncts(t *Term) []*Term {
	switch {
	case t.IsTrue():
		return nil
	case t.op == OpAnd:
		return t.args
	}
	return []*Term{t}
}

// Connected takes terms apart into those that have a variable in common with
// the seed, or with others that have, and those about something else.
func Connected(seed *Term, terms []*Term) (with, without []*Term) {
	for i, g := range groups(append([]*Term{seed}, terms...)) {
		if i == 0 {
			with = g[1:]
			continue
		}
		without = append(without, g...)
	}
	return with, without
}
