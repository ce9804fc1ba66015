package protocol

// StreamCreate creates a stream. A branch of a graph has a name.
type StreamCreate struct {
	Flags    uint32 `valid:"<=1"`
	Priority uint32 `valid:"any"`
	// Branch names it where it is of a branch of a graph, Library is the library whose own it is.
	Branch, Library string `valid:"<=4K"`
}

// StreamCreateReply has its handle.
type StreamCreateReply struct{ Handle Pointer }

// StreamDestroy destroys a stream.
type StreamDestroy struct {
	Stream Stream `valid:"any"`
}

// StreamInfo asks for a stream's properties.
type StreamInfo struct {
	Stream Stream `valid:"any"`
}

// StreamInfoReply are the properties.
type StreamInfoReply struct{ Flags, Priority, Device uint32 }

// StreamSync synchronizes with a stream, or queries it.
type StreamSync struct {
	Stream Stream `valid:"any"`
	Wait   bool
}

// StreamWait makes a stream wait for an event.
type StreamWait struct {
	Event  Pointer `valid:"any"`
	Stream Stream  `valid:"any"`
}

// EventCreate creates an event.
type EventCreate struct {
	Flags uint32 `valid:"<=7"`
}

// EventCreateReply has its handle.
type EventCreateReply struct{ Handle Pointer }

// EventOpen opens an event of another process.
type EventOpen struct {
	Number uint64 `valid:"any"`
}

// EventDestroy destroys an event.
type EventDestroy struct {
	Event Pointer `valid:"any"`
}

// EventRecord records an event in a stream.
type EventRecord struct {
	Event  Pointer `valid:"any"`
	Stream Stream  `valid:"any"`
}

// EventSync synchronizes with an event, or queries it.
type EventSync struct {
	Event Pointer `valid:"any"`
	Wait  bool
}

// EventElapsed asks for the time between two events.
type EventElapsed struct {
	Start, End Pointer `valid:"any"`
}

// EventElapsedReply is that time.
type EventElapsedReply struct{ Nanoseconds int64 }

// DeviceSync synchronizes with the current device.
type DeviceSync struct{}

// Reset resets the current device.
type Reset struct{}

// SetLimit sets a cudaLimit.
type SetLimit struct {
	Limit uint32 `valid:"any"`
	Value uint64 `valid:"any"`
}
