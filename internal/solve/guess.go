package solve

import "math/rand/v2"

// The bounds of guessing: terms of so many operations, so many times.
const (
	mostGuessed = 300
	guesses     = 96
)

// guess looks for a model among small and random values, the same ones each
// time: most questions that can be met are met by many.
func guess(p part) (Model, bool) {
	e := NewEvaluator(p.all)
	if len(e.order) > mostGuessed {
		return nil, false
	}
	r := rand.New(rand.NewPCG(1, 2))
	values := Model{}
	for i := range guesses {
		for _, v := range p.vars {
			values[v.name] = guessed(r, v, i)
		}
		if e.Eval(values) == 1 {
			m := Model{} // by the numbers of the variables, as z3's
			for k, v := range p.vars {
				m[numbered(k)] = values[v.name]
			}
			return m, true
		}
	}
	return nil, false
}

// guessed is a value for the variable, smaller in the first rounds.
func guessed(r *rand.Rand, v *Term, round int) uint64 {
	most := v.Most()
	if v.sort == Bool {
		return r.Uint64() & 1
	}
	limit := most
	switch {
	case round < guesses/3:
		limit = min(most, 40)
	case round < guesses*5/6:
		limit = min(most, 1<<(1+r.UintN(13)))
	}
	if limit == ^uint64(0) {
		return r.Uint64()
	}
	return r.Uint64N(limit + 1)
}
