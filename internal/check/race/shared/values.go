package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// differentValues reports whether the order of a WAW race matters: the lanes write
// something else than the threads that they race with or, in one instruction, than each
// other.
func (b *blockObserver) differentValues(r race, lanes uint32) bool {
	if b.acc.Data == nil || r.inFlight || r.async != evidence.NoAsyncFault || r.earlier.kind() == trace.Atomic || r.later.kind() == trace.Atomic {
		return true
	}
	mask := byteMask(r.earlier.bytes() & r.later.bytes())
	for m := lanes; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if r.oneInstr {
			if (written(b.acc, r.word, lane)^written(b.acc, r.word, bits.TrailingZeros32(lanes)))&mask != 0 {
				return true
			}
		} else if b.differs(r, lane, mask) {
			return true
		}
	}
	return false
}

// memoryWord returns a word of shared memory, little-endian.
func memoryWord(shared []byte, word uint32) uint32 {
	return uint32(memory(shared, uint64(word)*4, 4))
}

// memory returns size bytes of shared memory, little-endian; bytes past its
// end read as 0.
func memory(shared []byte, addr uint64, size int) uint64 {
	v := uint64(0)
	for i := range min(size, 8) {
		if at := addr + uint64(i); at < uint64(len(shared)) {
			v |= uint64(shared[at]) << (8 * i)
		}
	}
	return v
}

// written returns what lane of an access stores in word, in place;
// bytes that it does not store are 0.
func written(a *trace.Access, word uint32, lane int) uint32 {
	site := a.Site
	from := a.Addr[lane]
	v := uint32(0)
	for i := range uint64(4) {
		at := uint64(word)*4 + i
		if at < from || at >= from+uint64(site.Size) {
			continue
		}
		elem, off := int(at-from)/site.Elem, (at-from)%uint64(site.Elem)
		v |= uint32(a.Data.Value(lane, elem)>>(8*off)&0xff) << (8 * i)
	}
	return v
}

// laneThatDiffers returns the first of lanes, which store in word, whose value
// is not that of the lowest, or else the second lowest.
func laneThatDiffers(a *trace.Access, word uint32, lanes uint32) int {
	rest := lanes & (lanes - 1)
	if a.Data == nil {
		return bits.TrailingZeros32(rest)
	}
	v := written(a, word, bits.TrailingZeros32(lanes))
	for m := rest; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(m); written(a, word, l) != v {
			return l
		}
	}
	return bits.TrailingZeros32(rest)
}
