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
	// graph says that it is a branch of a graph, which the program did not make.
	graph bool
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
	// last is its newest work, pending are the launches whose programmatic events it
	// waits for, noted is the number of its work when somebody took note of its state.
	last    *work
	pending []*work
	noted   uint64
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
	// unfinished counts the launches that have not ended.
	unfinished int
	// keys counts the launches that may begin early, keyed has the places of those
	// that may still be in a moment.
	keys  uint64
	keyed map[trace.Stream]place
}

// recorded is what an event stands for, and in which stream it is.
type recorded struct {
	moment
	stream string
	// launch is the one whose programmatic event it is, nil for others.
	launch *work
}

func newStreams() streams {
	return streams{of: map[trace.Stream]*stream{}, host: moment{}, events: map[uint64]recorded{}, keyed: map[trace.Stream]place{}}
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
		ss.of[e.Stream] = &stream{knows: moment{}, nonBlocking: e.NonBlocking, name: name, graph: e.Name != ""}
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
		ss.record(e)
	case trace.WaitEvent:
		st, ev := ss.get(e.Stream), ss.events[e.Event]
		if ev.moment == nil {
			return // never recorded: nothing to wait for
		}
		st.knows.join(ev.moment)
		st.open, st.synced, st.heard = false, "an event of "+ev.stream, ss.waits
		if ev.launch != nil && ev.launch.stream != e.Stream {
			st.pending = append(st.pending, ev.launch)
		}
	}
}

// record notes what an event stands for: all work of a stream, or that the last
// kernel's dependents may begin.
func (ss *streams) record(e *trace.StreamOrder) {
	st := ss.get(e.Stream)
	m := ss.now(e.Stream)
	if e.Programmatic && st.last != nil && st.last.launch {
		ss.events[e.Event] = recorded{st.last.triggered(), st.name, st.last}
		return
	}
	ss.events[e.Event] = recorded{m, st.name, nil}
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
	if ss.unfinished > 0 { // launches that are still to be compared with it
		return
	}
	for s, st := range ss.of {
		i := 0
		for i < len(st.done) && st.done[i].n <= ss.host[s] {
			i++
		}
		st.done = st.done[i:]
	}
	ss.forgetKeys()
}

func (ss *streams) syncDevice(device int) {
	all := moment{}
	for s, st := range ss.of {
		if s.Device == device {
			st.settle()
			all.join(st.knows)
			all[s] = st.n
		}
	}
	ss.wait(all, "the device")
}

// now returns the moment when all work of a stream so far is done, and that of
// the streams that it waits for implicitly.
func (ss *streams) now(s trace.Stream) moment {
	st := ss.get(s)
	m := maps.Clone(ss.ready(s))
	if st.last != nil && st.last.dep.key > 0 {
		m.join(st.last.complete())
	}
	m[s] = st.n
	ss.trim(m)
	st.note()
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
		other.settle()
		st.knows.join(other.knows)
		if other.n > 0 {
			st.knows[o] = other.n
		}
		other.note()
	}
	return st.knows
}

// note keeps a stream's work so far apart from what comes later, as its state at
// this moment matters to others.
func (st *stream) note() { st.open, st.noted = false, st.n }

// begin numbers a new piece of work that begins when all before it in its stream has
// ended.
func (ss *streams) begin(w *work) {
	st := ss.get(w.stream)
	st.settle()
	w.after = maps.Clone(ss.ready(w.stream))
	w.after[w.stream] = st.n
	ss.trim(w.after)
	st.n++
	w.n = st.n
	st.pending, st.last = nil, w
}
