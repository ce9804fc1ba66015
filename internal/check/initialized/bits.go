package initialized

// bitset has a bit for each byte of a block's shared memory.
type bitset []uint64

func (s *bitset) resize(n int) {
	if need := (n + 63) / 64; need > len(*s) {
		*s = append(*s, make([]uint64, need-len(*s))...)
	}
}

// one returns the word that n bits from off on are in, and which of its bits they are,
// unless they are in several or beyond the end.
func (s bitset) one(off, n uint64) (i, m uint64, ok bool) {
	i = off / 64
	return i, (1<<n - 1) << (off % 64), off%64+n <= 64 && i < uint64(len(s))
}

// add sets n bits from off on; what lies beyond the end is left out.
func (s bitset) add(off, n uint64) {
	for end := min(off+n, uint64(len(s))*64); off < end; off = off&^63 + 64 {
		s[off/64] |= part(off, end)
	}
}

// has reports whether all n bits from off on are set.
func (s bitset) has(off, n uint64) bool {
	for end := off + n; off < end; off = off&^63 + 64 {
		if m := part(off, end); off/64 >= uint64(len(s)) || s[off/64]&m != m {
			return false
		}
	}
	return true
}

// any reports whether one of n bits from off on is set.
func (s bitset) any(off, n uint64) bool {
	for end := min(off+n, uint64(len(s))*64); off < end; off = off&^63 + 64 {
		if s[off/64]&part(off, end) != 0 {
			return true
		}
	}
	return false
}

// part returns the bits of the word of off that are in [off, end).
func part(off, end uint64) uint64 {
	m := ^uint64(0) << (off % 64)
	if rest := end - off&^63; rest < 64 {
		m &= 1<<rest - 1
	}
	return m
}

// missing returns which of n <= 64 bits from off on are not set.
func (s bitset) missing(off uint64, n int) uint64 {
	i, sh := off/64, off%64
	var have uint64
	if i < uint64(len(s)) {
		have = s[i] >> sh
	}
	if sh != 0 && i+1 < uint64(len(s)) {
		have |= s[i+1] << (64 - sh)
	}
	return ^have & (^uint64(0) >> (64 - n))
}

// addMissing sets those of n bits from off on that are not in other.
func (s bitset) addMissing(off, n uint64, other bitset) {
	for end := min(off+n, uint64(len(s))*64); off < end; off = off&^63 + 64 {
		s[off/64] |= part(off, end) &^ other[off/64]
	}
}

// window is a part of a bitset: words from first on.
type window struct {
	first int
	words []uint64
}

// cut copies the part of s that has bits set.
func (s bitset) cut() window {
	lo, hi := 0, len(s)
	for hi > 0 && s[hi-1] == 0 {
		hi--
	}
	for lo < hi && s[lo] == 0 {
		lo++
	}
	return window{lo, append([]uint64(nil), s[lo:hi]...)}
}

// within reports whether all bits of w are in s.
func (w *window) within(s bitset) bool {
	for i, m := range w.words {
		if m&^s[w.first+i] != 0 {
			return false
		}
	}
	return true
}

// addTo sets the bits of w in s.
func (w *window) addTo(s bitset) {
	for i, m := range w.words {
		s[w.first+i] |= m
	}
}
