package judge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// decide makes the verdict from the runs.
func (t *trial) decide(ctx context.Context) error {
	t.addFindings()
	t.notChecked()
	if err := t.cost(); err != nil {
		return err
	}
	if t.isHopeless() {
		return nil // what it left in memory means nothing
	}
	t.compareAll()
	t.inputs()
	t.unfinished()
	if err := t.state(ctx); err != nil {
		return err
	}
	t.constant()
	t.nondeterminism()
	t.precision()
	t.outputs()
	if p := t.runs[0].Printed; p > t.job.Limits.Output {
		t.v.because(OutputLimit, fmt.Sprintf("the kernels print %d bytes, and the limit is %d", p, t.job.Limits.Output))
	}
	if t.job.Host != nil && len(t.v.Reasons) == 0 {
		return t.follow(ctx)
	}
	return nil
}

// addFindings joins the findings of all schedules.
func (t *trial) addFindings() {
	seen := map[Finding]bool{}
	for _, r := range t.runs {
		for i, f := range r.Findings {
			f.waits = r.Waits[i]
			key := f
			key.Message, key.Count, key.waits = "", 0, false
			if seen[key] {
				continue
			}
			seen[key] = true
			t.v.Findings = append(t.v.Findings, f)
			if t.v.ByRule == nil {
				t.v.ByRule = map[string]int{}
			}
			t.v.ByRule[f.Rule]++
			if f.Level == "error" && !slices.Contains(t.job.Ignore, f.Rule) {
				t.v.because(f.reason(), f.text())
			}
		}
	}
	if len(t.v.Findings) > maxFindings {
		t.v.NotChecked = append(t.v.NotChecked, fmt.Sprintf("%d more findings are left out", len(t.v.Findings)-maxFindings))
		t.v.Findings = t.v.Findings[:maxFindings]
	}
}

// maxFindings bounds the findings of a verdict.
const maxFindings = 100

func (f *Finding) text() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
	return f.Message
}

// reason is the reason that a finding at error level is.
func (f *Finding) reason() Reason {
	switch {
	case f.waits || f.Rule == "hang":
		return Hang
	case f.Rule == "memory" && f.Kind == "out-of-bounds" && f.Access == "read":
		return ReadsOutside
	case f.Rule == "memory" && f.Kind == "out-of-bounds":
		return WritesOutside
	}
	if r, ok := map[string]Reason{"memory": InvalidAccess, "race": Race, "init": Uninitialized, "undefined": Uninitialized,
		"sync": MisusedBarrier, "launch": InvalidLaunch, "assert": Trap}[f.Rule]; ok {
		return r
	}
	return Defect
}

// notChecked says what the verdict does not mean.
func (t *trial) notChecked() {
	say := func(format string, args ...any) {
		t.v.NotChecked = append(t.v.NotChecked, fmt.Sprintf(format, args...))
	}
	if t.plan.calls == 1 {
		why := "there is one call"
		switch {
		case t.job.Reference.Expected != nil:
			why = "the expected outputs are for one call"
		case t.plan.same:
			why = "no input is generated"
		}
		say("whether outputs depend on inputs, and on earlier calls: %s", why)
	}
	if len(t.runs) == 1 && !t.isHopeless() {
		say("other schedules")
	}
	if t.isHopeless() {
		say("the outputs: a kernel does not terminate")
	}
	for _, r := range t.job.Ignore {
		say("findings of rule %s do not count", r)
	}
}

// inputs holds that inputs are as they were.
func (t *trial) inputs() {
	for _, r := range t.runs {
		for k, c := range r.calls {
			for i := range t.job.Arguments {
				a := &t.job.Arguments[i]
				if a.Role != Input {
					continue
				}
				before, after := t.plan.contents[c][i], r.Calls[k].Contents[t.plan.buffer(i)]
				if bytes.Equal(before, after) {
					continue
				}
				n := 0
				for n < len(before) && before[n] == after[n] {
					n++
				}
				t.v.because(ModifiesInputs, fmt.Sprintf("input %s is changed, first at element %d", a.Name, n/a.Type.size()))
			}
		}
	}
}

// unfinished looks for work that host code has left behind.
func (t *trial) unfinished() {
	for _, r := range t.runs {
		if r.Unfinished {
			t.v.because(UnfinishedWork, "the function returns while a stream that the default stream does not wait for has work")
		}
	}
}

// isWrong reports whether the outputs of a run's k-th call are outside of the tolerance.
func (t *trial) isWrong(r *oneRun, k int) bool {
	for i := range t.job.Arguments {
		if a := &t.job.Arguments[i]; a.isOutput() {
			c := t.compare(r, k, i)
			if c.fails {
				return true
			}
		}
	}
	return false
}

// state looks for outputs that are right only in a fresh module.
func (t *trial) state(ctx context.Context) error {
	for _, r := range t.runs {
		for k := 1; k < len(r.calls); k++ {
			if !t.isWrong(r, k) || t.isWrong(r, 0) {
				continue
			}
			fresh, _, err := t.run(ctx, t.plan, t.code, "memory", r.schedule, r.calls[k:k+1], t.plan.launches)
			if err != nil {
				return err
			}
			if fresh.Refusal == "" && !t.isWrong(&oneRun{r.schedule, r.calls[k : k+1], fresh}, 0) {
				t.v.because(Stateful, "a second call with other inputs gives a wrong result, which the same inputs in a first call do not: the module remembers something")
				return nil
			}
		}
	}
	return nil
}

// first finds the outputs that argument i has in a call c that is the first of its run; nil if there is none.
func (t *trial) first(c, i int) []byte {
	for _, r := range t.runs {
		if r.calls[0] == c {
			return r.Calls[0].Contents[t.plan.buffer(i)]
		}
	}
	return nil
}

// constant looks for outputs that do not depend on the inputs, though they should.
func (t *trial) constant() {
	if t.plan.calls < 2 {
		return
	}
	for i := range t.job.Arguments {
		a := &t.job.Arguments[i]
		if !a.isOutput() {
			continue
		}
		one, two := t.first(0, i), t.first(t.plan.calls-1, i)
		if one == nil || two == nil || !bytes.Equal(one, two) || t.allUnwritten(i) {
			continue
		}
		if n := t.expectedToDiffer(i); n > 0 {
			t.v.because(ConstantOutput, fmt.Sprintf("output %s is the same for different inputs, though %d of its elements should differ", a.Name, n))
		}
	}
}

// allUnwritten reports whether nothing was written to an output.
func (t *trial) allUnwritten(i int) bool {
	n := t.plan.buffer(i)
	return t.runs[0].Calls[0].Unwritten[n] == uint64(t.plan.counts[i]*t.job.Arguments[i].Type.size())
}

// expectedToDiffer counts the elements of an output that are expected to differ between the first and the last call by more
// than rounding can hide.
func (t *trial) expectedToDiffer(i int) (n int) {
	a := &t.job.Arguments[i]
	last := t.plan.calls - 1
	for e := range t.plan.counts[i] {
		x, y := t.wanted(0, i, e), t.wanted(last, i, e)
		if x == y || x != x && y != y {
			continue
		}
		if !a.Type.isFloat() || relative(x, y) > 16*a.Type.epsilon() {
			n++
		}
	}
	return n
}
