package fix

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// judge compares a run with patches with the program as it is.
func (f *fixer) judge(t *trialRun, s *session.Session, diffs []trial.Difference, target string, sameLines bool) {
	for _, e := range errorsOf(s) {
		id := identity(e)
		switch {
		case id == target:
			t.cause, t.why = repair.Stays, "the finding stays"
		case !f.known[id] && f.beyond(t, e):
			t.further = true
			continue
		case !f.known[id] && sameLines && t.why == "":
			t.cause, t.why, t.fresh = repair.NewFinding, fmt.Sprintf("%s: %s", e.Rule, e.Message), e
		}
		t.left[id] = true
		t.sorts[e.Rule+"\x00"+e.Kernel] = true
	}
	if t.why != "" {
		return
	}
	if len(s.Failed) > len(f.original.Failed) {
		t.cause, t.why = repair.NotCompiled, "its device code is not loaded: "+s.Failed[0].Error()
		return
	}
	if s.Unsupported != "" && f.original.Unsupported == "" {
		t.cause, t.why = repair.Ends, "it is not checked: "+s.Unsupported+" is not supported"
		return
	}
	if was, now := f.original.Exit, s.Exit; now.Canceled && !was.Canceled || now.Signal != 0 && was.Signal == 0 {
		t.cause, t.why = repair.Ends, "the program is "+trial.Ending(now)
		return
	}
	for _, d := range diffs {
		switch {
		case f.Noise.Buffers[d.Name]: // an accepted patch changes it
		case d.Unwritten > 0 && !t.exact:
			t.cause, t.why = repair.NotWritten, fmt.Sprintf("%d of %s are not written any more", d.Unwritten, d.Buffer)
			return
		default:
			t.memory = true
			t.change("%s differ after launch %d", d.Buffer, d.Launch)
		}
	}
	if w := f.newWarning(t, s); w != nil && sameLines {
		t.cause, t.why = repair.NewWarning, fmt.Sprintf("%s: %s", w.Rule, w.Message)
		return
	}
	if d := trial.OutputChange(f.original, s, f.Noise); d != nil {
		t.change("%s is %s, was %s", d.What, d.Now, d.Was)
	}
}

// beyond reports whether an error is in a launch that the program as it is does not come to, or that is refused there.
func (f *fixer) beyond(t *trialRun, e *finding.Finding) bool {
	launch, executed := t.aligned.Launch(e.Launches.First())
	return !executed || launch > f.counts.last
}

func (t *trialRun) change(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(t.changed, text) {
		t.changed = append(t.changed, text)
	}
}
