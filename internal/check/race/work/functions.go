package work

import (
	"maps"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Host functions of streams (cudaLaunchHostFunc). Each is a piece of work of its stream from the
// moment in which it is enqueued, whenever it runs, and is compared when it has ended.

// runFunction lets a host function begin. It may tell the host that what comes before it is done.
func (d *Detector) runFunction(number uint64) {
	w := d.functions[number]
	if w == nil {
		return
	}
	w.function = true
	d.values.begun[w] = true
	d.streams.wait(maps.Clone(w.after), evidence.Synced{For: evidence.ForStream, Stream: w.Name})
}

// functionDid notes what a host function did at one place.
func (d *Detector) functionDid(t *trace.Transfer) {
	w := d.functions[t.Number]
	if w == nil || !d.watchesHost() {
		return
	}
	if w.Where == "" {
		w.Where = t.Where
	}
	w.transfer(t, trace.Read, t.Reads)
	w.transfer(t, trace.Write, t.Writes)
}

// endFunction compares a host function that has ended.
func (d *Detector) endFunction(number uint64) {
	w := d.functions[number]
	if w == nil {
		return
	}
	delete(d.functions, number)
	d.streams.unfinished--
	d.finishLaunch(w)
}
