package bank

import (
	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check/perf"
)

// Passes returns how many passes accesses to shared memory of size bytes a lane
// need on an architecture.
func Passes(a *arch.Arch, rs []perf.Request, size int) int {
	g := newGeometry(a, false)
	n, _ := g.sum(rs, size)
	return n
}

// sum adds up the passes of requests, and those that would do.
func (g *geometry) sum(rs []perf.Request, size int) (passes, ideal int) {
	for i := range rs {
		r := &rs[i]
		parts := [2]uint32{r.Mask}
		if g.broadcast {
			parts = [2]uint32{r.Mask & 0xffff, r.Mask &^ 0xffff}
		}
		for _, m := range parts {
			if m != 0 {
				c := g.request(m, &r.Addr, size)
				passes += c.passes
				ideal += c.ideal
			}
		}
	}
	return passes, ideal
}
