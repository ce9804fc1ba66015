package trace

import "time"

// HostState is what the host does while device code waits that nothing can release: each of
// its threads waits in a call, or others did nothing for a time.
type HostState struct {
	Calls []HostCall
	// Idle is for how long other threads changed no memory; 0 if there were none.
	Idle time.Duration
}

// HostCall is a call of the API. Where is its place in the program as "file:line", or ""
// where that is unknown.
type HostCall struct{ Call, Where string }
