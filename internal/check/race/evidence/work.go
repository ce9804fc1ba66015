package evidence

import "github.com/warpgrind/warpgrind/internal/trace"

// Relation is how two pieces of work are related that race.
type Relation uint8

// Relations.
const (
	// BetweenStreams: of different streams, or branches of a graph.
	BetweenStreams Relation = iota
	// BetweenGrids: a programmatic dependent launch and work that it may overlap with.
	BetweenGrids
	// WithHost: work in a stream, and an access of host code.
	WithHost
	// WithChild: a grid and a child grid of it, or two children.
	WithChild
)

// WorkPair is a race of two pieces of work: what each does to bytes that they share.
type WorkPair struct {
	Between     Relation
	First, Then Work
	// Addr is the first byte that they share, End the end of the first range, Bytes how
	// many they share in all.
	Addr, End, Bytes uint64
	// Known is up to which work of the first's stream the second is ordered.
	Known uint64
	// Awaited is for dependent launches: the wait of the second, where it has one, orders
	// the two. Before is what it waits for only, nil for nothing known.
	Awaited bool
	Before  *trace.Launch
	// MissingWait numbers the waits that the host lacks for the stream.
	MissingWait int
	// Parent is the grid of children; WaitedBy is the thread of it that has waited for the
	// child before the access, which nothing orders after that, -1 for none.
	Parent   *trace.Launch
	WaitedBy int
}

// Work is one side of a WorkPair.
type Work struct {
	*Use
	*Piece
	// Thread is an access of a parent grid's thread, nil for what a piece of work does as
	// a whole.
	Thread *Access
	// Child is where a child grid comes from, nil for other work.
	Child *Child
}

// Child is where device code has launched a grid, or called for a copy or a fill.
type Child struct {
	Block      uint64
	Warp, Lane int
	Where      string
	Site       *trace.Site // of the launch, nil if it is not known
	// DefaultStream: it is in the default stream of its block.
	DefaultStream bool
}

// Piece is a piece of work in a stream: a launch, a copy, a fill.
type Piece struct {
	Stream trace.Stream
	Name   StreamName
	Graph  bool   // the stream is a branch of a graph
	Where  string // the call's place, or ""
	Synced Synced // what it was ordered after explicitly
	// Wait and Trigger are griddepcontrol instructions that it executed.
	Wait, Trigger *trace.Site
	// Flag is a strong write without a release that the host has read.
	Flag *Use
}

// Use is what one site or one call does.
type Use struct {
	// Launch and Site are of a kernel, else Call and Where of the host's call; Call is ""
	// for an access of host code.
	Launch      *trace.Launch
	Site        *trace.Site
	Call, Where string
	Does        trace.TransferKind
	Kind        trace.Kind
	Strong      bool
	// Early: its launch did it before it waited for the grids that it depends on.
	Early bool
	// Function marks what a host function of the stream did.
	Function bool
	// Staged marks a copy that the host does not wait for, as the data of its own memory is staged.
	// Copied is its bytes.
	Staged bool
	Copied uint64
	// Memory describes allocations; it is nil for a kernel, whose launch does.
	Memory func(uint64) (trace.Memory, bool)
	// DeviceFence: some of its writes come after a fence of device scope.
	DeviceFence bool
}

// StreamName is how a program, or this run, calls a stream. The zero value is the default
// stream.
type StreamName struct {
	// Number counts streams without a name, from 1.
	Number int
	// Given is the name that the program gave it, Branch that of a branch of a graph, Library the
	// library whose own it is.
	Given, Branch, Library string
	// Device is that of a default stream.
	Device int
}

// Synced is what work, or the host, waited for last.
type Synced struct {
	For SyncedFor
	// Stream is the stream, or that of the event.
	Stream StreamName
	// Call is the call that waits, Kernel the kernel whose flag was read.
	Call, Kernel string
	// ByHost: the host waited, not the stream.
	ByHost bool
}

// SyncedFor is what a wait is for.
type SyncedFor uint8

// What waits are for.
const (
	ForNothing SyncedFor = iota
	ForDevice
	ForStream
	ForEvent
	ForCall
	ForFlag
	ForValue
	// ForLaunch is what a child grid has: that it was launched.
	ForLaunch
	// ForBarrier is a barrier of the block of a parent's thread.
	ForBarrier
)

// Memory is what is shared, and the bytes of an element as the first of the two that is a
// kernel accesses it.
func (p *WorkPair) Memory() (m trace.Memory, elem uint64, ok bool) {
	elem = 1
	for _, u := range []*Use{p.Then.Use, p.First.Use} {
		if u.Launch != nil {
			elem = uint64(max(u.Site.Elem, 1))
		}
	}
	for _, u := range []*Use{p.First.Use, p.Then.Use} {
		memory := u.Memory
		if u.Launch != nil {
			memory = u.Launch.Memory
		}
		if memory == nil {
			continue
		}
		if m, ok = memory(p.Addr); ok {
			return m, elem, true
		}
	}
	return trace.Memory{}, 0, false
}
