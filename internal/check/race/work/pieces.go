package work

import (
	"cmp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Detector finds races between pieces of work: what the host puts into streams, what it
// does itself, and child grids.
type Detector struct {
	config *evidence.Config
	report func(*evidence.WorkPair)
	// streams orders launches and transfers, running is the grid that runs, or the
	// last child of those that do.
	streams streams
	running *childGrid
	// grids are the launches that have not ended, by ID: each the grid that it runs.
	grids map[int]*childGrid
	// ending are launches that had parked and have ended since the host's last action.
	ending []*childGrid
	// late is what the host accessed while launches had not ended. pieces counts work.
	late   []lateTouch
	pieces int
	// dependent: launches may begin before those before them have ended.
	dependent bool
	// hostMemory is where accesses of host code are watched.
	hostMemory hostMemory
	// values order streams by what they wait for in memory.
	values values
	// functions are the host functions that have not ended, by number.
	functions map[uint64]*piece
	// missing are the waits that the host lacks.
	missing missingWaits
	// spare is room for what launches access.
	spare spareMarks
	// relays are the kernels that have synchronized, moments counts the begins and ends of launches.
	relays  relays
	moments int
}

// New makes the detector of a run. report takes the pairs that it finds.
func New(c *evidence.Config, report func(*evidence.WorkPair)) *Detector {
	return &Detector{config: c, report: report, streams: newStreams(), grids: map[int]*childGrid{}, values: newValues(), functions: map[uint64]*piece{},
		relays: relays{carried: carried{}}}
}

// StreamOrder is for trace.Observer.
func (d *Detector) StreamOrder(e *trace.StreamOrder) {
	d.Settle()
	switch e.Action {
	case trace.WaitValue:
		d.waitValue(e)
	case trace.SawValue:
		d.sawValue(e.Event)
	case trace.PutFunction:
		d.streams.get(e.Stream).note() // the host may wait for what comes before it alone
		d.functions[e.Event] = d.begin(e.Stream, "")
		d.streams.unfinished++
	case trace.RunFunction:
		d.runFunction(e.Event)
	case trace.EndFunction:
		d.endFunction(e.Event)
	case trace.WroteValue:
		d.wroteValue(e.Event)
	default:
		d.streams.order(e)
	}
}

// Enqueued is for trace.Observer.
func (d *Detector) Enqueued(e *trace.Enqueued) {
	if !e.FromDevice {
		d.Settle()
		d.grids[e.Launch] = &childGrid{id: e.Launch, work: d.beginLaunch(e)}
		d.streams.unfinished++
	} else if d.running != nil {
		d.running.work.Where = e.Where
	}
}

// Runs is for trace.Observer.
func (d *Detector) Runs(launch int) {
	if k := d.grids[launch]; k != nil {
		d.running = k
		w := k.root().work
		d.values.begun[w] = true
		if w.from == 0 {
			d.moments++
			w.from = d.moments
		}
	}
}

// Parked is for trace.Observer. The launch may be in a child grid that it waits for.
func (d *Detector) Parked(launch int) {
	d.grids[launch], d.running = d.running, nil
	if k := d.grids[launch]; k != nil {
		k.parked = true
	}
}

func (d *Detector) begin(s trace.Stream, where string) *piece {
	w := d.newWork(s, where)
	d.streams.begin(w)
	return w
}

func (d *Detector) newWork(s trace.Stream, where string) *piece {
	st := d.streams.get(s)
	d.pieces++
	return &piece{seq: d.pieces, late: len(d.late), Piece: evidence.Piece{Stream: s, Where: where, Name: st.name, Graph: st.name.Branch != "", Synced: d.streams.syncedOn(st)}}
}

func (d *Detector) beginLaunch(e *trace.Enqueued) *piece {
	w := d.newWork(e.Stream, e.Where)
	w.launch = true
	d.dependent = d.dependent || e.Programmatic
	if e.Programmatic || len(d.streams.get(e.Stream).pending) > 0 {
		d.streams.beginDependent(w, e.Programmatic)
	} else {
		d.streams.begin(w)
	}
	return w
}

// Observer returns what the detector wants of the run, host code's accesses too where these
// are watched. Launch is left to the caller.
func (d *Detector) Observer(host bool) *trace.Observer {
	o := &trace.Observer{StreamOrder: d.StreamOrder, Transfer: d.Transfer, Enqueued: d.Enqueued, Runs: d.Runs, Parked: d.Parked,
		Finished: d.Finished, Freed: d.Freed, ChildBegins: d.ChildBegins, ChildOrder: d.ChildOrder, ChildEnds: d.ChildEnds}
	if host {
		o.HostWatched, o.HostTouch = d.HostWatched, d.HostTouch
	}
	return o
}

// Launch returns the observer of what a launch accesses, nil where all work is ordered.
func (d *Detector) Launch(l *trace.Launch) *trace.LaunchObserver {
	if f := d.footprints(l); f != nil {
		return f.observer()
	}
	return nil
}

func (d *Detector) footprints(l *trace.Launch) *footprints {
	if d.running == nil {
		return nil
	}
	d.dependent = d.dependent || l.Dependent
	f := &footprints{work: d.running.work, launch: l, within: everywhere, grids: d.dependent, spare: &d.spare}
	switch {
	case d.running.parent != nil, d.streams.several(), d.dependent:
	case d.hostMemory.watched():
		f.within = extent(d.hostMemory)
	default:
		return nil
	}
	f.fences = hb.MaySynchronize(l)
	if f.fences && d.streams.several() && d.running.parent == nil && !l.Nests && d.running.work.dep.key == 0 {
		w := d.running.work
		w.syncs = &syncs{}
		f.sites, f.carried, f.before = d.config.Sites(l), d.relays.carried, d.relays.carried.closure(d.relays.acquiredBefore(w, 0))
	}
	return f
}

// Finished is for trace.Observer.
func (d *Detector) Finished(int) {
	k := d.running
	if k == nil {
		return
	}
	d.gridOver(k)
	if k.parent == nil {
		d.moments++
		k.work.to = d.moments
		done := d.streams.host
		if d.streams.unfinished > 1 { // they may have to be compared with what the host has waited for
			done = nil
		}
		d.relays.add(k.work, done)
		d.running = nil
		d.ending = append(d.ending, k)
		if !k.parked { // otherwise the host's accesses before are yet to come
			d.settleEnded()
		}
	}
}

// Transfer is for trace.Observer.
func (d *Detector) Transfer(t *trace.Transfer) {
	if t.FromDevice {
		if k := d.running; k != nil {
			k.work.Where = t.Where
			k.work.transfer(t, trace.Read, t.Reads)
			k.work.transfer(t, trace.Write, t.Writes)
		}
		return
	}
	if t.HostFunction {
		d.functionDid(t)
		return
	}
	d.Settle()
	staged := d.arrivesLate(t)
	if staged {
		d.streams.wait(d.streams.now(t.Stream), d.streams.waited)
	}
	w := d.begin(t.Stream, t.Where)
	if staged || d.watchesHost() {
		w.transfer(t, trace.Read, t.Reads)
		w.transfer(t, trace.Write, t.Writes)
		if t.Number != 0 {
			d.putValue(w, t)
		} else {
			for _, u := range w.uses {
				if u.Kind.Writes() {
					d.values.wrote(&u.bytes, valueWrite{by: w, releases: true})
				}
			}
		}
		d.finishTransfer(w)
	}
	if t.Waits && !staged {
		d.streams.wait(d.streams.now(t.Stream), evidence.Synced{For: evidence.ForCall, Call: t.Call})
	}
}

// stagedAtOnce bounds the copies of which no measurement has found one that arrives late.
const stagedAtOnce = 256 << 10

// arrivesLate reports whether a copy from pageable memory may still be under way when the call returns: a small
// one only where the policy asks for it.
func (d *Detector) arrivesLate(t *trace.Transfer) bool {
	policy, bytes := d.config.Policy.Staged, uint64(0)
	for _, r := range t.Writes {
		bytes += r.N
	}
	return t.Staged && !policy.Allow && (policy.Set || bytes > stagedAtOnce)
}

// finishTransfer is finish for what the host enqueues, unless it comes after a wait for a value.
func (d *Detector) finishTransfer(w *piece) {
	if w.waitsForValue() {
		d.values.held = append(d.values.held, w)
		return
	}
	d.ran(w)
	d.finish(w)
}

func (w *piece) transfer(t *trace.Transfer, k trace.Kind, rs []trace.Range) {
	u := &use{Use: evidence.Use{Call: t.Call, Where: t.Where, Does: t.Does, Kind: k, Memory: t.Memory, Function: t.HostFunction, Staged: t.Staged}}
	for _, r := range rs {
		u.bytes.add(extent{r.Addr, r.Addr + r.N})
		u.Copied += r.N
	}
	u.bytes.settle()
	if len(u.bytes.list) > 0 {
		w.add(u)
	}
}

// finish compares work with what other streams have that it is not ordered
// after, and keeps it.
func (d *Detector) finish(w *piece) {
	d.streams.resolve(w)
	for s, st := range d.streams.of {
		if s == w.Stream && w.dep.key == 0 {
			continue
		}
		for i := len(st.done) - 1; i >= 0 && st.done[i].n > w.after[s]; i-- {
			if o := st.done[i]; !w.flags.orders(w, o) {
				d.compareWork(o, w)
			}
		}
	}
	for _, u := range w.uses {
		if u.bytes.full {
			d.config.Stats.Incomplete++
			break
		}
	}
	st := d.streams.get(w.Stream)
	// The host may have waited for the last one before that ran, as work may run late. A launch
	// that may begin early has a key of its own in clocks, which joining would lose.
	if k := len(st.done); k > 0 && st.open && w.dep.key == 0 && st.mayTake(st.done[k-1], w) && st.done[k-1].n < w.n && st.done[k-1].n > st.noted {
		st.done[k-1].take(w)
	} else if len(w.uses) > 0 {
		i, _ := slices.BinarySearchFunc(st.done, w.n, func(o *piece, n uint64) int { return cmp.Compare(o.n, n) })
		st.done = slices.Insert(st.done, i, w)
	}
	alone := !d.busy() // otherwise what runs is still to be compared with each
	if alone {
		st.joinWork(w.after[w.Stream])
	}
	if len(st.done) > maxWork {
		d.forget(w.Stream, st)
	}
	st.open = len(st.done) > 0 && !d.dependent && alone
}

// maxApart is how many pieces a stream keeps apart of which a kernel may synchronize. Those before them are joined, and
// count as ordered by what orders the first of them.
const maxApart = 16

// mayTake reports whether a piece may take the next one: what a kernel releases is from before it.
func (st *stream) mayTake(w, next *piece) bool {
	return w.syncs == nil && next.syncs == nil || len(st.done) > maxApart
}

// joinWork makes one piece of work of what all later work of the stream is ordered
// after: that up to a number.
func (st *stream) joinWork(upTo uint64) {
	i := 0
	for i < len(st.done) && st.done[i].n <= st.noted {
		i++
	}
	for i+1 < len(st.done) && st.done[i+1].n <= upTo {
		if !st.mayTake(st.done[i], st.done[i+1]) {
			i++
			continue
		}
		st.done[i].take(st.done[i+1])
		st.done = slices.Delete(st.done, i+1, i+2)
	}
}

// maxWork bounds the pieces of work that are kept of a stream whose work the
// host does not wait for.
const maxWork = 512

// forget drops the older half of a stream's work. What other streams may still
// race with counts as not checked.
func (d *Detector) forget(s trace.Stream, st *stream) {
	half := len(st.done) / 2
	last := st.done[half-1].n
	for o, other := range d.streams.of {
		if o != s && other.n > 0 && other.clock[s] < last {
			d.config.Stats.Incomplete++
			break
		}
	}
	st.done = slices.Delete(st.done, 0, half)
}

func (d *Detector) compareWork(a, b *piece) {
	if a.seq > b.seq { // it was enqueued later, and ended first
		a, b = b, a
	}
	if complete(b.after, a) || complete(a.after, b) { // the latter by a value
		return
	}
	awaited := complete(b.dep.waits, a)
	for _, u := range a.uses {
		for _, v := range b.uses {
			if awaited && !v.Early || !u.conflict(v) {
				continue
			}
			d.compareUses(&doubt{a, b, u, v, awaited})
		}
	}
}

// compareUses reports two uses that conflict unless words order them.
func (d *Detector) compareUses(p *doubt) {
	first, n := d.relays.unordered(p)
	switch {
	case n == 0:
	case min(p.a.seq, p.b.seq) < d.relays.dropped: // a kernel that is forgotten may order them
		d.config.Stats.Incomplete++
	case !d.synchronizing():
		d.report(raced(p.a, p.b, p.u, p.v, first, n, p.awaited))
	case len(d.relays.doubts) < maxDoubts:
		d.relays.doubts = append(d.relays.doubts, p)
	default:
		d.config.Stats.Incomplete++
	}
}

// synchronizing reports whether a kernel that may synchronize with others has not ended; one that has not begun may.
func (d *Detector) synchronizing() bool {
	for _, k := range d.grids {
		if w := k.root().work; w.to == 0 && (w.from == 0 || w.syncs != nil) {
			return true
		}
	}
	return false
}

// resolveDoubts compares again what a kernel that ran then may have ordered.
func (d *Detector) resolveDoubts() {
	if len(d.relays.doubts) == 0 || d.synchronizing() {
		return
	}
	doubts := d.relays.doubts
	d.relays.doubts = nil
	for _, p := range doubts {
		d.compareUses(p)
	}
}

// raced is the pair of two uses.
func raced(a, b *piece, u, v *use, first extent, n uint64, awaited bool) *evidence.WorkPair {
	p := &evidence.WorkPair{First: a.side(u), Then: b.side(v), Addr: first.lo, End: first.hi, Bytes: n, Known: b.after[a.Stream], Awaited: awaited, WaitedBy: -1}
	if before := b.dep.before; awaited || before != nil && a.Stream == before.Stream {
		p.Between = evidence.BetweenGrids
		if before != nil {
			p.Before = before.kernel()
		}
	}
	return p
}

// Freed is for trace.Observer.
func (d *Detector) Freed(e *trace.Freed) {
	d.Settle()
	if e.Waits {
		for s := range d.streams.of {
			d.streams.syncDevice(s.Device)
		}
	}
	for _, st := range d.streams.of {
		for _, w := range st.done {
			for _, u := range w.uses {
				u.bytes.remove(extent{e.Addr, e.Addr + e.N})
			}
		}
	}
}
