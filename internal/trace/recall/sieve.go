package recall

import (
	"cmp"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// sieve decides whether what a block's threads do to shared memory in a barrier interval
// can matter to any observer. It keeps one small state for each word, or for each unit of 2 bytes
// or 1 in kernels with such arrays (trace.Launch.SharedUnit), and the interval's accesses in a journal. As long as it suspects nothing, no observer gets them, only that
// the interval was quiet; with the first access that it suspects, the journal is sent to
// the observers, and the rest of the interval as it comes.
//
// It knows threads and full barriers only, and units rather than bytes: it may suspect too
// much, never too little. Generated code does the same as Access (shadow.SieveLive, package native).
type sieve struct {
	live shadow.SieveLive
	// states are those of the units, unit is how many bytes one has, 1<<shift.
	states  []uint32
	unit    uint64
	shift   uint
	journal journal
	quiet   []*trace.QuietObserver
	// copied get the copies of quiet intervals.
	copied []func(*trace.Access)
	// passed is the event of a quiet interval.
	passed trace.Quiet
	// written has what the block has written before the interval, a bit for each byte;
	// nil if no observer asks. missing counts the units that are not whole there. marked is
	// set while the states have the rest.
	written func() []uint64
	missing int
	marked  bool
	// ofShapes has the runs of reads by their shape and the logarithm of their size.
	ofShapes [][maxSizes][]run
	// sites has by site what the sieve makes of its accesses.
	sites []siteState
	// open: the accesses of the interval are in the journal.
	open bool
	// flew: the block has had asynchronous copies. flying counts the units that copies are on their way to, crossing
	// is set if there were some when the interval began. Where two or more are on their way to one unit, which is
	// suspected, more has how many come after the first.
	flew, crossing bool
	flying         int
	more           []uint32
	// credit is what is left of suspected intervals of the block; without any, the sieve is
	// left out. It is never used where an observer must see all.
	credit int
	never  bool
}

// siteState is what the accesses of a site do to states: the kind, and whether they look at
// what was there. 0 is a site that is suspected.
type siteState uint16

const looks siteState = 1

// kind returns the bits of a state.
func (s siteState) kind() uint32 { return uint32(s) & shadow.SieveWrite }

// A suspected interval costs more than one that goes to the observers at once. maxCredit
// bounds how many of a block are tried in a row; a quiet one earns one more. Each block
// begins anew: what is sent does not depend on which blocks the slot had before.
const maxCredit = 8

// add makes room for an observer's part; nil means that it must see all.
func (s *sieve) add(o *trace.BlockObserver) {
	q, copied := o.Interval.Quiet, o.Shared
	s.quiet = append(s.quiet, q)
	if q != nil && q.Written != nil {
		s.written = q.Written
	}
	if q != nil && q.Copied != nil {
		copied = q.Copied
	}
	if copied != nil {
		s.copied = append(s.copied, copied)
	}
}

// use decides what the sieve makes of a launch's sites.
func (s *sieve) use(l *trace.Launch) {
	s.sites, s.passed.Each = make([]siteState, len(l.Sites)), s.journal.each
	s.unit = uint64(cmp.Or(l.SharedUnit, 4))
	s.shift = uint(bits.TrailingZeros64(s.unit))
	for _, q := range s.quiet {
		if q == nil || l.ClusterSize() > 1 || l.Block.Size() > shadow.SieveSeveral {
			s.never = true // other blocks see the memory, or there are too many threads
			return
		}
	}
	for i, site := range l.Sites {
		takes := site.Size >= int(s.unit) && site.Size <= 16 && site.Size&(site.Size-1) == 0 && site.Elem > 0
		for _, q := range s.quiet {
			takes = takes && (q.Takes == nil || q.Takes(site))
		}
		switch {
		case !takes:
		case site.Kind == trace.Read:
			s.sites[i] = shadow.SieveRead | looks
		case site.Kind == trace.Write:
			s.sites[i] = shadow.SieveWrite
		case site.Kind == trace.Atomic && site.Exchange():
			s.sites[i] = shadow.SieveAtomic
		case site.Kind == trace.Atomic:
			s.sites[i] = shadow.SieveAtomic | looks
		}
	}
}

// beginBlock begins a block with so many bytes of shared memory.
func (s *sieve) beginBlock(size int) {
	if need := (size + int(s.unit) - 1) / int(s.unit); need > len(s.states) {
		s.states = make([]uint32, need)
	}
	if s.flew {
		clear(s.states)
	}
	s.marked, s.credit, s.flew, s.flying = false, maxCredit, false, 0
	clear(s.more)
}

// begin opens the sieve for an interval that is not followed, from where that is known, if it can. Generated code uses
// it only after ready.
func (s *sieve) begin() {
	s.live.End = 0
	s.journal.release()
	s.open = s.credit > 0 && !s.never && !slices.ContainsFunc(s.quiet, func(q *trace.QuietObserver) bool { return q.Opens != nil && !q.Opens() })
	if !s.open {
		return
	}
	if s.live.Tag>>shadow.SieveTagShift == shadow.SieveMaxTag-1 {
		for i, u := range s.states {
			if u != shadow.SieveFlying {
				s.states[i] &= shadow.SieveWritten
			}
		}
		s.live.Tag = 0
	}
	s.live.Tag += 1 << shadow.SieveTagShift
	s.live.Thins, s.live.Skipped, s.crossing = 0, 0, s.flying > 0
	s.journal.reset()
}

// ready prepares an open sieve for its first access.
func (s *sieve) ready() {
	if !s.marked {
		s.mark()
	}
	s.live.States = unsafe.Pointer(unsafe.SliceData(s.states))
	s.live.At, s.live.End = s.journal.room()
}

// mark puts into the states what the block has written so far.
func (s *sieve) mark() {
	s.marked, s.missing = true, 0
	var set []uint64
	if s.written != nil {
		set = s.written()
	}
	unit := int(s.unit)
	for i := 0; i < len(s.states); i += 64 / unit {
		whole := s.whole(set, i*unit/64)
		states := s.states[i:min(i+64/unit, len(s.states))]
		for k, u := range states {
			if u == shadow.SieveFlying {
				continue
			}
			states[k] = states[k]&^shadow.SieveWritten | uint32(whole>>(unit*k)&1)*shadow.SieveWritten
		}
		s.missing += len(states) - bits.OnesCount64(whole&(1<<(unit*len(states))-1))
	}
}

// whole has a bit, the lowest of a unit's, for each unit of 64 bytes all of whose bytes are in a set.
func (s *sieve) whole(set []uint64, at int) uint64 {
	lowest := ^uint64(0) / (1<<s.unit - 1)
	switch {
	case s.written == nil:
		return lowest
	case at >= len(set):
		return 0
	}
	w := set[at]
	for i := uint64(1); i < s.unit; i *= 2 {
		w &= w >> i
	}
	return w & lowest
}

// unmark tells what a quiet interval has written.
func (s *sieve) unmark() {
	set := s.written()
	for r := range s.journal.records {
		if s.missing == 0 {
			return
		}
		if site := s.sites[r[0]]; len(r) == recordHeader || site&looks != 0 || asyncOf(r) == trace.AsyncIssue {
			continue
		}
		n, unit := uint32(s.journal.launch.Sites[r[0]].Size), uint32(s.unit)
		for m := r[2]; m != 0; m &= m - 1 {
			first := r[recordHeader+bits.TrailingZeros32(m)&31]
			if all := (uint64(1)<<n - 1) << (first % 64); first%64+n <= 64 && int(first/64) < len(set) && set[first/64]&all == all {
				continue
			}
			for at := first; at < first+n; at += unit {
				if bytes := uint64(1<<unit-1) << (at % 64); int(at/64) < len(set) && set[at/64]&bytes != bytes {
					set[at/64] |= bytes
					s.missing--
				}
			}
		}
	}
}

// outdated notes that observers hear by other ways what the block writes.
func (s *sieve) outdated() { s.marked = s.marked && s.missing == 0 }

// takes reports whether the sieve has an access: it matters to no observer so far.
func (s *sieve) takes(a *trace.Access, shared []byte) bool {
	if s.live.End == 0 {
		s.ready()
	}
	s.catchUp()
	is, size := s.sites[a.Site.ID], accessRecord(a)
	if is == 0 {
		return false
	}
	if s.thins(size) && is.kind() != shadow.SieveWrite && s.unchanged(a, is) {
		s.live.Skipped++
		return true
	}
	if !s.fits(size) || !s.unsuspected(a, is) {
		return false
	}
	s.journal.add(a, shared)
	s.live.At, s.live.End = s.journal.room()
	return true
}

// takesRead is takes for a read with a shape, where the journal is not thinned.
func (s *sieve) takesRead(site *trace.Site, warp int, sh *trace.Shape, base uint64) bool {
	if s.live.End == 0 {
		s.ready()
	}
	s.catchUp()
	if s.sites[site.ID] != shadow.SieveRead|looks || s.thins(shapedRecord) || !s.fits(shapedRecord) {
		return false
	}
	if base&(s.unit-1) != 0 || sh.Or&(s.unit-1) != 0 || base+sh.Hi+uint64(site.Size) > s.unit*uint64(len(s.states)) || int64(base+sh.Lo) < 0 {
		return false
	}
	runs, first, thread := s.runs(site, sh), base>>s.shift, uint32(32*warp)
	if !(vectors && readRuns512(unsafe.Pointer(&s.states[first]), &runs[0], len(runs), s.live.Tag, thread)) && !s.readRuns(first, runs, thread) {
		return false
	}
	s.journal.addRead(site, warp, sh, base)
	s.live.At, s.live.End = s.journal.room()
	return true
}

// flies notes what an asynchronous copy writes, when it is issued and when it takes effect, whether the
// sieve is open or not. It returns false where that may matter: the unit has been accessed in this interval, or another
// copy is on its way to it. What is issued or completed in a quiet interval goes to the observers at its end if
// copies were on their way when it began, or are then; else they were ordinary writes to them.
func (s *sieve) flies(a *trace.Access, shared []byte) bool {
	if s.never {
		return false
	}
	s.flew = true
	quiet := s.open && a.Site.Kind == trace.Write && a.Site.Size >= int(s.unit) && a.Site.Size <= 16
	if quiet && s.live.End == 0 {
		s.ready()
	}
	issue := a.Async == trace.AsyncIssue
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		first, end := a.Addr[lane]>>s.shift, (a.Addr[lane]+uint64(a.Site.Size)-1)>>s.shift+1
		if end = min(end, uint64(len(s.states))); first >= end {
			continue
		}
		for unit := int(first); unit < int(end); unit++ {
			if issue {
				quiet = s.departs(unit) && quiet
			} else {
				quiet = s.comes(unit, uint32(32*a.Warp+lane)) && quiet
			}
		}
	}
	if quiet {
		s.catchUp()
		quiet = s.fits(accessRecord(a))
	}
	if !quiet {
		s.outdated()
		return false
	}
	s.journal.add(a, shared)
	s.live.At, s.live.End = s.journal.room()
	return true
}

// departs notes that a copy is on its way to a unit. It returns false where that may matter.
func (s *sieve) departs(unit int) bool {
	was := s.states[unit]
	s.states[unit] = shadow.SieveFlying
	if was != shadow.SieveFlying {
		s.flying++
		return was < s.live.Tag
	}
	if len(s.more) < len(s.states) {
		s.more = append(s.more, make([]uint32, len(s.states)-len(s.more))...)
	}
	s.more[unit]++
	return false
}

// comes notes that a thread's copy to a unit is complete. It returns false where that may matter.
func (s *sieve) comes(unit int, thread uint32) bool {
	was := s.states[unit]
	if unit < len(s.more) && s.more[unit] > 0 {
		s.more[unit]--
		return false
	}
	s.states[unit] = s.live.Tag | shadow.SieveWritten | shadow.SieveWrite | thread
	if was == shadow.SieveFlying {
		s.flying--
	}
	return was == shadow.SieveFlying
}

// fits makes room in the journal for n more words. It returns false if that is too much.
func (s *sieve) fits(n int) bool {
	ok := s.journal.fits(n)
	s.live.At, s.live.End = s.journal.room()
	return ok
}

// sync takes a synchronization of a warp; false if there is no room.
func (s *sieve) sync(e *trace.WarpSync) bool {
	if s.live.End == 0 {
		s.ready()
	}
	s.catchUp()
	if !s.fits(recordHeader) {
		return false
	}
	s.journal.sync(e)
	s.live.At, s.live.End = s.journal.room()
	return true
}

// catchUp takes note of the records that generated code has written.
func (s *sieve) catchUp() {
	if s.live.End != 0 {
		s.journal.upTo(s.live.At)
	}
}

// thins reports whether there is no room for a record of n words but that of thinned
// journals. An interval without a barrier may be as long as a kernel. What it reads or
// updates again and again would say little: the first threads that have a word are in the
// journal.
func (s *sieve) thins(n int) bool {
	if s.journal.n+n > maxJournal && !s.journal.entire {
		s.live.Thins = 1
	}
	return s.live.Thins != 0
}

// unchanged reports whether an access is one of many to units that its threads, or several,
// have accessed in the same way.
func (s *sieve) unchanged(a *trace.Access, is siteState) bool {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		states := s.statesOf(a, lane)
		if states == nil {
			return false
		}
		for _, u := range states {
			was := u
			if !s.joins(&u, is, uint32(32*a.Warp+lane)) || u != was {
				return false
			}
		}
	}
	return true
}

// unsuspected enters an access into the states. It returns false where it may matter.
func (s *sieve) unsuspected(a *trace.Access, is siteState) bool {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		states, thread := s.statesOf(a, lane), uint32(32*a.Warp+lane)
		if states == nil {
			return false
		}
		for i := range states {
			if !s.joins(&states[i], is, thread) {
				return false
			}
		}
	}
	return true
}

// statesOf are the states of the units that a lane accesses, nil where they are not whole units of the
// block's memory.
func (s *sieve) statesOf(a *trace.Access, lane int) []uint32 {
	first, n := a.Addr[lane]>>s.shift, uint64(a.Site.Size)>>s.shift
	if a.Addr[lane]&(s.unit-1) != 0 || first+n > uint64(len(s.states)) {
		return nil
	}
	return s.states[first : first+n]
}

// joins enters a thread's access into a unit. It returns false where that may matter: it
// may race, or it looks at bytes that were not written.
func (s *sieve) joins(u *uint32, is siteState, thread uint32) bool {
	next, ok := shadow.JoinSieve(*u, s.live.Tag, s.live.Tag|shadow.SieveWritten|is.kind()|thread, is&looks != 0)
	if ok {
		*u = next
	}
	return ok
}

// end ends a quiet interval, of which observers get the warp synchronizations only, and asynchronous copies where some
// are on their way into it or out of it.
func (s *sieve) end(to *trace.BlockObserver) {
	s.catchUp()
	if s.missing > 0 && s.marked {
		s.unmark()
	}
	copied := s.copied
	if !s.crossing && s.flying == 0 {
		copied = nil
	}
	s.journal.sendLasting(to, copied)
	s.credit = min(s.credit+1, maxCredit)
	for _, q := range s.quiet {
		if q.Passed != nil && s.journal.n > 0 {
			s.passed.Skipped = s.live.Skipped
			q.Passed(&s.passed)
		}
	}
	s.close()
}

// close keeps accesses out until the next interval.
func (s *sieve) close() {
	s.catchUp()
	s.open, s.live.End = false, 0
}
