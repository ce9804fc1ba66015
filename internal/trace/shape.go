package trace

import "math/bits"

// Shape is what the addresses of one warp's access look like, without where
// they are: the same for all rows of a tile, for example. The shapes of a slot
// are numbered, so that what follows from a shape alone can be kept by number.
type Shape struct {
	// ID is the number in the slot's Shapes.
	ID int32
	// Mask are the lanes that take part.
	Mask uint32
	// Off is each lane's address minus that of the lowest lane in Mask; 0 for
	// lanes that do not take part.
	Off [32]uint64
	// Off32 is Off modulo 2^32.
	Off32 [32]uint32
	// Lo and Hi are the least and the largest offset in the order of the
	// addresses, so that Lo may be a negative number; Or has the bits of all.
	Lo, Hi, Or uint64
	// Regular is set if all 32 lanes take part, Step bytes from lane to lane.
	Regular bool
	Step    int64
}

// Shapes are the shapes seen in one slot. Data-dependent accesses have a new
// one each time, so their number is bounded.
type Shapes struct {
	// List has the shapes by ID.
	List []*Shape
	// byHash finds the first of those with a hash, next the following ones.
	byHash map[uint64]int32
	next   []int32
}

// maxShapes bounds the memory that shapes take: about 500 bytes each.
const maxShapes = 2048

// Find returns the shape of the addresses of the lanes in mask, which must not
// be empty, a new one if it was not seen before; nil if there are too many.
func (s *Shapes) Find(addr *[32]uint64, mask uint32) *Shape {
	base := addr[bits.TrailingZeros32(mask)]
	var off [32]uint64
	h := uint64(mask) * 0x9e3779b97f4a7c15
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		off[l] = addr[l] - base
		h = (h ^ off[l]) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	first, ok := s.byHash[h]
	if ok {
		for i := first; i >= 0; i = s.next[i] {
			if sh := s.List[i]; sh.Mask == mask && sh.Off == off {
				return sh
			}
		}
	} else {
		first = -1
	}
	return s.add(h, first, &off, mask)
}

func (s *Shapes) add(h uint64, next int32, off *[32]uint64, mask uint32) *Shape {
	if len(s.List) >= maxShapes {
		return nil
	}
	if s.byHash == nil {
		s.byHash = map[uint64]int32{}
	}
	sh := &Shape{ID: int32(len(s.List)), Mask: mask, Off: *off}
	sh.measure()
	s.byHash[h] = sh.ID
	s.next = append(s.next, next)
	s.List = append(s.List, sh)
	return sh
}

// measure fills in what follows from the offsets.
func (sh *Shape) measure() {
	lo, hi := int64(0), int64(0)
	step := sh.Off[1]
	sh.Regular = sh.Mask == 1<<32-1
	for l, o := range sh.Off {
		lo, hi = min(lo, int64(o)), max(hi, int64(o))
		sh.Or |= o
		sh.Off32[l] = uint32(o)
		sh.Regular = sh.Regular && o == uint64(l)*step
	}
	sh.Lo, sh.Hi = uint64(lo), uint64(hi)
	if sh.Regular {
		sh.Step = int64(step)
	}
}

// Addresses writes the addresses of an access at base: that of the lowest
// lane that takes part. Other lanes get base as well.
func (sh *Shape) Addresses(base uint64, addr *[32]uint64) {
	for l, o := range sh.Off {
		addr[l] = base + o
	}
}
