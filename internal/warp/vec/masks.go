package vec

import "math/bits"

// A Row32 or Row64 has a value of each lane. Aliases, since trace has the same arrays in its events.
type (
	Row32 = [32]uint32
	Row64 = [32]uint64
)

// Lowest is the number of the lowest lane of a mask, 32 for none.
func Lowest(mask uint32) int { return bits.TrailingZeros32(mask) }

// Failing returns the lanes of m for which bad is true.
func Failing(m uint32, bad func(lane int) bool) uint32 {
	var f uint32
	for b := m; b != 0; b &= b - 1 {
		if l := Lowest(b); bad(l) {
			f |= 1 << l
		}
	}
	return f
}

// Blend32 copies the values of lanes m.
func Blend32(d, s *Row32, m uint32) {
	for ; m != 0; m &= m - 1 {
		i := Lowest(m) & 31
		d[i] = s[i]
	}
}

// Blend64 copies the values of lanes m.
func Blend64(d, s *Row64, m uint32) {
	for ; m != 0; m &= m - 1 {
		i := Lowest(m) & 31
		d[i] = s[i]
	}
}

// Bool64 is 1 for true.
func Bool64(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Bool32 is 1 for true.
func Bool32(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// LowBits is a mask of the lowest n bits.
func LowBits(n uint) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// Popcount is the number of lanes of a mask.
func Popcount(v uint32) int { return bits.OnesCount32(v) }
