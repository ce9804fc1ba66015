package work

import (
	"maps"
	"math/bits"
	"slices"
)

// pages is a set of bytes with a bit for each byte of some pages. Other than in extents, adding many ranges in any order
// costs no more than their bytes do.
type pages struct {
	of   map[uint64]*page
	last *page
	at   uint64 // the number of last
	full bool
}

// page has the bits of pageBytes bytes.
type page [pageBytes / 64]uint64

const (
	pageBytes = 1 << 12
	// maxPages bounds the pages of a set: 64 MiB of bits.
	maxPages = 1 << 17
)

// page returns the page with a number, nil where there are too many.
func (p *pages) page(number uint64) *page {
	if p.last != nil && p.at == number {
		return p.last
	}
	x := p.of[number]
	if x == nil {
		if len(p.of) == maxPages {
			p.full = true
			return nil
		}
		if p.of == nil {
			p.of = map[uint64]*page{}
		}
		x = new(page)
		p.of[number] = x
	}
	p.last, p.at = x, number
	return x
}

// add adds the bytes of extents.
func (p *pages) add(e *extents) {
	p.full = p.full || e.full
	for _, x := range e.list {
		for x.lo < x.hi {
			end := min(x.hi, x.lo&^63+64)
			if of := p.page(x.lo / pageBytes); of != nil {
				of[x.lo%pageBytes/64] |= (^uint64(0) >> (64 - (end - x.lo))) << (x.lo % 64)
			}
			x.lo = end
		}
	}
}

// extents returns the bytes as ranges.
func (p *pages) extents() (e extents) {
	e.full = p.full
	for _, number := range slices.Sorted(maps.Keys(p.of)) {
		for i, x := range p.of[number] {
			for x != 0 && !e.full {
				from := bits.TrailingZeros64(x)
				n := bits.TrailingZeros64(^(x >> from))
				x &^= (^uint64(0) >> (64 - n)) << from
				at := number*pageBytes + uint64(64*i+from)
				e.append(extent{at, at + uint64(n)})
			}
		}
	}
	return e
}
