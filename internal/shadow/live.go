package shadow

import "unsafe"

// Live is what code needs that enters plain accesses to global memory into the states of an observer by itself.
type Live struct {
	// Size is the bytes of a unit, and of the accesses that may be entered; 0 for none.
	Size uint64
	None uint32
	// Pages are the last of the states that were looked for, Warps those of the block, Sites
	// has by site what comes before its accesses.
	Pages *[Pages]Page
	Warps unsafe.Pointer // the first WarpRefs
	Sites unsafe.Pointer // the first Before
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
	Touched             *[TouchedPages]Page
	Journal, JournalEnd uintptr
	// Adapts is set by the code if it looks at each access whether there are bits or states. Touched may then change between two
	// calls of the code; it is fixed for a launch otherwise.
	Adapts bool
}

// Return takes from a copy of l what code that worked with it has changed.
func (l *Live) Return(c *Live) {
	l.Looked, l.Failing, l.FailingSite, l.Journal = c.Looked, c.Failing, c.FailingSite, c.Journal
}

const (
	// Pages is how many pages of states there are to look at; page n is at n%Pages.
	Pages = 16
	// PageUnits is how many units a page has.
	PageUnits = 1 << 18
)

// Page is a page of states, or of bits: its number, and where it is.
type Page struct {
	Number uint64
	States unsafe.Pointer
}
