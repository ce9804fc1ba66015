package solve

import (
	"slices"
	"strconv"
)

// Interner makes terms of one structure one term, so that what is the same is
// seen to be, and is worked on once. It is not safe for concurrent use.
type Interner struct {
	known  map[internKey]*Term
	number map[*Term]int // of the terms that are known
}

// internKey is a term's structure; of conjunctions and disjunctions the name
// has the numbers of the arguments.
type internKey struct {
	op    Op
	sort  Sort
	low   int
	value uint64
	args  [3]*Term
	name  string
}

// NewInterner makes an interner that knows no term.
func NewInterner() *Interner {
	return &Interner{known: map[internKey]*Term{}, number: map[*Term]int{}}
}

// Intern returns the one term of t's structure, in which choices between two
// equal terms are left out and joined conditions are there once.
func (in *Interner) Intern(t *Term) *Term {
	done := map[*Term]*Term{}
	type frame struct {
		t    *Term
		next int
	}
	stack := []frame{{t: t}} // its own, as terms of long kernels are deep
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		_, known := in.number[f.t]
		switch {
		case known:
			done[f.t] = f.t
		case done[f.t] != nil:
		case f.next < len(f.t.args):
			f.next++
			stack = append(stack, frame{t: f.t.args[f.next-1]})
			continue
		default:
			done[f.t] = in.one(f.t, done)
		}
		stack = stack[:len(stack)-1]
	}
	return done[t]
}

// one interns a term whose arguments are in done.
func (in *Interner) one(t *Term, done map[*Term]*Term) *Term {
	k := internKey{op: t.op, sort: t.sort, low: t.low, value: t.value, name: t.name}
	var args []*Term
	switch t.op {
	case OpAnd, OpOr:
		if args = once(t, done); len(args) == 1 {
			return args[0]
		}
		text := make([]byte, 0, 4*len(args))
		for _, a := range args {
			text = strconv.AppendInt(append(text, ' '), int64(in.number[a]), 36)
		}
		k.name = string(text)
	default:
		for i, a := range t.args {
			k.args[i] = done[a]
		}
		if args = k.args[:len(t.args)]; t.op == OpIte && args[1] == args[2] {
			return args[1]
		}
	}
	if old := in.known[k]; old != nil {
		return old
	}
	if !slices.Equal(args, t.args) {
		n := *t
		n.args = slices.Clone(args)
		t = &n
	}
	in.known[k], in.number[t] = t, len(in.number)
	return t
}

// once are the different arguments of a conjunction or disjunction.
func once(t *Term, done map[*Term]*Term) []*Term {
	var out []*Term
	seen := map[*Term]bool{}
	for _, a := range t.args {
		if a = done[a]; !seen[a] {
			seen[a] = true
			out = append(out, a)
		}
	}
	return out
}
