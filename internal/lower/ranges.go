package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// ranges finds where the slots of one function live. Most are written and read
// in one block only; for the others it walks from the blocks that want a value
// back to those that write it.
type ranges struct {
	s *sharing
	f *fn
	// start are the blocks' first steps; the last block is the prologue, which
	// comes before block 0, and end is the end of all.
	start []int32
	pred  [][]int
	entry int32
	end   int32

	// wants and kills list slots with blocks that read them before they write
	// them, and with blocks that write them.
	wants, kills []slotBlock
	// guarded has the last guarded write by slot, versions count the writes of
	// guards.
	guarded  map[int32]guardedWrite
	versions map[int32]int
	// seen and killed are marks for the slot being walked, by block.
	seen, killed []int32
}

type slotBlock struct{ slot, block int32 }

// guardedWrite is a write under a guard: under the same guard the slot is then
// written for good.
type guardedWrite struct {
	block, guard int32
	not          bool
	version      int
}

func newRanges(s *sharing, f *fn) *ranges {
	n := len(f.start)
	r := &ranges{s: s, f: f, start: f.start, guarded: map[int32]guardedWrite{}, versions: map[int32]int{}}
	r.entry, r.end = s.u.steps(f)
	r.pred = f.g.Graph.Reverse().Succ
	r.pred = append(r.pred, nil)
	if n > 0 {
		r.pred[0] = append(r.pred[0], n)
	}
	r.seen, r.killed = make([]int32, n+1), make([]int32, n+1)
	return r
}

// blocks is the number of blocks with the prologue.
func (r *ranges) blocks() int { return len(r.start) + 1 }

// span is the range of a block's steps.
func (r *ranges) span(b int) (from, to int32) {
	switch n := len(r.start); {
	case b == n:
		if n == 0 {
			return r.entry, r.end
		}
		return r.entry, r.start[0]
	case b == n-1:
		return r.start[b], r.end
	default:
		return r.start[b], r.start[b+1]
	}
}

// scan notes what the steps of a block do. It returns false at one that it
// does not know.
func (r *ranges) scan(b int) bool {
	r.s.stamp++
	from, to := r.span(b)
	p := r.s.u.prog
	if b == len(r.start) {
		for _, w := range p.Funcs[r.f.index].Params {
			for _, x := range w {
				r.write(x, b, 2*r.entry, nil)
			}
		}
	}
	for i := from; i < to; i++ {
		in := &p.Code[i]
		if !r.step(in, b, i) {
			return false
		}
		if in.Op == program.OpReturn && r.f.index > 0 {
			for _, w := range p.Funcs[r.f.index].Rets {
				for _, x := range w {
					r.read(x, b, 2*i, in)
				}
			}
		}
	}
	return true
}

// step notes the reads, then the writes of a step.
func (r *ranges) step(in *program.Instr, b int, i int32) bool {
	p := r.s.u.prog
	known := p.Slots(in, func(x int32, u program.Use) {
		if u&program.Reads != 0 {
			at := 2 * i
			if u&program.Late != 0 {
				at++
			}
			r.read(x, b, at, in)
		}
	})
	if !known {
		return false
	}
	p.Slots(in, func(x int32, u program.Use) {
		switch {
		case u&program.Writes == 0:
		case u&program.Partly != 0:
			r.s.live[x].touch(2*i + 1)
			r.versions[x]++
		default:
			r.write(x, b, 2*i+1, in)
		}
	})
	return true
}

func (r *ranges) read(x int32, b int, at int32, in *program.Instr) {
	if r.s.pinned[x] {
		return
	}
	r.s.live[x].touch(at)
	if r.s.wrote[x] == r.s.stamp || r.s.wanted[x] == r.s.stamp || r.underGuard(x, b, in) {
		return
	}
	r.s.wanted[x] = r.s.stamp
	r.wants = append(r.wants, slotBlock{x, int32(b)})
}

// underGuard reports whether the lanes that read x under a guard wrote it under
// the same in this block.
func (r *ranges) underGuard(x int32, b int, in *program.Instr) bool {
	if in == nil || in.Guard == program.NoSlot || x == in.Guard {
		return false
	}
	w, ok := r.guarded[x]
	return ok && w == guardedWrite{int32(b), in.Guard, in.Not, r.versions[in.Guard]}
}

func (r *ranges) write(x int32, b int, at int32, in *program.Instr) {
	if k := r.s.u.slots[x].kind; k == areaPred || k == uniPred {
		r.versions[x]++
	}
	if r.s.pinned[x] {
		return
	}
	r.s.live[x].touch(at)
	switch {
	case in != nil && in.Guard != program.NoSlot:
		r.guarded[x] = guardedWrite{int32(b), in.Guard, in.Not, r.versions[in.Guard]}
	case r.s.wrote[x] != r.s.stamp:
		r.s.wrote[x] = r.s.stamp
		r.kills = append(r.kills, slotBlock{x, int32(b)})
	}
}

// walkAll extends the intervals of all slots that live across blocks.
func (r *ranges) walkAll() {
	bySlot := func(a, b slotBlock) int { return int(a.slot - b.slot) }
	slices.SortStableFunc(r.wants, bySlot)
	slices.SortStableFunc(r.kills, bySlot)
	k := 0
	for i := 0; i < len(r.wants); {
		x := r.wants[i].slot
		j := i
		for j < len(r.wants) && r.wants[j].slot == x {
			j++
		}
		for k < len(r.kills) && r.kills[k].slot < x {
			k++
		}
		for ; k < len(r.kills) && r.kills[k].slot == x; k++ {
			r.killed[r.kills[k].block] = x
		}
		r.walk(x, r.wants[i:j])
		i = j
	}
}

// walk extends the interval of x over all blocks in which it lives.
func (r *ranges) walk(x int32, wants []slotBlock) {
	if r.s.walked > maxWalk {
		r.s.pinned[x] = true
		return
	}
	var work []int32
	visit := func(b int32) {
		if r.seen[b] != x {
			r.seen[b] = x
			work = append(work, b)
		}
	}
	for _, w := range wants {
		visit(w.block)
	}
	live := &r.s.live[x]
	for len(work) > 0 {
		b := int(work[len(work)-1])
		work = work[:len(work)-1]
		r.s.walked++
		from, _ := r.span(b)
		live.touch(2 * from)
		if b == len(r.start) {
			r.s.atEntry(r.f, x, 2*r.entry)
			continue
		}
		if r.s.u.slots[x].kind <= uniBcast64 {
			r.overRegions(b, live)
		}
		for _, q := range r.pred[b] {
			_, to := r.span(q)
			live.touch(2*to - 1)
			if r.killed[q] != x {
				visit(int32(q))
			}
		}
	}
}

// overRegions extends a uniform slot's interval, which lives at the start of
// b, over the regions of which b is a side or the reconvergence point.
func (r *ranges) overRegions(b int, live *interval) {
	if b >= len(r.f.regions) || r.f.regions[b] == noBlocks {
		return
	}
	from, _ := r.span(int(r.f.regions[b].first))
	_, to := r.span(int(r.f.regions[b].last))
	live.touch(2 * from)
	live.touch(2*to - 1)
}
