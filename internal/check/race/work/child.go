package work

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Happens-before between a grid and what its threads asked the device runtime
// for ("CUDA C++ Programming Guide", "CUDA Dynamic Parallelism", "Parent and
// Child Grids", "Global Memory", "Streams"):
//
//   - what is ordered before a launch in the launching thread is ordered before
//     the child grid;
//   - a child grid is ordered before what follows a cudaDeviceSynchronize of its
//     parent's block, and before the end of the parent;
//   - children of one stream follow each other, others follow events;
//   - what is in the tail stream follows the parent and all its other children.
//
// What the threads of a parent do is kept thread by thread (parent.go),
// what a child does with all its own children as one piece of work. When the
// parent is over the two are compared (siblings.go).

// childGrid is a grid that the host launched, or a grid, copy or fill that device code
// asked for.
type childGrid struct {
	parent *childGrid
	child  trace.Child
	// id is that of a launch of the host; parked: it has parked.
	id     int
	parked bool
	// work is what it and its children do; the host's grids have that of their
	// stream.
	work *piece
	// of is where the order of its children is kept, watch what its threads do;
	// nil where they ask for nothing.
	of       *siblings
	watch    *Parent
	children []*childGrid
	// stream is the one among the parent's, n its number there, after what it is
	// ordered after.
	stream trace.Stream
	n      uint64
	after  hb.StreamClock
	tail   bool
}

// root is the host's grid.
func (k *childGrid) root() *childGrid {
	for k.parent != nil {
		k = k.parent
	}
	return k
}

// siblings are the streams and events of a grid's children.
type siblings struct {
	of     map[trace.Stream]*deviceStream
	events map[uint64]hb.StreamClock
	alone  uint64
}

// deviceStream has n pieces of work; the next one is ordered after clock.
type deviceStream struct {
	n     uint64
	clock hb.StreamClock
}

func newSiblings() *siblings {
	return &siblings{of: map[trace.Stream]*deviceStream{}, events: map[uint64]hb.StreamClock{}}
}

// Devices stand for what tells streams of one handle apart.
const (
	gridStream  = -1 // one for the grid
	aloneStream = -2 // one for each child
)

// name tells a grid's streams apart. Each block has a default stream of its own.
func (s *siblings) name(block uint64, d trace.DeviceStream) trace.Stream {
	switch d {
	case trace.NullStream, trace.LegacyNullStream, trace.PerThreadStream:
		return trace.Stream{Device: 0, ID: block}
	case trace.FireAndForget:
		s.alone++
		return trace.Stream{Device: aloneStream, ID: s.alone}
	}
	return trace.Stream{Device: gridStream, ID: uint64(d)}
}

func (s *siblings) get(name trace.Stream) *deviceStream {
	st := s.of[name]
	if st == nil {
		st = &deviceStream{clock: hb.StreamClock{}}
		s.of[name] = st
	}
	return st
}

// add gives a child its place in its stream.
func (s *siblings) add(k *childGrid, d trace.DeviceStream) {
	k.stream, k.tail = s.name(k.child.Block, d), d == trace.TailStream
	st := s.get(k.stream)
	st.n++
	k.n, k.after = st.n, maps.Clone(st.clock)
}

// order notes events.
func (s *siblings) order(e *trace.ChildOrder) {
	name := s.name(e.Child.Block, e.Stream)
	st := s.get(name)
	if e.Action == trace.RecordEvent {
		m := maps.Clone(st.clock)
		m[name] = st.n
		s.events[e.Event] = m
		return
	}
	st.clock.Join(s.events[e.Event])
}

// ChildBegins is for trace.Observer.
func (d *Detector) ChildBegins(e *trace.ChildGrid) {
	k := &childGrid{parent: d.running, child: e.Child, work: &piece{}}
	d.running = k
	if p := k.parent; p != nil {
		if p.of == nil {
			p.of = newSiblings()
		}
		p.of.add(k, e.Stream)
	}
}

// ChildOrder is for trace.Observer.
func (d *Detector) ChildOrder(e *trace.ChildOrder) {
	if p := d.running; p != nil {
		if p.of == nil {
			p.of = newSiblings()
		}
		p.of.order(e)
	}
}

// ChildEnds is for trace.Observer.
func (d *Detector) ChildEnds(*trace.ChildGrid) {
	k := d.running
	if k == nil {
		return
	}
	d.running = k.parent
	if k.parent != nil {
		k.parent.children = append(k.parent.children, k)
	}
}

// gridOver compares what a grid and its children did, and makes one piece of
// work of it.
func (d *Detector) gridOver(k *childGrid) {
	if len(k.children) > 0 && k.watch != nil {
		d.compareChildren(k)
	}
	for _, child := range k.children {
		if k.parent != nil || d.watchesHost() {
			k.work.merge(child.work.uses)
		}
	}
	k.children, k.of, k.watch = nil, nil, nil
}

// watchesHost reports whether it matters to what the host does in other streams
// or by itself what a piece of work accesses.
func (d *Detector) watchesHost() bool {
	return d.streams.several() || d.hostMemory.watched() || d.dependent
}

// Parent returns the record of a launch whose threads may launch child grids, nil for
// others.
func (d *Detector) Parent(l *trace.Launch) *Parent {
	if !l.Nests || d.running == nil {
		return nil
	}
	d.running.watch = newParent(l)
	return d.running.watch
}
