package judge

import (
	"context"
	"errors"
)

// hangTools are the rules of a run that only looks for a hang. Its limit counts processor time.
const hangTools = "hang"

// hangSeconds is how much longer a run may take that only looks for a hang.
const hangSeconds = 10

// hangOr tells an endless loop from a long one, after a run that took too long and perhaps found one: several warps that all race
// take longer to check than to count. It returns the failure of a kernel that hangs, and else err.
func (t *trial) hangOr(ctx context.Context, s schedule, calls []int, r *ran, err error) error {
	var f *failure
	if !errors.As(err, &f) || f.reason != Timeout {
		return err
	}
	if r != nil {
		return t.hangs(r, err)
	}
	if t.code.exe != "" {
		return err
	}
	longer, job := *t.plan, *t.job // on a machine that does other work, too
	job.Limits.Seconds += hangSeconds
	longer.job = &job
	r, _, again := t.run(ctx, &longer, t.code, hangTools, s, calls, t.plan.launches)
	if again != nil && r == nil || r.Refusal != "" {
		return err
	}
	return t.hangs(r, err)
}

// hangs is the failure of a run that has found a hang, else err.
func (t *trial) hangs(r *ran, err error) error {
	for i, found := range r.Findings {
		if found.waits = r.Waits[i]; found.isEndless() {
			t.v.Findings, t.v.ByRule = append(t.v.Findings, found), map[string]int{found.Rule: 1}
			return fail(Hang, "%s", found.text())
		}
	}
	return err
}

// isEndless reports whether f is a hang that needs no limit of time to be one.
func (f *Finding) isEndless() bool { return f.reason() == Hang && f.Kind != "time" }

// hung is what is left of a run that took too long: the hangs that it has found, nil for none.
func (r *ran) hung() *ran {
	if r == nil {
		return nil
	}
	var out ran
	for i, f := range r.Findings {
		if f.waits = r.Waits[i]; f.isEndless() {
			out.Findings, out.Waits = append(out.Findings, f), append(out.Waits, f.waits)
		}
	}
	if len(out.Findings) == 0 {
		return nil
	}
	return &out
}
