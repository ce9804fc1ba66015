package fix

import (
	"math/bits"
	"sync"

	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// placeCounts counts the valid accesses of threads at places: a condition that leaves out invalid
// accesses and no others does not change them. A place has the position that it has without patches.
type placeCounts struct {
	places map[source.Pos]source.Pos // as they are now
	mu     sync.Mutex
	n      map[source.Pos]map[int]uint64 // by launch
	// last is the number of the last launch that began.
	last int
}

// newPlaceCounts counts at places as they are with patches.
func newPlaceCounts(texts map[string][]byte, places map[source.Pos]bool, patches []*code.Patch) *placeCounts {
	c := &placeCounts{places: map[source.Pos]source.Pos{}, n: map[source.Pos]map[int]uint64{}, last: -1}
	for p := range places {
		c.places[code.Moved(texts, patches, p, false)] = p
	}
	return c
}

func (c *placeCounts) observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		c.mu.Lock()
		c.last = max(c.last, l.ID)
		c.mu.Unlock()
		at := map[int]source.Pos{}
		for _, s := range l.Sites {
			if p, ok := c.places[s.Loc.Pos]; ok {
				at[s.ID] = p
			}
		}
		if len(at) == 0 {
			return nil
		}
		return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver { return c.block(l.ID, at) }}}
	}}
}

func (c *placeCounts) block(launch int, at map[int]source.Pos) *trace.BlockObserver {
	n := map[source.Pos]uint64{}
	count := func(a *trace.Access) {
		if p, ok := at[a.Site.ID]; ok {
			n[p] += uint64(bits.OnesCount32(a.Mask))
		}
	}
	return &trace.BlockObserver{Shared: count, Global: count, Local: count, Const: count, End: func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for p, k := range n {
			if c.n[p] == nil {
				c.n[p] = map[int]uint64{}
			}
			c.n[p][launch] += k
		}
		clear(n)
	}}
}

// same reports whether other has the accesses of c at a place, in the launches that c has there,
// without those that hit another object than they mean, and how many it has.
func (c *placeCounts) same(other *placeCounts, at source.Pos, strayed uint64) (same bool, now uint64) {
	var was uint64
	for launch, n := range c.n[at] {
		was += n
		now += other.n[at][launch]
	}
	return was > strayed && now == was-strayed, now
}

// strayed counts the accesses at a place that hit another object than they mean.
func (f *fixer) strayed(at source.Pos) uint64 {
	n := uint64(0)
	for _, e := range f.original.Found {
		if e.Hit != nil && f.unpatched(e.Primary.Loc.Pos) == at {
			n += e.Count
		}
	}
	return n
}
