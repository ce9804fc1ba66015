package judge

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/kernels"
)

// unitAt names a unit of memory that the host has written.
type unitAt struct {
	at   uint64
	unit uint32
}

// sentTo are what came into each unit, in its order, and where the device has changed it.
func sentTo(f *kernels.HostFlow) map[unitAt][]kernels.Sent {
	to := map[unitAt][]kernels.Sent{}
	for _, s := range f.Sent {
		k := unitAt{s.At, s.Unit}
		to[k] = append(to[k], s)
	}
	return to
}

// valuesOf are the host's values of a unit.
func valuesOf(list []kernels.Sent) (values []uint64) {
	for _, s := range list {
		if !s.Device {
			values = append(values, s.Value)
		}
	}
	return values
}

// sentPart counts the bytes that came into memory and differ: at each address, the values one after the other.
func sentPart(a, b *kernels.HostFlow, h heard) (n int) {
	x, y := sentTo(a), sentTo(b)
	for k := range units(x, y) {
		n += valuesPart(k, valuesOf(x[k]), valuesOf(y[k]), h)
	}
	return n
}

// units are those of either.
func units(x, y map[unitAt][]kernels.Sent) map[unitAt]bool {
	all := map[unitAt]bool{}
	for k := range x {
		all[k] = true
	}
	for k := range y {
		all[k] = true
	}
	return all
}

// valuesPart is sentPart for a unit.
func valuesPart(k unitAt, x, y []uint64, h heard) (n int) {
	for i := range min(len(x), len(y)) {
		switch {
		case x[i] == y[i]:
		case h.has(k, x[i], y[i]):
			n += h.cost(uint32(x[i]), uint32(y[i]))
		default:
			n += int(k.unit)
		}
	}
	if len(x) < len(y) {
		x, y = y, x
	}
	for i := len(y); i < len(x); i++ {
		if !isContinued(x, i) {
			n += int(k.unit)
		}
	}
	return n
}

// isContinued reports whether element i of a list is what the ones before it let expect: one of the two before it, or as
// much more as that.
func isContinued(x []uint64, i int) bool {
	return i > 0 && x[i] == x[i-1] || i > 1 && (x[i] == x[i-2] || x[i]-x[i-1] == x[i-1]-x[i-2])
}

// timePart counts the bytes whose time tells something: what the host wrote when the other run had another value there, as a flag that the
// host sets earlier or later, or toggles. Units in noise are left out: their times differ in equal runs.
func timePart(a, b *kernels.HostFlow, h heard, noise map[unitAt]bool) (n int) {
	x, y := sentTo(a), sentTo(b)
	turns := turnsOf(deviceWork(a.Steps), deviceWork(b.Steps))
	for k := range units(x, y) {
		if !noise[k] {
			n += int(k.unit) * unitTimes(k, x[k], y[k], turns, h)
		}
	}
	return n
}

// unitTimes counts the values of a unit that the other run did not have at that time.
func unitTimes(k unitAt, x, y []kernels.Sent, t turns, h heard) (n int) {
	for i, s := range x {
		at, more := t.inB(s.Done)
		if w, ok := valueAt(y, at); !s.Device && !(ok && (w == s.Value || h.has(k, s.Value, w))) && !(more && follows(x, i)) {
			n++
		}
	}
	for i, s := range y {
		at, more := t.inA(s.Done)
		if w, ok := valueAt(x, at); !s.Device && !(ok && (w == s.Value || h.has(k, w, s.Value))) && !(more && follows(y, i)) &&
			!slices.ContainsFunc(x, func(o kernels.Sent) bool { return !o.Device && o.Done == at }) {
			n++
		}
	}
	return n
}

// follows reports whether the i-th of what came into a unit is what the ones before it let expect, at a time that they let expect.
func follows(list []kernels.Sent, i int) bool {
	var times []int
	for _, s := range list[:i+1] {
		if !s.Device {
			times = append(times, s.Done)
		}
	}
	values, last := valuesOf(list[:i+1]), len(times)-1
	return isContinued(values, last) && (last < 2 || times[last]-times[last-1] == times[last-1]-times[last-2])
}

// noiseOf are the units into which the host wrote at other times in a run with equal inputs, as it does where it does not wait for launches.
func noiseOf(a, again *ran) map[unitAt]bool {
	noise := map[unitAt]bool{}
	for c := range a.Calls {
		f, g := a.Calls[c].Flow, again.Calls[c].Flow
		x, y, t := sentTo(f), sentTo(g), turnsOf(deviceWork(f.Steps), deviceWork(g.Steps))
		for k := range units(x, y) {
			if unitTimes(k, x[k], y[k], t, nil) > 0 {
				noise[k] = true
			}
		}
	}
	return noise
}

// valueAt is what the host has put into a unit before a time, unless the device has changed it since.
func valueAt(list []kernels.Sent, done int) (value uint64, ok bool) {
	for _, s := range list {
		if s.Done > done {
			break
		}
		value, ok = s.Value, !s.Device
	}
	return value, ok
}

// turns maps times of two runs to each other, of which one may do more turns of a loop: the first lo and the last steps of both are the same.
type turns struct{ lo, a, b int }

func turnsOf(a, b []kernels.Step) turns {
	t := turns{a: len(a), b: len(b)}
	for t.lo < len(a) && t.lo < len(b) && isAlike(&a[t.lo], &b[t.lo]) {
		t.lo++
	}
	return t
}

func (t turns) inB(done int) (at int, more bool) { return t.other(done, t.a, t.b) }
func (t turns) inA(done int) (at int, more bool) { return t.other(done, t.b, t.a) }

// other maps a time of a run of some steps to one of a run of others. more reports a turn that only this run does.
func (t turns) other(done, steps, others int) (at int, more bool) {
	switch {
	case done <= t.lo:
		return done, false
	case steps-done <= others-t.lo:
		return others - (steps - done), steps > others
	}
	return t.lo, true
}

// deviceWork are the steps that are work of the device.
func deviceWork(steps []kernels.Step) []kernels.Step {
	return slices.DeleteFunc(slices.Clone(steps), func(s kernels.Step) bool { return s.Kind == kernels.StepRequest || s.Kind == kernels.StepBegin })
}

func isAlike(x, y *kernels.Step) bool { return x.Kind == y.Kind && x.Name == y.Name }

// heard are pairs of values that the host has read in small copies, one in each of two runs, with what handing them on counts in bytes: nothing,
// or 1 where a value of the one run has several partners, since the host may then have chosen among the values.
type heard map[[2]uint32]int

func newHeard(a, b []uint32) heard {
	h, first, second := heard{}, map[uint32]int{}, map[uint32]int{}
	for i := range min(len(a), len(b)) {
		p := [2]uint32{a[i], b[i]}
		if _, ok := h[p]; !ok {
			h[p] = 0
			first[p[0]]++
			second[p[1]]++
		}
	}
	for p := range h {
		if first[p[0]] > 1 || second[p[1]] > 1 {
			h[p] = 1
		}
	}
	return h
}

// has reports whether a unit's values in two runs are a pair.
func (h heard) has(k unitAt, x, y uint64) bool {
	_, ok := h[[2]uint32{uint32(x), uint32(y)}]
	return ok && k.unit == 4
}

// cost is what a word counts that has these values in two runs.
func (h heard) cost(x, y uint32) int {
	if n, ok := h[[2]uint32{x, y}]; ok {
		return n
	}
	return 4
}
