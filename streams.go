package warpgrind

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// tellStreams adds to hooks that checkers hear what the host does with streams.
func (s *session) tellStreams(arena *mem.Arena, hooks host.Hooks) host.Hooks {
	var ls streamListeners
	for _, c := range s.checkers {
		if l, ok := c.(trace.StreamListener); ok {
			ls = append(ls, l)
		}
	}
	if len(ls) == 0 {
		return hooks
	}
	ls.tellNesting(&hooks)
	hooks.Order = before(hooks.Order, ls.order)
	hooks.Copy = before(hooks.Copy, ls.copy)
	hooks.Fill = before(hooks.Fill, ls.fill)
	hooks.InStream = before(hooks.InStream, ls.inStream)
	hooks.Freeing = before(hooks.Freeing, ls.free)
	hooks.Launch = before(hooks.Launch, ls.launch)
	ls.hearHost(arena, &hooks)
	launched := hooks.Launched
	hooks.Launched = func(l *host.LaunchInfo, r host.LaunchResult) {
		for _, x := range ls {
			x.Finished(l.ID)
		}
		if launched != nil {
			launched(l, r)
		}
	}
	return hooks
}

// before returns a hook that calls f and then hook, which may be nil.
func before[T any](hook, f func(T)) func(T) {
	if hook == nil {
		return f
	}
	return func(v T) {
		f(v)
		hook(v)
	}
}

type streamListeners []trace.StreamListener

// hearHost adds to hooks that checkers hear of accesses of host code.
func (ls streamListeners) hearHost(arena *mem.Arena, hooks *host.Hooks) {
	for _, l := range ls {
		h, ok := l.(trace.HostListener)
		if !ok || !h.HearsHost() {
			continue
		}
		hooks.HostWatched = before(hooks.HostWatched, h.HostWatched)
		hooks.HostTouch = before(hooks.HostTouch, func(t *trace.HostTouch) {
			t.Memory = func(addr uint64) (trace.Memory, bool) { return describe(arena.Find(addr)) }
			h.HostTouch(t)
		})
	}
}

// describe describes an allocation, which may be nil.
func describe(al *mem.Allocation) (trace.Memory, bool) {
	if al == nil {
		return trace.Memory{}, false
	}
	return warp.Describe(al), true
}

var actions = [...]trace.StreamAction{
	host.OrderStream: trace.NewStream, host.OrderSyncDevice: trace.SyncDevice, host.OrderSyncStream: trace.SyncStream,
	host.OrderSyncEvent: trace.SyncEvent, host.OrderRecord: trace.RecordEvent, host.OrderWait: trace.WaitEvent,
	host.OrderName: trace.NameStream,
}

func (ls streamListeners) order(o host.Order) {
	e := &trace.StreamOrder{Action: actions[o.Kind], Stream: trace.Stream{Device: o.Device, ID: o.Stream},
		Event: o.Event, NonBlocking: o.NonBlocking, Programmatic: o.Programmatic, Name: o.Name}
	for _, l := range ls {
		l.StreamOrder(e)
	}
}

func (ls streamListeners) copy(c *host.Copy) {
	t := &trace.Transfer{Call: c.Call, Where: c.Where, Nested: c.Child, Stream: trace.Stream{Device: c.Device, ID: c.Stream},
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
	ls.transfer(t)
}

// visible reports whether the host has access to memory, nil being its own.
func visible(al *mem.Allocation) bool { return al == nil || al.Kind.HostVisible() }

func (ls streamListeners) fill(f *host.Fill) {
	ls.transfer(&trace.Transfer{Call: f.Call, Where: f.Where, Nested: f.Child, Stream: trace.Stream{Device: f.Device, ID: f.Stream},
		Waits: !f.Async && visible(f.Alloc), Writes: ranges(f.Dst), Memory: among(f.Alloc)})
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

func (ls streamListeners) transfer(t *trace.Transfer) {
	for _, l := range ls {
		l.Transfer(t)
	}
}

func ranges(b host.Box) (out []trace.Range) {
	b.Ranges(func(addr, n uint64) { out = append(out, trace.Range{Addr: addr, N: n}) })
	return out
}

// inStream takes memory's beginning and end in a stream for writes of all of it:
// what is not ordered with them may use other memory.
func (ls streamListeners) inStream(s host.InStream) {
	ls.transfer(&trace.Transfer{Call: s.Call, Where: s.Where, Stream: trace.Stream{Device: s.Device, ID: s.Stream},
		Writes: []trace.Range{{Addr: s.Alloc.Base, N: s.Alloc.Size}}, Memory: among(s.Alloc)})
}

func (ls streamListeners) free(f host.Freeing) {
	for _, l := range ls {
		l.Freed(trace.Range{Addr: f.Alloc.Base, N: f.Alloc.Size}, !strings.Contains(f.Call, "Async"))
	}
}

func (ls streamListeners) launch(i *host.LaunchInfo) {
	e := &trace.Enqueued{Launch: i.ID, Where: i.Where, Nested: i.Child, Programmatic: i.Programmatic, Stream: trace.Stream{Device: i.Device, ID: i.Stream}}
	for _, l := range ls {
		l.Enqueued(e)
	}
}
