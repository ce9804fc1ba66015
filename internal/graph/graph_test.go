package graph

import (
	"reflect"
	"testing"
)

func edges(n int, es ...[2]int) *Graph {
	g := New(n)
	for _, e := range es {
		g.Add(e[0], e[1])
	}
	return g
}

func TestDominators(t *testing.T) {
	// 0 -> 1 -> {2,3} -> 4 -> 1, 4 -> 5; 6 is unreachable
	g := edges(7, [2]int{0, 1}, [2]int{1, 2}, [2]int{1, 3}, [2]int{2, 4}, [2]int{3, 4}, [2]int{4, 1}, [2]int{4, 5}, [2]int{6, 5})
	if got, want := g.Dominators(0), []int{-1, 0, 1, 1, 1, 4, -1}; !reflect.DeepEqual(got, want) {
		t.Errorf("dominators %v, want %v", got, want)
	}
	if got, want := g.PostDominators(), []int{1, 4, 4, 4, 5, -1, 5}; !reflect.DeepEqual(got, want) {
		t.Errorf("post-dominators %v, want %v", got, want)
	}
}

func TestPostDominatorsEndlessLoop(t *testing.T) {
	// 0 -> {1, 2}; 1 loops forever; 2 ends
	g := edges(3, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 1})
	if got, want := g.PostDominators(), []int{2, -1, -1}; !reflect.DeepEqual(got, want) {
		t.Errorf("post-dominators %v, want %v", got, want)
	}
}

func TestSCC(t *testing.T) {
	// 0 -> 1 <-> 2 -> 3, 3 -> 3, 4 alone
	g := edges(5, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 1}, [2]int{2, 3}, [2]int{3, 3})
	comp, cyc := g.SCC()
	if comp[1] != comp[2] || comp[0] == comp[1] || comp[2] == comp[3] {
		t.Errorf("components %v", comp)
	}
	if !(comp[0] > comp[1] && comp[2] > comp[3]) {
		t.Errorf("order of components %v", comp)
	}
	if want := []bool{false, true, true, true, false}; !reflect.DeepEqual(cyc, want) {
		t.Errorf("cyclic %v, want %v", cyc, want)
	}
}

func TestReachable(t *testing.T) {
	g := edges(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3})
	got := g.Reachable(0, func(n int) bool { return n == 2 })
	if want := []bool{true, true, false, false}; !reflect.DeepEqual(got, want) {
		t.Errorf("reachable %v, want %v", got, want)
	}
}
