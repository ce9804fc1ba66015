package trace

// Divergence is when lanes of a warp that were together part at a branch: Taken of
// Mask go to its target, the others do not. Again is set if others diverged from
// them there before and are not back yet: lanes that leave a loop one by one.
type Divergence struct {
	Branch      *Site
	Warp        int
	Mask, Taken uint32
	Again       bool
}

// Stretch is a number of instructions that lanes Mask of a warp executed while
// no other lane of it did. The instructions of a basic block count when it is
// entered.
type Stretch struct {
	Warp   int
	Mask   uint32
	Instrs uint64
	// Idle are the lanes that had no part in it, by the branch at which they
	// diverged from those that had; each branch once.
	Idle []Idle
}

// Idle are lanes that do nothing for a while. Branch is nil for lanes that have
// no thread, and for those that left the others by something else than a branch:
// a guarded exit, return or call.
type Idle struct {
	Branch *Site
	Mask   uint32
}
