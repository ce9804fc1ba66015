package fix

import (
	"context"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
)

// one looks for a patch of one finding. It returns how the program ran with it, nil where none held. The
// first that holds and with which the program computes the same is taken, else the best of all; where the
// program as it is fails, a few more are tried, as with one of them it may succeed.
func (f *fixer) one(ctx context.Context, e *finding.Finding, r *repair.Result) (*trialRun, error) {
	r.Outcome = repair.Manual
	var best *trialRun
	var halves []*trialRun // with which the finding goes, and another one comes
	held := 0
	useless := map[string]bool{} // conditions under which the finding stays, and calls that do not compile
	all := f.propose(f, e)
	for i, c := range all {
		if f.clock.over() {
			r.NotTried = len(all) - i
			break
		}
		r.Outcome = repair.Open
		if useless[c.Condition] || useless[c.Call] {
			continue
		}
		if best != nil && f.fails() {
			if held++; held > morePatches {
				break
			}
		}
		t, err := f.try(ctx, append(slices.Clone(f.accepted), c), identity(e), true)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		t.patch = c
		if c.Condition != "" && (t.cause == repair.Stays && !c.Part || t.cause == repair.NotCompiled) {
			useless[c.Condition] = true
		}
		if c.Call != "" && t.cause == repair.NotCompiled {
			useless[c.Call] = true
		}
		f.refuse(t, e)
		switch {
		case t.why != "":
			r.Tried = append(r.Tried, repair.Trial{What: c.What, Cause: t.cause, Why: t.why})
			if t.cause == repair.NewFinding && t.fresh != nil {
				halves = append(halves, t)
			}
			continue
		case best == nil || c.Sure:
			best = t
		default:
			taken, other, why := preferred(best, t)
			best = taken
			r.Tried = append(r.Tried, repair.Trial{What: other.patch.What, Cause: repair.Second, Why: why})
		}
		if c.Sure {
			best = t
			break
		}
		if best == t && t.keeps() && !f.besides(e, t) && (t.succeeds || !f.fails()) {
			break
		}
	}
	switch {
	case r.Outcome == repair.Manual && len(all) > 0:
		r.Untried = repair.OutOfTime
	case r.Outcome == repair.Manual:
		r.Untried = f.whyNone(e)
	}
	if best == nil {
		var err error
		if best, err = f.completed(ctx, halves, r, identity(e)); best == nil || err != nil {
			if r.Outcome == repair.Open && f.whyNone(e) == repair.NotInProgram {
				r.Untried = repair.NotInProgram
			}
			return nil, err
		}
	}
	return f.smallest(ctx, best, r, identity(e))
}

// besides reports whether a patch leaves another error at the line of the one that it removes, which a
// better one may remove as well.
func (f *fixer) besides(e *finding.Finding, t *trialRun) bool {
	return t.patch.Condition != "" && slices.ContainsFunc(f.found, func(o *finding.Finding) bool {
		return t.left[identity(o)] && o.Primary.Loc.File == e.Primary.Loc.File && o.Primary.Loc.Line == e.Primary.Loc.Line
	})
}

// smallest takes a patch that holds, without the parts that it holds without: each is left out in
// turn.
func (f *fixer) smallest(ctx context.Context, t *trialRun, r *repair.Result, target string) (*trialRun, error) {
	for i := 0; i < len(t.patch.Parts) && len(t.patch.Parts) > 1; {
		less := t.patch.Without(i)
		now, err := f.try(ctx, append(slices.Clone(f.accepted), less), target, true)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		if now.why != "" || len(now.left) > len(t.left) || len(now.changed) > len(t.changed) {
			i++
			continue
		}
		now.patch, t = less, now
	}
	return f.accept(t, r), nil
}

// accept takes a patch. What it changes cannot be compared from here on.
func (f *fixer) accept(t *trialRun, r *repair.Result) *trialRun {
	for _, d := range t.runs {
		f.Noise.Merge(f.original, d.s, d.diffs)
	}
	f.accepted = append(f.accepted, t.patch)
	if t.work != nil {
		f.work = t.work // the next patch may execute less than the original program, but not less than with this one
	}
	r.Outcome, r.What, r.Changed, r.Edits = repair.Fixed, t.patch.What, t.changed, t.patch.Replacements(f.texts)
	return t
}
