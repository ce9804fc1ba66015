package host

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// observed adds to hooks that an observer sees what the server does: what streams run
// and what orders them, copies, launches that CUDA refuses, child grids.
func observed(on *trace.Observer, arena *mem.Arena, hooks Hooks) Hooks {
	hooks = trackWrites(on.CopiedUnwritten, arena, hooks)
	hooks.Free = before(hooks.Free, onUnused(on.Unused))
	observeNesting(on, &hooks)
	hooks.Rejected = before(hooks.Rejected, on.Rejected)
	hooks.InvalidFree = before(hooks.InvalidFree, on.InvalidFree)
	hooks.Unread = before(hooks.Unread, on.Unread)
	hooks.Unseen = before(hooks.Unseen, on.Unseen)
	hooks.StuckWait = before(hooks.StuckWait, on.StuckWait)
	hooks.Failed = before(hooks.Failed, on.Failed)
	hooks.Order = before(hooks.Order, adapt(on.StreamOrder, streamOrder))
	hooks.Copy = before(hooks.Copy, adapt(on.Transfer, copied))
	hooks.Fill = before(hooks.Fill, adapt(on.Transfer, filled))
	hooks.InStream = before(hooks.InStream, adapt(on.Transfer, inStream))
	hooks.Freeing = before(hooks.Freeing, adapt(on.Freed, freed))
	hooks.Launch = before(hooks.Launch, adapt(on.Enqueued, enqueued))
	hooks.Begun = before(hooks.Begun, adapt(on.Runs, func(l *LaunchInfo) int { return l.ID }))
	hooks.Parked, hooks.Resumed = before(hooks.Parked, on.Parked), before(hooks.Resumed, on.Runs)
	hooks.HostWatched = before(hooks.HostWatched, on.HostWatched)
	hooks.HostFunction = adapt(on.Transfer, func(f *HostFunction) *trace.Transfer { return hostFunction(arena, f) })
	hooks.Operator = before(hooks.Operator, adapt(on.Transfer, func(o *Operator) *trace.Transfer { return operator(arena, o) }))
	hooks.HostTouch = before(hooks.HostTouch, adapt(on.HostTouch, func(t *trace.HostTouch) *trace.HostTouch {
		t.Memory = func(addr uint64) (trace.Memory, bool) { return describe(arena.Find(addr)) }
		return t
	}))
	launched := hooks.Launched
	hooks.Launched = func(l *LaunchInfo, r LaunchResult) {
		if on.Finished != nil {
			on.Finished(l.ID)
		}
		if launched != nil {
			launched(l, r)
		}
	}
	return hooks
}

// before returns a hook that calls f and then hook. Either may be nil.
func before[T any](hook, f func(T)) func(T) {
	switch {
	case hook == nil:
		return f
	case f == nil:
		return hook
	}
	return func(v T) {
		f(v)
		hook(v)
	}
}

// adapt returns a hook that converts what it gets for f; nil where f is.
func adapt[H, E any](f func(E), convert func(H) E) func(H) {
	if f == nil {
		return nil
	}
	return func(v H) { f(convert(v)) }
}

// describe describes an allocation, which may be nil.
func describe(al *mem.Allocation) (trace.Memory, bool) {
	if al == nil {
		return trace.Memory{}, false
	}
	return al.Describe(), true
}

var actions = [...]trace.StreamAction{
	OrderStream: trace.NewStream, OrderSyncDevice: trace.SyncDevice, OrderSyncStream: trace.SyncStream,
	OrderSyncEvent: trace.SyncEvent, OrderRecord: trace.RecordEvent, OrderWait: trace.WaitEvent,
	OrderName: trace.NameStream, OrderWaitValue: trace.WaitValue, OrderSawValue: trace.SawValue,
	OrderWroteValue: trace.WroteValue, OrderFunction: trace.PutFunction, OrderFunctionBegins: trace.RunFunction,
	OrderFunctionEnds: trace.EndFunction,
}

func streamOrder(o Order) *trace.StreamOrder {
	return &trace.StreamOrder{Action: actions[o.Kind], Stream: trace.Stream{Device: o.Device, ID: o.Stream},
		Event: o.Event, Range: o.Range, NonBlocking: o.NonBlocking, Moment: o.Moment, Name: o.Name, Library: o.Library}
}

func copied(c *Copy) *trace.Transfer {
	t := &trace.Transfer{Call: c.Call, Where: c.Where, FromDevice: c.Child, Stream: trace.Stream{Device: c.Device, ID: c.Stream},
		Memory: among(c.SrcAlloc, c.DstAlloc)}
	toHost, fromHost := visible(c.DstAlloc), visible(c.SrcAlloc)
	if c.SrcAlloc != nil {
		t.Reads = ranges(c.Src)
	}
	if c.DstAlloc != nil {
		t.Writes = ranges(c.Dst)
	}
	// CUDA Runtime API, "API synchronization behavior".
	t.Waits = !c.Child && (toHost && fromHost || !c.Async && (toHost || fromHost) || c.DstAlloc == nil)
	t.Staged = t.Waits && !toHost && c.SrcAlloc == nil
	return t
}

// visible reports whether the host has access to memory, nil being its own.
func visible(al *mem.Allocation) bool { return al == nil || al.Kind.HostVisible() }

func filled(f *Fill) *trace.Transfer {
	return &trace.Transfer{Call: f.Call, Where: f.Where, FromDevice: f.Child, Stream: trace.Stream{Device: f.Device, ID: f.Stream},
		Waits: !f.Async && visible(f.Alloc), Number: f.Number, Fence: f.Fence, Writes: ranges(f.Dst), Memory: among(f.Alloc)}
}

// among describes what an address is in, of allocations that may be nil.
func among(als ...*mem.Allocation) func(uint64) (trace.Memory, bool) {
	return func(addr uint64) (trace.Memory, bool) {
		for _, al := range als {
			if al != nil && addr-al.Base < al.Size {
				return describe(al)
			}
		}
		return trace.Memory{}, false
	}
}

func ranges(b Box) (out []trace.Range) {
	b.Ranges(func(addr, n uint64) { out = append(out, trace.Range{Addr: addr, N: n}) })
	return out
}

// hostFunction takes what a host function did for work of its stream.
func hostFunction(arena *mem.Arena, f *HostFunction) *trace.Transfer {
	t := &trace.Transfer{Call: "a host function", Where: f.Touch.Where, HostFunction: true, Number: f.Number, Stream: trace.Stream{Device: f.Device, ID: f.Stream},
		Memory: func(addr uint64) (trace.Memory, bool) { return describe(arena.Find(addr)) }}
	if f.Touch.Kind != trace.Write {
		t.Reads = f.Touch.Ranges
	}
	if f.Touch.Kind.Writes() {
		t.Writes = f.Touch.Ranges
	}
	return t
}

// operator takes what the program has done for work of a stream.
func operator(arena *mem.Arena, o *Operator) *trace.Transfer {
	return &trace.Transfer{Call: o.Call, Where: o.Where, Stream: trace.Stream{Device: o.Device, ID: o.Stream}, Reads: o.Reads, Writes: o.Writes,
		Memory: func(addr uint64) (trace.Memory, bool) { return describe(arena.Find(addr)) }}
}

// inStream takes memory's beginning and end in a stream for writes of all of it:
// what is not ordered with them may use other memory.
func inStream(s InStream) *trace.Transfer {
	does := trace.Allocates
	if s.Free {
		does = trace.Frees
	}
	return &trace.Transfer{Does: does, Call: s.Call, Where: s.Where, Stream: trace.Stream{Device: s.Device, ID: s.Stream},
		Writes: []trace.Range{{Addr: s.Alloc.Base, N: s.Alloc.Size}}, Memory: among(s.Alloc)}
}

func freed(f Freeing) *trace.Freed {
	return &trace.Freed{Range: trace.Range{Addr: f.Alloc.Base, N: f.Alloc.Size}, Waits: !f.InStream}
}

func enqueued(i *LaunchInfo) *trace.Enqueued {
	return &trace.Enqueued{Launch: i.ID, Where: i.Where, FromDevice: i.Child, Programmatic: i.Programmatic, Stream: trace.Stream{Device: i.Device, ID: i.Stream}}
}

// observeNesting adds to hooks that observers see what grids ask for.
func observeNesting(on *trace.Observer, hooks *Hooks) {
	grid := func(n *ChildWork) *trace.ChildGrid { return &trace.ChildGrid{Child: n.Child, Stream: n.Stream} }
	hooks.ChildBegins = before(hooks.ChildBegins, adapt(on.ChildBegins, grid))
	hooks.ChildEnds = before(hooks.ChildEnds, adapt(on.ChildEnds, grid))
	hooks.ChildOrder = before(hooks.ChildOrder, adapt(on.ChildOrder, func(n *ChildWork) *trace.ChildOrder {
		e := &trace.ChildOrder{Action: trace.RecordEvent, Child: n.Child, Stream: n.Stream, Event: n.Event}
		if n.Kind == ChildAwait {
			e.Action = trace.WaitEvent
		}
		return e
	}))
}
