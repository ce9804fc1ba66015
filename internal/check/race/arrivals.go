package race

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// arrivals has the stamps of threads that arrived at a barrier, by its number,
// and did not wait: what they do from then on is not ordered by it.
type arrivals map[int]map[int]uint32

func (a *arrivals) add(e *trace.Arrival, c *clock) {
	c.now[e.Warp]++
	if *a == nil {
		*a = arrivals{}
	}
	if (*a)[e.ID] == nil {
		(*a)[e.ID] = map[int]uint32{}
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		(*a)[e.ID][32*e.Warp+bits.TrailingZeros32(m)] = c.now[e.Warp]
	}
}

// passed forgets those of a barrier that all have passed.
func (a arrivals) passed(id int) { delete(a, id) }

// polls finds the plain reads that a warp repeats at one place and does nothing
// else between: loops that wait for another thread.
type polls struct {
	last []lastRead // by warp
	// site says of each site whether it polls.
	site []bool
}

type lastRead struct {
	site, n int
	addr    uint64
}

// pollsFrom is how many reads in a row count as waiting.
const pollsFrom = 8

func newPolls(warps, sites int) polls {
	return polls{make([]lastRead, warps), make([]bool, sites)}
}

func (p *polls) note(a *trace.Access) {
	l := &p.last[a.Warp]
	addr := a.Addr[bits.TrailingZeros32(a.Mask)]
	if l.site != a.Site.ID || l.addr != addr || a.Site.Kind != trace.Read {
		*l = lastRead{a.Site.ID, 0, addr}
		return
	}
	if l.n++; l.n >= pollsFrom {
		p.site[a.Site.ID] = true
	}
}
