package judge

import (
	"bytes"
	"fmt"
	"math"
)

// comparison is how one output of one call compares.
type comparison struct {
	mismatches, unwritten int
	abs, rel, first       *Worst
	// fails is set if there are more mismatches than the tolerance has room for.
	fails bool
	// scale is the largest finite expected magnitude.
	scale float64
	// special is set if an element is NaN or infinite and should not be, or the reverse.
	special bool
}

var (
	floatTolerance = map[Type]Tolerance{F64: {Abs: 1e-9, Rel: 1e-9}, F32: {Abs: 1e-5, Rel: 1e-4}, F16: {Abs: 1e-3, Rel: 1e-2}, BF16: {Abs: 1e-2, Rel: 2e-2}}
)

// tolerance is an output's.
func (t *trial) tolerance(a *Argument) Tolerance {
	switch {
	case a.Tolerance != nil:
		return *a.Tolerance
	case t.job.Tolerance != nil:
		return *t.job.Tolerance
	}
	return floatTolerance[a.Type] // integers are equal, or they are not
}

// epsilon is the distance from 1 to the next number of a floating-point type.
func (t Type) epsilon() float64 { return math.Ldexp(1, 1-types[t].significand) }

// wanted is the expected value of element e of argument i in call c.
func (t *trial) wanted(c, i, e int) float64 {
	typ := t.job.Arguments[i].Type
	if t.want.wide && (typ == F16 || typ == BF16) {
		typ = F32
	}
	n := typ.size()
	return typ.get(t.want.data[c][i][e*n : (e+1)*n])
}

// compare compares output i of a run's k-th call.
func (t *trial) compare(r *oneRun, k, i int) *comparison {
	a, c := &t.job.Arguments[i], r.calls[k]
	tol, n, b := t.tolerance(a), a.Type.size(), t.plan.buffer(i)
	got := r.Calls[k].Contents[b]
	out := &comparison{}
	if a.Role == Output && r.Calls[k].Unwritten[b] > 0 { // of unwritten bytes, elements that hold poison are counted
		out.unwritten = unwrittenElements(got, n, r.Calls[k].Unwritten[b])
	}
	for e := range t.plan.counts[i] {
		v, want := a.Type.get(got[e*n:(e+1)*n]), t.wanted(c, i, e)
		if !a.Type.isFloat() && n == 8 { // not all of these are a float64
			if bytes.Equal(got[e*n:(e+1)*n], t.want.data[c][i][e*n:(e+1)*n]) {
				continue
			}
		}
		w := &Worst{Call: c, Schedule: r.schedule.String(), Got: float(v), Expected: float(want), error: math.Abs(v - want)}
		if !math.IsNaN(want) && !math.IsInf(want, 0) {
			out.scale = max(out.scale, math.Abs(want))
		}
		switch {
		case v == want && (n < 8 || a.Type.isFloat()) || math.IsNaN(v) && math.IsNaN(want):
			continue
		case math.IsNaN(w.error) || math.IsInf(w.error, 0):
			out.special = true
			out.mismatch(w, e)
			continue
		}
		if out.abs == nil || w.error > out.abs.error {
			x := *w
			x.Index, x.Error = []int{e}, float(w.error)
			out.abs = &x
		}
		if rel := relative(v, want); out.rel == nil || rel > out.rel.error {
			x := *w
			x.Index, x.error, x.Error = []int{e}, rel, float(rel)
			out.rel = &x
		}
		if w.error > tol.Abs+tol.Rel*math.Abs(want) || w.error == 0 { // 0: integers that differ in the last bits
			out.mismatch(w, e)
		}
	}
	out.fails = float64(out.mismatches) > tol.Mismatches*float64(t.plan.counts[i])
	return out
}

func (c *comparison) mismatch(w *Worst, e int) {
	if c.mismatches++; c.first == nil {
		x := *w
		x.Index, x.Error = []int{e}, float(w.error)
		c.first = &x
	}
}

// relative is the relative difference.
func relative(v, want float64) float64 {
	return math.Abs(v-want) / max(math.Abs(want), math.SmallestNonzeroFloat64)
}

// unwrittenElements counts elements of n bytes that hold poison, but no more than there can be
// with so many unwritten bytes. A candidate can write what looks like poison: then they are wrong.
func unwrittenElements(got []byte, n int, missing uint64) (count int) {
	for ; len(got) >= n; got = got[n:] {
		whole := true
		for _, b := range got[:n] {
			whole = whole && b == 0xff
		}
		if whole {
			count++
		}
	}
	return min(max(count, 1), int((missing+uint64(n)-1)/uint64(n)))
}

// compareAll keeps the worst of all calls and schedules for each output.
func (t *trial) compareAll() {
	c := &Correctness{Calls: t.plan.calls, Schedules: len(t.runs)}
	t.v.Correctness = c
	for i := range t.job.Arguments {
		a := &t.job.Arguments[i]
		if !a.isOutput() {
			continue
		}
		o := OutputError{Name: a.Name, Elements: t.plan.counts[i]}
		for _, r := range t.runs {
			for k := range r.calls {
				x := t.compare(r, k, i)
				o.Mismatches, o.Unwritten = max(o.Mismatches, x.mismatches), max(o.Unwritten, x.unwritten)
				o.MaxAbs, o.MaxRel = worse(o.MaxAbs, x.abs), worse(o.MaxRel, x.rel)
				if o.First == nil {
					o.First = x.first
				}
			}
		}
		for _, w := range []*Worst{o.MaxAbs, o.MaxRel, o.First} {
			if w != nil {
				w.Index = t.plan.place(i, w.Index[0])
			}
		}
		c.Outputs = append(c.Outputs, o)
	}
}

func worse(a, b *Worst) *Worst {
	if b != nil && (a == nil || b.error > a.error) {
		return b
	}
	return a
}

// place is the index of an element by extents.
func (p *plan) place(i, e int) []int {
	shape := p.shapes[i]
	if len(shape) == 0 {
		return []int{e}
	}
	out := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		out[d], e = e%shape[d], e/shape[d]
	}
	return out
}

// outputs gives the reasons that wrong outputs are.
func (t *trial) outputs() {
	for n := range t.v.Correctness.Outputs {
		o := &t.v.Correctness.Outputs[n]
		if o.Unwritten > 0 {
			t.v.because(UnwrittenOutput, fmt.Sprintf("%d of %d elements of output %s are not written", o.Unwritten, o.Elements, o.Name))
		}
	}
	for i := range t.job.Arguments {
		if !t.job.Arguments[i].isOutput() {
			continue
		}
		for _, r := range t.runs {
			for k := range r.calls {
				c := t.compare(r, k, i)
				if !c.fails || c.mismatches <= c.unwritten && t.allUnwritten(i) {
					continue
				}
				t.v.because(WrongOutput, fmt.Sprintf("%d of %d elements of output %s are outside of the tolerance; element %v is %v, expected %v",
					c.mismatches, t.plan.counts[i], t.job.Arguments[i].Name, t.plan.place(i, c.first.Index[0]), float64(c.first.Got), float64(c.first.Expected)))
			}
		}
	}
}

// nondeterminism compares the outputs of calls under different schedules. Only calls that are at
// the same place in their run are compared, or all if the module remembers nothing.
func (t *trial) nondeterminism() {
	d := &Nondeterminism{Deterministic: true}
	t.v.Nondeterminism = d
	for _, r := range t.runs {
		d.Schedules = append(d.Schedules, r.schedule.String())
	}
	right, wrong := 0, 0
	for c := range t.plan.calls {
		for _, r := range t.runs {
			if t.isWrong(r, r.position(c)) {
				wrong++
			} else {
				right++
			}
		}
	}
	if right > 0 && wrong > 0 && !t.v.has(Stateful) && t.dependsOnSchedule() {
		t.v.because(Nondeterministic, "the outputs are right under some schedules and wrong under others")
	}
	for i := range t.job.Arguments {
		if a := &t.job.Arguments[i]; a.isOutput() {
			if diff := t.differing(i); diff.Elements > 0 {
				diff.Name, d.Deterministic = a.Name, false
				d.Differing = append(d.Differing, diff)
			}
		}
	}
}

// position is where a call was made in a run.
func (r *oneRun) position(c int) int {
	for k, x := range r.calls {
		if x == c {
			return k
		}
	}
	return 0
}

// dependsOnSchedule reports whether one call is right under one schedule and wrong under another.
func (t *trial) dependsOnSchedule() bool {
	for c := range t.plan.calls {
		for _, r := range t.runs[1:] {
			if t.isWrong(r, r.position(c)) != t.isWrong(t.runs[0], t.runs[0].position(c)) {
				return true
			}
		}
	}
	return false
}

// differing counts the elements of an output that are not the same in all runs.
func (t *trial) differing(i int) (d Difference) {
	a, b := &t.job.Arguments[i], t.plan.buffer(i)
	n := a.Type.size()
	for c := range t.plan.calls {
		one := t.runs[0].Calls[t.runs[0].position(c)].Contents[b]
		count := 0
		for e := range t.plan.counts[i] {
			differs := false
			for _, r := range t.runs[1:] {
				two := r.Calls[r.position(c)].Contents[b]
				x, y := one[e*n:(e+1)*n], two[e*n:(e+1)*n]
				if bytes.Equal(x, y) {
					continue
				}
				differs = true
				if v := math.Abs(a.Type.get(x) - a.Type.get(y)); v > float64(d.MaxAbs) || math.IsNaN(v) {
					d.MaxAbs = float(v)
				}
			}
			if differs {
				count++
			}
		}
		d.Elements = max(d.Elements, count)
	}
	return d
}

func (v *Verdict) has(r Reason) bool {
	for _, w := range v.Reasons {
		if w.Reason == r {
			return true
		}
	}
	return false
}
