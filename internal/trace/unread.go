package trace

// UnreadError is an error of an API call that the program never reads: it discards
// the call's result, and does not ask for the last error before it is replaced.
type UnreadError struct {
	// Call is the function that the program calls: one of the API, or one of its own that
	// returns the API's error; where Launch is set, the kernel. Where is the place in the program as
	// "file:line", or "" where that is unknown.
	Call, Where string
	Launch      bool
	// Error is the error's name.
	Error string
	// Cleared is set if the program has reset the error without reading it.
	Cleared bool
}

// FailedCall is a call of the API that returns an error to the program.
type FailedCall struct {
	// Call is the function, Where its place in the program as "file:line", or "".
	Call, Where string
	// Code, Error and Text are the error's number, name and text. Sticky is set for what a
	// kernel's fault makes of every later call.
	Code        int
	Sticky      bool
	Error, Text string
	// Collective is set where the call is a part of an operation of several ranks.
	Collective CollectiveFault
	// Allocates is set where the call should have allocated Size bytes; Kept is the value that the
	// program's pointer has kept.
	Allocates  bool
	Kept, Size uint64
}

// UnseenText is the launch of a kernel that prints and for which the program does not wait before it ends: a GPU
// writes the text out at certain calls only. Where is as in UnreadError.
type UnseenText struct {
	Launch        int
	Kernel, Where string
}

// failedReach bounds how far from the pointer that a failed call did not set an access counts as one
// by it: the size that is refused may be most of the address space.
const failedReach = 1 << 30

// MayUse reports whether the program may compute an address from the pointer that the call
// did not set.
func (f *FailedCall) MayUse(addr uint64) bool {
	return f.Allocates && addr-f.Kept < min(f.Size, failedReach)
}

// CollectiveFault is what is wrong between the ranks of a collective operation, which waits forever
// on a GPU.
type CollectiveFault uint8

// A rank does not take part, or its arguments do not fit those of another.
const (
	NoCollectiveFault CollectiveFault = iota
	RankMissing
	RanksDiffer
)
