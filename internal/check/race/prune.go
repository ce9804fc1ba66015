package race

import (
	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Sites that are proved safe need not be watched: those on arrays of which the
// shape and the arguments of the launch say that each byte belongs to one
// thread. What is found does not change, as such accesses race with none.

// pruned is what is known of one kernel: what its sites were in any launch so
// far.
type pruned struct{ sites []siteHistory }

// siteHistory says of a site whether it is on global memory and was watched, and
// whether it is on shared memory and was watched in one block only.
type siteHistory struct{ global, watched, shared, inAll bool }

// pruneStatistics count instructions and warps' accesses that were watched, and
// those that were not, as nothing can race there. Accesses through generic
// addresses and to textures are in none of them.
type pruneStatistics struct {
	// Watched are instructions on global memory that were watched in some launch,
	// Pruned those that were in none.
	Watched int `json:"global_sites_watched,omitempty"`
	Pruned  int `json:"global_sites_pruned,omitempty"`
	// GlobalWatched are accesses to global memory.
	GlobalWatched uint64 `json:"global_accesses_watched,omitempty"`
	GlobalPruned  uint64 `json:"global_accesses_pruned,omitempty"`
	// SharedSites are instructions on shared memory that were watched in every
	// block of some launch, SharedOnce those that were watched in one block, which
	// stood for others, and in blocks at the edges of the grid.
	SharedSites int `json:"shared_sites_watched,omitempty"`
	SharedOnce  int `json:"shared_sites_pruned,omitempty"`
	// SharedWatched are accesses to shared memory; SharedPruned those of blocks
	// that another one stood for.
	SharedWatched uint64 `json:"shared_accesses_watched,omitempty"`
	SharedPruned  uint64 `json:"shared_accesses_pruned,omitempty"`
}

// onGlobal reports sites of which accesses are counted.
func onGlobal(s *trace.Site) bool {
	return s.Space == trace.SpaceGlobal && s.Size > 0 && !s.Texture
}

// known returns what is known of a launch's kernel.
func (c *checker) known(l *trace.Launch) *pruned {
	if c.pruned == nil {
		c.pruned = map[string]*pruned{}
	}
	k := l.Module + " " + l.Kernel
	p := c.pruned[k]
	if p == nil {
		p = &pruned{sites: make([]siteHistory, len(l.Sites))}
		c.pruned[k] = p
	}
	return p
}

// noteSites takes note of which sites are watched in a launch; g is nil for none.
func (c *checker) noteSites(l *trace.Launch, g *globalLaunch) {
	p := c.known(l)
	for i, s := range l.Sites {
		p.sites[i].global = onGlobal(s)
		p.sites[i].watched = p.sites[i].watched || g != nil && g.sites[i].watched
	}
}

// noteShared takes note of a launch whose accesses to shared memory were
// watched, once for most blocks or in all of them.
func (c *checker) noteShared(l *trace.Launch, once bool) {
	p := c.known(l)
	for i, s := range l.Sites {
		p.sites[i].shared = s.Space == trace.SpaceShared && s.Size > 0
		p.sites[i].inAll = p.sites[i].inAll || !once
	}
}

// spare stops watching the sites that are proved safe. It is not for launches
// whose blocks may synchronise, where accesses matter to what others mean.
func (g *globalLaunch) spare() {
	if g.checker.owned == nil {
		return
	}
	l := g.launch
	proof := g.checker.owned(l)
	if proof == nil {
		return
	}
	for i, s := range l.Sites { // all must be understood, so that none reaches the others' arrays
		if g.sites[i].watched && !proof.Known[ownership.Site{Func: s.Func, Line: s.PTXLine}] {
			return
		}
	}
	for i, s := range l.Sites {
		if g.sites[i].watched && proof.Safe[ownership.Site{Func: s.Func, Line: s.PTXLine}] {
			g.sites[i].watched = false
		}
	}
}

// pruning returns the numbers so far.
func (c *checker) pruning() pruneStatistics {
	s := c.stats.pruneStatistics
	s.GlobalPruned = c.accesses - min(c.accesses, s.GlobalWatched) // an interrupted launch is in the latter alone
	for _, p := range c.pruned {
		for _, x := range p.sites {
			switch {
			case x.global && x.watched:
				s.Watched++
			case x.global:
				s.Pruned++
			case x.shared && x.inAll:
				s.SharedSites++
			case x.shared:
				s.SharedOnce++
			}
		}
	}
	return s
}
