package race

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Compare-and-swaps of words that stand for atomic operations on elements of 1 or 2 bytes
// are taken for these: they leave the other bytes of the word as they are, and should one
// of them have changed, they fail.

// narrowSwaps returns sites of the size of the elements, by the number of the site, nil
// for none, and notes that size.
func (c *checker) narrowSwaps(l *trace.Launch, sites []siteInfo) map[int]*trace.Site {
	var out map[int]*trace.Site
	for i, s := range l.Sites {
		if s.Kind != trace.Atomic || !s.Op.IsCAS() || s.Size != 4 {
			continue
		}
		n := c.factsOf(l).Narrow(guardSite(s))
		if n == 0 {
			continue
		}
		if out == nil {
			out = map[int]*trace.Site{}
		}
		as := *s
		as.Size, as.Elem = n, n
		out[s.ID], sites[i].elem, sites[i].narrow = &as, n, true
	}
	return out
}

// taken returns what a site is taken for.
func taken(s *trace.Site, narrow map[int]*trace.Site) *trace.Site {
	if as := narrow[s.ID]; as != nil {
		return as
	}
	return s
}

// narrowAccess is room for an access as another one is taken for.
type narrowAccess struct {
	access trace.Access
	addr   [32]uint64
}

// of returns what the swaps of an access are taken for. A swap that would change nothing
// only looks.
func (n *narrowAccess) of(a *trace.Access, as *trace.Site) *trace.Access {
	if a.Data == nil {
		return a
	}
	n.access, n.addr = *a, *a.Addr
	n.access.Site, n.access.Addr = as, &n.addr
	n.access.Regular, n.access.Shape = false, nil
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		changed := uint32(a.Data.Value(l, 0) ^ a.Data.Value(l, 1))
		if changed == 0 {
			n.access.Mask &^= 1 << l
			continue
		}
		n.addr[l] += uint64(bits.TrailingZeros32(changed) / 8 &^ (as.Size - 1))
	}
	return &n.access
}
