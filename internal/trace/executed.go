package trace

// Executed is how often a basic block of a kernel was executed: the PTX instructions, and markers that count executions,
// from line First to line Last, all of one function.
type Executed struct {
	First, Last int
	// Warps counts executions by warps, Threads those of their active lanes.
	Warps, Threads uint64
}

// Decided is how often a condition that is counted held: Line is that of its instruction in the PTX.
type Decided struct {
	Line int
	// Yes and No count evaluations by threads, YesWarps and NoWarps those by warps in which it held in a thread and did not,
	// Both those in which the threads diverged.
	Yes, No, YesWarps, NoWarps, Both uint64
}
