package global

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Loads through the read-only path (ld.global.nc, ldu, textures) need not see what the
// same launch writes, whatever orders the two (PTX ISA, "ld.global.nc"). Pairs that nothing
// orders are races as well and left to those; blocks that do not run in turn have no other
// pairs, so that each is watched by itself.

// Stale detects such reads in a launch.
type Stale struct {
	config  *evidence.Config
	launch  *trace.Launch
	watched []bool // by site
	races   *Detector
	lines   map[uint64][]footmark // of a launch whose blocks run in turn
	mu      sync.Mutex
	slots   []*staleBlock
}

// footmark is the bytes of a line that a site accessed, and a thread that did.
type footmark struct {
	site  int
	bytes [lineBytes / 64]uint64
	by    evidence.Access
}

// NewStale returns nil where no site can read what another writes. races is the detector
// of races in the launch, nil for none.
func NewStale(c *evidence.Config, l *trace.Launch, races *Detector) *Stale {
	r := &Stale{config: c, launch: l, watched: make([]bool, len(l.Sites)), races: races}
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

func nonCoherent(s *trace.Site) bool { return evidence.ReadsReadOnly(s) }

func writesGlobal(s *trace.Site) bool {
	return s.Kind.Writes() && s.Size > 0 && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric)
}

// mayMeet reports whether two sites may access one allocation.
func mayMeet(l *trace.Launch, s, w *trace.Site) bool {
	a, b := allocationsOf(l, s), allocationsOf(l, w)
	return a == nil || b == nil || slices.ContainsFunc(a, func(id int) bool { return slices.Contains(b, id) })
}

// Observer returns what the detector wants of the launch.
func (r *Stale) Observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Block: r.newBlock, End: r.End}
}

// staleBlock watches the blocks of one slot.
type staleBlock struct {
	in    *Stale
	block uint64
	lines map[uint64][]footmark
	found map[evidence.Key]*evidence.Stale
}

func (r *Stale) newBlock() *trace.BlockObserver {
	b := &staleBlock{in: r, found: map[evidence.Key]*evidence.Stale{}}
	r.mu.Lock()
	r.slots = append(r.slots, b)
	r.mu.Unlock()
	return &trace.BlockObserver{Begin: b.Begin, Global: b.Access, Ignores: func(s *trace.Site) bool { return !r.watched[s.ID] }}
}

// Begin forgets what blocks did that no order connects with this one.
func (b *staleBlock) Begin(k *trace.Block) {
	b.block, b.lines = k.Index, b.in.lines
	if b.lines == nil {
		b.lines = map[uint64][]footmark{}
	}
}

// Access compares each lane's bytes with what was done to them before.
func (b *staleBlock) Access(a *trace.Access) {
	if !b.in.watched[a.Site.ID] || a.Async == trace.AsyncComplete {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		by := evidence.Access{Site: a.Site, Block: uint32(b.block), Warp: a.Warp, Lane: lane}
		for at, end := a.Addr[lane], a.Addr[lane]+uint64(a.Site.Size); at < end; {
			to := min(end, at&^(lineBytes-1)+lineBytes)
			b.touch(a.Site, by, at, to)
			at = to
		}
	}
}

// touch is an access to bytes at to to-1 of a line.
func (b *staleBlock) touch(s *trace.Site, by evidence.Access, at, to uint64) {
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
func (b *staleBlock) compare(f *footmark, s *trace.Site, by evidence.Access, line uint64, set [lineBytes / 64]uint64) {
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
	x := &evidence.Stale{Launch: b.in.launch, Hazard: evidence.HazardOf(f.by.Site.Kind, s.Kind), Count: 1, Addr: first, Bytes: n, First: f.by, Then: by}
	k := evidence.KeyOf(f.site, s.ID, 0)
	if p := b.found[k]; p != nil {
		merge(p, x)
		return
	}
	b.found[k] = x
}

// merge adds another sighting of the pair: a read after the write matters more than the
// other way round, then the smallest block.
func merge(p, o *evidence.Stale) {
	n := p.Count + o.Count
	if cmp.Or(cmp.Compare(o.Hazard, p.Hazard), cmp.Compare(o.Then.Block, p.Then.Block)) < 0 {
		*p = *o
	}
	p.Count = n
}

// End reports the pairs that are not races.
func (r *Stale) End() {
	all := map[evidence.Key]*evidence.Stale{}
	for _, b := range r.slots {
		for k, p := range b.found {
			if all[k] != nil {
				merge(all[k], p)
			} else {
				all[k] = p
			}
		}
	}
	for _, k := range evidence.Sorted(all) {
		if !r.races.Reported(k) {
			r.config.ReportStale(all[k])
		}
	}
	r.slots, r.lines = nil, nil
}
