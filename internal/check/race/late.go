package race

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Accesses of the host while a launch has not ended: they are compared with it when it has.
// Flags order them. A kernel that reads strongly what the host has written strongly is taken
// to do all after it; a strong read of the host of what the kernel has released is taken to
// come after all of it, as in acquireFlag. Both order a little more than the model promises.

// lateTouch is an access of the host, and what the host knew then.
type lateTouch struct {
	*use
	host moment
}

// maxLate bounds the accesses that are kept.
const maxLate = 1 << 12

// flagged is what flags order a launch after, and before: the accesses of the host before
// the one numbered first and what it knew then, and those from last on, if ends is set.
type flagged struct {
	first, last int
	ends        bool
	heard       moment
}

// orders reports whether flags order a launch and work of another stream.
func (f *flagged) orders(w, o *work) bool {
	return f.heard.has(o) || f.ends && o.seq > w.seq && o.late > f.last
}

// settle compares the launches that have ended.
func (c *checker) settle() {
	for len(c.ending) > 0 {
		k := c.ending[0]
		c.ending = c.ending[1:]
		delete(c.grids, k.id)
		c.streams.unfinished--
		c.finishLaunch(k.work)
	}
}

// finishLaunch is finish for a launch of the host.
func (c *checker) finishLaunch(w *work) {
	if len(c.late) > w.late {
		w.flags = c.flagsOf(w)
		for i := w.flags.first; i < w.flags.last; i++ {
			if t := c.late[i]; !t.host.has(w) {
				c.compareTouch(w, t.use)
			}
		}
	}
	c.finish(w)
	if w.flags.ends {
		m := maps.Clone(w.after)
		m[w.stream] = w.n
		c.streams.host.join(m)
	}
	if len(c.grids) == 0 {
		c.late = nil
		for _, st := range c.streams.of {
			for _, d := range st.done {
				d.late = 0
			}
		}
	}
}

// flagsOf finds the flags between the host and a launch.
func (c *checker) flagsOf(w *work) flagged {
	f := flagged{first: w.late, last: len(c.late)}
	for i := w.late; i < len(c.late); i++ {
		t := c.late[i]
		switch {
		case !t.strong:
		case t.kind.Writes() && w.polls(t.use):
			f.first, f.heard = i+1, t.host
		case !t.kind.Writes() && w.releases(t.use):
			f.last, f.ends = i, true
			return f
		}
	}
	return f
}

// polls reports whether a kernel reads strongly, for the host to be heard, what it wrote.
func (w *work) polls(t *use) bool {
	for _, u := range w.uses {
		if u.strong && u.kind != trace.Write && u.reachesHost() && u.bytes.meets(&t.bytes) {
			return true
		}
	}
	return false
}

// releases reports whether a kernel releases, for the host, what it read.
func (w *work) releases(t *use) bool {
	for _, u := range w.uses {
		if u.released[trace.ScopeSys].meets(&t.bytes) {
			return true
		}
	}
	return false
}
