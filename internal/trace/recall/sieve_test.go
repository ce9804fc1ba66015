package recall

import (
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/shadow"
)

// sieved is an access of a thread to a unit of shared memory in a barrier interval.
type sieved struct {
	interval int
	thread   uint32
	is       siteState
}

// matters is the definition: the access looks at bytes that nothing has written, or it may race with one in the same interval.
func (a sieved) matters(written bool, before []sieved) bool {
	if a.is&looks != 0 && !written && !slices.ContainsFunc(before, func(b sieved) bool { return b.is&looks == 0 }) {
		return true
	}
	return slices.ContainsFunc(before, func(b sieved) bool {
		return a.interval == b.interval && a.thread != b.thread && (a.is.kind() != b.is.kind() || a.is.kind() == shadow.SieveWrite)
	})
}

// TestSieveIsExact plays all sequences of up to five events to the state of one unit, written before or not: accesses of each kind by
// three threads of two warps, and barriers. The first access that matters is the first that the sieve suspects.
func TestSieveIsExact(t *testing.T) {
	kinds := []siteState{shadow.SieveRead | looks, shadow.SieveWrite, shadow.SieveAtomic | looks, shadow.SieveAtomic}
	s := new(sieve)
	played := 0
	for _, written := range []bool{false, true} {
		var play func(left int, state uint32, interval int, seen []sieved)
		play = func(left int, state uint32, interval int, seen []sieved) {
			played++
			if left == 0 {
				return
			}
			play(left-1, state, interval+1, seen)
			for _, thread := range []uint32{0, 1, 32} {
				for _, is := range kinds {
					a, next := sieved{interval, thread, is}, state
					s.live.Tag = uint32(1+interval) << shadow.SieveTagShift
					ok := s.joins(&next, is, thread)
					if ok == a.matters(written, seen) {
						t.Fatalf("%+v after %+v, written %v: passed: %v", a, seen, written, ok)
					}
					if ok {
						play(left-1, next, interval, append(slices.Clip(seen), a))
					}
				}
			}
		}
		state := uint32(0)
		if written {
			state = shadow.SieveWritten
		}
		play(5, state, 0, nil)
	}
	t.Logf("%d sequences", played)
}
