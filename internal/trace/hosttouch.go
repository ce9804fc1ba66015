package trace

// HostTouch is what one place of the program's host code did to memory that
// kernels access too: managed, page-locked and registered memory.
type HostTouch struct {
	Kind Kind
	// Strong marks volatile and atomic accesses.
	Strong bool
	// Where is file:line, or "" when unknown.
	Where  string
	Ranges []Range
	// Incomplete says that there were more accesses than could be remembered.
	Incomplete bool
	// Memory is as in Launch.
	Memory func(addr uint64) (Memory, bool)
}

// Acquires reports whether what comes after it may be ordered by what it read.
func (t *HostTouch) Acquires() bool { return t.Strong && t.Kind != Write }

// HostListener is a StreamListener that hears of accesses of host code, in the
// order in which they came, as far as that matters: those of one place together,
// but those behind a strong read after it. All came between two other actions of
// the host.
type HostListener interface {
	StreamListener
	// HearsHost says whether it wants to hear of them at all.
	HearsHost() bool
	// HostWatched says, before the first launch, that accesses of host code are
	// told, and in which range they can lie.
	HostWatched(Range)
	HostTouch(*HostTouch)
}
