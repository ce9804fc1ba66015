package trace

import "unsafe"

// PlainObserver lets code that makes accesses by itself enter plain ones to global memory into
// the states of an observer, so that these need not be sent to it.
type PlainObserver struct {
	// Takes reports the sites whose accesses may be entered.
	Takes func(*Site) bool
	Live  *PlainLive
}

// PlainLive is what such code needs. The state of a unit of memory has a reference to its last
// plain write in the lower half, and one to its last plain reads in the upper half. A reference
// names a point of a warp, which is a multiple of PlainLanes, and a lane, or PlainSeveral
// threads of the point's block.
//
// Code may enter a warp's access to consecutive units if both references of each state pass. A
// reference passes if it is less than None, lies in the PlainBefore of the site, or is the thread's
// own. Of an access for some of whose lanes that does not hold it may enter the others, and leave it
// with these in Failing. For a read, a reference to reads from the warp's Since on passes as well, and the state then
// refers to several threads. A write replaces both references by its own, a read the reference to
// the reads.
type PlainLive struct {
	// Size is the bytes of a unit, and of the accesses that may be entered; 0 for none.
	Size uint64
	None uint32
	// Pages are the last of the states that were looked for, Warps those of the block, Sites
	// has by site what comes before its accesses.
	Pages *[PlainPages]PlainPage
	Warps unsafe.Pointer // the first PlainWarp
	Sites unsafe.Pointer // the first PlainBefore
	// Looked counts what was entered, Wrote points to a counter of what was written.
	Looked uint64
	Wrote  *uint64
	// Failing are the lanes of an access by FailingSite which code left undone that it has not entered,
	// 0 if it has entered none.
	Failing, FailingSite uint64
	// First is not 0 where states are those of quick looks, see QuickRead: lesser states are of units that
	// nothing has accessed. Who has a state's block and interval. There are no Warps, Sites, None and
	// Wrote then. Accesses of any lanes may be entered, those of atomic
	// operations as well.
	Who, First uint64
	// Shared: other blocks that run now may change these states.
	Shared bool
	// Touched is not nil where there is a bit for each unit instead of states: the pages of bits that were
	// looked for last. Code may enter an access of any lanes if none has a bit that is set: it sets them,
	// and adds a record to the journal, if there is room for TouchedWords from Journal up to JournalEnd.
	Touched             *[TouchedPages]PlainPage
	Journal, JournalEnd uintptr
	// Adapts is set by the code if it looks at each access whether there are bits or states. Touched may then change between two
	// calls of the code; it is fixed for a launch otherwise.
	Adapts bool
}

// TouchedPages is how many pages of bits there are to look at; page n, of PlainUnits units, is at
// n%TouchedPages.
const TouchedPages = 256

// A record of the journal of touched units is words of 32 bits: the mask of the lanes, the kind and, above it,
// the number of units of each lane, who in two words (see QuickThreadShift; for lane 0), the first lane's unit in two
// words, and for each lane how far its unit is from that.
const (
	TouchedHead  = 6
	TouchedCount = 2 // where the number of units begins
	TouchedWords = TouchedHead + 32
)

// The state of a unit in a quick look at a launch in which nothing but barriers orders threads: what a
// block did to it, from bit QuickBlockShift on the number of the block, over all launches that use the
// states. Kinds are joined by "or". QuickNow has the kinds of the interval, QuickEver those of all of
// the block's, QuickThread who accessed it in the interval; if all its bits are set these are several,
// all of which read, or all of which updated it by atomic operations. QuickSeveral: other blocks did so,
// too, as it did.
const (
	QuickRead, QuickAtomic, QuickWrite = 1, 2, 3

	QuickNow           uint64 = 3
	QuickEverShift            = 2
	QuickEver          uint64 = 3 << QuickEverShift
	QuickThreadShift          = 5
	QuickThread        uint64 = (1<<11 - 1) << QuickThreadShift
	QuickIntervalShift        = 16
	QuickInterval      uint64 = (1<<15 - 1) << QuickIntervalShift
	QuickSeveral       uint64 = 1 << 31
	QuickBlockShift           = 32
)

const (
	PlainLanes   = 1 << 6
	PlainSeveral = 32
	// PlainPages is how many pages of states there are to look at; page n is at n%PlainPages.
	PlainPages = 16
	// PlainUnits is how many units a page has.
	PlainUnits = 1 << 18
)

// PlainPage is a page of states: its number, and where it is.
type PlainPage struct {
	Number uint64
	States unsafe.Pointer
}

// PlainWarp is what a warp's accesses are until it synchronizes again: Now has in both halves the
// reference for lane 0, 0 where the observer has to be asked for it. References to reads from the
// upper half of Since on are those of other threads of the block that nothing orders; the lower
// half is more than any reference to a write.
type PlainWarp struct{ Now, Since uint64 }

// PlainBefore are references to accesses that come before what any thread of the block does now,
// those to writes and those to reads: the first of a range of N, in each half.
type PlainBefore struct{ First, N uint64 }

// thePlain is the Plain of the one observer that has it, for sites that the others ignore.
func thePlain(all []*BlockObserver) *PlainObserver {
	var p *PlainObserver
	var others []*BlockObserver
	for _, o := range all {
		switch {
		case o.Plain != nil && p != nil:
			return nil
		case o.Plain != nil:
			p = o.Plain
		case o.Global != nil:
			others = append(others, o)
		}
	}
	if p == nil || len(others) == 0 {
		return p
	}
	rest := allIgnore(others)
	if rest == nil {
		return nil
	}
	return &PlainObserver{Live: p.Live, Takes: func(s *Site) bool { return rest(s) && p.Takes(s) }}
}
