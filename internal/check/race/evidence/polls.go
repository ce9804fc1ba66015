package evidence

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Polls finds the plain reads that a warp repeats at one location and does nothing
// else between: loops that wait for another thread.
type Polls struct {
	last []lastRead // by warp
	// Site has the sites that poll; fresh are those that are new in the interval.
	Site  []bool
	fresh []int
}

type lastRead struct {
	site, n int
	addr    uint64
}

// pollsFrom is how many reads in a row count as waiting.
const pollsFrom = 8

// NewPolls is for a block of so many warps and a kernel of so many sites.
func NewPolls(warps, sites int) Polls {
	return Polls{last: make([]lastRead, warps), Site: make([]bool, sites)}
}

// Note notes a plain access.
func (p *Polls) Note(a *trace.Access) {
	l := &p.last[a.Warp]
	addr := a.Addr[bits.TrailingZeros32(a.Mask)]
	if l.site != a.Site.ID || l.addr != addr || a.Site.Kind != trace.Read {
		*l = lastRead{a.Site.ID, 0, addr}
		return
	}
	if l.n++; l.n >= pollsFrom && !p.Site[a.Site.ID] {
		p.Site[a.Site.ID] = true
		p.fresh = append(p.fresh, a.Site.ID)
	}
}

// NextInterval ends an interval, whose sites matter if there was a race in it.
func (p *Polls) NextInterval(raced bool) {
	for _, site := range p.fresh {
		p.Site[site] = raced
	}
	p.fresh = p.fresh[:0]
	clear(p.last)
}

// Lanes is how many lanes of a warp executed a site at once.
type Lanes uint8

// Lanes.
const (
	None Lanes = iota
	Alone
	Together
)

// LanesOf is that of a mask.
func LanesOf(mask uint32) Lanes {
	if mask&(mask-1) == 0 {
		return Alone
	}
	return Together
}

// OneAddress reports whether all lanes access one element.
func OneAddress(a *trace.Access) bool {
	at := a.Addr[bits.TrailingZeros32(a.Mask)]
	for m := a.Mask; m != 0; m &= m - 1 {
		if a.Addr[bits.TrailingZeros32(m)] != at {
			return false
		}
	}
	return true
}

// Operand is what a lane writes, or an atomic's operand; 0 where that is unknown.
func Operand(a *trace.Access, lane int) uint64 {
	if a.Data == nil || !a.Site.Kind.Writes() {
		return 0
	}
	return a.Data.Value(lane, 0)
}
