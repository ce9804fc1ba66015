package trace

// Executed is how often a basic block of a kernel was executed: the PTX instructions, and markers that count executions,
// from line First to line Last, all of one function.
type Executed struct {
	First, Last int
	// Warps counts executions by warps, Threads those of their active lanes.
	Warps, Threads uint64
}
