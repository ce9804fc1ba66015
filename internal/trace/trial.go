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
	// Steer, if set, chooses which warp makes each step. All blocks run together then.
	Steer func(ready []Turn) int
	// End is called when it has ended.
	End func(Work)
	// Ended is called after End, with what memory is then; nil for none.
	Ended func(*Ending)
}

// Turn names a warp that can make a step: an access to memory, and what it does until its next one or until it waits or
// ends. A function that steers returns the place of one in the list, or a negative number to end the execution.
type Turn struct {
	Block uint64
	Warp  int
}

// Ending is how an execution has ended.
type Ending struct {
	// Fault is what ended it, or would have ended it on a GPU, nil for nothing.
	Fault *Fault
	// Cut is set if it was ended before its end.
	Cut bool
	// Memory is what the launch may have written, in the order of its allocations. It is borrowed.
	Memory []Contents
}

// Contents are the bytes of an allocation.
type Contents struct {
	Base uint64
	Data []byte
}
