package trace

// HostAccess is host code that followed a pointer to device memory, and ends by it.
type HostAccess struct {
	Addr uint64
	// Memory is the allocation there, Known that there is one.
	Memory Memory
	Known  bool
	// Where is the place in the program as "file:line", or "" where that is unknown.
	Where string
}
