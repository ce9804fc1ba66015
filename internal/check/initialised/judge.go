package initialised

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// verdict is what a lane's read of unwritten bytes means; see Rule.Doc.
type verdict uint8

const (
	harmless verdict = iota
	suspect          // a warning: perhaps an unset member that is copied
	wrong
	verdicts
)

// judgement is the rule's view of one access.
type judgement struct {
	used, copied uint64 // lanes that are wrong and suspect
	lane         int    // the first one of the worst verdict
	worst        verdict
	// bytes are those that are missing, from the first to the last of all lanes.
	bytes finding.Bytes
}

// judge looks at the lanes of an access of which missing says what bytes
// nobody wrote. all are the lanes that take part.
func judge(s *trace.Site, all, lanes uint32, addr, missing *[32]uint64) judgement {
	j := judgement{}
	dense := 0 // not known yet
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		v := judgeLane(s, missing[l])
		if v > harmless {
			j.bytes = j.bytes.With(missingBytes(addr[l], missing[l]))
		}
		if v == suspect {
			if dense == 0 {
				dense = isDense(all, addr, s.Size)
			}
			if dense > 0 {
				v = wrong
			}
		}
		switch v {
		case wrong:
			j.used++
		case suspect:
			j.copied++
		}
		if v > j.worst {
			j.worst, j.lane = v, l
		}
	}
	return j
}

// missingBytes are the bytes at an address that are missing, from the first to the last.
func missingBytes(addr, missing uint64) finding.Bytes {
	return finding.Bytes{Lo: int64(addr) + int64(bits.TrailingZeros64(missing)), Hi: int64(addr) + int64(bits.Len64(missing))}
}

// repeat counts the lanes as often as count says.
func (j *judgement) repeat(lanes uint32, count *[32]uint64) {
	n := uint64(0)
	for m := lanes; m != 0; m &= m - 1 {
		n += count[bits.TrailingZeros32(m)]
	}
	if j.worst == wrong {
		j.used, j.copied = n, 0
	} else {
		j.copied = n
	}
}

func whole(n int) uint64 { return ^uint64(0) >> (64 - n) }

// judgeLane is the verdict on one lane, without a look at its neighbours.
func judgeLane(s *trace.Site, missing uint64) verdict {
	elem := max(s.Elem, 1)
	v := harmless
	for e := 0; e*elem < s.Size; e++ {
		bit := uint8(1) << e
		if missing>>(e*elem)&whole(elem) != whole(elem) || s.Unused&bit != 0 {
			continue
		}
		if s.Copied&bit == 0 {
			return wrong
		}
		if missing == whole(s.Size) {
			v = suspect
		}
	}
	return v
}

// isDense returns 1 if lanes read neighbouring elements in order, as an array
// is read, and -1 if not, or if there is only one lane.
func isDense(lanes uint32, addr *[32]uint64, size int) int {
	first := bits.TrailingZeros32(lanes)
	next := addr[first]
	if lanes&(lanes-1) == 0 {
		return -1
	}
	for m := lanes; m != 0; m &= m - 1 {
		if addr[bits.TrailingZeros32(m)] != next {
			return -1
		}
		next += uint64(size)
	}
	return 1
}
