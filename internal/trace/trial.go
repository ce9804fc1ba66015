package trace

// Work is what an execution of a launch costs.
type Work struct {
	// WarpInstrs are the instructions of its warps.
	WarpInstrs uint64
	// Bytes are those that are copied to begin an execution with the memory that the launch began with.
	Bytes uint64
}

// Trial is a further execution of a launch, maybe in another order (BlockObserver.Rests). It begins
// with the memory that the launch began with, and leaves nothing but what its observers make of it: what it
// prints, its faults and its counts are dropped, and memory is as the launch left it.
type Trial struct {
	Observers []*LaunchObserver
	// Blocks are those that run, by linear index in rising order; nil for all. Without the others it is the
	// beginning of an execution in which these have not begun.
	Blocks []uint64
	// Limit bounds the instructions of warps.
	Limit uint64
	// End is called when it has ended.
	End func(Work)
}
