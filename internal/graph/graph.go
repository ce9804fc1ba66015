// Package graph has the algorithms on directed graphs that control flow and
// call graphs need. Nodes are the integers from 0 to len(Succ)-1.
package graph

// Graph is a directed graph by its successor lists.
type Graph struct {
	Succ [][]int
}

// New makes a graph of n nodes without edges.
func New(n int) *Graph { return &Graph{Succ: make([][]int, n)} }

// Add adds the edge from a to b.
func (g *Graph) Add(a, b int) { g.Succ[a] = append(g.Succ[a], b) }

// Reverse returns the graph with all edges turned round.
func (g *Graph) Reverse() *Graph {
	r := New(len(g.Succ))
	for a, ss := range g.Succ {
		for _, b := range ss {
			r.Add(b, a)
		}
	}
	return r
}

// Reachable marks the nodes that can be reached from root, root included,
// without passing through a node for which stop is true. Nodes with stop true
// are not marked. A nil stop means none.
func (g *Graph) Reachable(root int, stop func(int) bool) []bool {
	seen := make([]bool, len(g.Succ))
	if stop != nil && stop(root) {
		return seen
	}
	work := []int{root}
	seen[root] = true
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range g.Succ[n] {
			if !seen[s] && (stop == nil || !stop(s)) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// ReversePostorder returns the nodes reachable from root, each before its
// successors except along back edges.
func (g *Graph) ReversePostorder(root int) []int {
	type frame struct{ node, next int }
	seen := make([]bool, len(g.Succ))
	seen[root] = true
	stack := []frame{{root, 0}}
	var post []int
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(g.Succ[f.node]) {
			post = append(post, f.node)
			stack = stack[:len(stack)-1]
			continue
		}
		s := g.Succ[f.node][f.next]
		f.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}

// Dominators returns each node's immediate dominator: -1 for root and for
// nodes that root does not reach. (Cooper, Harvey, Kennedy: "A Simple, Fast
// Dominance Algorithm".)
func (g *Graph) Dominators(root int) []int {
	order := g.ReversePostorder(root)
	num := make([]int, len(g.Succ))
	idom := make([]int, len(g.Succ))
	for i := range idom {
		idom[i] = -1
	}
	for i, n := range order {
		num[n] = i
	}
	pred := g.Reverse().Succ
	idom[root] = root
	for changed := true; changed; {
		changed = false
		for _, n := range order[1:] {
			d := -1
			for _, p := range pred[n] {
				if idom[p] < 0 {
					continue
				}
				if d < 0 {
					d = p
				} else {
					d = intersect(d, p, idom, num)
				}
			}
			if idom[n] != d {
				idom[n] = d
				changed = true
			}
		}
	}
	idom[root] = -1
	return idom
}

func intersect(a, b int, idom, num []int) int {
	for a != b {
		for num[a] > num[b] {
			a = idom[a]
		}
		for num[b] > num[a] {
			b = idom[b]
		}
	}
	return a
}

// PostDominators returns each node's immediate post-dominator, -1 where that
// is the exit: a virtual node that follows all nodes without successors. Nodes
// from which no path leads to the exit (endless loops) get -1.
func (g *Graph) PostDominators() []int {
	n := len(g.Succ)
	r := New(n + 1)
	for a, ss := range g.Succ {
		if len(ss) == 0 {
			r.Add(n, a)
		}
		for _, b := range ss {
			r.Add(b, a)
		}
	}
	idom := r.Dominators(n)[:n]
	for i, d := range idom {
		if d == n {
			idom[i] = -1
		}
	}
	return idom
}

// SCC returns each node's strongly connected component, numbered so that a
// component's number is above those that it reaches, and whether the node lies
// on a cycle. (Tarjan, without recursion.)
func (g *Graph) SCC() (comp []int, cyclic []bool) {
	n := len(g.Succ)
	comp, cyclic = make([]int, n), make([]bool, n)
	index, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	next, ncomp := 1, 0
	type frame struct{ node, next int }
	for root := range n {
		if index[root] != 0 {
			continue
		}
		calls := []frame{{root, 0}}
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			v := f.node
			if f.next == 0 {
				index[v], low[v] = next, next
				next++
				stack = append(stack, v)
				onStack[v] = true
			}
			if f.next < len(g.Succ[v]) {
				s := g.Succ[v][f.next]
				f.next++
				if index[s] == 0 {
					calls = append(calls, frame{s, 0})
				} else if onStack[s] {
					low[v] = min(low[v], index[s])
				}
				if s == v {
					cyclic[v] = true
				}
				continue
			}
			if low[v] == index[v] {
				size := 0
				for i := len(stack) - 1; ; i-- {
					size++
					if stack[i] == v {
						break
					}
				}
				for _, w := range stack[len(stack)-size:] {
					onStack[w] = false
					comp[w] = ncomp
					cyclic[w] = cyclic[w] || size > 1
				}
				stack = stack[:len(stack)-size]
				ncomp++
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].node
				low[p] = min(low[p], low[v])
			}
		}
	}
	return comp, cyclic
}
