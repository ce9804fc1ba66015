package shared

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// writtenValues has what threads wrote to words of shared memory in the current barrier
// interval where that cannot be told from what is there: in words that were written with
// one value and then with another.
type writtenValues struct {
	// of are numbers of words, by word.
	of    map[uint32]int32
	words []wordValues
}

// wordValues has the values of one word.
type wordValues struct {
	// before is what was there, and what earlier writes of the interval wrote, when the
	// first write of another value came.
	before uint32
	// writes are those from then on.
	writes []valueWrite
}

// valueWrite is what a thread wrote to bytes of a word.
type valueWrite struct {
	key           key
	thread        int32
	stamp, values uint32
}

// word returns what is kept of a word, nil for nothing.
func (v *writtenValues) word(w uint32) *wordValues {
	if i, ok := v.of[w]; ok {
		return &v.words[i]
	}
	return nil
}

// add begins with a word, in the room of an earlier one where there is some.
func (v *writtenValues) add(w, before uint32) *wordValues {
	if v.of == nil {
		v.of = map[uint32]int32{}
	}
	n := len(v.words)
	v.of[w] = int32(n)
	if n < cap(v.words) {
		v.words = v.words[:n+1]
	} else {
		v.words = append(v.words, wordValues{})
	}
	of := &v.words[n]
	of.before, of.writes = before, of.writes[:0]
	return of
}

func (v *writtenValues) forget() {
	if len(v.words) > 0 {
		clear(v.of)
		v.words = v.words[:0]
	}
}

// put adds a write, in the place of one that the thread has made lately in the same way.
func (of *wordValues) put(is valueWrite) {
	const lately = 64
	for i := len(of.writes) - 1; i >= max(0, len(of.writes)-lately); i-- {
		if e := &of.writes[i]; e.thread == is.thread && e.key == is.key && e.stamp == is.stamp {
			e.values = is.values
			return
		}
	}
	if len(of.writes) < maxValueWrites {
		of.writes = append(of.writes, is)
	}
}

// maxValueWrites bounds the values that are kept of a word; past it writes are compared
// with what is there.
const maxValueWrites = 1 << 14

// noteValues keeps what an access writes to words that were written in this interval, if
// the value is not the one that is there.
func (b *blockObserver) noteValues(a *trace.Access) {
	if a.Site.Kind == trace.Read || a.Site.Size == 0 || a.Regular && b.untouched(a) {
		return
	}
	plain := a.Site.Kind == trace.Write
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		last := uint32((a.Addr[lane] + uint64(a.Site.Size) - 1) / 4)
		for w := uint32(a.Addr[lane] / 4); w <= last; w++ {
			if ln := b.touchedLine(w); ln != nil && (plain || ln.varied>>(w%32)&1 == 0) {
				b.noteValue(ln, w, lane)
			}
		}
	}
}

// untouched reports whether the lines of a regular access have not been accessed.
func (b *blockObserver) untouched(a *trace.Access) bool {
	lo, hi := min(a.Addr[0], a.Addr[31])/128, (max(a.Addr[0], a.Addr[31])+uint64(a.Site.Size)-1)/128
	for i := lo; i <= hi && i < uint64(len(b.lines.lines)); i++ {
		if ln := &b.lines.lines[i]; ln.interval == b.shadow.interval && ln.single|ln.written != 0 {
			return false
		}
	}
	return true
}

// touchedLine returns the line of a word that may have been written in this interval, else
// nil.
func (b *blockObserver) touchedLine(w uint32) *line {
	if int(w/32) >= len(b.lines.lines) {
		return nil
	}
	ln := &b.lines.lines[w/32]
	if ln.interval != b.shadow.interval || (ln.single|ln.written)>>(w%32)&1 == 0 {
		return nil
	}
	return ln
}

// noteValue keeps what a lane of the access at work writes to a word, if that is, or has
// become, necessary.
func (b *blockObserver) noteValue(ln *line, w uint32, lane int) {
	a := b.acc
	known := a.Data != nil && a.Site.Kind == trace.Write
	bytes := laneBytes(a, w, lane)
	if ln.varied>>(w%32)&1 == 0 && known && (written(b.acc, w, lane)^b.wordBefore(w, lane))&byteMask(bytes) == 0 {
		return
	}
	b.keepValue(w, lane, makeKey(a.Site.ID, bytes, a.Site.Kind), known)
}

// keepValues keeps what lanes of the access at work write to one word, if they do not all
// write the same.
func (b *blockObserver) keepValues(w uint32, k key, lanes uint32) {
	if b.acc.Data == nil || written(b.acc, w, bits.TrailingZeros32(lanes)) == written(b.acc, w, laneThatDiffers(b.acc, w, lanes)) {
		return
	}
	for m := lanes; m != 0; m &= m - 1 {
		b.keepValue(w, bits.TrailingZeros32(m), k, true)
	}
}

func (b *blockObserver) keepValue(w uint32, lane int, k key, known bool) {
	of := b.values.word(w)
	if of == nil {
		of = b.values.add(w, b.wordBefore(w, lane))
		b.lines.at(w/32, b.shadow.interval).varied |= 1 << (w % 32)
	}
	if known {
		of.put(valueWrite{k, int32(32*b.acc.Warp + lane), b.order.Stamp(b.acc.Warp), written(b.acc, w, lane)})
	}
}

// wordBefore is what was in a word before a lane of the access at work wrote to it.
func (b *blockObserver) wordBefore(w uint32, lane int) uint32 {
	if p := b.acc.Past; p != nil {
		return p.Before(lane, int(w-uint32(b.acc.Addr[lane]/4)))
	}
	return memoryWord(b.block.Shared, w)
}

// laneBytes are the bytes of a word that a lane accesses.
func laneBytes(a *trace.Access, w uint32, lane int) uint8 {
	lo, hi := a.Addr[lane], a.Addr[lane]+uint64(a.Site.Size)
	at := 4 * uint64(w)
	from, to := max(lo, at)-at, min(hi, at+4)-at
	return (1<<to - 1) &^ (1<<from - 1)
}

// byteMask are the bits of bytes of a word.
func byteMask(bytes uint8) (mask uint32) {
	for i := range 4 {
		if bytes>>i&1 != 0 {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}

// differs reports whether a lane of the access at work writes other bytes than one of the
// writes that it races with.
func (b *blockObserver) differs(r race, lane int, mask uint32) bool {
	v := written(b.acc, r.word, lane)
	of := b.values.word(r.word)
	if of == nil || len(of.writes) == maxValueWrites {
		return (v^memoryWord(b.block.Shared, r.word))&mask != 0
	}
	known := uint32(0)
	for _, e := range of.writes {
		if int(e.thread/32) != r.warp || e.key != r.earlier {
			continue
		}
		known |= 1 << (e.thread % 32)
		if (e.values^v)&mask != 0 && b.races(r, lane, 1<<(e.thread%32), e.stamp) {
			return true
		}
	}
	rest := r.lanes &^ known
	return (v^of.before)&mask != 0 && rest != 0 && b.races(r, lane, rest, r.stamp)
}

// races reports whether something that lanes as of the earlier warp of a race did at stamp
// races with what a lane does now.
func (b *blockObserver) races(r race, lane int, as, stamp uint32) bool {
	if r.warp == b.acc.Warp {
		as &^= 1 << lane
	}
	return as != 0 && b.unordered(lane, r.warp, as, stamp, r.earlier, r.later, r.word) != 0
}

// scattered reports, of a race of writes of different values, that they are not those of lanes of
// one instruction at once, nor of instructions of two warps whose lanes write the same values. a is
// the later access, by lanes, and of has the word's values, if they are kept.
func (r *race) scattered(a *trace.Access, lanes uint32, of *wordValues) bool {
	if r.oneInstr {
		return false
	}
	if r.warp == a.Warp || of == nil || len(of.writes) == maxValueWrites {
		return true
	}
	mask := byteMask(r.earlier.bytes() & r.later.bytes())
	was, is := []uint32{}, []uint32{}
	known := uint32(0)
	for _, e := range of.writes {
		if int(e.thread/32) == r.warp && e.key == r.earlier {
			was = append(was, e.values&mask)
			known |= 1 << (e.thread % 32)
		}
	}
	if r.lanes&^known != 0 {
		was = append(was, of.before&mask)
	}
	for m := lanes; m != 0; m &= m - 1 {
		is = append(is, written(a, r.word, bits.TrailingZeros32(m))&mask)
	}
	slices.Sort(was)
	slices.Sort(is)
	return !slices.Equal(slices.Compact(was), slices.Compact(is))
}
