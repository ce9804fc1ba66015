package work

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// touch is a range of bytes that a child of a grid uses, or lanes of the grid
// itself, where child is nil.
type touch struct {
	lo, hi uint64
	child  *childGrid
	use    *use
	access *parentAccess
}

// childRace is what was seen of two places of a program: in the order of this run,
// first and then share bytes, the first of them at; lane is that of the one that
// is no child, if there is one.
type childRace struct {
	first, then touch
	at, bytes   uint64
	lane        int
}

// sitePair tells pairs of places apart.
type sitePair struct {
	a, b         *trace.Site
	aCall, bCall string
	parent       bool
}

// sweep goes through the bytes that a grid and its children use, in order.
type sweep struct {
	p *childGrid
	// readers and writers are those that reach to the byte at hand or beyond.
	readers, writers []touch
	limit            int
	races            map[sitePair]*childRace
	order            []sitePair
	// left is how many comparisons may still be made.
	left int
}

// maxComparisons bounds the comparisons for one grid.
const maxComparisons = 1 << 27

// compareChildren looks for races between a grid that is over and its children, and
// among these.
func (d *Detector) compareChildren(p *childGrid) {
	s := &sweep{p: p, races: map[sitePair]*childRace{}, left: maxComparisons}
	for _, t := range p.touches() {
		s.next(t)
		if s.left < 0 {
			break
		}
	}
	if s.left < 0 || p.watch.full {
		d.config.Stats.Incomplete++
	}
	for _, key := range s.order {
		d.report(p.pair(s.races[key]))
	}
}

// touches lists what a grid and its children use, by address. The work of the
// tail stream is ordered after all else.
func (p *childGrid) touches() (out []touch) {
	for _, k := range p.children {
		if k.tail || p.watch.requests[k.child] == nil {
			continue
		}
		for _, u := range k.work.uses {
			for _, x := range u.bytes.list {
				out = append(out, touch{x.lo, x.hi, k, u, nil})
			}
		}
	}
	if w := p.watch; len(out) > 0 {
		own := map[int]*use{}
		accesses := w.sorted()
		for i := range accesses {
			a := &accesses[i]
			if own[a.site] == nil {
				own[a.site] = useOf(w.launch, w.launch.Sites[a.site], false)
			}
			out = append(out, touch{a.lo, a.hi, nil, own[a.site], a})
		}
	}
	slices.SortStableFunc(out, func(a, b touch) int { return cmp.Compare(a.lo, b.lo) })
	return out
}

// next compares a touch with those before it that reach as far.
func (s *sweep) next(t touch) {
	s.writers = s.compare(s.writers, t)
	if t.use.Kind.Writes() {
		s.readers = s.compare(s.readers, t)
		s.writers = append(s.writers, t)
		return
	}
	if len(s.readers) > s.limit {
		s.readers = slices.DeleteFunc(s.readers, func(o touch) bool { return o.hi <= t.lo })
		s.limit = max(2*len(s.readers), 1024)
	}
	s.readers = append(s.readers, t)
}

// compare compares t with a list and drops what ends before t.
func (s *sweep) compare(list []touch, t touch) []touch {
	kept := list[:0]
	for _, o := range list {
		if o.hi <= t.lo {
			continue
		}
		kept = append(kept, o)
		s.left--
		if o.child != t.child && o.use.conflict(t.use) {
			s.pair(o, t)
		}
	}
	return kept
}

// pair notes two that conflict, if nothing orders them.
func (s *sweep) pair(a, b touch) {
	at, n := b.lo, min(a.hi, b.hi)-b.lo
	lane := -1
	switch {
	case a.child == nil:
		at, n, lane = s.unordered(a.access, b.child, b.lo, b.lo+n)
	case b.child == nil:
		at, n, lane = s.unordered(b.access, a.child, b.lo, b.lo+n)
	case s.siblingsOrdered(a.child, b.child) || s.siblingsOrdered(b.child, a.child):
		return
	}
	if n == 0 {
		return
	}
	if s.p.first(b, a, lane) {
		a, b = b, a
	}
	key := sitePair{a.use.Site, b.use.Site, a.use.Call, b.use.Call, lane >= 0}
	if r := s.races[key]; r != nil {
		r.bytes += n
		return
	}
	s.races[key] = &childRace{a, b, at, n, lane}
	s.order = append(s.order, key)
}

// first reports whether a comes before b in the program, two children in this
// run.
func (p *childGrid) first(a, b touch, lane int) bool {
	switch {
	case a.child == nil:
		r := p.watch.requests[b.child.child]
		return p.watch.first(a.access, lane, 32*r.Warp+r.Lane, r.interval, r.stamp, r.Site)
	case b.child == nil:
		return !p.first(b, a, lane)
	}
	return p.watch.requests[a.child.child].number < p.watch.requests[b.child.child].number
}

// unordered counts the bytes from lo to hi-1 of an access that nothing orders
// with a child, and returns the first and whose it is.
func (s *sweep) unordered(a *parentAccess, k *childGrid, lo, hi uint64) (at, n uint64, lane int) {
	lane = -1
	for b := lo; b < hi; {
		end := min(hi, a.lo+((b-a.lo)>>a.shift+1)<<a.shift)
		for m := a.at(b); m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			if s.ordered(a, l, k) {
				continue
			}
			if n == 0 {
				at, lane = b, l
			}
			n += end - b
			break
		}
		b = end
	}
	return at, n, lane
}

// ordered reports whether what a lane did in an access is ordered before or
// after a child.
func (s *sweep) ordered(a *parentAccess, lane int, k *childGrid) bool {
	w := s.p.watch
	r := w.requests[k.child]
	if r.before(a, lane) || w.over(k.child, a.block, a.joined, a.clock) {
		return true
	}
	s.left -= len(s.p.children)
	return slices.ContainsFunc(s.p.children, func(o *childGrid) bool { // or by a third one
		q := w.requests[o.child]
		return o != k && q != nil && (o.inStreamBefore(k) && q.before(a, lane) ||
			k.inStreamBefore(o) && w.over(o.child, a.block, a.joined, a.clock))
	})
}

// inStreamBefore reports whether streams and events order k before o.
func (k *childGrid) inStreamBefore(o *childGrid) bool {
	return k.stream == o.stream && k.n < o.n || k.stream != o.stream && o.after[k.stream] >= k.n
}

// siblingsOrdered reports whether child a is ordered before child b.
func (s *sweep) siblingsOrdered(a, b *childGrid) bool {
	w := s.p.watch
	if a.inStreamBefore(b) {
		return true
	}
	waited := func(o *childGrid) bool {
		r := w.requests[o.child]
		return r != nil && w.over(a.child, o.child.Block, r.joined, r.clock)
	}
	if waited(b) {
		return true
	}
	if len(w.joins) == 0 {
		return false
	}
	s.left -= len(s.p.children)
	return slices.ContainsFunc(s.p.children, func(o *childGrid) bool { return o != a && o != b && o.inStreamBefore(b) && waited(o) })
}

// pair is what is reported of a race.
func (g *childGrid) pair(r *childRace) *evidence.WorkPair {
	p := &evidence.WorkPair{Between: evidence.WithChild, Parent: g.watch.launch, Addr: r.at, End: r.at + 1, Bytes: r.bytes,
		First: g.side(r.first, r.lane), Then: g.side(r.then, r.lane), WaitedBy: -1}
	if r.then.child == nil {
		p.WaitedBy = g.watch.waitedBy(r.then.access, r.lane, g.watch.requests[r.first.child.child])
	}
	return p
}

// side is what a child, or a lane of the grid, does.
func (g *childGrid) side(t touch, lane int) evidence.Work {
	if t.child == nil {
		s := evidence.Work{Use: &t.use.Use, Piece: &evidence.Piece{}, Thread: &evidence.Access{Site: t.use.Site, Block: uint32(t.access.block), Warp: t.access.warp, Lane: lane,
			Interval: t.access.interval, Stamp: t.access.stamp}}
		if t.access.interval > 0 {
			s.Synced.For = evidence.ForBarrier
		}
		return s
	}
	r := g.watch.requests[t.child.child]
	return evidence.Work{Use: &t.use.Use, Piece: &evidence.Piece{Synced: evidence.Synced{For: evidence.ForLaunch}},
		Child: &evidence.Child{Block: r.Child.Block, Warp: r.Warp, Lane: r.Lane, Where: t.child.work.Where, Site: r.Site, DefaultStream: r.Stream == trace.NullStream}}
}
