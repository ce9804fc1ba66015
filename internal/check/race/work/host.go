package work

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
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
func (d *Detector) HostWatched(r trace.Range) { d.hostMemory = hostMemory{r.Addr, r.Addr + r.N} }

// HostTouch is for trace.Observer.
func (d *Detector) HostTouch(t *trace.HostTouch) {
	u := touchOf(t)
	if t.Incomplete || u.bytes.full {
		d.config.Stats.Incomplete++
	}
	if t.Acquires() {
		d.acquireFlag(u)
	}
	if d.busy() && len(d.late) < maxLate {
		u.Memory = u.remembered(t.Memory) // it may be freed before the launch ends
		d.late = append(d.late, lateTouch{u, maps.Clone(d.streams.host)})
	}
	if t.Kind.Writes() {
		d.values.wrote(&u.bytes, valueWrite{releases: true, host: maps.Clone(d.streams.host), touch: len(d.late)})
	}
	for s, st := range d.streams.of {
		for i := len(st.done) - 1; i >= 0 && st.done[i].n > d.streams.host[s]; i-- {
			d.compareTouch(st.done[i], u)
		}
	}
}

func touchOf(t *trace.HostTouch) *use {
	u := &use{Use: evidence.Use{Where: t.Where, Kind: t.Kind, Strong: t.Strong, Memory: t.Memory}}
	for _, r := range t.Ranges {
		u.bytes.add(extent{r.Addr, r.Addr + r.N})
	}
	u.bytes.settle()
	return u
}

// maxRemembered bounds the allocations that are remembered of an access.
const maxRemembered = 16

// remembered describes the allocations that a use accesses as they are now.
func (u *use) remembered(memory func(uint64) (trace.Memory, bool)) func(uint64) (trace.Memory, bool) {
	if memory == nil {
		return nil
	}
	var known []trace.Memory
	for _, x := range u.bytes.list[:min(len(u.bytes.list), maxRemembered)] {
		if m, ok := memory(x.lo); ok {
			known = append(known, m)
		}
	}
	return func(addr uint64) (trace.Memory, bool) {
		for _, m := range known {
			if addr-m.Base < m.Size {
				return m, true
			}
		}
		return trace.Memory{}, false
	}
}

// acquireFlag lets the host know of the kernels whose flags a strong read sees.
func (d *Detector) acquireFlag(u *use) {
	for s, st := range d.streams.of {
		for _, w := range st.done {
			if w.n <= d.streams.host[s] {
				continue
			}
			for _, v := range w.uses {
				if v.released[trace.ScopeSys].meets(&u.bytes) {
					m := maps.Clone(st.clock)
					m[s] = w.n
					d.streams.host.Join(m)
					d.streams.waited = flagOf(v)
				} else if v.Launch != nil && v.Strong && v.Kind.Writes() && v.bytes.meets(&u.bytes) {
					w.Flag = &v.Use
					v.DeviceFence = v.released[trace.ScopeGPU] != nil
				}
			}
		}
	}
}

// flagOf is what the host has waited for by reading what a use releases.
func flagOf(v *use) evidence.Synced {
	if v.Launch == nil {
		return evidence.Synced{For: evidence.ForValue}
	}
	return evidence.Synced{For: evidence.ForFlag, Kernel: v.Launch.Kernel}
}

// missingWaits are the waits that the host lacks, found by its races: one would have been
// for all that had been given to the stream.
type missingWaits struct {
	last   map[trace.Stream]missingWait
	number map[[2]usePlace]int
}

type missingWait struct {
	number int
	upTo   uint64
}

// usePlace is where in the program a use is.
type usePlace struct {
	kernel string
	site   *trace.Site
	call   string
	where  string
	kind   trace.Kind
}

func (u *use) place() usePlace {
	if u.Site != nil {
		return usePlace{kernel: u.Launch.Kernel, site: u.Site}
	}
	return usePlace{call: u.Call, where: u.Where, kind: u.Kind}
}

// of numbers the wait that a race of work in a stream with the host lacks.
func (m *missingWaits) of(w *piece, given uint64, places [2]usePlace) int {
	if m.last == nil {
		m.last, m.number = map[trace.Stream]missingWait{}, map[[2]usePlace]int{}
	}
	x := m.last[w.Stream]
	if w.n > x.upTo {
		x = missingWait{x.number + 1, given}
		m.last[w.Stream] = x
	}
	if m.number[places] == 0 {
		m.number[places] = x.number
	}
	return m.number[places]
}

// compareTouch looks for races of work that the host has not waited for with an
// access of the host. What host functions do is left out: threads of the host can
// order each other in ways that are not seen.
func (d *Detector) compareTouch(w *piece, touch *use) {
	for _, u := range w.uses {
		if u.Function || !(u.Kind.Writes() || touch.Kind.Writes()) || u.Strong && touch.Strong && u.reachesHost() {
			continue
		}
		if first, n := u.bytes.common(&touch.bytes); n > 0 {
			host := evidence.Work{Use: &touch.Use, Piece: &evidence.Piece{Synced: d.streams.waited}}
			d.report(&evidence.WorkPair{Between: evidence.WithHost, First: w.side(u), Then: host, Addr: first.lo, End: first.hi, Bytes: n, WaitedBy: -1,
				MissingWait: d.missing.of(w, d.streams.of[w.Stream].n, [2]usePlace{u.place(), touch.place()})})
		}
	}
}

// reachesHost reports whether a strong use is one for the host as well: volatile
// accesses are (PTX ISA, "volatile operation"), others at system scope, and values that
// streams write.
func (u *use) reachesHost() bool {
	return u.Site == nil && u.Call != "" || u.Site != nil && (u.Site.Order == trace.OrderVolatile || u.Site.Scope == trace.ScopeSys)
}
