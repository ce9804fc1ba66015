package initialised

import (
	"math/bits"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// pieces are the loads of a kernel that are one of several of one expression, as
// the copy of a structure becomes. Where the compiler chose the pieces, one can be
// padding alone.
type pieces struct {
	sites []*trace.Site
	once  sync.Once
	is    []bool
}

func (p *pieces) of(s *trace.Site) bool {
	p.once.Do(p.find)
	return p.is[s.ID]
}

func (p *pieces) find() {
	p.is = make([]bool, len(p.sites))
	first := map[string]int{}
	for i, s := range p.sites {
		if s.Kind != trace.Read || !s.Loc.IsValid() {
			continue
		}
		k := expression(s)
		if j, ok := first[k]; ok {
			p.is[i], p.is[j] = true, true
		} else {
			first[k] = i
		}
	}
}

// padded reports whether what lanes read may be padding of four bytes: these are in
// structures that are aligned to eight.
func padded(lanes uint32, addr *[32]uint64) bool {
	first := addr[bits.TrailingZeros32(lanes)]
	for m := lanes; m != 0; m &= m - 1 {
		if (addr[bits.TrailingZeros32(m)]-first)%8 != 0 {
			return false
		}
	}
	return true
}

// expression tells the source's expressions apart, inlined ones at each place.
func expression(s *trace.Site) string {
	var k strings.Builder
	k.WriteString(s.Func + s.Loc.String())
	for _, at := range s.Loc.InlinedAt {
		k.WriteString("<" + at.String())
	}
	return k.String()
}
