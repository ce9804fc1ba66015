package session

import (
	"fmt"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Neighbors knows which launches are ordered before another one, from what the host does with
// streams: by vector clocks that count the launches of each stream.
type Neighbors struct {
	streams map[trace.Stream]*streamClock
	events  map[uint64]clocks
	host    clocks
	// recent are the last launches in the order of their enqueuing.
	recent []neighbor
}

// clocks say how many launches of each stream are known to be over.
type clocks map[trace.Stream]int

func (c clocks) join(o clocks) {
	for s, n := range o {
		c[s] = max(c[s], n)
	}
}

// streamClock is a stream: what comes before its next work, and how many launches it has had.
type streamClock struct {
	before      clocks
	launches    int
	nonBlocking bool
}

// neighbor is a launch: its number in its stream, from 1, and what comes before it.
type neighbor struct {
	capsule.Neighbor
	stream trace.Stream
	number int
	before clocks
}

// maxRecent bounds the launches that are compared, maxNeighbors those that a capsule names.
const (
	maxRecent    = 256
	maxNeighbors = 16
)

func NewNeighbors() *Neighbors {
	return &Neighbors{streams: map[trace.Stream]*streamClock{}, events: map[uint64]clocks{}, host: clocks{}}
}

func (n *Neighbors) Observer() *trace.Observer {
	return &trace.Observer{Enqueued: n.enqueued, StreamOrder: n.order, Transfer: func(t *trace.Transfer) {
		if t.Waits {
			n.host.join(n.at(t.Stream).before)
		}
	}}
}

func (n *Neighbors) at(s trace.Stream) *streamClock {
	c := n.streams[s]
	if c == nil {
		c = &streamClock{before: clocks{}}
		n.streams[s] = c
	}
	return c
}

func (n *Neighbors) order(e *trace.StreamOrder) {
	switch e.Action {
	case trace.NewStream:
		n.at(e.Stream).nonBlocking = e.NonBlocking
	case trace.SyncDevice:
		for s, c := range n.streams {
			if s.Device == e.Stream.Device {
				n.host.join(c.before)
			}
		}
	case trace.SyncStream:
		n.host.join(n.at(e.Stream).before)
	case trace.SyncEvent:
		n.host.join(n.events[e.Event])
	case trace.RecordEvent:
		n.events[e.Event] = maps.Clone(n.at(e.Stream).before)
	case trace.WaitEvent:
		n.at(e.Stream).before.join(n.events[e.Event])
	}
}

// enqueued puts a launch into its stream. The legacy default stream waits for the blocking ones,
// and they for it (CUDA C++ Programming Guide, "Default Stream").
func (n *Neighbors) enqueued(e *trace.Enqueued) {
	if e.FromDevice { // part of its parent
		return
	}
	s := n.at(e.Stream)
	s.before.join(n.host)
	for id, other := range n.streams {
		if legacy := id.ID == 0 || e.Stream.ID == 0; id != e.Stream && id.Device == e.Stream.Device && legacy && !other.nonBlocking && !s.nonBlocking {
			s.before.join(other.before)
		}
	}
	before := maps.Clone(s.before)
	if e.Programmatic { // it may begin before the launch before it has ended
		before[e.Stream] = max(s.launches-1, n.host[e.Stream])
	}
	s.launches++
	n.recent = append(n.recent, neighbor{Neighbor: capsule.Neighbor{Launch: e.Launch, Stream: e.Stream.ID, Where: e.Where},
		stream: e.Stream, number: s.launches, before: before})
	s.before[e.Stream] = s.launches
	if len(n.recent) > maxRecent {
		n.recent = slices.Delete(n.recent, 0, len(n.recent)-maxRecent)
	}
}

// runs tells the kernel of a launch.
func (n *Neighbors) runs(id int, kernel string) {
	for i := range n.recent {
		if n.recent[i].Launch == id {
			n.recent[i].Kernel = kernel
		}
	}
}

// of lists the launch before one in its stream, and the ones that are not ordered with it, the
// nearest first.
func (n *Neighbors) of(id int) []capsule.Neighbor {
	i := slices.IndexFunc(n.recent, func(l neighbor) bool { return l.Launch == id })
	if i < 0 {
		return nil
	}
	l := &n.recent[i]
	var out []capsule.Neighbor
	for k := len(n.recent) - 1; k >= 0 && len(out) < maxNeighbors; k-- {
		o := &n.recent[k]
		same := o.stream == l.stream
		x := o.Neighbor
		switch {
		case k == i:
			continue
		case same && o.number == l.number-1 && l.before[l.stream] < o.number:
			x.Order = capsule.Overlaps
		case same && o.number == l.number-1:
			x.Order = capsule.Precedes
		case k < i && l.before[o.stream] < o.number, k > i && o.before[l.stream] < l.number:
			x.Order = capsule.Unordered
		default:
			continue
		}
		out = append(out, x)
	}
	return out
}

// unordered describes the neighbors that may run at the same time.
func unordered(list []capsule.Neighbor) []string {
	var out []string
	for _, n := range list {
		if n.Order != capsule.Precedes {
			out = append(out, "what launch "+describeNeighbor(&n)+" accesses, which may run at the same time")
		}
	}
	return out
}

func describeNeighbor(n *capsule.Neighbor) string {
	text := fmt.Sprint(n.Launch)
	if n.Kernel != "" {
		text += " (" + finding.Demangle(n.Kernel) + ")"
	}
	if n.Where != "" {
		text += " at " + n.Where
	}
	return text
}

// Unawaited reports whether there are launches in streams that the default stream does not wait for, and the host
// has not waited for either.
func (n *Neighbors) Unawaited() bool {
	for id, s := range n.streams {
		if s.nonBlocking && n.host[id] < s.launches {
			return true
		}
	}
	return false
}
