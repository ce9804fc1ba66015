package race

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Happens-before between what the host puts into streams ("CUDA C++
// Programming Guide", "Asynchronous Concurrent Execution"). The work of a
// stream is numbered from 1; a moment says of each stream up to which number
// its work is known to be done.
//
// All threads of the host count as one: a wait of one holds for the others.

type moment map[trace.Stream]uint64

// join takes over what o knows.
func (m moment) join(o moment) {
	for s, n := range o {
		m[s] = max(m[s], n)
	}
}

// stream is what is known of a stream.
type stream struct {
	name string
	// n counts its work, knows is what its next work is ordered after.
	n           uint64
	knows       moment
	nonBlocking bool
	// done is its work that the host may not have waited for, the oldest first.
	// open says that what comes next can be joined to the last of it: nobody has
	// taken note of the stream's state in between.
	done []*work
	open bool
	// synced says what it or the host waited for last, heard is how often the
	// host had waited then.
	synced string
	heard  int
}

// streams are those of a program, and what the host knows.
type streams struct {
	of     map[trace.Stream]*stream
	host   moment
	events map[uint64]recorded
	// made counts those of the program, more says that there are others than the
	// default one.
	made int
	more bool
	// waits counts the host's waits, waited names the last one.
	waits  int
	waited string
}

// recorded is what an event stands for, and in which stream it is.
type recorded struct {
	moment
	stream string
}

func newStreams() streams {
	return streams{of: map[trace.Stream]*stream{}, host: moment{}, events: map[uint64]recorded{}}
}

// several reports whether there is more than one stream, so that work may be
// unordered.
func (ss *streams) several() bool { return ss.more }

func isLegacy(s trace.Stream) bool { return s.ID == 0 }

// get returns a stream, a default one made at its first use.
func (ss *streams) get(s trace.Stream) *stream {
	st := ss.of[s]
	if st == nil {
		st = &stream{knows: moment{}, name: "the default stream"}
		ss.of[s] = st
	}
	return st
}

// order takes note of an action of the host.
func (ss *streams) order(e *trace.StreamOrder) {
	switch e.Action {
	case trace.NewStream:
		ss.more = true
		name := e.Name
		if name == "" {
			ss.made++
			name = streamName(ss.made)
		}
		ss.of[e.Stream] = &stream{knows: moment{}, nonBlocking: e.NonBlocking, name: name}
	case trace.NameStream:
		ss.get(e.Stream).name = "stream " + e.Name
	case trace.SyncDevice:
		ss.syncDevice(e.Stream.Device)
	case trace.SyncStream:
		ss.wait(ss.now(e.Stream), ss.get(e.Stream).name)
	case trace.SyncEvent:
		ev := ss.events[e.Event]
		ss.wait(ev.moment, "an event of "+ev.stream)
	case trace.RecordEvent:
		ss.events[e.Event] = recorded{ss.now(e.Stream), ss.get(e.Stream).name}
	case trace.WaitEvent:
		st, ev := ss.get(e.Stream), ss.events[e.Event]
		if ev.moment == nil {
			return // never recorded: nothing to wait for
		}
		st.knows.join(ev.moment)
		st.open, st.synced, st.heard = false, "an event of "+ev.stream, ss.waits
	}
}

// syncedOn says what a stream's next work is ordered after explicitly.
func (ss *streams) syncedOn(st *stream) string {
	switch {
	case st.heard < ss.waits:
		return "the host's wait for " + ss.waited
	case st.synced != "":
		return st.synced
	}
	return "nothing"
}

// wait lets the host know a moment, that of what is named, and forgets work
// that is done for all that comes.
func (ss *streams) wait(m moment, name string) {
	ss.host.join(m)
	ss.waits++
	ss.waited = name
	for s, st := range ss.of {
		i := 0
		for i < len(st.done) && st.done[i].n <= ss.host[s] {
			i++
		}
		st.done = st.done[i:]
	}
}

func (ss *streams) syncDevice(device int) {
	all := moment{}
	for s, st := range ss.of {
		if s.Device == device {
			all.join(st.knows)
			all[s] = st.n
		}
	}
	ss.wait(all, "the device")
}

// now returns the moment when all work of a stream so far is done, and that of
// the streams that it waits for implicitly.
func (ss *streams) now(s trace.Stream) moment {
	m := moment{}
	m.join(ss.ready(s))
	st := ss.get(s)
	m[s] = st.n
	st.open = false
	return m
}

// ready returns what the next work of a stream is ordered after: the stream's
// own knowledge, the host's, and where it is a default stream that of the
// others of its device, and the other way round ("Default Stream").
func (ss *streams) ready(s trace.Stream) moment {
	st := ss.get(s)
	st.knows.join(ss.host)
	for o, other := range ss.of {
		if o == s || o.Device != s.Device || other.nonBlocking || st.nonBlocking || isLegacy(o) == isLegacy(s) {
			continue
		}
		st.knows.join(other.knows)
		if other.n > 0 {
			st.knows[o] = other.n
		}
		other.open = false
	}
	return st.knows
}

// begin numbers a new piece of work. It returns what the work is ordered after.
func (ss *streams) begin(s trace.Stream) (n uint64, after moment) {
	after = maps.Clone(ss.ready(s))
	st := ss.get(s)
	st.n++
	return st.n, after
}
