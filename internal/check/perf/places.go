package perf

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Places has the keys of the source places of a kernel's sites, by Site.ID.
// Copies of an access that the compiler made, by unrolling a loop, have one key.
type Places struct {
	sites []*trace.Site
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
	return len(p.sites) == len(sites) && (len(sites) == 0 || p.sites[0] == sites[0])
}

func newPlaces(sites []*trace.Site) *Places {
	p := &Places{sites: sites, Keys: make([]string, len(sites))}
	for i, s := range sites {
		p.Keys[i] = check.SiteKey(s)
	}
	return p
}
