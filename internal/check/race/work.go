package race

import (
	"cmp"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// work is a piece of work in a stream, or several one after the other between
// which nobody has taken note of the stream's state: a launch, a copy, a fill.
type work struct {
	stream trace.Stream
	name   string // the stream's
	graph  bool   // the stream is a branch of a graph
	n      uint64 // the last one's number
	seq    int    // in the order of all work
	late   int    // the touches in checker.late when it was enqueued
	after  moment // what its beginning is ordered after
	launch bool   // it is a kernel that the host launched
	dep    dependence
	flags  flagged
	where  string // the call's place, or ""
	synced string // what it was ordered after explicitly
	mu     sync.Mutex
	uses   []*use
	// flag is a strong write without a release that the host has read.
	flag *use
}

// use is what one site or one call does to which bytes.
type use struct {
	// launch and site are of a kernel, else call and where of the host's call.
	launch      *trace.Launch
	site        *trace.Site
	call, where string
	does        trace.TransferKind
	kind        trace.Kind
	strong      bool
	bytes       extents
	// early says that its launch did it before it waited for the grids that it
	// depends on.
	early bool
	// function marks what a host function of the stream did.
	function bool
	// memory describes allocations; it is nil for a kernel, whose launch does.
	memory func(uint64) (trace.Memory, bool)
	// released has, by the scope of a fence before them, the bytes of strong
	// writes; nil for none.
	released map[trace.Scope]*extents
}

func (w *work) add(u *use) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.uses = append(w.uses, u)
}

// same reports whether two uses are by one place of the program.
func (u *use) same(o *use) bool {
	if u.site != nil && o.site != nil {
		return u.early == o.early && u.site.ID == o.site.ID && u.launch.Kernel == o.launch.Kernel && u.launch.Module == o.launch.Module
	}
	return u.site == nil && o.site == nil && u.call == o.call && u.where == o.where && u.kind == o.kind
}

// take joins later work of the same stream.
func (w *work) take(o *work) {
	w.n = o.n
	w.merge(o.uses)
}

// merge adds uses, those of one place to each other.
func (w *work) merge(uses []*use) {
next:
	for _, u := range uses {
		for _, v := range w.uses {
			if v.same(u) {
				v.bytes.union(&u.bytes)
				v.release(u.released)
				continue next
			}
		}
		w.uses = append(w.uses, u)
	}
}

// release adds bytes that are released.
func (u *use) release(more map[trace.Scope]*extents) {
	for scope, bytes := range more {
		if u.released == nil {
			u.released = map[trace.Scope]*extents{}
		}
		if u.released[scope] == nil {
			u.released[scope] = &extents{}
		}
		u.released[scope].union(bytes)
	}
}

// conflict reports whether two uses of one place race if they are not ordered.
func (u *use) conflict(o *use) bool {
	return (u.kind.Writes() || o.kind.Writes()) && !(u.strong && o.strong)
}

// StreamOrder is for trace.Observer.
func (c *checker) StreamOrder(e *trace.StreamOrder) {
	c.settle()
	c.streams.order(e)
}

// Enqueued is for trace.Observer.
func (c *checker) Enqueued(e *trace.Enqueued) {
	if !e.Nested {
		c.settle()
		c.grids[e.Launch] = &kin{id: e.Launch, work: c.beginLaunch(e)}
		c.streams.unfinished++
	} else if c.running != nil {
		c.running.work.where = e.Where
	}
}

// Runs is for trace.Observer.
func (c *checker) Runs(launch int) {
	if k := c.grids[launch]; k != nil {
		c.running = k
	}
}

// Parked is for trace.Observer. The launch may be in a child grid that it waits for.
func (c *checker) Parked(launch int) {
	c.grids[launch], c.running = c.running, nil
	if k := c.grids[launch]; k != nil {
		k.parked = true
	}
}

func (c *checker) begin(s trace.Stream, where string) *work {
	w := c.newWork(s, where)
	c.streams.begin(w)
	return w
}

func (c *checker) newWork(s trace.Stream, where string) *work {
	st := c.streams.get(s)
	c.works++
	return &work{seq: c.works, late: len(c.late), stream: s, where: where, name: st.name, graph: st.graph, synced: c.streams.syncedOn(st)}
}

func (c *checker) beginLaunch(e *trace.Enqueued) *work {
	w := c.newWork(e.Stream, e.Where)
	w.launch = true
	c.dependent = c.dependent || e.Programmatic
	if e.Programmatic || len(c.streams.get(e.Stream).pending) > 0 {
		c.streams.beginDependent(w, e.Programmatic)
	} else {
		c.streams.begin(w)
	}
	return w
}

// footprints returns the observer of what a launch accesses, nil where all work
// is ordered.
func (c *checker) footprints(l *trace.Launch) *footprints {
	if c.running == nil {
		return nil
	}
	c.dependent = c.dependent || l.Dependent
	f := &footprints{work: c.running.work, launch: l, within: everywhere, grids: c.dependent}
	switch {
	case c.running.parent != nil, c.streams.several(), c.dependent:
	case c.hostMemory.watched():
		f.within = extent(c.hostMemory)
	default:
		return nil
	}
	f.fences = c.hostMemory.watched() && handsOver(l)
	return f
}

// Finished is for trace.Observer.
func (c *checker) Finished(int) {
	k := c.running
	if k == nil {
		return
	}
	c.gridOver(k)
	if k.parent == nil {
		c.running = nil
		c.ending = append(c.ending, k)
		if !k.parked { // otherwise the host's accesses before are yet to come
			c.settle()
		}
	}
}

// Transfer is for trace.Observer.
func (c *checker) Transfer(t *trace.Transfer) {
	if t.Nested {
		if k := c.running; k != nil {
			k.work.where = t.Where
			k.work.transfer(t, trace.Read, t.Reads)
			k.work.transfer(t, trace.Write, t.Writes)
		}
		return
	}
	c.settle()
	w := c.begin(t.Stream, t.Where)
	if c.watchesHost() {
		w.transfer(t, trace.Read, t.Reads)
		w.transfer(t, trace.Write, t.Writes)
		c.finish(w)
	}
	if t.Waits {
		c.streams.wait(c.streams.now(t.Stream), t.Call)
	}
}

func (w *work) transfer(t *trace.Transfer, k trace.Kind, rs []trace.Range) {
	u := &use{call: t.Call, where: t.Where, does: t.Does, kind: k, memory: t.Memory, function: t.HostFunction}
	for _, r := range rs {
		u.bytes.add(extent{r.Addr, r.Addr + r.N})
	}
	u.bytes.settle()
	if len(u.bytes.list) > 0 {
		w.add(u)
	}
}

// finish compares work with what other streams have that it is not ordered
// after, and keeps it.
func (c *checker) finish(w *work) {
	for s, st := range c.streams.of {
		if s == w.stream && w.dep.key == 0 {
			continue
		}
		for i := len(st.done) - 1; i >= 0 && st.done[i].n > w.after[s]; i-- {
			if d := st.done[i]; !w.flags.orders(w, d) {
				c.compareWork(d, w)
			}
		}
	}
	for _, u := range w.uses {
		if u.bytes.full {
			c.stats.Incomplete++
			break
		}
	}
	st := c.streams.get(w.stream)
	if k := len(st.done); k > 0 && st.open && st.done[k-1].n < w.n {
		st.done[k-1].take(w)
	} else if len(w.uses) > 0 {
		i, _ := slices.BinarySearchFunc(st.done, w.n, func(d *work, n uint64) int { return cmp.Compare(d.n, n) })
		st.done = slices.Insert(st.done, i, w)
	}
	alone := len(c.grids) == 0 // otherwise what runs is still to be compared with each
	if alone {
		st.joinWork(w.after[w.stream])
	}
	if len(st.done) > maxWork {
		c.forget(w.stream, st)
	}
	st.open = len(st.done) > 0 && !c.dependent && alone
}

// joinWork makes one piece of work of what all later work of the stream is ordered
// after: that up to a number.
func (st *stream) joinWork(upTo uint64) {
	i := 0
	for i < len(st.done) && st.done[i].n <= st.noted {
		i++
	}
	for i+1 < len(st.done) && st.done[i+1].n <= upTo {
		st.done[i].take(st.done[i+1])
		st.done = slices.Delete(st.done, i+1, i+2)
	}
}

// maxWork bounds the pieces of work that are kept of a stream whose work the
// host does not wait for.
const maxWork = 512

// forget drops the older half of a stream's work. What other streams may still
// race with counts as not checked.
func (c *checker) forget(s trace.Stream, st *stream) {
	half := len(st.done) / 2
	last := st.done[half-1].n
	for o, other := range c.streams.of {
		if o != s && other.n > 0 && other.knows[s] < last {
			c.stats.Incomplete++
			break
		}
	}
	st.done = slices.Delete(st.done, 0, half)
}

func (c *checker) compareWork(a, b *work) {
	if a.seq > b.seq { // it was enqueued later, and ended first
		a, b = b, a
	}
	if b.after.has(a) {
		return
	}
	awaited := b.dep.waits.has(a)
	for _, u := range a.uses {
		for _, v := range b.uses {
			if awaited && !v.early || !u.conflict(v) {
				continue
			}
			if first, n := u.bytes.common(&v.bytes); n > 0 {
				r := &streamRace{a: a, b: b, u: u, v: v, first: first, n: n, known: b.after[a.stream]}
				if awaited || b.dep.before != nil && a.stream == b.dep.before.stream {
					c.set.Add(c.dependentFinding(r, awaited))
				} else {
					c.set.Add(c.streamFinding(r))
				}
			}
		}
	}
}

// Freed is for trace.Observer.
func (c *checker) Freed(e *trace.Freed) {
	c.settle()
	if e.Waits {
		for s := range c.streams.of {
			c.streams.syncDevice(s.Device)
		}
	}
	for _, st := range c.streams.of {
		for _, w := range st.done {
			for _, u := range w.uses {
				u.bytes.remove(extent{e.Addr, e.Addr + e.N})
			}
		}
	}
}
