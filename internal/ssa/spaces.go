package ssa

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// inferSpaces finds the state space of generic accesses from where their
// addresses come from: conversions from a space, and parameters of a kernel,
// which hold addresses that the host knows and so those of global memory.
func (f *Func) inferSpaces() {
	s := &spaces{f: f, of: make([]spaceSet, f.NumValues)}
	s.solve()
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, m := range []*Mem{v.Mem, v.Mem2} {
				if m == nil || m.Space != ptx.NoSpace || m.Base == nil {
					continue
				}
				if x, ok := s.of[m.Base.ID].one(); ok {
					m.Space = x
					m.ReadOnly = m.ReadOnly || x == ptx.Const || x == ptx.Param
				}
			}
		}
	}
}

// spaceSet has a bit for each space that an address may be of; bit 0 stands
// for an unknown one.
type spaceSet uint16

func (s spaceSet) one() (ptx.Space, bool) {
	for x := ptx.Const; x <= ptx.Shared; x++ {
		if s == 1<<x {
			return x, true
		}
	}
	return 0, false
}

type spaces struct {
	f  *Func
	of []spaceSet
}

// solve propagates the sets along the uses until nothing changes. Sets only
// grow, and by at most a few bits.
func (s *spaces) solve() {
	uses := s.f.Uses()
	var work []*Value
	for _, b := range s.f.Blocks {
		for _, v := range b.Values {
			if x := s.start(v); x != 0 {
				s.of[v.ID] = x
				work = append(work, v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range uses[v.ID] {
			if add := s.flow(u, v); s.of[u.ID]|add != s.of[u.ID] {
				s.of[u.ID] |= add
				work = append(work, u)
			}
		}
	}
}

// start is the set of what a value is by itself. Numbers that are computed are
// no addresses.
func (s *spaces) start(v *Value) spaceSet {
	switch v.Op {
	case Param:
		if s.f.PTX.Entry && v.Width() == 64 {
			return 1 << ptx.Global
		}
		return 0
	case ToGeneric:
		for x, n := range spaceNames {
			if n == v.Name && x != ptx.NoSpace {
				return 1 << x
			}
		}
	case Load, Atomic, OpCall, Elem, Lane, Undef, Pure, Effect:
		return 1
	}
	return 0
}

// flow is what use u takes over from its argument v.
func (s *spaces) flow(u, v *Value) spaceSet {
	switch u.Op {
	case Add, Select, Phi:
		if u.Op == Select && u.Args[0] == v && u.Args[1] != v && u.Args[2] != v {
			return 0
		}
		return s.of[v.ID]
	case Sub, Or:
		if u.Args[0] == v {
			return s.of[v.ID]
		}
	}
	return 0
}
