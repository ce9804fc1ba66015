package solve

import (
	"slices"
	"strconv"
)

// Interner makes terms of one meaning one term, as far as that is seen at
// once: those of one structure, sums in any order, comparisons of the same
// sums. What is the same is worked on once, and much needs no solver. It is not
// safe for concurrent use.
type Interner struct {
	known  map[internKey]*Term
	number map[*Term]int // of the terms that are known
	sums   map[*Term]sum
	spans  map[*Term]span
	// within are ranges that hold in the question at hand only; no term may be
	// made while there are some.
	within map[*Term]span
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
	return &Interner{known: map[internKey]*Term{}, number: map[*Term]int{}, sums: map[*Term]sum{}, spans: map[*Term]span{}}
}

// Number identifies an interned term among those of the interner.
func (in *Interner) Number(t *Term) int { return in.number[t] }

// Intern returns the one term of t's meaning.
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
			args := make([]*Term, len(f.t.args))
			for i, a := range f.t.args {
				args[i] = done[a]
			}
			done[f.t] = in.one(f.t, args)
		}
		stack = stack[:len(stack)-1]
	}
	return done[t]
}

// put makes a term with interned arguments the one of its structure.
func (in *Interner) put(t *Term) *Term {
	k := internKey{op: t.op, sort: t.sort, low: t.low, value: t.value, name: t.name}
	if t.op == OpAnd || t.op == OpOr {
		text := make([]byte, 0, 4*len(t.args))
		for _, a := range t.args {
			text = strconv.AppendInt(append(text, ' '), int64(in.number[a]), 36)
		}
		k.name = string(text)
	} else {
		copy(k.args[:], t.args)
	}
	if old := in.known[k]; old != nil {
		return old
	}
	in.known[k], in.number[t] = t, len(in.number)
	if t.sort != Bool {
		in.spans[t] = in.findSpan(t)
	}
	return t
}

func (in *Interner) constant(value uint64, s Sort) *Term {
	return in.put(&Term{op: OpConst, sort: s, value: value & varMask(s)})
}

func (in *Interner) truth(b bool) *Term { return in.put(Truth(b)) }

// like is a term with t's operation and these arguments.
func (in *Interner) like(t *Term, args []*Term) *Term {
	if !slices.Equal(args, t.args) {
		n := *t
		n.args = args
		t = &n
	}
	return in.put(t)
}

// replace returns an interned term in which others stand for some of its parts.
func (in *Interner) replace(t *Term, by map[*Term]*Term) *Term {
	done := map[*Term]*Term{}
	for _, x := range postorder(t) {
		if r := by[x]; r != nil {
			done[x] = r
			continue
		}
		args := make([]*Term, len(x.args))
		for i, a := range x.args {
			args[i] = done[a]
		}
		if done[x] = x; !slices.Equal(args, x.args) {
			done[x] = in.one(x, args)
		}
	}
	return done[t]
}

// Substitute returns a term in which constants stand for the variables of those names.
func Substitute(t *Term, values map[string]uint64) *Term {
	in := NewInterner()
	t = in.Intern(t)
	by := map[*Term]*Term{}
	for _, v := range Variables(t) {
		if c, ok := values[v.name]; ok {
			by[v] = in.constant(c, v.sort)
		}
	}
	if len(by) == 0 {
		return t
	}
	return in.replace(t, by)
}
