package recall

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// run are units that neighboring lanes of an access read one after the other, 16 at most.
type run struct {
	// at is the first one, counted from that at the access's base, lane who reads it.
	at   int32
	mask uint16
	lane uint8
	// per is the logarithm of how many units a lane reads.
	per uint8
}

// runUnits is how many units of a run there are at most.
const runUnits = 16

// runsOf returns the runs of reads of so many bytes with a shape, of units of 1<<shift bytes.
func runsOf(sh *trace.Shape, size int, shift uint) []run {
	units := size >> shift
	per := uint8(bits.TrailingZeros(uint(units)))
	var runs []run
	n, next, lane := 0, int64(0), 0
	for m := sh.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		at := int64(sh.Off[l]) >> shift
		if n == 0 || at != next || l != lane+1 || n+units > runUnits {
			runs = append(runs, run{at: int32(at), lane: uint8(l), per: per})
			n = 0
		}
		n, next, lane = n+units, at+int64(units), l
		runs[len(runs)-1].mask = uint16(1<<n - 1)
	}
	return runs
}

// runs returns those of reads of a site with a shape.
func (s *sieve) runs(site *trace.Site, sh *trace.Shape) []run {
	k := bits.TrailingZeros(uint(site.Size))
	if int(sh.ID) >= len(s.ofShapes) {
		s.ofShapes = append(s.ofShapes, make([][maxSizes][]run, int(sh.ID)+1-len(s.ofShapes))...)
	}
	runs := &s.ofShapes[sh.ID][k]
	if *runs == nil {
		*runs = runsOf(sh, site.Size, s.shift)
	}
	return *runs
}

// maxSizes is one more than the logarithm of the largest size that the sieve takes.
const maxSizes = 5

// readRuns enters the reads of runs by threads from one on, as sieve.unsuspected does. It returns false where that may matter.
func (s *sieve) readRuns(base uint64, runs []run, thread uint32) bool {
	for i := range runs {
		r := &runs[i]
		first := int64(base) + int64(r.at)
		for k := range bits.Len16(r.mask) {
			at := first + int64(k)
			if !s.joins(&s.states[at], shadow.SieveRead|looks, thread+uint32(r.lane)+uint32(k)>>r.per) {
				return false
			}
		}
	}
	return true
}
