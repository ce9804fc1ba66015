package shadow

import "unsafe"

// SieveLive is what generated code needs of a sieve: the states of a block's units, where the
// journal's next record is and where it must end, and the interval. End is 0 where the
// sieve is closed. Thins is not 0 once the journal is thinned: then code may leave out reads
// and atomic operations that change no state, and counts them in Skipped.
type SieveLive struct {
	States     unsafe.Pointer
	At, End    uintptr
	Tag, Thins uint32
	Skipped    uint64
}

// Return takes from a copy of l what code that worked with it has changed.
func (l *SieveLive) Return(c *SieveLive) { l.At, l.Skipped = c.At, c.Skipped }

// The state of a unit of shared memory: the interval of the last access from bit SieveTagShift on, whether the
// unit is wholly written, the kinds of accesses in the interval, and their thread. A unit
// of an older interval has no kind and no thread. Kinds are joined by "or".
const (
	SieveThread   = 1<<11 - 1
	SieveRead     = 1 << 11
	SieveAtomic   = 2 << 11
	SieveWrite    = SieveRead | SieveAtomic
	SieveWritten  = 1 << 13
	SieveTagShift = 14
	SieveMaxTag   = 1<<(32-SieveTagShift) - 1

	// SieveFlying is a unit that an asynchronous copy is on its way to, in whichever interval: who accesses
	// it is suspected.
	SieveFlying uint32 = SieveMaxTag<<SieveTagShift | SieveWritten | SieveWrite | SieveSeveral

	// SieveSeveral is the thread of a unit that more than one accessed, all of which
	// read, or all of which updated it by atomic operations.
	SieveSeveral = SieveThread
)
