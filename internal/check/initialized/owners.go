package initialized

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// owners say which thread alone writes a byte of shared memory, of those that
// were read before in the same barrier interval: a thread that reads what only it
// writes later, as s[i]++ does, reads what nothing wrote, whatever the order of
// the threads.
type owners struct {
	// first has for each byte the thread's number plus one, shared if several
	// threads write it, 0 if none did; known that any is set.
	first []uint16
	known bool
}

// shared stands for more threads than one.
const shared = ^uint16(0)

// own notes the lanes of a write as the owners of the bytes that are not in
// written yet, and that bytes of others are not theirs alone.
func (o *owners) own(a *trace.Access, written bitset) {
	if n := 64 * len(written); len(o.first) < n {
		o.first = make([]uint16, n)
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		at, thread := a.Addr[l], uint16(32*a.Warp+l+1)
		fresh := written.missing(at, a.Site.Size)
		for i := range uint64(a.Site.Size) {
			if at+i >= uint64(len(o.first)) {
				break
			}
			switch f := &o.first[at+i]; {
			case *f != 0 && *f != thread:
				*f = shared
			case *f == 0 && fresh>>i&1 != 0:
				*f, o.known = thread, true
			}
		}
	}
}

// ownedBy returns which of n bytes from off on the thread was the first to write.
func (o *owners) ownedBy(thread int, off uint64, n int) (own uint64) {
	for i := uint64(0); o.known && i < uint64(n) && off+i < uint64(len(o.first)); i++ {
		if o.first[off+i] == uint16(thread+1) {
			own |= 1 << i
		}
	}
	return own
}

// disown forgets the owners at the end of an interval.
func (o *owners) disown() {
	if o.known {
		clear(o.first)
		o.known = false
	}
}
