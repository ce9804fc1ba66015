package static

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// relation says which round of a loop a thread is in, seen from the barrier
// that it passed last: the synchronization blocks of GRace (section 3.2), with
// those that go around a loop.
type relation byte

const (
	same  relation = iota // as at the barrier
	next                  // the one after
	first                 // the loop was entered since
	anyOf                 // some round: the loop goes round without a barrier
	later                 // past a barrier: a round after those of the other names
)

// spot is a place between two values.
type spot struct {
	block *ssa.Block
	index int // of the value that comes next
}

// state is a block with the relation of each loop around it, outermost first.
type state struct {
	block int
	rel   string
}

// interval is what can be reached from a spot without passing a barrier.
type interval struct {
	start spot
	// from is the barrier at the start, nil for the kernel's entry.
	from *ssa.Value
	// at has the relations of each access; stops those of the barriers where
	// intervals end.
	at, stops map[*ssa.Value][]string
	// detoured are the detours, once they are asked for.
	detoured map[arrival][]detour
}

// loopsOf are the loops around a block, outermost first.
func loopsOf(b *ssa.Block) (ls []*ssa.Loop) {
	for l := b.Loop; l != nil; l = l.Parent {
		ls = append([]*ssa.Loop{l}, ls...)
	}
	return ls
}

// walk goes from a spot in all ways until cut; after is the relation after a
// round.
func walk(start spot, rel string, cut func(*ssa.Value) bool, after func(relation) relation) *interval {
	iv := &interval{start: start, at: map[*ssa.Value][]string{}, stops: map[*ssa.Value][]string{}}
	seen := map[state]bool{}
	type item struct {
		block *ssa.Block
		index int
		rel   string
	}
	todo := []item{{start.block, start.index, rel}}
	for len(todo) > 0 {
		it := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !iv.through(it.block, it.index, it.rel, cut) {
			continue
		}
		for _, s := range it.block.Succs {
			to := state{s.ID, across(it.block, s, it.rel, after)}
			if !seen[to] {
				seen[to] = true
				todo = append(todo, item{s, 0, to.rel})
			}
		}
	}
	for v, rels := range iv.at {
		iv.at[v] = weakest(rels)
	}
	return iv
}

// through notes a block's accesses; it reports whether its end is reached.
func (iv *interval) through(b *ssa.Block, index int, rel string, cut func(*ssa.Value) bool) bool {
	for _, v := range b.Values[index:] {
		if cut(v) {
			iv.stops[v] = append(iv.stops[v], rel)
			return false
		}
		if v.Mem != nil || v.Does.Effect()&visible != 0 || v.Opaque() {
			iv.at[v] = append(iv.at[v], rel)
		}
	}
	return true
}

// visible are the effects that other threads may see.
const visible = inst.Memory | inst.Waits | inst.Orders

// across is the relation after the edge from b to s.
func across(b, s *ssa.Block, rel string, after func(relation) relation) string {
	out := []byte{}
	for i, l := range loopsOf(s) {
		switch {
		case !l.Contains(b):
			out = append(out, byte(first))
		case l.Header == s:
			out = append(out, byte(after(relation(rel[i]))))
		default:
			out = append(out, rel[i])
		}
	}
	return string(out)
}

// afterRound is the relation after a round.
func afterRound(r relation) relation {
	if r == same {
		return next
	}
	return anyOf
}

// afterBarrier is the relation after a round in which a barrier was passed: it
// is never that of a round before.
func afterBarrier(r relation) relation {
	switch r {
	case same:
		return next
	case anyOf:
		return anyOf
	}
	return later
}

// weakest leaves out relations that others cover.
func weakest(rels []string) []string {
	var out []string
	for i, r := range rels {
		covered := false
		for j, o := range rels {
			covered = covered || o != r && covers(o, r) || o == r && j < i
		}
		if !covered {
			out = append(out, r)
		}
	}
	return out
}

// covers reports whether each relation of r is that of o, or o has any there.
func covers(o, r string) bool {
	for i := range o {
		if o[i] != r[i] && relation(o[i]) != anyOf {
			return false
		}
	}
	return true
}

// intervals are those of a kernel that begin at its entry or at a barrier.
func (k *kernel) intervals(cut func(*ssa.Value) bool) []*interval {
	entry := spot{block: k.f.Blocks[0]}
	out := []*interval{walk(entry, "", cut, afterRound)}
	for _, b := range k.f.Blocks {
		for i, v := range b.Values {
			if cut(v) {
				iv := walk(spot{b, i + 1}, zeros(b), cut, afterRound)
				iv.from = v
				out = append(out, iv)
			}
		}
	}
	return out
}

// zeros is the relation of a block to itself.
func zeros(b *ssa.Block) string { return string(make([]byte, len(loopsOf(b)))) }

// barriers are those where the interval ends, in a fixed order.
func (iv *interval) barriers() []*ssa.Value {
	return slices.SortedFunc(maps.Keys(iv.stops), func(a, b *ssa.Value) int { return a.ID - b.ID })
}

// detour is a barrier at which an interval may end on the way to an access or to another barrier.
type detour struct {
	barrier *ssa.Value
	rel     string
}

// arrival is an access in a relation to an interval's start.
type arrival struct {
	v   *ssa.Value
	rel string
}

// detours are the barriers at which the interval may end on the way to an
// access, though it is also reached without: where "if (u) __syncthreads()"
// lies between them.
func (iv *interval) detours(a *ssa.Value, rel string) []detour {
	if iv.detoured == nil {
		iv.detoured = iv.findDetours()
	}
	return iv.detoured[arrival{a, rel}]
}

// findDetours finds those of all accesses, in the order of the barriers.
func (iv *interval) findDetours() map[arrival][]detour {
	var stops []*ssa.Value
	for q := range iv.stops {
		if q != iv.from {
			stops = append(stops, q)
		}
	}
	slices.SortFunc(stops, func(a, b *ssa.Value) int { return a.ID - b.ID })
	out := map[arrival][]detour{}
	for _, q := range stops {
		for _, r := range weakest(iv.stops[q]) {
			past := walk(spot{q.Block, indexOf(q) + 1}, r, func(v *ssa.Value) bool { return v == iv.from }, afterBarrier)
			iv.addDetours(out, detour{q, r}, past)
		}
	}
	return out
}

// addDetours adds one to the accesses, and to the barriers at the interval's end, that are also reached past it.
func (iv *interval) addDetours(out map[arrival][]detour, d detour, past *interval) {
	for _, ends := range []map[*ssa.Value][]string{iv.at, iv.stops} {
		for v, rels := range ends {
			for _, rel := range weakest(rels) {
				meets := func(p string) bool { return covers(p, rel) || covers(rel, p) }
				if v != d.barrier && slices.ContainsFunc(past.at[v], meets) {
					out[arrival{v, rel}] = append(out[arrival{v, rel}], d)
				}
			}
		}
	}
}

// indexOf is the place of a value in its block.
func indexOf(v *ssa.Value) int {
	for i, w := range v.Block.Values {
		if w == v {
			return i
		}
	}
	return -1
}
