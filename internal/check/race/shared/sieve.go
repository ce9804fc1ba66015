package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// sieve decides whether the accesses of a barrier interval can race at all. It keeps one
// small state for each word, and the interval's accesses in a log (log.go). As long as it
// suspects nothing, they are in no history; with the first access that it suspects, the
// log is played to the history, which judges that access and the rest of the interval.
//
// It knows threads and full barriers only, and words rather than bytes: it may suspect too
// much, never too little.
type sieve struct {
	words []sieveWord
	log   log
	// open: the accesses of the interval are in the log and not in the history.
	open bool
	// credit is what is left of suspected intervals; without any, the sieve is left out.
	credit int
}

// sieveWord is who accessed a word in an interval. A word of an older one holds nothing.
type sieveWord struct {
	interval uint32
	site     uint32 // the first one's
	owner    uint16 // the thread, or several
	kind     trace.Kind
}

// sieving is a block's observer as far as its sieve goes.
type sieving struct{ *blockObserver }

// several is the owner of a word that more than one thread accessed, all of which read,
// or all of which updated it by atomic operations that do not race with each other.
const several = 1<<16 - 1

// A suspected interval costs more than one that goes to the history at once. maxCredit
// bounds how many in a row are tried; a clean one earns one more.
const maxCredit = 16

func (s *sieve) resize(n int) {
	if need := (n + 3) / 4; need > len(s.words) {
		s.words = append(s.words, make([]sieveWord, need-len(s.words))...)
	}
}

// begin opens the sieve for an interval, where nothing but barriers orders.
func (b sieving) begin() {
	s := &b.sieve
	if s.open && s.log.n > 0 {
		s.credit = min(s.credit+1, maxCredit)
	}
	s.open = !b.launch.synchronizes && s.credit > 0 && b.flights.n == 0 && b.order.Threads < several
	s.log.reset()
	if b.shadow.interval == 1 { // the first one, or after the number's overflow
		clear(s.words)
	}
}

// passes reports whether the sieve has taken an access: it races with nothing so far.
func (b sieving) passes(a *trace.Access) bool {
	if !b.sieve.open {
		return false
	}
	if b.sievable(a) && b.unsuspected(a) && b.sieve.log.add(a, b.ticks[a.Warp], b.block.Shared) {
		return true
	}
	b.sieve.credit--
	b.end()
	return false
}

// end plays the log to the history, which takes the rest of the interval.
func (b sieving) end() {
	s := &b.sieve
	if !s.open {
		return
	}
	s.open = false
	now := append(s.log.ticks[:0], b.ticks...)
	for i := range s.log.n {
		a := s.log.at(i)
		b.ticks[a.Warp] = s.log.tick()
		b.acc, b.before = a, &s.log
		b.remember(a)
	}
	b.before = nil
	copy(b.ticks, now)
	s.log.ticks = now
}

// sievable reports whether an access consists of whole words in shared memory, made when
// it is issued.
func (b sieving) sievable(a *trace.Access) bool {
	switch a.Site.Size {
	case 4, 8, 16:
	default:
		return false
	}
	return (a.Site.Elem == 4 || a.Site.Elem == 8) && a.Async == trace.Sync && b.launch.sites[a.Site.ID].Narrow == nil
}

// unsuspected enters an access into the words. It returns false where it may race.
func (b sieving) unsuspected(a *trace.Access) bool {
	s := &b.sieve
	n := uint64(a.Site.Size / 4)
	is := sieveWord{interval: b.shadow.interval, site: uint32(a.Site.ID), kind: a.Site.Kind}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		first := a.Addr[lane] >> 2
		if a.Addr[lane]&3 != 0 || first+n > uint64(len(s.words)) {
			return false
		}
		is.owner = uint16(32*a.Warp + lane)
		for i := range s.words[first : first+n] {
			if w := &s.words[first+uint64(i)]; w.interval != is.interval {
				*w = is
			} else if !b.joins(w, &is) {
				return false
			}
		}
	}
	return true
}

// joins enters a thread's access into a word that the interval has accessed. It returns
// false where that may race.
func (b sieving) joins(w, is *sieveWord) bool {
	alike := w.kind == trace.Read && is.kind == trace.Read || w.kind == trace.Atomic && is.kind == trace.Atomic && b.together(w.site, is.site)
	switch {
	case w.owner == is.owner && !alike:
		w.kind = trace.Write // whatever another thread does races with one of both
		return true
	case w.owner == is.owner:
		return true
	case alike:
		w.owner = several
		return true
	}
	return false
}

// together reports whether atomic operations of two sites do not race. The relation is
// transitive, because their elements have one size: a new site is compared with the word's
// first one only.
func (b sieving) together(i, j uint32) bool {
	x, y := &b.launch.sites[i], &b.launch.sites[j]
	return x.Elem == y.Elem && !hb.Conflict(x, y, hb.OverBlock)
}

// Arrived is the event of that name.
func (b *blockObserver) Arrived(e *trace.Arrival) {
	sieving{b}.end()
	b.syncState.Arrived(e)
}

// WarpSync is the event of that name.
func (b *blockObserver) WarpSync(e *trace.WarpSync) {
	if b.model != check.Threads {
		sieving{b}.end()
	}
	b.syncState.WarpSync(e)
}
