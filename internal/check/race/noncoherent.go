package race

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Loads through the read-only path (ld.global.nc, ldu, textures) need not see what the
// same launch writes, whatever orders the two (PTX ISA, "ld.global.nc"). Pairs that nothing
// orders are races as well and left to those; blocks that do not run in turn have no other
// pairs, so that each is watched by itself.

// readOnlyPath watches a launch that both writes memory and reads it so.
type readOnlyPath struct {
	checker *checker
	launch  *trace.Launch
	watched []bool // by site
	// raced reports the pairs of sites that there is a finding of.
	raced func(pairKey) bool
	lines map[uint64][]footmark // of a launch whose blocks run in turn
	mu    sync.Mutex
	slots []*readOnlyBlock
}

// footmark is the bytes of a line that a site accessed, and a thread that did.
type footmark struct {
	site  int
	bytes [lineBytes / 64]uint64
	by    reader
}

// reader is the thread of an access.
type reader struct {
	block      uint64
	warp, lane int
}

// stale is what was seen of a pair of sites: the read and the write in their order.
type stale struct {
	hazard      hazard
	count       uint64
	addr        uint64
	bytes       int
	first, then reader
	a, z        int // their sites
}

// newReadOnlyPath returns nil where no site can read what another writes.
func newReadOnlyPath(c *checker, l *trace.Launch, g *globalLaunch) *readOnlyPath {
	if !slices.ContainsFunc(l.Sites, nonCoherent) {
		return nil
	}
	r := &readOnlyPath{checker: c, launch: l, watched: make([]bool, len(l.Sites)), raced: func(k pairKey) bool { return g != nil && g.reported[k] }}
	some := false
	for _, s := range l.Sites {
		if !nonCoherent(s) {
			continue
		}
		for _, w := range l.Sites {
			if writesGlobal(w) && mayMeet(l, s, w) {
				r.watched[s.ID], r.watched[w.ID], some = true, true, true
			}
		}
	}
	if !some {
		return nil
	}
	if l.Ordered {
		r.lines = map[uint64][]footmark{}
	}
	return r
}

func nonCoherent(s *trace.Site) bool {
	return (s.Op.NonCoherent || s.Restricted) && s.Kind == trace.Read && s.Size > 0
}

func writesGlobal(s *trace.Site) bool {
	return s.Kind.Writes() && s.Size > 0 && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric)
}

// mayMeet reports whether two sites may access one allocation.
func mayMeet(l *trace.Launch, s, w *trace.Site) bool {
	a, b := allocationsOf(l, s), allocationsOf(l, w)
	return a == nil || b == nil || slices.ContainsFunc(a, func(id int) bool { return slices.Contains(b, id) })
}

func (r *readOnlyPath) observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Block: r.newBlock, End: r.End}
}

// readOnlyBlock watches the blocks of one slot.
type readOnlyBlock struct {
	in    *readOnlyPath
	block uint64
	lines map[uint64][]footmark
	found map[pairKey]*stale
}

func (r *readOnlyPath) newBlock() *trace.BlockObserver {
	b := &readOnlyBlock{in: r, found: map[pairKey]*stale{}}
	r.mu.Lock()
	r.slots = append(r.slots, b)
	r.mu.Unlock()
	return &trace.BlockObserver{Begin: b.Begin, Global: b.Access, Ignores: func(s *trace.Site) bool { return !r.watched[s.ID] }}
}

// Begin forgets what blocks did that no order connects with this one.
func (b *readOnlyBlock) Begin(k *trace.Block) {
	b.block, b.lines = k.Index, b.in.lines
	if b.lines == nil {
		b.lines = map[uint64][]footmark{}
	}
}

// Access compares each lane's bytes with what was done to them before.
func (b *readOnlyBlock) Access(a *trace.Access) {
	if !b.in.watched[a.Site.ID] || a.Async == trace.AsyncComplete {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		by := reader{b.block, a.Warp, lane}
		for at, end := a.Addr[lane], a.Addr[lane]+uint64(a.Site.Size); at < end; {
			to := min(end, at&^(lineBytes-1)+lineBytes)
			b.touch(a.Site, by, at, to)
			at = to
		}
	}
}

// touch is an access to bytes at to to-1 of a line.
func (b *readOnlyBlock) touch(s *trace.Site, by reader, at, to uint64) {
	var set [lineBytes / 64]uint64
	for i := at; i < to; i++ {
		set[i%lineBytes/64] |= 1 << (i % 64)
	}
	line := at &^ (lineBytes - 1)
	marks, own := b.lines[line], -1
	for i := range marks {
		f := &marks[i]
		if f.site == s.ID {
			own = i
		} else if nonCoherent(b.in.launch.Sites[f.site]) != nonCoherent(s) {
			b.compare(f, s, by, line, set)
		}
	}
	if own < 0 {
		b.lines[line] = append(marks, footmark{s.ID, set, by})
		return
	}
	for i := range set {
		marks[own].bytes[i] |= set[i]
	}
}

// compare adds what two accesses share to their pair.
func (b *readOnlyBlock) compare(f *footmark, s *trace.Site, by reader, line uint64, set [lineBytes / 64]uint64) {
	n, first := 0, uint64(0)
	for i := len(set) - 1; i >= 0; i-- {
		if common := f.bytes[i] & set[i]; common != 0 {
			n += bits.OnesCount64(common)
			first = line + uint64(64*i+bits.TrailingZeros64(common))
		}
	}
	if n == 0 {
		return
	}
	x := &stale{hazard: hazardOf(b.in.launch.Sites[f.site].Kind, s.Kind), count: 1, addr: first, bytes: n,
		first: f.by, then: by, a: f.site, z: s.ID}
	k := pairKey{min(f.site, s.ID), max(f.site, s.ID), 0}
	if p := b.found[k]; p != nil {
		p.merge(x)
		return
	}
	b.found[k] = x
}

// merge adds another sighting of the pair: a read after the write matters more than the
// other way round, then the smallest block.
func (p *stale) merge(o *stale) {
	n := p.count + o.count
	if cmp.Or(cmp.Compare(o.hazard, p.hazard), cmp.Compare(o.then.block, p.then.block)) < 0 {
		*p = *o
	}
	p.count = n
}

// End reports the pairs that are no races.
func (r *readOnlyPath) End() {
	all := map[pairKey]*stale{}
	for _, b := range r.slots {
		for k, p := range b.found {
			if all[k] != nil {
				all[k].merge(p)
			} else {
				all[k] = p
			}
		}
	}
	for _, k := range sorted(all) {
		if !r.raced(k) {
			r.checker.set.Add(r.finding(all[k]))
		}
	}
	r.slots, r.lines = nil, nil
}
