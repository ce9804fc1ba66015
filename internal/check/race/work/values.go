package work

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Values in memory that order streams ("CUDA Driver API", "Stream Memory Operations"). What
// comes after a stream's wait for a value is ordered after its last write:
//
//   - a value that a stream writes releases what is before it in its stream, unless the
//     program asks for no fence;
//   - the host's write releases what the host did and has waited for;
//   - a kernel's releases after a fence, as for host code, and all of the kernel;
//   - a copy or a fill comes after what is before it in its stream.
//
// The write may be enqueued long after the wait. So the wait has a key of its own in
// clocks, which stands for what the write releases and is replaced by it when that is
// known. Work with such a key is compared only then.

// values are those that streams of a program wait for and write.
type values struct {
	// waits are those whose write is not known, in order; writes has the streams' that
	// have not been executed, by number.
	waits  []*valueWait
	writes map[uint64]*piece
	// words has the last write of each place that is waited for or that streams
	// write; all are the bytes of these.
	words map[trace.Range]*valueWrite
	all   extents
	count uint64
	// begun are the launches that have begun and are not compared yet. executed are the
	// streams' writes while there are any.
	begun    map[*piece]bool
	executed []*valueWrite
	// held is work that is ordered after a write that is not known.
	held []*piece
}

// valueWait is a stream's wait. When it has seen the value, running are the launches that
// may have written it and are not compared yet.
type valueWait struct {
	key     trace.Stream
	at      trace.Range
	seen    bool
	running []*piece
}

// valueWrite is a write of a value, by work or else by the host.
type valueWrite struct {
	number uint64
	by     *piece
	// releases is set if what was before it is ordered before who sees the value, whole
	// if by is as well.
	releases, whole bool
	// host is what the host had waited for, and touch how many of Detector.late it had done.
	host  hb.StreamClock
	touch int
}

// valueDevice stands for the device in the keys of waits.
const valueDevice = -4

// maxWords bounds the places whose writes are kept.
const maxWords = 1 << 12

func newValues() values {
	return values{writes: map[uint64]*piece{}, words: map[trace.Range]*valueWrite{}, begun: map[*piece]bool{}}
}

// waitValue gives a stream's wait its key.
func (d *Detector) waitValue(e *trace.StreamOrder) {
	v := &d.values
	w := &valueWait{key: trace.Stream{Device: valueDevice, ID: e.Event}, at: e.Range}
	v.waits = append(v.waits, w)
	v.watch(e.Range)
	d.streams.waitValue(e.Stream, w.key)
}

func (ss *streams) waitValue(s trace.Stream, key trace.Stream) {
	st := ss.get(s)
	st.settle()
	st.note()
	st.clock[key] = 1
	st.synced, st.waits = evidence.Synced{For: evidence.ForValue}, ss.waits
	ss.unfinished++
}

// watch keeps the writes of a place from now on.
func (v *values) watch(r trace.Range) {
	if _, ok := v.words[r]; !ok && len(v.words) < maxWords {
		v.words[r] = nil
		v.all.add(extent{r.Addr, r.Addr + r.N})
		v.all.settle()
	}
}

// wrote notes the last write of the places that a use writes.
func (v *values) wrote(bytes *extents, w valueWrite) {
	if !bytes.meets(&v.all) {
		return
	}
	v.count++
	w.number = v.count
	for r := range v.words {
		if bytes.meets(bytesOf(r)) {
			v.words[r] = &w
		}
	}
}

func bytesOf(r trace.Range) *extents { return &extents{list: []extent{{r.Addr, r.Addr + r.N}}} }

// last is the last write of a place, nil for none.
func (v *values) last(r trace.Range) (last *valueWrite) {
	at := bytesOf(r)
	for o, w := range v.words {
		if w != nil && at.meets(bytesOf(o)) && (last == nil || w.number > last.number) {
			last = w
		}
	}
	return last
}

// putValue notes a write that a stream is to execute.
func (d *Detector) putValue(w *piece, t *trace.Transfer) {
	d.values.writes[t.Number] = w
	d.values.watch(t.Writes[0])
	for _, u := range w.uses {
		u.Strong = true
		if t.Fence {
			u.release(map[trace.Scope]*extents{trace.ScopeSys: &u.bytes})
		}
	}
	w.fence = t.Fence
	d.streams.get(w.Stream).note()
}

// wroteValue notes that a stream has written a value.
func (d *Detector) wroteValue(number uint64) {
	v := &d.values
	by := v.writes[number]
	delete(v.writes, number)
	if by == nil || len(by.uses) == 0 {
		return
	}
	w := valueWrite{by: by, releases: by.fence, whole: true}
	v.wrote(&by.uses[0].bytes, w)
	if len(v.begun) > 0 && w.releases && len(v.executed) < maxWords {
		v.executed = append(v.executed, &w)
	}
}

// sawValue notes that a stream continues. Who wrote the value may be known later: what the
// host did before is yet to come, and what kernels did that still run.
func (d *Detector) sawValue(number uint64) {
	v := &d.values
	for _, w := range v.waits {
		if w.key.ID == number {
			w.seen = true
			w.running = slices.Collect(maps.Keys(v.begun))
		}
	}
}

// resolve replaces the keys of waits whose write is known by what it releases, and compares
// the work that was held for them.
func (d *Detector) resolve() {
	v := &d.values
	known := func(w *valueWait) bool {
		return w.seen && !slices.ContainsFunc(w.running, func(p *piece) bool { return !p.compared })
	}
	for i := slices.IndexFunc(v.waits, known); i >= 0; i = slices.IndexFunc(v.waits, known) {
		w := v.waits[i]
		v.waits = slices.Delete(v.waits, i, i+1)
		d.streams.unfinished--
		clock, touch := d.released(w)
		d.replace(w.key, clock, touch)
		held := v.held
		v.held = nil
		for _, p := range held {
			d.pieces++
			p.seq = d.pieces // it has run now
			d.finishLaunch(p)
		}
	}
}

// released is what is ordered before the end of a wait, and how many of the host's accesses.
func (d *Detector) released(w *valueWait) (clock hb.StreamClock, touch int) {
	at, clock := bytesOf(w.at), hb.StreamClock{}
	found := false
	for _, p := range w.running {
		if p.releasesTo(at) {
			found = true
			clock.Join(p.ended())
			touch = max(touch, p.late, p.flags.first)
		}
	}
	if found {
		return clock, touch
	}
	last := d.values.last(w.at)
	if last == nil {
		if p := d.releasedTo(at); p != nil {
			return p.ended(), max(p.late, p.flags.first)
		}
		return maps.Clone(d.streams.host), len(d.late)
	}
	return last.clock()
}

// clock is what a write releases, and how many of the host's accesses are before it.
func (w *valueWrite) clock() (hb.StreamClock, int) {
	switch {
	case !w.releases:
		return hb.StreamClock{}, 0
	case w.by == nil:
		return w.host, w.touch
	case w.whole:
		return w.by.ended(), max(w.by.late, w.by.flags.first)
	}
	return w.by.after, max(w.by.late, w.by.flags.first)
}

// releasedTo is the newest kernel that has released a word.
func (d *Detector) releasedTo(at *extents) (newest *piece) {
	for _, st := range d.streams.of {
		for _, w := range st.done {
			if w.releasesTo(at) && (newest == nil || w.seq > newest.seq) {
				newest = w
			}
		}
	}
	return newest
}

// releasesTo reports whether a kernel releases to a word, for its device or the system.
func (w *piece) releasesTo(at *extents) bool {
	for _, u := range w.uses {
		if u.Site != nil && (u.released[trace.ScopeSys].meets(at) || u.released[trace.ScopeGPU].meets(at)) {
			return true
		}
	}
	return false
}

// waitsForValue reports whether a piece is ordered after a write that is not known.
func (w *piece) waitsForValue() bool {
	for k := range w.after {
		if k.Device == valueDevice {
			return true
		}
	}
	return false
}

// replace puts what a key stands for in its place everywhere.
func (d *Detector) replace(key trace.Stream, by hb.StreamClock, touch int) {
	replace := func(c hb.StreamClock) bool {
		had := c[key] > 0
		if had {
			delete(c, key)
			c.Join(by)
		}
		return had
	}
	replace(d.streams.host)
	for _, st := range d.streams.of {
		replace(st.clock)
	}
	for _, e := range d.streams.events {
		replace(e.StreamClock)
	}
	for _, t := range d.late {
		replace(t.host)
	}
	for _, w := range d.values.words {
		if w != nil {
			replace(w.host)
		}
	}
	d.eachPiece(func(w *piece) {
		if replace(w.after) {
			w.flags.first = max(w.flags.first, touch)
		}
		replace(w.dep.waits)
	})
}

// eachPiece calls f for all work that may still be compared, or that others are to be ordered
// after.
func (d *Detector) eachPiece(f func(*piece)) {
	all := slices.Concat(slices.Collect(maps.Values(d.values.writes)), slices.Collect(maps.Keys(d.values.begun)), d.values.held)
	for _, st := range d.streams.of {
		all = append(append(all, st.done...), st.pending...)
		if st.last != nil {
			all = append(all, st.last)
		}
	}
	for _, k := range d.grids {
		all = append(all, k.root().work)
	}
	all = slices.AppendSeq(all, maps.Values(d.functions))
	for _, w := range slices.AppendSeq(d.values.executed, maps.Values(d.values.words)) {
		if w != nil && w.by != nil {
			all = append(all, w.by)
		}
	}
	for _, w := range all {
		f(w)
	}
}

// polledValues orders a launch after the values that streams wrote and it polled.
func (d *Detector) polledValues(w *piece) {
	for _, v := range d.values.executed {
		if v.by.Stream != w.Stream && w.reads(&v.by.uses[0].bytes) {
			w.after.Join(v.by.ended())
		}
	}
}

// reads reports whether a kernel reads bytes strongly.
func (w *piece) reads(bytes *extents) bool {
	return slices.ContainsFunc(w.uses, func(u *use) bool {
		return u.Site != nil && u.Strong && u.Kind != trace.Write && u.bytes.meets(bytes)
	})
}

// ran notes that a piece has been compared, and what it wrote.
func (d *Detector) ran(w *piece) {
	w.compared = true
	if !w.launch && !w.function {
		return
	}
	delete(d.values.begun, w)
	if len(d.values.begun) == 0 {
		d.values.executed = nil
	}
	for _, u := range w.uses {
		if u.Kind.Writes() {
			releases := w.function || u.released[trace.ScopeSys].meets(&d.values.all) || u.released[trace.ScopeGPU].meets(&d.values.all)
			d.values.wrote(&u.bytes, valueWrite{by: w, whole: true, releases: releases})
		}
	}
}
