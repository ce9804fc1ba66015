package analysis

import (
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Who shares a value? Levels are found for all values at once, from the lowest
// upward until nothing changes: an operation's result is shared by those who
// share its operands. Threads that took different sides of a branch bring
// different values to the phis where the sides may meet, and to what follows a
// loop that they left in different rounds. The branch's region is the blocks
// that can be reached from it before its immediate post-dominator. Lanes that
// execute an instruction together are in the same round of all loops around
// it, as they part at a branch and meet at its post-dominator only.

// levels is the state of the search.
type levels struct {
	a     *Analysis
	of    []Level
	uses  [][]*ssa.Value
	ctrl  map[*ssa.Value][]*ssa.Block
	work  []*ssa.Value
	cond  []Level
	phiOf []Level // by block: the level of what decides between predecessors
	// stamp marks the blocks of the region at work; visited counts all.
	stamp        []int
	now, visited int
}

func (a *Analysis) findLevels() {
	n := len(a.F.Blocks)
	s := &levels{
		a: a, of: make([]Level, a.F.NumValues), uses: a.F.Uses(), ctrl: map[*ssa.Value][]*ssa.Block{},
		cond: make([]Level, n), phiOf: make([]Level, n), stamp: make([]int, n),
	}
	a.levels = s.of
	for _, b := range a.F.Blocks {
		if b.Control != nil {
			s.ctrl[b.Control] = append(s.ctrl[b.Control], b)
		}
		for _, v := range b.Values {
			s.raise(v)
		}
	}
	for len(s.work) > 0 {
		v := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		for _, u := range s.uses[v.ID] {
			s.raise(u)
		}
		for _, b := range s.ctrl[v] {
			s.branch(b, s.of[v.ID])
		}
	}
}

// raise computes the level of v anew.
func (s *levels) raise(v *ssa.Value) {
	if l := s.level(v); l > s.of[v.ID] {
		s.of[v.ID] = l
		s.work = append(s.work, v)
	}
}

func (s *levels) level(v *ssa.Value) Level {
	switch v.Op {
	case ssa.Const, ssa.Addr:
		return Launch
	case ssa.Param:
		if s.a.F.PTX.Entry {
			return Launch
		}
	case ssa.Special:
		return s.a.special(v.Name, v.Width()).Level
	case ssa.Phi:
		return s.phi(v)
	case ssa.Load:
		return s.load(v)
	case ssa.OpBarrier: // the result of bar.red, which all threads of the block get
		return Warp
	case ssa.Lane:
		return s.lane(v)
	case ssa.Elem:
		return s.arg(v, v.Args[0])
	}
	if v.Op >= ssa.Add && v.Op <= ssa.Pure || v.Op == ssa.ToGeneric || v.Op == ssa.FromGeneric {
		return s.args(v)
	}
	return Thread
}

func (s *levels) args(v *ssa.Value) Level {
	l := Launch
	for _, x := range v.Args {
		l = max(l, s.arg(v, x))
	}
	return l
}

// arg is the level of x for its use in v's block.
func (s *levels) arg(v, x *ssa.Value) Level { return s.seen(x, v.Block) }

func (s *levels) seen(x *ssa.Value, at *ssa.Block) Level {
	l := s.of[x.ID]
	for o := x.Block.Loop; o != nil && !o.Contains(at); o = o.Parent {
		l = max(l, s.a.ends[o])
	}
	return l
}

func (s *levels) phi(v *ssa.Value) Level {
	l := s.phiOf[v.Block.ID]
	if v.Block.Loop != nil && v.Block.Loop.Header == v.Block || v.Block.Tangled {
		l = max(l, Warp)
	}
	for i, x := range v.Args {
		l = max(l, s.seen(x, v.Block.Preds[i]), s.seen(x, v.Block))
	}
	return l
}

// load: those who load from one place together share the value.
func (s *levels) load(v *ssa.Value) Level {
	if v.Mem.Space == ptx.Local {
		return Thread
	}
	l := s.args(v)
	if !v.Mem.ReadOnly {
		l = max(l, Warp)
	}
	return l
}

// lane: a vote gives all lanes one value, and a shuffle from one source lane
// over the whole warp.
func (s *levels) lane(v *ssa.Value) Level {
	if v.WarpUniform() {
		return Warp
	}
	if v.Does.Kind == inst.Shuffle && v.Does.Fn == inst.FnIdx && len(v.Args) >= 3 {
		if c, ok := v.Args[2].IsConst(); ok && c == 31 && s.arg(v, v.Args[1]) <= Warp {
			return Warp
		}
	}
	return Thread
}

// branch notes that the branch at the end of b goes different ways for those
// who do not share its condition.
func (s *levels) branch(b *ssa.Block, l Level) {
	if l <= s.cond[b.ID] {
		return
	}
	s.cond[b.ID] = l
	if s.visited > maxVisits {
		s.giveUp()
		return
	}
	meet := s.a.F.Ipdom[b.ID]
	region := s.region(b, meet)
	for _, x := range region {
		if len(x.Preds) > 1 {
			s.join(x, l)
		}
	}
	for o := b.Loop; o != nil; o = o.Parent {
		out := meet < 0 || !o.Contains(s.a.F.Blocks[meet])
		for _, x := range region {
			out = out || x.ID != meet && !o.Contains(x)
		}
		if out {
			s.leave(o, l)
		}
	}
}

// region lists the blocks between a branch at the end of b and where its sides
// meet, that one included.
func (s *levels) region(b *ssa.Block, meet int) (list []*ssa.Block) {
	s.now++
	visit := func(x *ssa.Block) {
		if s.stamp[x.ID] != s.now {
			s.stamp[x.ID] = s.now
			list = append(list, x)
		}
	}
	for _, x := range b.Succs {
		visit(x)
	}
	for i := 0; i < len(list); i++ {
		if list[i].ID != meet {
			for _, y := range list[i].Succs {
				visit(y)
			}
		}
	}
	s.visited += len(list)
	return list
}

// maxVisits bounds the blocks that all regions have together: beyond, nothing
// is taken to share what comes from several sides.
const maxVisits = 1 << 23

func (s *levels) giveUp() {
	for _, b := range s.a.F.Blocks {
		s.cond[b.ID] = Thread
		s.join(b, Thread)
	}
	for _, l := range s.a.F.Loops {
		s.leave(l, Thread)
	}
}

// join raises the phis of a block where sides of a branch may meet.
func (s *levels) join(b *ssa.Block, l Level) {
	if l <= s.phiOf[b.ID] {
		return
	}
	s.phiOf[b.ID] = l
	for _, v := range b.Values {
		if v.Op == ssa.Phi {
			s.raise(v)
		}
	}
}

// leave notes that a loop is left in different rounds, and raises the uses of
// its values outside.
func (s *levels) leave(o *ssa.Loop, l Level) {
	if l <= s.a.ends[o] {
		return
	}
	s.a.ends[o] = l
	for _, b := range o.Blocks {
		for _, v := range b.Values {
			for _, u := range s.uses[v.ID] {
				if !o.Contains(u.Block) {
					s.raise(u)
				}
			}
			for _, c := range s.ctrl[v] {
				if !o.Contains(c) {
					s.branch(c, s.seen(v, c))
				}
			}
		}
	}
}

// CondLevel says who goes the same way at the end of b: Thread for a branch at
// which the lanes of a warp may part, Launch where there is no choice.
func (a *Analysis) CondLevel(b *ssa.Block) Level {
	if b.Control == nil {
		return Launch
	}
	return a.Expr(b.Control, b).Level
}

// Divergent reports whether the threads of a block may part at the end of b.
func (a *Analysis) Divergent(b *ssa.Block) bool { return a.CondLevel(b) >= Warp }

// ControlLevel says who executes b together: the highest level of the
// conditions under which it runs.
func (a *Analysis) ControlLevel(b *ssa.Block) Level {
	l := Launch
	for _, c := range a.Path(b).Conds {
		l = max(l, c.Level)
	}
	return l
}
