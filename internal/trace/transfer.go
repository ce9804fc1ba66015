package trace

// BadTransfer is a copy or fill of memory by the host that CUDA refuses, or a copy whose result is undefined: its
// range is not that of an allocation, or its direction is not that of the
// pointers.
type BadTransfer struct {
	// Call is the API function, Where its place in the program as "file:line",
	// or "" where that is unknown.
	Call, Where string
	// Error is the runtime's name for it, "" where the call succeeds; Cause what is wrong, Message the same in
	// one line.
	Error   string
	Cause   Cause
	Message string
	// Ends are the addresses of what it would have written and read, 0 for none.
	Ends [2]uint64
}
