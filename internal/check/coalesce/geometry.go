package coalesce

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check/perf"
)

// Bytes of what memory delivers.
const (
	sector  = 32
	segment = 64
	line    = 128
)

// geometry says how requests become transactions.
type geometry struct{ way arch.Coalescing }

// unit names what is counted for a load, or for a store or an atomic operation: a
// transaction, a line or a sector.
func (g geometry) unit(load bool) string {
	if g.way == arch.Lines && !load { // they bypass L1 (CUDA C++ Programming Guide, "Global Memory" of 2.x and 3.x)
		return "sector"
	}
	return [...]string{"transaction", "transaction", "line", "sector"}[g.way]
}

// group names the lanes of a request.
func (g geometry) group() string {
	if g.way <= arch.Segments {
		return "half-warp"
	}
	return "warp"
}

// cost is what one warp's access needs.
type cost struct {
	requests uint32
	// units were needed, ideal would do for as many bytes in one place.
	units, ideal uint32
	// moved and used are bytes, those that several lanes want counted once.
	moved, used uint32
	// lines is the number of different 128-byte lines.
	lines uint32
}

func (c *cost) add(o cost) {
	c.requests += o.requests
	c.units += o.units
	c.ideal += o.ideal
	c.moved += o.moved
	c.used += o.used
}

// most is the widest access of a lane at once; wider ones are several.
const most = 16

// access computes the cost of the lanes of mask accessing size bytes each, at
// addresses that are multiples of size (PTX ISA, "ld": alignment).
func (g geometry) access(mask uint32, addr *[32]uint64, size int, load bool) cost {
	if size > most {
		return g.wide(mask, addr, size, load)
	}
	var c cost
	if g.way == arch.Sectors || g.way == arch.Lines && !load {
		s := measure(mask, addr)
		used := s.words * uint32(size)
		c = cost{requests: 1, units: s.sectors, ideal: (used + sector - 1) / sector, moved: s.sectors * sector, used: used}
		c.lines = s.lines
		return c
	}
	for part := range parts(g.way, size) {
		lanes := 32 / parts(g.way, size)
		if m := mask & ((1<<lanes - 1) << (part * lanes)); m != 0 {
			c.add(g.part(m, addr, size))
		}
	}
	if g.way == arch.Lines {
		c.requests = 1
	}
	c.lines = measure(mask, addr).lines
	return c
}

// wide is an access in steps of 16 bytes.
func (g geometry) wide(mask uint32, addr *[32]uint64, size int, load bool) cost {
	var c cost
	step := *addr
	for range size / most {
		o := g.access(mask, &step, most, load)
		c.add(o)
		c.lines = max(c.lines, o.lines)
		for l := range step {
			step[l] += most
		}
	}
	return c
}

// parts is into how many parts of a warp an access is split.
func parts(way arch.Coalescing, size int) int {
	if way == arch.Lines {
		return max(size/4, 1)
	}
	return 2
}

// part computes the cost of lanes that are served together.
func (g geometry) part(mask uint32, addr *[32]uint64, size int) cost {
	s := measure(mask, addr)
	used := s.words * uint32(size)
	c := cost{requests: 1, used: used, ideal: (used + line - 1) / line}
	switch g.way {
	case arch.Lines:
		c.units, c.moved = s.lines, s.lines*line
	case arch.Segments:
		c.units, c.moved = segments(mask, addr, size)
	default:
		c.units, c.moved = inOrder(mask, addr, size)
	}
	return c
}

// spread are the numbers of different places that a request accesses.
type spread struct{ words, sectors, lines uint32 }

// measure counts. Addresses seldom descend from lane to lane; where they do, a
// sorted copy is counted.
func measure(mask uint32, addr *[32]uint64) spread {
	prev := addr[bits.TrailingZeros32(mask)&31]
	s := spread{1, 1, 1}
	for m := mask & (mask - 1); m != 0; m &= m - 1 {
		a := addr[bits.TrailingZeros32(m)&31]
		if a < prev {
			return measureSorted(mask, addr)
		}
		s.step(a ^ prev)
		prev = a
	}
	return s
}

func measureSorted(mask uint32, addr *[32]uint64) spread {
	var sorted [32]uint64
	n := 0
	for m := mask; m != 0; m &= m - 1 {
		sorted[n] = addr[bits.TrailingZeros32(m)&31]
		n++
	}
	slices.Sort(sorted[:n])
	s := spread{1, 1, 1}
	for i := 1; i < n; i++ {
		s.step(sorted[i] ^ sorted[i-1])
	}
	return s
}

// step counts an address that differs from the one before in the bits of d.
func (s *spread) step(d uint64) {
	if d == 0 {
		return
	}
	s.words++
	if d >= sector {
		s.sectors++
	}
	if d >= line {
		s.lines++
	}
}

// segments plays capability 1.2 on a half-warp: the segment of the lowest lane
// left serves all lanes in it, and is halved while one half is enough.
func segments(mask uint32, addr *[32]uint64, size int) (units, moved uint32) {
	whole := uint64(min(max(size, 1)*sector, line))
	for left := mask; left != 0; units++ {
		at := addr[bits.TrailingZeros32(left)] / whole * whole
		lo, hi := whole, uint64(0)
		for m := left; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			if off := addr[l] - at; off < whole {
				lo, hi = min(lo, off), max(hi, off+uint64(size))
				left &^= 1 << l
			}
		}
		n := whole
		for start := uint64(0); n > sector; {
			if hi > start+n/2 && lo < start+n/2 {
				break
			}
			n /= 2
			if lo >= start+n {
				start += n
			}
		}
		moved += uint32(n)
	}
	return units, moved
}

// inOrder plays capability 1.0 on a half-warp.
func inOrder(mask uint32, addr *[32]uint64, size int) (units, moved uint32) {
	n := uint32(bits.OnesCount32(mask))
	if size < 4 {
		return n, n * sector
	}
	first := bits.TrailingZeros32(mask)
	base := addr[first] - uint64(first&15*size)
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if addr[l] != base+uint64(l&15*size) || base%uint64(16*size) != 0 {
			return n, n * sector
		}
	}
	if size == 16 {
		return 2, 2 * line
	}
	return 1, uint32(16 * size)
}

// Units returns what loads of size bytes a lane need on an architecture, and
// what that number counts: "sector", "line" or "transaction".
func Units(a *arch.Arch, rs []perf.Request, size int) (n int, unit string) {
	g := geometry{a.Coalescing()}
	for i := range rs {
		n += int(g.access(rs[i].Mask, &rs[i].Addr, size, true).units)
	}
	return n, g.unit(true)
}
