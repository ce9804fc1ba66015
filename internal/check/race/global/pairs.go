package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// found adds a race of spans n and s of a line to its pair. addr is the first byte.
func (o *blockObserver) found(l *memline, n, s *span, addr uint64, pairs uint64, la, lb int) {
	w := o.launch.witness(n, s, addr, la, lb)
	o.explain(w, n, s, l)
	o.launch.addRace(o.pairs, w, n, s, pairs)
}

func siteKey(a, b *span) evidence.Key { return evidence.KeyOf(int(a.site), int(b.site), 0) }

// witness is one of a lane of each of two spans, in the order of the run.
func (d *Detector) witness(n, s *span, addr uint64, la, lb int) *evidence.Witness {
	w := &evidence.Witness{First: d.access(n, la), Then: d.access(s, lb), Addr: addr, Bytes: int(min(4, elemOf(n), elemOf(s)))}
	w.OneInstr = n.by(s) && n.tick == s.tick
	w.Apart = n.tick != s.tick && n.block == s.block
	return w
}

func (d *Detector) access(s *span, lane int) evidence.Access {
	return evidence.Access{Site: d.launch.Sites[s.site], Block: s.block, Warp: int(s.warp), Lane: lane, Interval: s.interval, Stamp: s.stamp, Tick: s.tick}
}

// addRace adds a witness, of spans n and s, and a number of thread pairs to their pair of
// sites.
func (d *Detector) addRace(to map[evidence.Key]*evidence.Pair, w *evidence.Witness, n, s *span, pairs uint64) {
	k := siteKey(n, s)
	p := to[k]
	if p == nil {
		p = &evidence.Pair{}
		to[k] = p
	}
	x, y := &d.sites[n.site], &d.sites[s.site]
	h := evidence.HazardOf(x.Kind, y.Kind)
	if x.Elem == y.Elem {
		w.Differ = !n.sameValues(s)
	} else { // the bytes that they share may be others of the value
		w.Differ = !n.zeros() || !s.zeros()
	}
	if !w.OneInstr {
		w.Differ = h == evidence.WAW && (w.Differ || x.Kind == trace.Atomic || y.Kind == trace.Atomic)
	}
	p.Count[h][w.Distance()] += pairs
	p.Words.Add(w.Addr >> 2)
	p.Different, p.Scattered = p.Different || w.Differ, p.Scattered || w.Differ && !w.OneInstr
	// Where a flag tells which comes first, that is the order; else it is the program's.
	w.Swapped = !w.Published() && w.Async == evidence.NoAsyncFault && d.later(n, s)
	if best := p.Best(); best == nil || w.Before(best) {
		p.KeepOnly(w)
	}
}

// later reports whether the program, as far as all warps keep step, has n after s. Of atomics of two
// blocks in one interval neither comes first, and how often a loop that polls has run, which ticks
// count, is a matter of the schedule: the narrower scope counts as the later one, which the report
// is about, and with equal scopes the one that the text has first.
func (d *Detector) later(n, s *span) bool {
	x, y := d.sites[n.site], d.sites[s.site]
	switch {
	case n.interval != s.interval:
		return n.interval > s.interval
	case n.block == s.block || x.Kind != trace.Atomic || y.Kind != trace.Atomic:
		return n.tick > s.tick
	case x.Scope != y.Scope:
		return x.Scope < y.Scope
	}
	return n.site < s.site
}

// polled reports whether one of two spans is what a loop waits by.
func (d *Detector) polled(n, s *span) bool {
	return d.launch.Polls(d.launch.Sites[n.site]) || d.launch.Polls(d.launch.Sites[s.site])
}

// compareBlocks finds the races between blocks in a line, where nothing orders
// blocks.
func (d *Detector) compareBlocks(l listedLine, to map[evidence.Key]*evidence.Pair) {
	d.prune(l.line)
	for i := range l.line.spans {
		for j := range i {
			a, b := &l.line.spans[i], &l.line.spans[j]
			if a.block == b.block || !a.overlaps(b) || !d.conflict(a, b) {
				continue
			}
			if a.block > b.block {
				a, b = b, a
			}
			var at uint64
			var la, lb int
			pairs := uint64(0)
			eachShared(a, b, func(off uint8) {
				x, y := a.at(off), b.at(off)
				if pairs == 0 {
					at, la, lb = l.addr+uint64(off), bits.TrailingZeros32(x), bits.TrailingZeros32(y)
				}
				pairs += uint64(bits.OnesCount32(x) * bits.OnesCount32(y))
			})
			w := d.witness(a, b, at, la, lb)
			w.Update = d.isUpdate(w, a, b, l.line)
			w.Polled = d.polled(a, b)
			d.addRace(to, w, a, b, pairs)
		}
	}
}
