package trace

// Child names a grid that device code launched, or a copy or fill that it asked
// for: the N-th request of a block of the launch Parent, from 0.
type Child struct {
	Parent int
	Block  uint64
	N      int
}

// DeviceStream says in which of a grid's streams something is ("CUDA C++
// Programming Guide", "CUDA Dynamic Parallelism", "Streams").
type DeviceStream uint64

// The streams without a handle of their own. NullStream is one for each block;
// what is in TailStream follows the parent grid and all its other children;
// each launch into FireAndForget has a stream of its own.
const (
	NullStream       DeviceStream = 0
	LegacyNullStream DeviceStream = 1
	PerThreadStream  DeviceStream = 2
	TailStream       DeviceStream = 3
	FireAndForget    DeviceStream = 4
)

// Spawn is a thread's request to the device runtime.
type Spawn struct {
	Site       *Site
	Warp, Lane int
	Child      Child
	Stream     DeviceStream
}

// Join is the end of a thread's wait for all that its block asked for so far.
type Join struct {
	Site       *Site
	Warp, Lane int
}

// ChildGrid is a child grid, copy or fill, and the stream that it is in.
type ChildGrid struct {
	Child  Child
	Stream DeviceStream
}

// ChildOrder is what a thread asked of device streams: that an event is
// recorded, or that a stream waits for one (Action RecordEvent or WaitEvent).
type ChildOrder struct {
	Action StreamAction
	Child  Child
	Stream DeviceStream
	Event  uint64
}
