package shared

import (
	"encoding/binary"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// log has the accesses of an interval, with all that the history wants of them: also what
// writes store, and what was there before. It gives them back one after the other.
type log struct {
	records []record
	addrs   []uint32
	// values has for each word of each lane of a write or an atomic operation what is
	// stored, and what was there.
	values []wordValue
	n      int
	// words counts the words of all lanes.
	words int
	// ticks is scratch, as are access and addr: the record that is played.
	ticks  []uint32
	now    *record
	access trace.Access
	addr   [32]uint64
}

// record is one access of a warp. addrs and values are where its own begin.
type record struct {
	site          *trace.Site
	step          int64
	warp, mask    uint32
	tick          uint32
	addrs, values uint32
	regular, data bool
}

type wordValue struct{ stored, before uint32 }

// maxLogged bounds the words of all lanes in a log, and so its memory and what is lost
// where an interval is longer. It is less than what a history holds.
const maxLogged = 1 << 15

func (l *log) reset() {
	l.records, l.addrs, l.values = l.records[:0], l.addrs[:0], l.values[:0]
	l.n, l.words = 0, 0
}

// add appends an access to a block's shared memory. It returns false if the log is full.
func (l *log) add(a *trace.Access, tick uint32, shared []byte) bool {
	l.words += bits.OnesCount32(a.Mask) * a.Site.Size / 4
	if l.words > maxLogged {
		return false
	}
	l.records = append(l.records, record{site: a.Site, step: a.Step, warp: uint32(a.Warp), mask: a.Mask, tick: tick,
		addrs: uint32(len(l.addrs)), values: uint32(len(l.values)), regular: a.Regular, data: a.Data != nil && a.Site.Kind == trace.Write})
	l.n++
	for m := a.Mask; m != 0; m &= m - 1 {
		l.addrs = append(l.addrs, uint32(a.Addr[bits.TrailingZeros32(m)]))
	}
	if a.Site.Kind != trace.Read {
		l.addValues(a, shared)
	}
	return true
}

// addValues adds what the lanes of an access store, and what is there.
func (l *log) addValues(a *trace.Access, shared []byte) {
	stores, perWord := a.Data != nil && a.Site.Kind == trace.Write, a.Site.Elem/4
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		at := a.Addr[lane] &^ 3
		for i := range a.Site.Size / 4 {
			var v wordValue
			if at+4 <= uint64(len(shared)) {
				v.before = binary.LittleEndian.Uint32(shared[at:])
			} else {
				v.before = memoryWord(shared, uint32(at/4))
			}
			if stores {
				v.stored = uint32(a.Data.Value(lane, i/perWord) >> (32 * (i % perWord)))
			}
			l.values = append(l.values, v)
			at += 4
		}
	}
}

// at makes record i the one that is played, and returns its access.
func (l *log) at(i int) *trace.Access {
	r := &l.records[i]
	l.now = r
	next := r.addrs
	for m := r.mask; m != 0; m &= m - 1 {
		l.addr[bits.TrailingZeros32(m)] = uint64(l.addrs[next])
		next++
	}
	l.access = trace.Access{Site: r.site, Space: trace.SpaceShared, Warp: int(r.warp), Mask: r.mask, Addr: &l.addr, Regular: r.regular, Step: r.step}
	if r.data {
		l.access.Data = l
	}
	return &l.access
}

// tick is that of the record that is played.
func (l *log) tick() uint32 { return l.now.tick }

// valuesOf returns the words that a lane writes.
func (l *log) valuesOf(lane int) []wordValue {
	n := l.now.site.Size / 4
	at := int(l.now.values) + n*bits.OnesCount32(l.now.mask&(1<<lane-1))
	return l.values[at : at+n]
}

// Value implements trace.Data for the record that is played.
func (l *log) Value(lane, elem int) uint64 {
	vs := l.valuesOf(lane)
	if l.now.site.Elem == 8 {
		return uint64(vs[2*elem].stored) | uint64(vs[2*elem+1].stored)<<32
	}
	return uint64(vs[elem].stored)
}

// word returns what was in a word before a lane's write.
func (l *log) word(w uint32, lane int) uint32 {
	return l.valuesOf(lane)[w-uint32(l.addr[lane]>>2)].before
}
