package perf

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Places numbers the source places of a kernel's sites. Copies of an access
// that the compiler made, by unrolling a loop, are one place.
type Places struct {
	// Of has the place of each site by Site.ID, Sites one site for each place:
	// the first. Keys tell places of a kernel apart in all its launches.
	Of    []int32
	Sites []*trace.Site
	Keys  []string
}

// PlaceCache keeps the places of kernels. It is not safe for concurrent use.
type PlaceCache struct {
	byKernel map[string]*Places
}

// Find returns the places of a launch's sites, the same ones for launches of
// one kernel with the same sites.
func (c *PlaceCache) Find(l *trace.Launch) *Places {
	if p := c.byKernel[l.Kernel]; p != nil && p.fits(l.Sites) {
		return p
	}
	if c.byKernel == nil {
		c.byKernel = map[string]*Places{}
	}
	p := newPlaces(l.Sites)
	c.byKernel[l.Kernel] = p
	return p
}

// fits reports whether p was made from these sites.
func (p *Places) fits(sites []*trace.Site) bool {
	return len(p.Of) == len(sites) && (len(sites) == 0 || p.Sites[0] == sites[0])
}

func newPlaces(sites []*trace.Site) *Places {
	p := &Places{Of: make([]int32, len(sites))}
	byKey := map[string]int32{}
	for i, s := range sites {
		key := check.SiteKey(s)
		n, ok := byKey[key]
		if !ok {
			n = int32(len(p.Sites))
			byKey[key] = n
			p.Sites, p.Keys = append(p.Sites, s), append(p.Keys, key)
		}
		p.Of[i] = n
	}
	return p
}
