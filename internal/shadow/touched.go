package shadow

// TouchedPages is how many pages of bits there are to look at; page n, of PageUnits units, is at
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
