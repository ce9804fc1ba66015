package trace

// StuckWait is a stream's wait for a value in memory that no work, and no host thread, is
// left to write.
type StuckWait struct {
	// Call is the API function, Where its place in the program as "file:line", or "" where
	// that is unknown.
	Call, Where string
	// Value is of Size bytes at Addr; Test is how the program compares it with Wanted.
	Addr   uint64
	Size   int
	Value  uint64
	Wanted uint64
	Test   ValueTest
	Memory Memory
	// Host is what the host does meanwhile.
	Host *HostState
	// HostVisible is set if host code has access to the memory.
	HostVisible bool
}

// ValueTest compares a value in memory with the one that a stream waits for.
type ValueTest uint8

// The tests, in the order of CUstreamWaitValue_flags: not less, cyclically; equal; a common
// bit is set; a bit is set in neither.
const (
	TestGreater ValueTest = iota
	TestEqual
	TestAnd
	TestNor
)

// Passes reports whether a value of size bytes passes the test.
func (t ValueTest) Passes(value, wanted uint64, size int) bool {
	unused := 64 - 8*size
	switch t {
	case TestGreater:
		return int64((value-wanted)<<unused) >= 0
	case TestEqual:
		return value == wanted
	case TestAnd:
		return value&wanted != 0
	default:
		return ^(value|wanted)<<unused != 0
	}
}
