package work

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Happens-before between what the host puts into streams ("CUDA C++
// Programming Guide", "Asynchronous Concurrent Execution"). The work of a
// stream is numbered from 1.
//
// All threads of the host count as one: a wait of one holds for the others.

// stream is a stream with its clock.
type stream struct {
	name evidence.StreamName
	// n counts its work, clock is what its next work is ordered after.
	n           uint64
	clock       hb.StreamClock
	nonBlocking bool
	// done is its work that the host may not have waited for, the oldest first.
	// open: what comes next can be joined to the last of it, as the stream's state has not
	// been asked for in between.
	done []*piece
	open bool
	// synced is what it or the host waited for last, waits is how often the
	// host had waited then.
	synced evidence.Synced
	waits  int
	// last is its newest work, pending are the launches whose programmatic events it
	// waits for, noted is the number of its work when somebody took note of its state.
	last    *piece
	pending []*piece
	noted   uint64
}

// streams are those of a program, and what the host has waited for.
type streams struct {
	of     map[trace.Stream]*stream
	host   hb.StreamClock
	events map[uint64]recorded
	// made counts those of the program, more: there are others than the
	// default one.
	made int
	more bool
	// waits counts the host's waits, waited names the last one.
	waits  int
	waited evidence.Synced
	// unfinished counts the launches that have not ended.
	unfinished int
	// keys counts the launches that may begin early, keyed has the places of those
	// that may still be in a clock.
	keys  uint64
	keyed map[trace.Stream]place
}

// recorded is what an event stands for, and in which stream it is.
type recorded struct {
	hb.StreamClock
	stream evidence.StreamName
	// launch is the one that griddepcontrol.wait waits for after this event, nil for none.
	launch *piece
}

func newStreams() streams {
	return streams{of: map[trace.Stream]*stream{}, host: hb.StreamClock{}, events: map[uint64]recorded{}, keyed: map[trace.Stream]place{}}
}

// several reports whether there is more than one stream, so that work may be
// unordered.
func (ss *streams) several() bool { return ss.more }

func isLegacy(s trace.Stream) bool { return s.ID == 0 }

// get returns a stream, a default one made at its first use.
func (ss *streams) get(s trace.Stream) *stream {
	st := ss.of[s]
	if st == nil {
		st = &stream{clock: hb.StreamClock{}, name: evidence.StreamName{Device: s.Device}}
		ss.of[s] = st
	}
	return st
}

// order notes an action of the host.
func (ss *streams) order(e *trace.StreamOrder) {
	switch e.Action {
	case trace.NewStream:
		ss.more = true
		name := evidence.StreamName{Branch: e.Name, Library: e.Library}
		if e.Name == "" && e.Library == "" {
			ss.made++
			name.Number = ss.made
		}
		ss.of[e.Stream] = &stream{clock: hb.StreamClock{}, nonBlocking: e.NonBlocking, name: name}
	case trace.NameStream:
		ss.get(e.Stream).name.Given = e.Name
	case trace.SyncDevice:
		ss.syncDevice(e.Stream.Device)
	case trace.SyncStream:
		ss.wait(ss.now(e.Stream), evidence.Synced{For: evidence.ForStream, Stream: ss.get(e.Stream).name})
	case trace.SyncEvent:
		ev := ss.events[e.Event]
		ss.wait(ev.StreamClock, evidence.Synced{For: evidence.ForEvent, Stream: ev.stream})
	case trace.RecordEvent:
		ss.record(e)
	case trace.WaitEvent:
		st, ev := ss.get(e.Stream), ss.events[e.Event]
		if ev.StreamClock == nil {
			return // never recorded: nothing to wait for
		}
		st.clock.Join(ev.StreamClock)
		st.open, st.synced, st.waits = false, evidence.Synced{For: evidence.ForEvent, Stream: ev.stream}, ss.waits
		if ev.launch != nil && ev.launch.Stream != e.Stream {
			st.pending = append(st.pending, ev.launch)
		}
	}
}

// record notes what an event represents: all work of a stream, or that its last
// kernel has let its dependents begin or has only begun.
func (ss *streams) record(e *trace.StreamOrder) {
	st := ss.get(e.Stream)
	m := ss.now(e.Stream)
	if last := st.last; e.Moment != trace.Ended && last != nil && last.launch {
		r := recorded{maps.Clone(last.after), st.name, last}
		switch e.Moment {
		case trace.Triggered:
			r.StreamClock = last.triggered()
		case trace.Begun:
			r.launch = nil
		}
		ss.events[e.Event] = r
		return
	}
	ss.events[e.Event] = recorded{m, st.name, nil}
}

// syncedOn is what a stream's next work is ordered after explicitly.
func (ss *streams) syncedOn(st *stream) evidence.Synced {
	if st.waits < ss.waits {
		waited := ss.waited
		waited.ByHost = true
		return waited
	}
	return st.synced
}

// wait is a wait of the host: it completes a clock, and forgets work
// that is done for all that comes.
func (ss *streams) wait(m hb.StreamClock, is evidence.Synced) {
	ss.host.Join(m)
	ss.waits++
	ss.waited = is
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
	all := hb.StreamClock{}
	for s, st := range ss.of {
		if s.Device == device {
			st.settle()
			all.Join(st.clock)
			all[s] = st.n
		}
	}
	ss.wait(all, evidence.Synced{For: evidence.ForDevice})
}

// now returns the clock of all work of a stream so far, and of
// the streams that it waits for implicitly.
func (ss *streams) now(s trace.Stream) hb.StreamClock {
	st := ss.get(s)
	m := maps.Clone(ss.ready(s))
	if st.last != nil && st.last.dep.key > 0 {
		m.Join(st.last.ended())
	}
	m[s] = st.n
	ss.trim(m)
	st.note()
	return m
}

// ready returns what the next work of a stream is ordered after: the stream's
// own knowledge, the host's, and where it is a default stream that of the
// others of its device, and the other way round ("Default Stream").
func (ss *streams) ready(s trace.Stream) hb.StreamClock {
	st := ss.get(s)
	st.clock.Join(ss.host)
	for o, other := range ss.of {
		if o == s || o.Device != s.Device || other.nonBlocking || st.nonBlocking || isLegacy(o) == isLegacy(s) {
			continue
		}
		other.settle()
		st.clock.Join(other.clock)
		if other.n > 0 {
			st.clock[o] = other.n
		}
		other.note()
	}
	return st.clock
}

// note keeps a stream's work so far apart from what comes later, as its state at
// this moment matters to others.
func (st *stream) note() { st.open, st.noted = false, st.n }

// begin numbers a new piece of work that begins when all before it in its stream has
// ended.
func (ss *streams) begin(w *piece) {
	st := ss.get(w.Stream)
	st.settle()
	w.after = maps.Clone(ss.ready(w.Stream))
	w.after[w.Stream] = st.n
	ss.trim(w.after)
	st.n++
	w.n = st.n
	st.pending, st.last = nil, w
}
