package explore

import (
	"math/bits"
	"slices"
)

// procs are warps of a launch, a bit for each by its number.
type procs uint64

func (s procs) has(p int) bool        { return s>>p&1 != 0 }
func (s *procs) add(p int)            { *s |= 1 << p }
func (s procs) lowest() int           { return bits.TrailingZeros64(uint64(s)) }
func (s procs) without(o procs) procs { return s &^ o }

// maxProcs bounds the warps of a launch that is explored.
const maxProcs = 64

// place is a word of memory: of global memory, or of a block's shared memory.
type place struct {
	owner uint64 // the block from 1, 0 for global memory
	word  uint64
}

// effect is what an access does. Those from update on are updates without a result, of which equal ones commute.
type effect uint16

const (
	reads effect = iota
	writes
	update
)

// access is what a step does to a place.
type access struct {
	at place
	is effect
}

// commutes reports whether two effects on one place may come in either order.
func (e effect) commutes(o effect) bool { return e == o && e != writes }

// dependent reports whether two steps of different warps do not commute.
func dependent(a, b []access) bool {
	for _, x := range a {
		for _, y := range b {
			if x.at == y.at && !x.is.commutes(y.is) {
				return true
			}
		}
	}
	return false
}

// clock has by warp how many of its steps happen before.
type clock []uint32

func (c clock) join(o clock) {
	for i, n := range o {
		c[i] = max(c[i], n)
	}
}

// node is a state of the launch, with the step that the current execution makes there.
type node struct {
	enabled procs
	// todo are the warps whose steps are to be tried here, tried those that were; asleep are those whose
	// steps were tried before an earlier step that commutes with them, and lead to nothing new.
	todo, tried procs
	asleep      procs
	// steps are those of the warps that were tried or are asleep.
	steps map[int][]access
	// by makes the step, its number-th one, which does accesses.
	by       int
	number   uint32
	accesses []access
	// before is what happens before the step by what its warp did before, clock what happens before it, itself included.
	before, clock clock
}

// search is a depth-first search over the orders of steps of warps by dynamic partial-order reduction (Flanagan and
// Godefroid, POPL 2005) with source sets and sleep sets. Orders that differ only in
// steps which commute are the same execution.
type search struct {
	n     int // of warps
	nodes []*node
	// at is how many steps the execution has made, settled how many of them settle has seen.
	at, settled int
	// clocks are what happens before the next step of each warp, counts how many steps it has made.
	clocks []clock
	counts []uint32
	// since are the steps at a place from the last write on.
	since map[place][]done
	// redundant is set if the execution was left, as others are the same.
	redundant bool
	// broken is set if an execution did not repeat.
	broken bool
}

func newSearch(n int) *search {
	s := &search{n: n}
	s.begin()
	return s
}

// begin is for an execution.
func (s *search) begin() {
	s.at, s.settled, s.redundant = 0, 0, false
	s.clocks, s.counts = make([]clock, s.n), make([]uint32, s.n)
	for p := range s.clocks {
		s.clocks[p] = make(clock, s.n)
	}
	s.since = map[place][]done{}
}

// choose returns the warp that makes the next step, -1 for none.
func (s *search) choose(enabled procs) int {
	s.settle()
	if s.at == len(s.nodes) && !s.grow(enabled) {
		s.redundant = true
		return -1
	}
	n := s.nodes[s.at]
	if n.enabled != enabled {
		s.broken = true
		return -1
	}
	s.at++
	p := n.by
	s.counts[p]++
	s.clocks[p] = slices.Clone(s.clocks[p])
	s.clocks[p][p] = s.counts[p]
	n.number, n.accesses, n.before, n.clock = s.counts[p], n.accesses[:0], slices.Clone(s.clocks[p]), s.clocks[p]
	return p
}

// grow adds a node for a state that is new. The warp that made the last step continues if it can: of equal orders that
// is the one with the fewest switches.
func (s *search) grow(enabled procs) bool {
	n := &node{enabled: enabled, steps: map[int][]access{}}
	last := -1
	if s.at > 0 {
		last = s.inherit(n)
	}
	may := enabled.without(n.asleep)
	if may == 0 {
		return false
	}
	if n.by = may.lowest(); last >= 0 && may.has(last) {
		n.by = last
	}
	n.todo.add(n.by)
	s.nodes = append(s.nodes, n)
	return true
}

// inherit lets the warps sleep whose steps commute with the last one, and returns who made that.
func (s *search) inherit(n *node) int {
	parent := s.nodes[s.at-1]
	for m := parent.asleep | parent.tried; m != 0; m &= m - 1 {
		q := m.lowest()
		if q != parent.by && !dependent(parent.steps[q], parent.accesses) {
			n.asleep.add(q)
			n.steps[q] = parent.steps[q]
		}
	}
	return parent.by
}

// access notes what the current step does.
func (s *search) access(a access) {
	n := s.nodes[s.at-1]
	n.accesses = append(n.accesses, a)
}

// current is what the current step has done so far.
func (s *search) current() []access { return s.nodes[s.at-1].accesses }

// settle finds the steps that could have come behind the current one, when that has made its accesses.
func (s *search) settle() {
	if s.at == s.settled {
		return
	}
	i := s.at - 1
	s.settled = s.at
	n := s.nodes[i]
	var met []int
	for _, a := range n.accesses {
		met = append(met, s.enter(i, a)...)
	}
	for _, j := range met {
		n.clock.join(s.nodes[j].clock)
	}
	for _, j := range met {
		if m := s.nodes[j]; m.by != n.by && n.before[m.by] < m.number {
			s.reverse(j, n)
		}
	}
}

// done is what a step did to a place.
type done struct {
	node int
	is   effect
}

// enter adds step i to those at a place, from the last write on, and returns those before it that do not commute with it.
func (s *search) enter(i int, a access) (met []int) {
	for _, d := range s.since[a.at] {
		if d.node != i && !d.is.commutes(a.is) {
			met = append(met, d.node)
		}
	}
	if a.is == writes {
		s.since[a.at] = s.since[a.at][:0]
	}
	s.since[a.at] = append(s.since[a.at], done{i, a.is})
	return met
}

// reverse has an order tried in which the step of n, the current one, comes before that of node j. What has to come before
// it, and need not come behind j, begins with a step of one of some warps (the initials of Abdulla, Aronis, Jonsson and
// Sagonas, "Optimal Dynamic Partial Order Reduction", POPL 2014): one of them is to be tried at j.
func (s *search) reverse(j int, n *node) {
	m := s.nodes[j]
	first := s.initials(j, n)
	switch may := first & m.enabled; {
	case first&(m.todo|m.tried) != 0:
	case may.has(n.by):
		m.todo.add(n.by)
	case may != 0:
		m.todo.add(may.lowest())
	default: // who can make it only later waits for what others change
		m.todo |= m.enabled
	}
}

// initials are the warps whose steps can come first of those behind node j that do not happen after it, and the step of n.
func (s *search) initials(j int, n *node) (first procs) {
	m := s.nodes[j]
	var met procs
	var list []*node
	for k := j + 1; k < s.at; k++ {
		x, c := s.nodes[k], s.nodes[k].clock
		if x != n && c[m.by] >= m.number {
			continue
		}
		if !met.has(x.by) && !slices.ContainsFunc(list, func(y *node) bool { return c[y.by] >= y.number }) {
			first.add(x.by)
		}
		met.add(x.by)
		list = append(list, x)
	}
	return first
}

// joins orders what some warps did before what others do next, as a barrier does.
func (s *search) joins(came, waited procs) {
	s.settle()
	all := make(clock, s.n)
	for m := came; m != 0; m &= m - 1 {
		all.join(s.clocks[m.lowest()])
	}
	for m := waited; m != 0; m &= m - 1 {
		q := m.lowest()
		s.clocks[q] = slices.Clone(s.clocks[q])
		s.clocks[q].join(all)
	}
}

// next prepares the next execution, and returns false if there is none.
func (s *search) next() bool {
	s.settle()
	s.nodes = s.nodes[:s.at]
	for len(s.nodes) > 0 {
		n := s.nodes[len(s.nodes)-1]
		n.tried.add(n.by)
		n.steps[n.by] = slices.Clone(n.accesses)
		if left := n.todo.without(n.tried | n.asleep); left != 0 {
			n.by = left.lowest()
			s.begin()
			return true
		}
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
	return false
}

// left counts the steps that are still to be tried behind those of the last execution.
func (s *search) left() (n int) {
	for _, x := range s.nodes {
		n += bits.OnesCount64(uint64(x.todo.without(x.tried | x.asleep)))
	}
	return n
}
