package trace

// Stream names a stream: ID is 0 for the legacy default stream of a device.
type Stream struct {
	Device int
	ID     uint64
}

// StreamAction is what orders streams and the host.
type StreamAction uint8

// The actions. NewStream makes one, whose NonBlocking is set if it does not
// wait for the legacy default stream; the next three are waits of the host, or
// its finding that there is nothing to wait for; Record and Wait are for the
// stream and the event; the program may name a stream. A stream begins to wait for a value
// in memory (WaitValue), and sees it; a Transfer with a Number has been executed (WroteValue).
// A host function is put into a stream, begins, and ends.
const (
	NewStream StreamAction = iota
	SyncDevice
	SyncStream
	SyncEvent
	RecordEvent
	WaitEvent
	NameStream
	WaitValue
	SawValue
	WroteValue
	PutFunction
	RunFunction
	EndFunction
)

// Moment is a point of a launch's life for which work can wait ("CUDA Runtime API",
// cudaLaunchAttributeID).
type Moment uint8

// The moments of a launch. What waits for it to end is ordered after all that it does.
const (
	// Ended: all before the event has ended.
	Ended Moment = iota
	// Triggered: the blocks have executed griddepcontrol.launch_dependents or have ended. A launch
	// that waits for it may wait for the end, too (griddepcontrol.wait).
	Triggered
	// Started: the blocks have begun; the same holds for a launch that waits for it.
	Started
	// Begun: the blocks have begun, and griddepcontrol.wait does not wait for the end.
	Begun
)

// StreamOrder is one edge of the order between streams and the host.
type StreamOrder struct {
	Action StreamAction
	Stream Stream
	// Event is the event, or the number of the wait for a value, of the write of one, or of
	// the host function.
	Event uint64
	// Range is where the value is that WaitValue waits for.
	Range       Range
	NonBlocking bool
	// Moment says of RecordEvent when of the last kernel in the stream the event fires.
	Moment Moment
	// Name is what NameStream calls it, in quotation marks, or what NewStream calls
	// one that is of a branch of a graph.
	Name string
	// Library is the library whose own the stream is that NewStream makes.
	Library string
}

// Range is n bytes from a device address on.
type Range struct{ Addr, N uint64 }

// TransferKind is what a Transfer is for.
type TransferKind uint8

// Moves is a copy or a fill; the others are an allocation and a free in the order of a
// stream.
const (
	Moves TransferKind = iota
	Allocates
	Frees
)

// Transfer is a copy or a fill that the host puts into a stream, before it
// is executed; an allocation or a free in the order of a stream counts as a fill. Where is the call's place or "".
type Transfer struct {
	Does        TransferKind
	Call, Where string
	Stream      Stream
	// Waits is set if the host continues when it is done only.
	Waits bool
	// Staged: it waits for what is before it only, as the data of the host's own memory is staged then, and not
	// for their arrival ("CUDA Runtime API", "API synchronization behavior").
	Staged bool
	// Reads and Writes are what it does to memory that the device can access.
	Reads, Writes []Range
	// Memory is as in Launch; it may be nil.
	Memory func(addr uint64) (Memory, bool)
	// Number is that of a write of a value (cuStreamWriteValue), or of the host function; 0
	// for others. Fence is set if
	// what its stream did before is visible to who sees the value.
	Number uint64
	Fence  bool
	// HostFunction is set if it is what a host function of the stream did.
	HostFunction bool
	// FromDevice is set if device code asked for it; see Observer.ChildBegins.
	FromDevice bool
}

// Enqueued is a launch that the host puts into a stream, or a child grid that runs next.
type Enqueued struct {
	Launch int
	Where  string
	Stream Stream
	// Programmatic is set if it may begin before the kernel before it in its stream
	// has ended.
	Programmatic bool
	// FromDevice is set if device code launched it; see Observer.ChildBegins.
	FromDevice bool
}

// Freed is memory that ends. Waits is set if the call waits for the device, as
// cudaFree does.
type Freed struct {
	Range
	Waits bool
}
