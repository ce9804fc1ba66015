package race

import (
	"fmt"
	"maps"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Accesses of host code. They are ordered after the work that the host has
// waited for, and before what it puts into streams later; a strong read of what
// a kernel has written after a fence of system scope counts as a wait for that
// kernel (PTX ISA, "Memory Consistency Model": release and acquire patterns at
// system scope). It is taken to hand on all that the kernel did, which orders a
// little more than the model promises.

// hostMemory is the memory that host code is watched in, empty where it is not.
type hostMemory extent

func (h hostMemory) watched() bool { return h.hi > h.lo }

// HostWatched is for trace.Observer.
func (c *checker) HostWatched(r trace.Range) { c.hostMemory = hostMemory{r.Addr, r.Addr + r.N} }

// HostTouch is for trace.Observer.
func (c *checker) HostTouch(t *trace.HostTouch) {
	u := touchOf(t)
	if t.Incomplete || u.bytes.full {
		c.stats.Incomplete++
	}
	if t.Acquires() {
		c.acquireFlag(u)
	}
	if len(c.grids) > 0 && len(c.late) < maxLate {
		c.late = append(c.late, lateTouch{u, maps.Clone(c.streams.host)})
	}
	for s, st := range c.streams.of {
		for i := len(st.done) - 1; i >= 0 && st.done[i].n > c.streams.host[s]; i-- {
			c.compareTouch(st.done[i], u)
		}
	}
}

func touchOf(t *trace.HostTouch) *use {
	u := &use{call: "the host", where: t.Where, kind: t.Kind, strong: t.Strong, memory: t.Memory}
	for _, r := range t.Ranges {
		u.bytes.add(extent{r.Addr, r.Addr + r.N})
	}
	u.bytes.settle()
	return u
}

// acquireFlag lets the host know of the kernels whose flags a strong read sees.
func (c *checker) acquireFlag(u *use) {
	for s, st := range c.streams.of {
		for _, w := range st.done {
			if w.n <= c.streams.host[s] {
				continue
			}
			for _, v := range w.uses {
				if v.released[trace.ScopeSys].meets(&u.bytes) {
					m := maps.Clone(st.knows)
					m[s] = w.n
					c.streams.host.join(m)
					c.streams.waited = "a flag of kernel " + v.kernel()
				} else if v.strong && v.kind.Writes() && v.bytes.meets(&u.bytes) {
					w.flag = v
				}
			}
		}
	}
}

// missingWaits are the waits that the host lacks, found by its races: one would have been
// for all that had been given to the stream.
type missingWaits struct {
	last   map[trace.Stream]missingWait
	origin map[string]string // by the finding's key
}

type missingWait struct {
	id   int
	upTo uint64
}

// of names the wait that a race of work in a stream with the host lacks.
func (m *missingWaits) of(w *work, given uint64, key string) string {
	if m.last == nil {
		m.last, m.origin = map[trace.Stream]missingWait{}, map[string]string{}
	}
	x := m.last[w.stream]
	if w.n > x.upTo {
		x = missingWait{x.id + 1, given}
		m.last[w.stream] = x
	}
	if m.origin[key] == "" {
		m.origin[key] = fmt.Sprintf("wait %d of the host for %s", x.id, w.name)
	}
	return m.origin[key]
}

// compareTouch looks for races of work that the host has not waited for with an
// access of the host. What host functions do is left out: threads of the host can
// order each other in ways that are not seen.
func (c *checker) compareTouch(w *work, touch *use) {
	for _, u := range w.uses {
		if u.function || !(u.kind.Writes() || touch.kind.Writes()) || u.strong && touch.strong && u.reachesHost() {
			continue
		}
		if first, n := u.bytes.common(&touch.bytes); n > 0 {
			r := &hostRace{streamRace{a: w, b: &work{name: "the host", synced: c.streams.hostSynced()}, u: u, v: touch, first: first, n: n}}
			c.set.Add(c.hostFinding(r, c.missing.of(w, c.streams.of[w.stream].n, u.key()+"/"+touch.key())))
		}
	}
}

// reachesHost reports whether a strong use is one for the host as well: volatile
// accesses are (PTX ISA, "volatile operation"), others at system scope.
func (u *use) reachesHost() bool {
	return u.site != nil && (u.site.Order == trace.OrderVolatile || u.site.Scope == trace.ScopeSys)
}

// hostSynced says what the host waited for last.
func (ss *streams) hostSynced() string {
	if ss.waited == "" {
		return "nothing"
	}
	return ss.waited
}
