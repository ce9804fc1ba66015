package guards

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Replicas reports whether the compiler lets several threads hold one element of a tensor where
// there are more threads than elements. All of them read it, one stores what becomes of it.
func (x *Facts) Replicas() bool { return x != nil && x.f.Module.Producer() == ptx.Triton }

// usedKey is what UsedBy is asked.
type usedKey struct {
	read  Site
	block [3]uint32
}

// UsedBy returns, for each warp of a block, the lanes that may execute something with an effect that
// depends on the value that a read finds. nil means all lanes.
func (x *Facts) UsedBy(read Site, block [3]uint32) []uint32 {
	if x == nil {
		return nil
	}
	if made, ok := x.used.Load(usedKey{read, block}); ok {
		return made.([]uint32)
	}
	made := x.usedBy(read, block)
	x.used.Store(usedKey{read, block}, made)
	return made
}

func (x *Facts) usedBy(read Site, block [3]uint32) []uint32 {
	x.usesOnce.Do(x.findUses)
	e := effects{facts: x, blocks: map[*ssa.Block]bool{}, seen: map[*ssa.Value]bool{}}
	for _, v := range x.at[read] {
		if v.Op != ssa.Load {
			return nil
		}
		e.follow(v)
	}
	if len(x.at[read]) == 0 || e.blocks[x.f.Blocks[0]] {
		return nil
	}
	threads := uint64(block[0]) * uint64(block[1]) * uint64(block[2])
	lanes, all := make([]uint32, (threads+31)/32), true
	for n := range threads {
		t := thread{tid: [3]uint64{n % uint64(block[0]), n / uint64(block[0]) % uint64(block[1]), n / uint64(block[0]) / uint64(block[1])}, block: block}
		if e.reaches(&t) {
			lanes[n/32] |= 1 << (n % 32)
		} else {
			all = false
		}
	}
	if all {
		return nil
	}
	for w, m := range lanes {
		if e.exchanged && m != 0 {
			lanes[w] = ^uint32(0)
		}
	}
	return lanes
}

// effects are what depends on a value.
type effects struct {
	facts *Facts
	// blocks have the operations with an effect; exchanged: lanes of a warp tell each other
	// what is computed from it.
	blocks    map[*ssa.Block]bool
	exchanged bool
	seen      map[*ssa.Value]bool
}

// follow notes what depends on v.
func (e *effects) follow(v *ssa.Value) {
	if e.seen[v] {
		return
	}
	e.seen[v] = true
	for _, b := range e.facts.branches[v] {
		e.blocks[b] = true
	}
	for _, u := range e.facts.uses[v.ID] {
		switch {
		case u.Op == ssa.Lane:
			e.exchanged = true
			e.follow(u)
		case u.Op >= ssa.Load: // a place, what is stored there, or something else with an effect
			e.blocks[u.Block] = true
		default:
			e.follow(u)
		}
	}
}

// reaches reports whether a thread may execute one of the operations.
func (e *effects) reaches(t *thread) bool {
	for b := range e.blocks {
		if t.mayReach(e.facts.f, b) {
			return true
		}
	}
	return false
}

// findUses notes what is computed from each value, and which blocks branch on it or wait
// at a barrier that it names.
func (x *Facts) findUses() {
	x.uses, x.branches = x.f.Uses(), map[*ssa.Value][]*ssa.Block{}
	for _, b := range x.f.Blocks {
		note := func(v *ssa.Value) {
			if v != nil {
				x.branches[v] = append(x.branches[v], b)
			}
		}
		note(b.Control)
		for _, v := range b.Values {
			if v.Bar != nil {
				note(v.Bar.ID)
				note(v.Bar.Count)
			}
		}
	}
}

// thread is one whose values are computed as far as its position in the block decides them.
type thread struct {
	tid   [3]uint64
	block [3]uint32
	known map[*ssa.Value]known
}

type known struct {
	x  uint64
	ok bool
}

// mayReach reports whether no branch that leads to a block is known to go elsewhere.
func (t *thread) mayReach(f *ssa.Func, b *ssa.Block) bool {
	for {
		d := f.Idom[b.ID]
		if d < 0 {
			return true
		}
		from := f.Blocks[d]
		if from.Kind == ssa.If && from.Succs[0] != from.Succs[1] && len(b.Preds) == 1 {
			if c := t.value(from.Control); c.ok && from.Succs[c.x&1^1] != b {
				return false
			}
		}
		b = from
	}
}

// value computes a value.
func (t *thread) value(v *ssa.Value) known {
	k, ok := t.known[v]
	if ok {
		return k
	}
	if t.known == nil {
		t.known = map[*ssa.Value]known{}
	}
	t.known[v] = known{} // within a cycle
	k = t.compute(v)
	t.known[v] = k
	return k
}

func (t *thread) compute(v *ssa.Value) known {
	switch v.Op {
	case ssa.Const:
		return known{v.Const, true}
	case ssa.Special:
		return t.special(v.Name)
	case ssa.And, ssa.Or:
		return t.logic(v)
	case ssa.Select:
		if c := t.value(v.Args[0]); c.ok {
			return t.value(v.Args[2-c.x&1])
		}
		return known{}
	case ssa.Phi, ssa.Pure, ssa.Undef, ssa.Param, ssa.Addr, ssa.Clock, ssa.Elem, ssa.Lane, ssa.ToGeneric, ssa.FromGeneric:
		return known{}
	}
	if v.Op >= ssa.Load || len(v.Args) == 0 || v.Width() > 64 || v.Args[0].Width() > 64 {
		return known{}
	}
	args := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		k := t.value(a)
		if !k.ok {
			return known{}
		}
		args[i] = k.x
	}
	x, ok := ssa.Eval(v.Op, v.Width(), v.Args[0].Width(), args...)
	return known{x, ok}
}

// logic computes And and Or, of which one argument may decide.
func (t *thread) logic(v *ssa.Value) known {
	a, b := t.value(v.Args[0]), t.value(v.Args[1])
	if a.ok && b.ok {
		x, ok := ssa.Eval(v.Op, v.Width(), v.Width(), a.x, b.x)
		return known{x, ok}
	}
	decides := uint64(0)
	if v.Op == ssa.Or {
		decides = ^uint64(0) >> (64 - v.Width())
	}
	if a.ok && a.x == decides || b.ok && b.x == decides {
		return known{decides, true}
	}
	return known{}
}

func (t *thread) special(name string) known {
	for i, axis := range []string{".x", ".y", ".z"} {
		switch name {
		case "%tid" + axis:
			return known{t.tid[i], true}
		case "%ntid" + axis:
			return known{uint64(t.block[i]), true}
		}
	}
	return known{}
}
