package trace

// InvalidFree is a free, on the host, of what is not a live allocation. CUDA
// answers it with an error and frees nothing.
type InvalidFree struct {
	// Call is the API function, Where its place in the program as "file:line",
	// or "" where that is unknown.
	Call, Where string
	// Cause is what is wrong: CauseFreedTwice, CauseInside and so on.
	Cause Cause
	// Memory is what the pointer points to or did, nil if it is unknown.
	Memory *Memory
	// Message is one line; Notes say where the memory came from.
	Message string
	Notes   []string
}
