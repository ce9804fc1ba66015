package race

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// distance is how far apart the threads of a pair are.
type distance uint8

const (
	inWarp distance = iota
	inBlock
	acrossBlocks
	distances
)

// globalPair is what was seen of one pair of sites in global memory.
type globalPair struct {
	count     [hazards][distances]uint64
	different bool
	places    places
	witness   *globalWitness
}

// globalWitness is one race. Its sides are in the order of the program as far
// as all warps keep step.
type globalWitness struct {
	first, then         span
	firstLane, thenLane int
	addr                uint64
	bytes               int
	differ              bool
	why                 why
}

// found adds a race of spans n and s of a line to its pair. addr is the first byte.
func (o *globalObserver) found(l *memline, n, s *span, addr uint64, pairs uint64, la, lb int) {
	w := &globalWitness{first: *n, then: *s, firstLane: la, thenLane: lb, addr: addr}
	o.explain(w, l)
	o.launch.addRace(o.pairs, w, pairs)
}

func siteKey(a, b *span) pairKey {
	return pairKey{int(min(a.site, b.site)), int(max(a.site, b.site)), 0}
}

// addRace adds a witness and a number of thread pairs to their pair of sites.
func (g *globalLaunch) addRace(to map[pairKey]*globalPair, w *globalWitness, pairs uint64) {
	k := siteKey(&w.first, &w.then)
	p := to[k]
	if p == nil {
		p = &globalPair{}
		to[k] = p
	}
	x, y := g.sites[w.first.site].kind, g.sites[w.then.site].kind
	h := hazardOf(x, y)
	if g.sites[w.first.site].elem == g.sites[w.then.site].elem {
		w.differ = !w.first.sameValues(&w.then)
	} else { // the bytes that they share may be others of the value
		w.differ = !w.first.zeros() || !w.then.zeros()
	}
	if !w.oneInstr() {
		w.differ = h == waw && (w.differ || x == trace.Atomic || y == trace.Atomic)
	}
	w.bytes = int(min(4, elemOf(&w.first), elemOf(&w.then)))
	p.count[h][w.distance()] += pairs
	p.places.add(w.addr >> 2)
	p.different = p.different || w.differ
	if !w.why.published() { // a flag tells which comes first
		w.inProgramOrder()
	}
	if p.witness == nil || w.before(p.witness) {
		p.witness = w
	}
}

func (w *globalWitness) distance() distance {
	switch {
	case w.first.block != w.then.block:
		return acrossBlocks
	case w.first.warp != w.then.warp:
		return inBlock
	}
	return inWarp
}

// oneInstr says that both are lanes of one instruction.
func (w *globalWitness) oneInstr() bool {
	return w.first.by(&w.then) && w.first.tick == w.then.tick
}

// inProgramOrder swaps the sides if the first is later in the program.
func (w *globalWitness) inProgramOrder() {
	a, z := &w.first, &w.then
	if a.interval > z.interval || a.interval == z.interval && a.tick > z.tick {
		w.first, w.then = w.then, w.first
		w.firstLane, w.thenLane = w.thenLane, w.firstLane
		w.why.first, w.why.then = w.why.then, w.why.first
		w.why.swapped = !w.why.swapped
	}
}

// before is the order in which witnesses are preferred.
func (w *globalWitness) before(o *globalWitness) bool {
	if w.differ != o.differ {
		return w.differ
	}
	return slices.Compare(w.rank(), o.rank()) < 0
}

func (w *globalWitness) rank() []uint64 {
	a, z := &w.first, &w.then
	return []uint64{uint64(max(a.block, z.block)), uint64(min(a.block, z.block)), w.addr, uint64(z.interval), uint64(z.tick),
		uint64(a.tick), uint64(z.warp), uint64(a.warp), uint64(w.thenLane), uint64(w.firstLane), uint64(a.site),
		uint64(z.block)}
}

// merge adds what another slot saw.
func (p *globalPair) merge(o *globalPair) {
	for h := range p.count {
		for d := range p.count[h] {
			p.count[h][d] += o.count[h][d]
		}
	}
	p.different = p.different || o.different
	p.places.merge(o.places)
	if o.witness.before(p.witness) {
		p.witness = o.witness
	}
}

// End compares the blocks with each other and reports what was found.
func (g *globalLaunch) End() {
	defer func() { g.checker.fields = append(g.checker.fields, g.field) }()
	all := map[pairKey]*globalPair{}
	incomplete := false
	for _, o := range g.slots {
		incomplete = incomplete || o.full
		g.checker.stats.GlobalWatched += o.heard
		for k, p := range o.pairs {
			if q := all[k]; q != nil {
				q.merge(p)
			} else {
				all[k] = p
			}
		}
		for _, l := range o.listed {
			g.compareBlocks(l, all)
		}
	}
	if incomplete {
		g.checker.stats.Incomplete++
	}
	g.reported = map[pairKey]bool{}
	for _, k := range sorted(all) {
		if f, ok := g.finding(k, all); ok {
			g.reported[k] = true
			g.checker.set.Add(f)
		}
	}
	g.slots, g.words = nil, nil
}

// polls reports whether any slot has seen a site poll.
func (g *globalLaunch) polls(site int32) bool {
	return slices.ContainsFunc(g.slots, func(o *globalObserver) bool { return o.polls.site[site] })
}

// compareBlocks finds the races between blocks in a line, where nothing orders
// blocks.
func (g *globalLaunch) compareBlocks(l listedLine, to map[pairKey]*globalPair) {
	g.prune(l.line, ^uint32(0))
	for i := range l.line.n {
		for j := range i {
			a, b := l.line.get(i), l.line.get(j)
			if a.block == b.block || !a.overlaps(b) || !g.conflict(a, b) {
				continue
			}
			if a.block > b.block {
				a, b = b, a
			}
			w := &globalWitness{first: *a, then: *b}
			pairs := uint64(0)
			eachShared(a, b, func(off uint8) {
				x, y := a.at(off), b.at(off)
				if pairs == 0 {
					w.addr, w.firstLane, w.thenLane = l.addr+uint64(off), bits.TrailingZeros32(x), bits.TrailingZeros32(y)
				}
				pairs += uint64(bits.OnesCount32(x) * bits.OnesCount32(y))
			})
			w.why.update = g.isUpdate(w, l.line)
			w.why.polled = g.polls(w.first.site) || g.polls(w.then.site)
			g.addRace(to, w, pairs)
		}
	}
}
