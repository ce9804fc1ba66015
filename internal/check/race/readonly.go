package race

import (
	"encoding/binary"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// leaveOut finds the sites that only read allocations to which the launch does
// not write: where the addresses of all writes come from known parameters,
// reads of other allocations cannot race.
func (g *globalLaunch) leaveOut() {
	if g.checker.owned == nil {
		return // all are to be watched
	}
	written := map[int]bool{}
	for i, s := range g.launch.Sites {
		if !g.sites[i].watched || !s.Kind.Writes() {
			continue
		}
		ids := g.allocations(s)
		if ids == nil {
			return
		}
		for _, id := range ids {
			written[id] = true
		}
	}
	for i, s := range g.launch.Sites {
		ids := g.allocations(s)
		free := ids != nil && s.Kind == trace.Read
		for _, id := range ids {
			free = free && !written[id]
		}
		if free {
			g.sites[i].watched = false
		}
	}
}

// allocations returns those that a site's address may be in, nil where that is
// not known.
func (g *globalLaunch) allocations(s *trace.Site) (ids []int) {
	if g.launch.Memory == nil {
		return nil
	}
	for _, at := range s.Roots {
		if uint64(at)+8 > uint64(len(g.launch.Params)) {
			return nil
		}
		if m, ok := g.launch.Memory(binary.LittleEndian.Uint64(g.launch.Params[at:])); ok {
			ids = append(ids, m.ID)
		}
	}
	return ids
}
