package perf

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Cost is what requests cost in the unit of a rule: sectors, passes.
type Cost func(rs []Request, size int) int

// regroup builds requests of 32 lanes from single accesses, in their order.
// Accesses that did not happen leave their lane out.
type regroup struct {
	out []Request
	n   int
}

func (g *regroup) add(addr uint64, active bool) {
	if g.n%32 == 0 {
		g.out = append(g.out, Request{Warp: len(g.out)})
	}
	if active {
		r := &g.out[len(g.out)-1]
		r.Addr[g.n%32] = addr
		r.Mask |= 1 << (g.n % 32)
	}
	g.n++
}

// done returns the requests in which some lane takes part.
func (g *regroup) done() []Request {
	out := g.out[:0]
	for _, r := range g.out {
		if r.Mask != 0 {
			out = append(out, r)
		}
	}
	return out
}

// ExchangeXY gives thread (x, y) what thread (y, x) accessed: the warps are
// filled along y instead of x. It returns nil where the block has one row or
// one column.
func ExchangeXY(s *Sample) []Request {
	d := s.Launch.Block
	if d.X < 2 || d.Y < 2 || len(s.ByWarp) < s.Launch.Warps() {
		return nil
	}
	byWarp := map[int]*Request{}
	for i := range s.ByWarp {
		byWarp[s.ByWarp[i].Warp] = &s.ByWarp[i]
	}
	var g regroup
	for z := range d.Z {
		for x := range d.X {
			for y := range d.Y {
				t := int(x + d.X*(y+d.Y*z))
				r := byWarp[t/32]
				if r == nil {
					return nil
				}
				g.add(r.Addr[t%32], r.Mask>>(t%32)&1 != 0)
			}
		}
	}
	return g.done()
}

// ExchangeLoop gives neighboring lanes what one lane accesses in successive
// executions: the lanes change places with the iterations of the loop around.
// It returns nil where the warp executed the place once.
func ExchangeLoop(s *Sample) []Request {
	rs := s.InTime
	if len(rs) < 2 {
		return nil
	}
	var g regroup
	for lane := range 32 {
		for i := range rs {
			g.add(rs[i].Addr[lane], rs[i].Mask>>lane&1 != 0)
		}
	}
	return g.done()
}

// Stride returns the greatest common divisor of the distances between the
// lanes' addresses in bytes; 0 where they are all the same.
func Stride(rs []Request) uint64 {
	g := uint64(0)
	for i := range rs {
		r := &rs[i]
		if r.Mask == 0 {
			continue
		}
		base := r.Addr[bits.TrailingZeros32(r.Mask)]
		for m := r.Mask; m != 0; m &= m - 1 {
			a := r.Addr[bits.TrailingZeros32(m)]
			g = gcd(g, max(a, base)-min(a, base))
		}
	}
	return g
}

// LaneStride returns the distance in bytes from each lane to the next that most
// lanes keep: that of structures in an array, or of rows. It is 0 where they keep
// none, as where the addresses follow from data, or all access one place. Lanes
// that take no part count, so that a lane and its second next one that are 8
// bytes apart are words side by side.
func LaneStride(rs []Request) uint64 {
	count := map[uint64]int{}
	pairs := 0
	for i := range rs {
		r, prev := &rs[i], -1
		for m := r.Mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			if prev >= 0 {
				pairs++
				if d := max(r.Addr[l], r.Addr[prev]) - min(r.Addr[l], r.Addr[prev]); d%uint64(l-prev) == 0 {
					count[d/uint64(l-prev)]++
				}
			}
			prev = l
		}
	}
	for d, n := range count {
		if 4*n >= 3*pairs {
			return d
		}
	}
	return 0
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Dense puts what lies stride bytes apart side by side: element i of a
// structure's member, or of a column, reaches place i of an aligned array of
// size bytes an element. Elements count from the lowest recorded one.
func Dense(rs []Request, stride uint64, size int) []Request {
	low := ^uint64(0)
	for i := range rs {
		low = min(low, Lowest(&rs[i]))
	}
	return mapped(rs, func(a uint64) uint64 { return (a - low) / stride * uint64(size) })
}

// Aligned moves each request down so that its lowest address is a multiple of
// unit bytes.
func Aligned(rs []Request, unit uint64) []Request {
	out := make([]Request, len(rs))
	for i := range rs {
		low := Lowest(&rs[i]) % unit
		out[i] = mapped(rs[i:i+1], func(a uint64) uint64 { return a - low })[0]
	}
	return out
}

// Padded lengthens each row of an array that begins at address 0 by pad bytes.
func Padded(rs []Request, row, pad uint64) []Request {
	return mapped(rs, func(a uint64) uint64 { return a + a/row*pad })
}

// Swizzled exchanges the words of each row: word c of row r reaches place
// c xor r. The row must be a power of two of words.
func Swizzled(rs []Request, row uint64) []Request {
	return mapped(rs, func(a uint64) uint64 { return a ^ a/row*4%row })
}

// Moved adds a distance to all addresses.
func Moved(rs []Request, by uint64) []Request {
	return mapped(rs, func(a uint64) uint64 { return a + by })
}

// mapped moves all addresses by f.
func mapped(rs []Request, f func(uint64) uint64) []Request {
	out := make([]Request, len(rs))
	for i := range rs {
		out[i].Warp, out[i].Mask = rs[i].Warp, rs[i].Mask
		for m := rs[i].Mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			out[i].Addr[l] = f(rs[i].Addr[l])
		}
	}
	return out
}

// Lowest is the least address of a request.
func Lowest(r *Request) uint64 {
	low := ^uint64(0)
	for m := r.Mask; m != 0; m &= m - 1 {
		low = min(low, r.Addr[bits.TrailingZeros32(m)])
	}
	return low
}

// Variable returns where the shared variable that a request accesses begins,
// 0 where it is not known.
func Variable(l *trace.Launch, r *Request) uint64 {
	at := Lowest(r)
	for _, v := range l.Shared {
		if at >= v.Addr && at-v.Addr < v.Size {
			return v.Addr
		}
	}
	return 0
}
