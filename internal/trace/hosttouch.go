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
	// Incomplete is set if there were more accesses than could be remembered.
	Incomplete bool
	// Memory is as in Launch.
	Memory func(addr uint64) (Memory, bool)
}

// Acquires reports whether what comes after it may be ordered by what it read.
func (t *HostTouch) Acquires() bool { return t.Strong && t.Kind != Write }
