package race

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// touch is a range of bytes that a child of a grid uses, or lanes of the grid
// itself, where child is nil.
type touch struct {
	lo, hi uint64
	child  *kin
	use    *use
	access *parentAccess
}

// kinRace is what was seen of two places of a program: in the order of this run,
// first and then share bytes, the first of them at; lane is that of the one that
// is no child, if there is one.
type kinRace struct {
	first, then touch
	at, bytes   uint64
	lane        int
}

// kinPlaces tells pairs of places apart.
type kinPlaces struct {
	a, b         *trace.Site
	aCall, bCall string
	parent       bool
}

// kinSweep goes through the bytes that a grid and its children use, in order.
type kinSweep struct {
	p *kin
	// readers and writers are those that reach to the byte at hand or beyond.
	readers, writers []touch
	limit            int
	races            map[kinPlaces]*kinRace
	order            []kinPlaces
	// left is how many comparisons may still be made.
	left int
}

// maxKinComparisons bounds the comparisons for one grid.
const maxKinComparisons = 1 << 27

// compareKin looks for races between a grid that is over and its children, and
// among these.
func (c *checker) compareKin(p *kin) {
	s := &kinSweep{p: p, races: map[kinPlaces]*kinRace{}, left: maxKinComparisons}
	for _, t := range p.touches() {
		s.next(t)
		if s.left < 0 {
			break
		}
	}
	if s.left < 0 || p.watch.full {
		c.stats.Incomplete++
	}
	for _, key := range s.order {
		c.set.Add(c.kinFinding(p, s.races[key]))
	}
}

// touches lists what a grid and its children use, by address. The work of the
// tail stream is ordered after all else.
func (p *kin) touches() (out []touch) {
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
				site := w.launch.Sites[a.site]
				own[a.site] = &use{launch: w.launch, site: site, kind: site.Kind, strong: isStrong(site)}
			}
			out = append(out, touch{a.lo, a.hi, nil, own[a.site], a})
		}
	}
	slices.SortStableFunc(out, func(a, b touch) int { return cmp.Compare(a.lo, b.lo) })
	return out
}

// next compares a touch with those before it that reach as far.
func (s *kinSweep) next(t touch) {
	s.writers = s.compare(s.writers, t)
	if t.use.kind.Writes() {
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
func (s *kinSweep) compare(list []touch, t touch) []touch {
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

// pair takes note of two that conflict, if nothing orders them.
func (s *kinSweep) pair(a, b touch) {
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
	key := kinPlaces{a.use.site, b.use.site, a.use.call, b.use.call, lane >= 0}
	if r := s.races[key]; r != nil {
		r.bytes += n
		return
	}
	s.races[key] = &kinRace{a, b, at, n, lane}
	s.order = append(s.order, key)
}

// first reports whether a comes before b in the program, two children in this
// run.
func (p *kin) first(a, b touch, lane int) bool {
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
func (s *kinSweep) unordered(a *parentAccess, k *kin, lo, hi uint64) (at, n uint64, lane int) {
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
func (s *kinSweep) ordered(a *parentAccess, lane int, k *kin) bool {
	w := s.p.watch
	r := w.requests[k.child]
	if r.before(a, lane) || w.over(k.child, a.block, a.joined, a.know) {
		return true
	}
	s.left -= len(s.p.children)
	return slices.ContainsFunc(s.p.children, func(o *kin) bool { // or by a third one
		q := w.requests[o.child]
		return o != k && q != nil && (o.inStreamBefore(k) && q.before(a, lane) ||
			k.inStreamBefore(o) && w.over(o.child, a.block, a.joined, a.know))
	})
}

// inStreamBefore reports whether streams and events order k before o.
func (k *kin) inStreamBefore(o *kin) bool {
	return k.stream == o.stream && k.n < o.n || k.stream != o.stream && o.after[k.stream] >= k.n
}

// siblingsOrdered reports whether child a is ordered before child b.
func (s *kinSweep) siblingsOrdered(a, b *kin) bool {
	w := s.p.watch
	if a.inStreamBefore(b) {
		return true
	}
	waited := func(o *kin) bool {
		r := w.requests[o.child]
		return r != nil && w.over(a.child, o.child.Block, r.joined, r.know)
	}
	if waited(b) {
		return true
	}
	if len(w.joins) == 0 {
		return false
	}
	s.left -= len(s.p.children)
	return slices.ContainsFunc(s.p.children, func(o *kin) bool { return o != a && o != b && o.inStreamBefore(b) && waited(o) })
}
