package fix

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// morePatches is how many patches are tried after one that holds, where the program fails and fails with that
// as well.
const morePatches = 8

// fails reports whether the program as it is ends by itself with an exit code that is not 0.
func (f *fixer) fails() bool { return f.original.Exit != host.Exit{} && !f.original.Exit.Canceled }

// refuse lets a patch that must not change results not hold where it does.
func (f *fixer) refuse(t *trialRun, e *finding.Finding) {
	if t.why == "" && t.work != nil && f.work != nil {
		if less := f.work.less(t.work, e, t.patch); less != "" {
			t.cause, t.why = repair.LessWork, "the program does less: "+less
			return
		}
	}
	if changed := f.unconfirmed(t, e); t.why == "" && changed != "" {
		t.cause, t.why = repair.Unconfirmed, "results change that were the same under all schedules, and nothing in the program confirms the new ones: "+changed
		return
	}
	if t.why == "" && t.patch.Fills && len(t.changed) > 0 && f.clobbers(t) {
		t.cause, t.why = repair.OtherResult, "it overwrites what the program has written, and changes results: "+t.changed[0]
		return
	}
	if t.why != "" || !t.patch.KeepsMemory || !t.memory || t.exact && !t.patch.Further {
		return
	}
	t.cause, t.why = repair.OtherResult, "it changes results: "+t.changed[0]
	if t.inexact {
		t.cause, t.why = repair.ValidAccesses, "it leaves out valid accesses, and changes results"
	}
}

// clobbers reports whether a run with patches has a call that replaces bytes which were written, at a place where the program
// as it is has none.
func (f *fixer) clobbers(t *trialRun) bool {
	return slices.ContainsFunc(t.runs, func(r comparedRun) bool {
		for where := range r.s.Overwritten {
			if f.original.Overwritten[where] == 0 {
				return true
			}
		}
		return false
	})
}

// keeps reports whether a program computes the same with a patch, but for what wrong accesses did.
func (t *trialRun) keeps() bool {
	return len(t.changed) == 0 || t.exact && (t.strays || !t.memory)
}

// ranks are why one of two patches that hold is preferred, the most important reason first: each is how good
// a patch is.
var ranks = []struct {
	of  func(*trialRun) int
	why string
}{
	{func(t *trialRun) int { return -len(t.left) }, "another patch leaves fewer errors"},
	{func(t *trialRun) int { return trial.Boolean(t.succeeds) }, "with another patch the program ends with exit code 0"},
	{func(t *trialRun) int { return trial.Boolean(t.keeps()) }, "with another patch the program computes the same as before"},
	{func(t *trialRun) int { return trial.Boolean(!t.inexact) }, "another patch leaves out invalid accesses only"},
	{func(t *trialRun) int { return trial.Boolean(t.inexact) * int(t.valid) }, "another patch leaves out fewer accesses"},
}

// preferred is the better one of two patches that hold, the first where none is, and why the other is not.
func preferred(a, b *trialRun) (taken, other *trialRun, why string) {
	for _, r := range ranks {
		switch x, y := r.of(a), r.of(b); {
		case x > y:
			return a, b, r.why
		case x < y:
			return b, a, r.why
		}
	}
	return a, b, "another patch, which was tried first, does as much"
}
