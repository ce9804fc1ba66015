package race

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// differentValues reports whether the order of a WAW race matters: the lanes write
// something else than the threads that they race with or, in one instruction, than each
// other.
func (b *blockObserver) differentValues(r race, lanes uint32) bool {
	if b.acc.Data == nil || r.inFlight || r.earlier.kind() == trace.Atomic || r.later.kind() == trace.Atomic {
		return true
	}
	mask := byteMask(r.earlier.bytes() & r.later.bytes())
	for m := lanes; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if r.oneInstr {
			if (b.written(r.word, lane)^b.written(r.word, bits.TrailingZeros32(lanes)))&mask != 0 {
				return true
			}
		} else if b.differs(r, lane, mask) {
			return true
		}
	}
	return false
}

// memoryWord returns a word of shared memory, little-endian.
func (b *blockObserver) memoryWord(word uint32) uint32 {
	return uint32(b.memory(uint64(word)*4, 4))
}

// memory returns size bytes of shared memory, little-endian; bytes past its
// end read as 0.
func (b *blockObserver) memory(addr uint64, size int) uint64 {
	v := uint64(0)
	for i := range min(size, 8) {
		if at := addr + uint64(i); at < uint64(len(b.block.Shared)) {
			v |= uint64(b.block.Shared[at]) << (8 * i)
		}
	}
	return v
}

// written returns what lane of the access at work stores in word, in place;
// bytes that it does not store are 0.
func (b *blockObserver) written(word uint32, lane int) uint32 {
	site := b.acc.Site
	from := b.acc.Addr[lane]
	v := uint32(0)
	for i := range uint64(4) {
		at := uint64(word)*4 + i
		if at < from || at >= from+uint64(site.Size) {
			continue
		}
		elem, off := int(at-from)/site.Elem, (at-from)%uint64(site.Elem)
		v |= uint32(b.acc.Data.Value(lane, elem)>>(8*off)&0xff) << (8 * i)
	}
	return v
}

// witness describes a race for the report.
func (b *blockObserver) witness(r race, differ bool) *witness {
	sites := b.launch.launch.Sites
	bytes := r.earlier.bytes() & r.later.bytes()
	w := &witness{
		block: b.block.Index, time: b.time, oneInstr: r.oneInstr, differ: differ, ahead: r.ahead, apart: r.apart, inFlight: r.inFlight,
		first: side{site: sites[r.earlier.site()], warp: r.warp, lane: r.first},
		then:  side{site: sites[r.later.site()], warp: b.acc.Warp, lane: r.then},
		addr:  uint64(4*r.word) + uint64(bits.TrailingZeros8(bytes)),
		bytes: bits.OnesCount8(bytes),
		since: b.since, why: b.explain(r),
	}
	elem := uint64(max(b.acc.Site.Elem, 1))
	w.memory = b.memory(w.addr-(w.addr-b.acc.Addr[r.then])%elem, int(elem))
	b.setWritten(&w.then, w.addr)
	if r.oneInstr {
		b.setWritten(&w.first, w.addr)
	}
	return w
}

// setWritten fills in what s, a lane of the access at work, stores at addr.
func (b *blockObserver) setWritten(s *side, addr uint64) {
	if b.acc.Data == nil || !b.acc.Site.Kind.Writes() || b.acc.Site.Elem == 0 {
		return
	}
	elem := int(addr-b.acc.Addr[s.lane]) / b.acc.Site.Elem
	s.wrote, s.hasWrote = b.acc.Data.Value(s.lane, elem), true
}

// lanesThatDiffer returns the first of lanes, which store in word, whose value
// is not that of the lowest, or else the second lowest.
func (b *blockObserver) lanesThatDiffer(word uint32, lanes uint32) int {
	rest := lanes & (lanes - 1)
	if b.acc.Data == nil {
		return bits.TrailingZeros32(rest)
	}
	v := b.written(word, bits.TrailingZeros32(lanes))
	for m := rest; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(m); b.written(word, l) != v {
			return l
		}
	}
	return bits.TrailingZeros32(rest)
}
