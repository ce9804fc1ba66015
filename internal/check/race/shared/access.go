package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// piece is a part of an access: n lanes from lane on elements from word, or,
// where n is 0, lanes that access one element.
type piece struct {
	word  uint32
	lane  int
	n     int
	lanes uint32
}

// elements checks an access of one, two or four words a lane.
func (b *blockObserver) elements(a *trace.Access, shift uint) {
	k := makeKey(a.Site.ID, 0xf, a.Site.Kind)
	var ps []piece
	if a.Mask == 1<<32-1 {
		ps = b.halves(a, shift)
	}
	if ps == nil {
		ps = b.split(a, shift)
	}
	if ps == nil || a.Site.Kind != trace.Read && overlap(ps, shift) {
		b.scattered(a, k, shift)
		return
	}
	for i := range ps {
		p := &ps[i]
		if p.n > 1 {
			b.run(k, p.word, p.lane, p.n, shift)
			continue
		}
		for w := range uint32(1) << shift {
			b.touch(p.word+w, k, p.lanes)
		}
	}
}

// shape is what the addresses of 16 neighboring lanes look like.
type shape uint8

const (
	irregular shape = iota
	row             // neighboring elements in order
	uniform         // one element
)

// shapeOf finds the shape of a half-warp's addresses.
func shapeOf(addr *[16]uint64, shift uint) shape {
	base := addr[0]
	var inRow, same uint64
	for l, a := range addr {
		same |= a ^ base
		inRow |= a ^ (base + uint64(l)<<(2+shift))
	}
	switch uint64(0) {
	case inRow:
		return row
	case same:
		return uniform
	}
	return irregular
}

// halves divides an access of a whole warp into pieces where both half-warps
// are regular, by far the most frequent case; else it returns nil.
func (b *blockObserver) halves(a *trace.Access, shift uint) []piece {
	if a.Regular && (a.Step == 0 || a.Step == 4<<shift) {
		p := piece{uint32(a.Addr[0] >> 2), 0, 32, 1<<32 - 1}
		if a.Step == 0 {
			p.n = 0
		}
		return append(b.pieces[:0], p)
	}
	lo := shapeOf((*[16]uint64)(a.Addr[:16]), shift)
	if lo == irregular {
		return nil
	}
	hi := shapeOf((*[16]uint64)(a.Addr[16:]), shift)
	if hi == irregular {
		return nil
	}
	p := piece{uint32(a.Addr[0] >> 2), 0, 16, 0xffff}
	q := piece{uint32(a.Addr[16] >> 2), 16, 16, 0xffff0000}
	switch {
	case lo == row && hi == row && q.word == p.word+16<<shift:
		p.n, p.lanes = 32, 1<<32-1
		return append(b.pieces[:0], p)
	case lo == uniform && hi == uniform && q.word == p.word:
		p.n, p.lanes = 0, 1<<32-1
		return append(b.pieces[:0], p)
	}
	if lo == uniform {
		p.n = 0
	}
	if hi == uniform {
		q.n = 0
	}
	return append(b.pieces[:0], p, q)
}

// split divides an access into pieces, nil if there were too many.
func (b *blockObserver) split(a *trace.Access, shift uint) []piece {
	ps := b.pieces[:0]
	var p piece
	var next uint32 // word that continues the run
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w := uint32(a.Addr[lane] >> 2)
		switch {
		case p.lanes != 0 && p.n != 0 && w == next && lane == p.lane+p.n:
			p.n++
			p.lanes |= 1 << lane
			next = w + 1<<shift
			continue
		case p.lanes != 0 && p.n <= 1 && w == p.word:
			p.n = 0
			p.lanes |= 1 << lane
			continue
		case p.lanes != 0:
			if len(ps) == cap(ps) {
				return nil
			}
			ps = append(ps, p)
		}
		p = piece{w, lane, 1, 1 << lane}
		next = w + 1<<shift
	}
	if len(ps) == cap(ps) {
		return nil
	}
	return append(ps, p)
}

// overlap reports whether two pieces have a word in common.
func overlap(ps []piece, shift uint) bool {
	for i := range ps {
		end := ps[i].word + uint32(max(ps[i].n, 1))<<shift
		for j := range ps[:i] {
			if ps[j].word < end && ps[i].word < ps[j].word+uint32(max(ps[j].n, 1))<<shift {
				return true
			}
		}
	}
	return false
}

// scattered checks an access without a pattern, lane by lane.
func (b *blockObserver) scattered(a *trace.Access, k key, shift uint) {
	for i := range uint32(1) << shift {
		if a.Site.Kind != trace.Read && mayCollide(a.Mask, a.Addr, 2+shift) {
			b.grouped(a, func(lane int) (uint32, uint8) { return uint32(a.Addr[lane]>>2) + i, 0xf })
			continue
		}
		for m := a.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			b.touch(uint32(a.Addr[lane]>>2)+i, k, 1<<lane)
		}
	}
}

// narrowElements checks an access of 1 or 2 bytes a lane.
func (b *blockObserver) narrowElements(a *trace.Access) {
	size := a.Site.Size
	at := func(lane int) (uint32, uint8) {
		return uint32(a.Addr[lane] >> 2), (1<<size - 1) << (a.Addr[lane] & 3) & 0xf
	}
	if a.Site.Kind != trace.Read && mayCollide(a.Mask, a.Addr, uint(size-1)) {
		b.grouped(a, at)
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w, bytes := at(lane)
		b.touch(w, makeKey(a.Site.ID, bytes, a.Site.Kind), 1<<lane)
	}
}

// mayCollide reports whether two lanes may have the same address >> shift.
// It is exact enough for addresses that differ in their low bits.
func mayCollide(mask uint32, addr *[32]uint64, shift uint) bool {
	var seen uint64
	for m := mask; m != 0; m &= m - 1 {
		bit := uint64(1) << (addr[bits.TrailingZeros32(m)] >> shift & 63)
		if seen&bit != 0 {
			return true
		}
		seen |= bit
	}
	return false
}

// grouped brings together the lanes that access the same bytes of a word, so
// that touch sees all of them at once, and checks each group.
func (b *blockObserver) grouped(a *trace.Access, at func(lane int) (uint32, uint8)) {
	gs := b.groups[:0]
next:
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w, bytes := at(lane)
		for i := range gs {
			if gs[i].word == w && gs[i].bytes == bytes {
				gs[i].lanes |= 1 << lane
				continue next
			}
		}
		gs = append(gs, group{w, bytes, 1 << lane})
	}
	for _, g := range gs {
		b.touch(g.word, makeKey(a.Site.ID, g.bytes, a.Site.Kind), g.lanes)
	}
}
