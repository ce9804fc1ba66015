package explore

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// program is one for each of some warps: what its steps do to a few words.
type program [][]access

func (p program) enabled(at []int) (s procs) {
	for i := range p {
		if at[i] < len(p[i]) {
			s.add(i)
		}
	}
	return s
}

// result has by word the warps that wrote it, in order, and by step what it read: equal for orders that are the same
// execution.
type result struct{ words map[place]string }

func (p program) step(at []int, w int, r *result) access {
	a := p[w][at[w]]
	at[w]++
	if a.is == writes {
		r.words[a.at] += fmt.Sprint(w, at[w], ";")
	} else {
		r.words[place{uint64(w + 1), uint64(at[w])}] = r.words[a.at]
	}
	return a
}

// all adds the results of all orders.
func (p program) all(out map[string]bool) {
	var order func(prefix []int)
	order = func(prefix []int) {
		at, r := make([]int, len(p)), &result{words: map[place]string{}}
		for _, w := range prefix {
			p.step(at, w, r)
		}
		e := p.enabled(at)
		if e == 0 {
			out[fmt.Sprint(r.words)] = true
		}
		for ; e != 0; e &= e - 1 {
			order(append(prefix[:len(prefix):len(prefix)], e.lowest()))
		}
	}
	order(nil)
}

// explored returns the results of the executions of a search, and how many there were.
func (p program) explored(t *testing.T) (out map[string]bool, executions int) {
	out = map[string]bool{}
	s := newSearch(len(p))
	for {
		at, r := make([]int, len(p)), &result{words: map[place]string{}}
		for e := p.enabled(at); e != 0; e = p.enabled(at) {
			w := s.choose(e)
			if w < 0 {
				break
			}
			s.access(p.step(at, w, r))
		}
		if s.broken {
			t.Fatal("an execution did not repeat")
		}
		if !s.redundant {
			executions++
			out[fmt.Sprint(r.words)] = true
		}
		if !s.next() {
			return out, executions
		}
	}
}

// TestSearch compares random programs with all of their orders: each result is found, and with few executions in vain.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		p := make(program, 2+rng.IntN(2))
		for w := range p {
			for range 1 + rng.IntN(3) {
				p[w] = append(p[w], access{place{0, uint64(rng.IntN(3))}, effect(rng.IntN(2))})
			}
		}
		want := map[string]bool{}
		p.all(want)
		got, n := p.explored(t)
		if len(got) != len(want) {
			t.Fatalf("%v: %d of %d results in %d executions", p, len(got), len(want), n)
		}
		if n != len(want) {
			t.Errorf("%v: %d executions for %d results", p, n, len(want))
		}
	}
}

// TestSearchIndependent: warps that share nothing have one execution.
func TestSearchIndependent(t *testing.T) {
	p := make(program, 6)
	for w := range p {
		for i := range uint64(5) {
			p[w] = append(p[w], access{place{0, 100*uint64(w) + i}, writes})
		}
	}
	if _, n := p.explored(t); n != 1 {
		t.Errorf("%d executions", n)
	}
}

// TestSearchUpdates: equal updates commute, with each other only.
func TestSearchUpdates(t *testing.T) {
	p := program{{{place{0, 1}, update}}, {{place{0, 1}, update}}, {{place{0, 1}, update}}}
	if _, n := p.explored(t); n != 1 {
		t.Errorf("equal updates: %d executions", n)
	}
	p[2][0].is = update + 1
	if _, n := p.explored(t); n != 4 { // the third before, between in two ways, or after
		t.Errorf("an update of another kind: %d executions", n)
	}
	p[2][0].is = reads
	if _, n := p.explored(t); n != 4 {
		t.Errorf("a read: %d executions", n)
	}
}
