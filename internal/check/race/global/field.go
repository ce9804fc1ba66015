package global

import (
	"maps"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
)

// The history of global memory. The slots that run a launch's blocks share it.
// Each line of 128 bytes has a list of spans behind a lock of its own; it is emptied at its first use in a launch.

const (
	lineBytes = 128
	pageLines = 32
	pageShift = 12 // of pages of pageLines lines
	// maxSpans bounds the history of a line.
	maxSpans = 256
)

// span is what lanes of one warp did by one site to neighboring bytes of a
// line.
type span struct {
	// site is the site's number.
	site int32
	// block and warp are who did it. Where lanes is 0 each element of
	// 1<<shift bytes belongs to one lane, the one at byte lo to lane first;
	// else all lanes did the same to all bytes.
	block uint32
	lanes uint32
	warp  uint16
	lo    uint8 // bytes lo to hi-1 of the line
	hi    uint8
	shift uint8
	first uint8
	// steady: what the first lane wrote is val and what each that follows wrote
	// step more; of a vector whose elements differ val stands for all. hashed:
	// val stands for the values of all lanes and the elements that they wrote. number is
	// that of a strong write to its word; see sequence.
	steady, hashed    bool
	vector            bool
	val, step, number uint32
	// interval and stamp are when it was, by the block's clock; tick is
	// trace.Access.Tick.
	interval, stamp, tick uint32
}

// at returns the lanes that accessed byte at.
func (s *span) at(at uint8) uint32 {
	if s.lanes != 0 {
		return s.lanes
	}
	return 1 << ((s.first + (at-s.lo)>>s.shift) & 31)
}

// oneElement reports whether all its lanes accessed the same bytes.
func (s *span) oneElement() bool { return s.lanes != 0 || s.hi-s.lo == 1<<s.shift }

// epoch is when it was.
func (s *span) epoch() hb.Epoch {
	return hb.Epoch{Block: s.block, Interval: s.interval, Stamp: s.stamp}
}

// overlaps reports whether two spans of a line share a byte.
func (s *span) overlaps(o *span) bool { return s.lo < o.hi && o.lo < s.hi }

// covers reports whether o's bytes are all in s and belong to the same lanes.
func (s *span) covers(o *span) bool {
	if o.lo < s.lo || o.hi > s.hi || s.lanes != o.lanes {
		return false
	}
	return s.lanes != 0 || s.aligned(o)
}

// includes reports whether all lanes of s accessed all its bytes, and those of o
// are among both.
func (s *span) includes(o *span) bool {
	return s.lanes != 0 && o.lo >= s.lo && o.hi <= s.hi && o.oneElement() && o.at(o.lo)&^s.lanes == 0
}

// aligned reports whether two spans of elements give each byte to one lane.
func (s *span) aligned(o *span) bool {
	return s.lanes|o.lanes == 0 && s.shift == o.shift &&
		int(s.first)-int(s.lo>>s.shift) == int(o.first)-int(o.lo>>o.shift) && (s.lo^o.lo)&(1<<s.shift-1) == 0
}

// by reports whether the same site of the same warp made both.
func (s *span) by(o *span) bool {
	return s.site == o.site && s.block == o.block && s.warp == o.warp
}

// memline is the history of 128 bytes.
type memline struct {
	lock atomic.Uint32
	// limit is how many spans there may be before some are dropped.
	limit int32
	// tried is how many blocks had ended when that was last done, plus 1.
	tried uint32
	// launch is the launch that the history is of, from 1.
	launch uint32
	// several: spans are of several blocks, listed: the line is in a list of those to compare.
	several, listed bool
	// mixed: two spans share a word of words, those that any span ever was in; without,
	// no span of the line has to do with another. block is that of the first span.
	mixed bool
	// rivals: accesses of two spans, or of one and one that is left out, may conflict, by
	// the classes of their sites; foes are the classes that may conflict with those of all.
	rivals bool
	// crowded: it was full once.
	crowded bool
	foes    uint32
	words   uint32
	block   uint32
	// byClass has, once rivals is set, the words of each class of sites.
	byClass *[maxClasses]uint32
	// spans begin with first.
	spans []span
	first [1]span
}

// enter notes the words and the class of a span before it is compared. shares: it shares a
// word with another; conflicts: it may conflict with one of these.
func (l *memline) enter(s *span, r *rivals) (shares, conflicts bool) {
	words := wordsOf(s.lo, s.hi)
	if len(l.spans) == 0 {
		l.block = s.block
	}
	shares = l.words&words != 0
	l.words |= words
	l.mixed = l.mixed || shares
	l.several = l.several || l.block != s.block
	class := r.of[s.site]
	if !l.rivals && l.foes>>class&1 != 0 {
		l.rivals = true
		l.sortByClass(r)
	}
	l.foes |= r.against[class]
	if !l.rivals {
		return shares, false
	}
	for m := r.against[class]; m != 0 && shares && !conflicts; m &= m - 1 {
		conflicts = l.byClass[bits.TrailingZeros32(m)]&words != 0
	}
	l.byClass[class] |= words
	return shares, conflicts
}

// wordsOf are the words that bytes lo to hi-1 of a line are in.
func wordsOf(lo, hi uint8) uint32 {
	return uint32(1) << (lo / 4) * uint32(uint64(1)<<((hi+3)/4-lo/4)-1)
}

// sortByClass notes the words of the spans so far by the classes of their sites. Spans that
// others stand for count by these.
func (l *memline) sortByClass(r *rivals) {
	if l.byClass == nil {
		l.byClass = new([maxClasses]uint32)
	}
	clear(l.byClass[:])
	for i := range l.spans {
		s := &l.spans[i]
		l.byClass[r.of[s.site]] |= wordsOf(s.lo, s.hi)
	}
}

func (l *memline) acquire() {
	for i := 0; !l.lock.CompareAndSwap(0, 1); i++ {
		if i > 64 {
			runtime.Gosched()
		}
	}
}

// begin forgets the history of an earlier launch.
func (l *memline) begin(launch uint32) {
	if l.launch != launch {
		l.launch, l.limit, l.tried = launch, 0, 0
		if l.spans = l.spans[:0]; l.spans == nil {
			l.spans = l.first[:0]
		}
		l.several, l.listed, l.mixed, l.rivals, l.crowded = false, false, false, false, false
		l.words, l.foes = 0, 0
	}
}

func (l *memline) release() { l.lock.Store(0) }

// drop takes span i out.
func (l *memline) drop(i int) {
	n := len(l.spans) - 1
	l.spans[i] = l.spans[n]
	l.spans = l.spans[:n]
}

type memPage [pageLines]memline

// field finds the page of an address. Pages are made at the first use.
type field struct {
	kept   int // pages after the last trim
	shards [64]struct {
		sync.RWMutex
		pages map[uint64]*memPage
	}
}

// trim drops the pages of memory that was freed. Nothing may use the field.
func (f *field) trim(live func(lo, hi uint64) bool) {
	n := 0
	for i := range f.shards {
		n += len(f.shards[i].pages)
	}
	if live == nil || !many(n, f.kept) {
		return
	}
	f.kept = 0
	for i := range f.shards {
		pages := f.shards[i].pages
		maps.DeleteFunc(pages, func(k uint64, _ *memPage) bool { return !live(k<<pageShift, (k+1)<<pageShift) })
		f.kept += len(pages)
	}
}

// minKept is how many pages are kept in any case.
const minKept = 64

// many reports whether it is time to look for pages whose memory was freed, if kept were left the last
// time. A new allocation gets other addresses than one that was freed, as long as there are
// some; a program that allocates again and again would need more and more pages.
func many(pages, kept int) bool { return pages > 2*kept+minKept }

func (f *field) page(n uint64) *memPage {
	s := &f.shards[n%64]
	s.RLock()
	p := s.pages[n]
	s.RUnlock()
	if p != nil {
		return p
	}
	s.Lock()
	defer s.Unlock()
	if s.pages == nil {
		s.pages = map[uint64]*memPage{}
	}
	if p = s.pages[n]; p == nil {
		p = new(memPage)
		s.pages[n] = p
	}
	return p
}

// pageCache spares a slot most look-ups. The rows of a matrix are often a power of two apart, so a page's place is not its number's
// lowest bits.
type pageCache [1 << cacheBits]struct {
	n uint64
	p *memPage
}

const cacheBits = 8

// line returns the line of an address.
func (c *pageCache) line(f *field, addr uint64) *memline {
	n := addr >> pageShift
	e := &c[n*0x9e3779b97f4a7c15>>(64-cacheBits)]
	if e.n != n || e.p == nil {
		e.n, e.p = n, f.page(n)
	}
	return &e.p[addr/lineBytes%pageLines]
}
