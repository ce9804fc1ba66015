package work

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Accesses of the host while a launch has not ended: they are compared with it when it has.
// Flags order them. A kernel that reads strongly what the host has written strongly is taken
// to do all after it; a strong read of the host of what the kernel has released is taken to
// come after all of it, as in acquireFlag. Both order a little more than the model promises.

// lateTouch is an access of the host, and what the host knew then.
type lateTouch struct {
	*use
	host hb.StreamClock
}

// maxLate bounds the accesses that are kept.
const maxLate = 1 << 12

// flagged is what flags order a launch after, and before: the accesses of the host before
// the one numbered first and what it had waited for then, and those from last on, if ends is set.
type flagged struct {
	first, last int
	ends        bool
	before      hb.StreamClock
}

// orders reports whether flags order a launch and work of another stream.
func (f *flagged) orders(w, o *piece) bool {
	return complete(f.before, o) || f.ends && o.seq > w.seq && o.late > f.last
}

// busy reports whether there is work that is not compared yet with what the host does.
func (d *Detector) busy() bool {
	return len(d.grids) > 0 || len(d.values.waits) > 0 || len(d.functions) > 0
}

// Settle compares the work that has ended.
func (d *Detector) Settle() {
	d.settleEnded()
	d.resolve()
}

// settleEnded compares the launches that have ended.
func (d *Detector) settleEnded() {
	for len(d.ending) > 0 {
		k := d.ending[0]
		d.ending = d.ending[1:]
		delete(d.grids, k.id)
		d.streams.unfinished--
		d.resolveDoubts()
		d.finishLaunch(k.work)
	}
}

// finishLaunch is finish for a launch of the host, and for other work that may end after the
// host has gone on.
func (d *Detector) finishLaunch(w *piece) {
	d.polledValues(w)
	if w.waitsForValue() {
		d.values.held = append(d.values.held, w)
		return
	}
	d.ran(w)
	if len(d.late) > w.late {
		w.flags = d.flagsOf(w)
		for i := w.flags.first; i < w.flags.last; i++ {
			if t := d.late[i]; !complete(t.host, w) {
				d.compareTouch(w, t.use)
			}
		}
	}
	d.finish(w)
	if w.flags.ends {
		m := maps.Clone(w.after)
		m[w.Stream] = w.n
		d.streams.host.Join(m)
	}
	if !d.busy() {
		d.late = nil
		d.eachPiece(func(w *piece) { w.late, w.flags.first = 0, 0 })
		for _, v := range d.values.words {
			if v != nil {
				v.touch = 0
			}
		}
	}
}

// flagsOf finds the flags between the host and a launch.
func (d *Detector) flagsOf(w *piece) flagged {
	f := flagged{first: max(w.late, w.flags.first), last: len(d.late)}
	for i := f.first; i < len(d.late); i++ {
		t := d.late[i]
		switch {
		case !t.Strong:
		case t.Kind.Writes() && w.polls(t.use):
			f.first, f.before = i+1, t.host
		case !t.Kind.Writes() && w.releases(t.use):
			f.last, f.ends = i, true
			return f
		}
	}
	return f
}

// polls reports whether a kernel reads strongly, with a reach that includes the host, what it wrote.
func (w *piece) polls(t *use) bool {
	for _, u := range w.uses {
		if u.Strong && u.Kind != trace.Write && u.reachesHost() && u.bytes.meets(&t.bytes) {
			return true
		}
	}
	return false
}

// releases reports whether a kernel releases, for the host, what it read.
func (w *piece) releases(t *use) bool {
	for _, u := range w.uses {
		if u.released[trace.ScopeSys].meets(&t.bytes) {
			return true
		}
	}
	return false
}
