package trace

// InvalidFree is a free, on the host, of what is no live allocation. CUDA
// answers it with an error and frees nothing.
type InvalidFree struct {
	// Call is the API function, Where its place in the program as "file:line",
	// or "" where that is unknown.
	Call, Where string
	// Double says that the memory was freed before.
	Double bool
	// Message is one line; Notes say where the memory came from.
	Message string
	Notes   []string
}

// FreeListener is a Listener that hears of invalid frees.
type FreeListener interface {
	InvalidFree(*InvalidFree)
}
