// Package recall spares observers the barrier intervals that they know. Most
// blocks of a kernel access shared memory in the same way, interval by
// interval; a Group compares the events of an interval with those of earlier
// ones, event by event, and only where they differ do its observers get them.
//
// Where intervals do not repeat, since addresses or branches come from data, a sieve takes
// their place: it holds the accesses of an interval back as long as they cannot matter.
//
// recall.go follows intervals, learn.go keeps them; sieve.go has the states of units of memory and
// journal.go the accesses that are held back; layout.go is what generated code knows of both.
package recall

import (
	"encoding/binary"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Group stands before the block observers of one slot. Not all that it does for
// them takes place when an event comes: a known interval is sent at its end.
//
// The intervals that it knows are a tree. A node is an event; a path from the
// root to a node of kind end is an interval.
type Group struct {
	members []*trace.BlockObserver
	// to passes events to the members.
	to     *trace.BlockObserver
	launch *trace.Launch
	shapes *trace.Shapes
	nodes  []node // 0 is the root
	ends   []end  // 0 stands for a block's begin
	bars   []bar
	cursor Cursor
	// following is set if all events so far are those of the way to cur; none
	// of them has been sent. Otherwise log has them, unless it is incomplete.
	following, incomplete bool
	// orders has by site whether its accesses order others for an observer, nil if there is
	// no such observer.
	orders []bool
	// ordering are asked whether orders matters yet; fences is set if others want fences.
	ordering []func() bool
	fences   bool
	// asynchronous is set if the block has had an asynchronous copy. They
	// outlast intervals, so that nothing is sent late any more.
	asynchronous bool
	log          []event
	// last is the end of the interval before, 0 if that is not known, foresaw one that all observers foresee here, 0
	// for none.
	last, foresaw int32
	// known counts events that were not sent. full is set if there is no room
	// for more nodes.
	known uint64
	full  bool
	// sieve has the accesses of intervals that are not followed, as long as none of them
	// matters. told counts the events that were not known; retired is set once they are so
	// many that intervals are neither learned nor followed any more.
	sieve   sieve
	told    uint64
	retired bool
	block   *trace.Block
	// addr and access are scratch for events that are sent late.
	addr   [32]uint64
	access trace.Access
}

// Cursor is where a group is in its tree. Code that makes accesses by itself
// may move it: an access that is the event of node Next is known, and then At
// is that node and Next its child.
type Cursor struct {
	// Next is the node that the next event is expected to be, At the last one
	// that the interval was followed to; 0 for the root or none.
	Next, At int32
}

// event is an event in short. what is the site, the warp and the kind; where
// the place of an access: shape and base; a mask, that of an arrival with the
// barrier's number above it; or an index in ends or bars.
type event struct{ what, where uint64 }

type node struct {
	event
	// child is the first event seen after this one, alt another one in its
	// place; 0 for none. parent is the event before.
	child, alt, parent int32
	// tail is the end to which the expected events lead from here.
	tail int32
}

// end is the end of an interval.
type end struct {
	tokens []int32
	// begin is the interval's first node, events how many it has.
	begin  int32
	events uint64
	// first is the first node of the interval that last followed, or 0.
	first int32
}

// bar is a barrier of a part of the block.
type bar struct {
	site                   *trace.Site
	id                     int
	arrived, synced, again []uint32
}

type kind uint8

const (
	accessKind kind = iota
	syncKind        // a warp's
	fenceKind
	arriveKind // of lanes that do not wait at a barrier
	barKind
	endKind
	rootKind
	oddKind // an access to an mbarrier in a phase of odd parity
)

// Bounds on memory (nodes take 32 bytes each and events 16) and on how many
// events are examined in one place; the latest ones come first.
const (
	maxNodes = 1 << 15
	maxLog   = 1 << 14
	maxTried = 16
	maxTold  = 1 << 13
)

// New makes the group of a slot. shapes are the slot's, spare is the launch's; nil for none.
func New(l *trace.Launch, shapes *trace.Shapes, spare *Room) *Group {
	return &Group{launch: l, shapes: shapes, sieve: sieve{journal: journal{launch: l, shapes: shapes, spare: spare}}, nodes: []node{{event: event{what: uint64(rootKind)}}}, ends: make([]end, blockBegin+1)}
}

// Add puts an observer with an Interval into the group and returns what is left of
// it: an observer of the events that do not belong to intervals.
func (g *Group) Add(o *trace.BlockObserver) *trace.BlockObserver {
	g.members = append(g.members, o)
	g.sieve.add(o)
	g.to = trace.JoinBlocks(g.members)
	rest := *o
	o.Interval.Flush = g.flush
	if f := o.Interval.Orders; f != nil {
		g.addOrders(f, o.Interval.Ordering)
		rest.Global = g.ordered(o.Global)
	} else {
		g.fences = g.fences || o.Fence != nil
	}
	rest.Begin, rest.End, rest.Interval = nil, nil, nil
	rest.Shared, rest.Barrier, rest.Arrived, rest.WarpSync, rest.Fence = nil, nil, nil, nil, nil
	return &rest
}

// addOrders notes which sites order others for an observer, and from when on; nil stands for
// always.
func (g *Group) addOrders(f func(*trace.Site) bool, ordering func() bool) {
	if ordering == nil {
		ordering = func() bool { return true }
	}
	g.ordering = append(g.ordering, ordering)
	if g.orders == nil {
		g.orders = make([]bool, len(g.launch.Sites))
	}
	for i, s := range g.launch.Sites {
		g.orders[i] = g.orders[i] || f(s)
	}
	g.sieve.journal.entire = true // others than the first threads that have a unit may matter where something orders them
}

// inOrder reports whether accesses and fences order others for an observer by now.
func (g *Group) inOrder() bool {
	return slices.ContainsFunc(g.ordering, func(f func() bool) bool { return f() })
}

// ordered returns a function for accesses to global memory that comes before next.
func (g *Group) ordered(next func(*trace.Access)) func(*trace.Access) {
	if next == nil {
		return nil
	}
	return func(a *trace.Access) {
		if g.orders[a.Site.ID] && g.inOrder() {
			g.unknown()
			g.suspect()
		}
		next(a)
	}
}

// Observer returns the group as an observer: of the events that its members want,
// and of the barriers that end intervals.
func (g *Group) Observer() *trace.BlockObserver {
	o := &trace.BlockObserver{Begin: g.Begin, End: g.End, Shared: g.Access, Barrier: g.Barrier}
	if g.to.Arrived != nil {
		o.Arrived = g.Arrived
	}
	if g.to.WarpSync != nil {
		o.WarpSync = g.WarpSync
	}
	if g.to.Fence != nil {
		o.Fence = g.Fence
	}
	return o
}

func what(site *trace.Site, warp int, k kind) uint64 {
	return uint64(uint32(site.ID))<<32 | uint64(uint32(warp))<<8 | uint64(k)
}

// Begin begins a block.
func (g *Group) Begin(b *trace.Block) {
	if g.to.Begin != nil {
		g.to.Begin(b)
	}
	g.asynchronous, g.block = false, b
	if g.sieve.sites == nil {
		g.sieve.use(g.launch)
	}
	g.sieve.beginBlock(len(b.Shared))
	g.begin(blockBegin)
}

// Ends that no interval has: of those that are not kept, and before a block's first one.
const (
	notKept int32 = iota
	blockBegin
)

// begin starts an interval that follows end last.
func (g *Group) begin(last int32) {
	g.last, g.cursor.At = last, 0
	g.retired = g.retired || g.told > maxTold && g.told > g.known
	g.following, g.incomplete = !g.asynchronous && !g.retired, g.asynchronous || g.retired
	g.log = g.log[:0]
	g.cursor.Next, g.foresaw = 0, 0
	if !g.following {
		g.sieve.begin()
		if g.sieve.open && g.retired {
			g.sieve.ready()
		}
		return
	}
	if g.cursor.Next = g.ends[last].first; g.cursor.Next == 0 {
		g.cursor.Next = g.nodes[0].child
	}
	if g.cursor.Next != 0 && !g.foreseen(g.cursor.Next) {
		g.cursor.Next = 0 // another one may come
	}
}

// foreseen reports whether no observer has to see at once what is expected from a node on.
func (g *Group) foreseen(at int32) bool {
	e := &g.ends[g.nodes[at].tail]
	g.foresaw = 0
	for k, m := range g.members {
		if f := m.Interval.Foresees; f != nil && len(e.tokens) > 0 && !f(e.tokens[k]) {
			return false
		}
	}
	g.foresaw = g.nodes[at].tail
	return true
}

// Flush sends what the group withholds, before an event that observers get past it: of
// asynchronous operations, and of fences between proxies. Operations outlast intervals, so
// that nothing is sent late any more.
func (g *Group) Flush() {
	g.flush()
	g.asynchronous = true
}

// flush is for trace.IntervalObserver.
func (g *Group) flush() {
	g.unknown()
	g.suspect()
}

// Known takes note of an access to shared memory and returns true if no observer
// needs it now. Otherwise it has to be sent with Access next. base is the
// address of the lowest lane that takes part.
func (g *Group) Known(site *trace.Site, warp int, sh *trace.Shape, base uint64) bool {
	if g.orders != nil && g.orders[site.ID] {
		g.unknown()
		return false
	}
	k := accessKind
	if site.Op.IsMBarrier() {
		if sh.Or != 0 { // several objects may be in different phases
			g.unknown()
			return false
		}
		if upperWord(g.block.Shared, base)&oddPhase != 0 {
			k = oddKind
		}
	}
	return g.note(event{what(site, warp, k), uint64(uint32(sh.ID))<<32 | uint64(uint32(base))})
}

// oddPhase is the parity of the phase in the upper word of an mbarrier object.
const oddPhase = 1 << (trace.MBarrierPhaseBit - 32)

// upperWord is that of 8 bytes at an offset of shared memory, 0 outside of it.
func upperWord(shared []byte, at uint64) uint32 {
	if at+8 < at || at+8 > uint64(len(shared)) {
		return 0
	}
	return binary.LittleEndian.Uint32(shared[at+4:])
}

// phase has the upper word of an mbarrier object as it was before an access that is sent late, but for what changes with each arrival.
type phase uint32

func (p phase) Before(_, word int) uint32 { return uint32(p) * uint32(word&1) }

// Sieves reports whether the group neither learns nor follows the interval, and the sieve is open.
func (g *Group) Sieves() bool { return g.incomplete && !g.following && g.sieve.open && g.orders == nil }

// TakesRead takes a read that Known does not know, if the sieve has it: then it need not be sent.
func (g *Group) TakesRead(site *trace.Site, warp int, sh *trace.Shape, base uint64) bool {
	if g.orders != nil || !g.sieve.open || !g.sieve.takesRead(site, warp, sh, base) {
		return false
	}
	g.told++
	return true
}

// note follows the event, or logs it and returns false.
func (g *Group) note(e event) bool {
	if n := &g.nodes[g.cursor.Next]; n.event == e {
		g.cursor.At, g.cursor.Next = g.cursor.Next, n.child
		return true
	}
	return g.noteOther(e)
}

func (g *Group) noteOther(e event) bool {
	if g.following {
		if i := g.find(g.cursor.At, e); i != 0 && g.foreseen(i) {
			g.cursor.At, g.cursor.Next = i, g.nodes[i].child
			return true
		}
		g.tellAll()
	}
	g.record(e)
	return false
}

// find returns the event e after node at, 0 if it was not seen there.
func (g *Group) find(at int32, e event) int32 {
	n := 0
	for i := g.nodes[at].child; i != 0 && n < maxTried; i = g.nodes[i].alt {
		if g.nodes[i].event == e {
			return i
		}
		n++
	}
	return 0
}

func (g *Group) record(e event) {
	switch {
	case g.incomplete || g.full:
	case len(g.log) == maxLog:
		g.incomplete = true
	default:
		g.log = append(g.log, e)
	}
}

// WarpSync is the event of that name.
func (g *Group) WarpSync(e *trace.WarpSync) {
	if !g.note(event{what(e.Site, e.Warp, syncKind), uint64(e.Mask)}) {
		g.deliverSync(e)
	}
}

// Fence is the event of that name.
func (g *Group) Fence(e *trace.Fence) {
	if !g.fences && !g.inOrder() {
		return
	}
	if e.Scope != e.Site.Scope || e.Order != e.Site.Order || g.orders != nil {
		g.unknown()
	} else if g.note(event{what(e.Site, e.Warp, fenceKind), uint64(e.Mask)}) {
		return
	}
	g.suspect()
	g.to.Fence(e)
}

// Arrived is the event of that name.
func (g *Group) Arrived(e *trace.Arrival) {
	if !g.note(event{what(e.Site, e.Warp, arriveKind), uint64(uint32(e.ID))<<32 | uint64(e.Mask)}) {
		g.suspect()
		g.to.Arrived(e)
	}
}

// Barrier is the event of that name. A full one ends the interval.
func (g *Group) Barrier(e *trace.Barrier) {
	switch {
	case e.Full:
		last := g.finish()
		g.sendBarrier(e)
		g.begin(last)
		return
	case e.Divergent != nil:
		g.unknown()
	case g.note(event{uint64(uint32(e.Site.ID))<<32 | uint64(barKind), g.bar(e)}):
		return
	}
	g.suspect()
	g.sendBarrier(e)
}

// bar returns the index of a barrier of a part of the block.
func (g *Group) bar(e *trace.Barrier) uint64 {
	for i := range g.bars {
		b := &g.bars[i]
		if b.site == e.Site && b.id == e.ID && slices.Equal(b.arrived, e.Arrived) && slices.Equal(b.synced, e.Synced) && slices.Equal(b.again, e.Again) {
			return uint64(i)
		}
	}
	g.bars = append(g.bars, bar{e.Site, e.ID, slices.Clone(e.Arrived), slices.Clone(e.Synced), slices.Clone(e.Again)})
	return uint64(len(g.bars) - 1)
}

// End ends the block.
func (g *Group) End() {
	g.finish()
	g.sieve.journal.release()
	if g.to.End != nil {
		g.to.End()
	}
}
