package evidence

import "github.com/warpgrind/warpgrind/internal/trace"

// Statistics are the rule's numbers for a run: instructions and warps' accesses that were
// watched, and those that were not, as nothing can race there. Accesses through generic
// addresses and to textures are in none of them.
type Statistics struct {
	// RaceModel is the model that was used.
	RaceModel string `json:"race_model"`
	// Incomplete counts launches in which some accesses were too many to
	// remember, so that a race may have been missed.
	Incomplete int `json:"incomplete_launches"`
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

	// accesses counts those to global memory, watched or not.
	accesses uint64
	// kernels has what the sites of each kernel were in any launch so far.
	kernels map[string][]siteHistory
}

// siteHistory is whether a site is on global memory and was watched, and
// whether it is on shared memory and was watched in more than one block.
type siteHistory struct{ global, watched, shared, inAll bool }

// OnGlobal reports sites of which accesses are counted.
func OnGlobal(s *trace.Site) bool {
	return s.Space == trace.SpaceGlobal && s.Size > 0 && !s.Texture
}

func (s *Statistics) kernel(l *trace.Launch) []siteHistory {
	if s.kernels == nil {
		s.kernels = map[string][]siteHistory{}
	}
	name := l.Module + " " + l.Kernel
	if s.kernels[name] == nil {
		s.kernels[name] = make([]siteHistory, len(l.Sites))
	}
	return s.kernels[name]
}

// NoteGlobal notes which sites are watched in a launch.
func (s *Statistics) NoteGlobal(l *trace.Launch, watched func(site int) bool) {
	sites := s.kernel(l)
	for i, at := range l.Sites {
		sites[i].global = OnGlobal(at)
		sites[i].watched = sites[i].watched || watched(i)
	}
}

// NoteAccesses adds the accesses of a launch to global memory.
func (s *Statistics) NoteAccesses(l *trace.Launch) { s.accesses += l.GlobalAccesses }

// NoteShared notes a launch whose accesses to shared memory were
// watched, once for most blocks or in all of them.
func (s *Statistics) NoteShared(l *trace.Launch, once bool) {
	sites := s.kernel(l)
	for i, at := range l.Sites {
		sites[i].shared = at.Space == trace.SpaceShared && at.Size > 0
		sites[i].inAll = sites[i].inAll || !once
	}
}

// Numbers returns the numbers so far.
func (s *Statistics) Numbers() Statistics {
	n := *s
	n.GlobalPruned = s.accesses - min(s.accesses, s.GlobalWatched) // an interrupted launch is in the latter alone
	for _, sites := range s.kernels {
		for _, x := range sites {
			switch {
			case x.global && x.watched:
				n.Watched++
			case x.global:
				n.Pruned++
			case x.shared && x.inAll:
				n.SharedSites++
			case x.shared:
				n.SharedOnce++
			}
		}
	}
	return n
}
