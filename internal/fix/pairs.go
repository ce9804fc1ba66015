package fix

import (
	"context"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// How many patches are completed by a second one, and how many are tried for that.
const (
	mostHalves  = 3
	mostSeconds = 8
)

// completed looks for a patch of two, where none holds by itself: one with which the finding goes and another one comes, and one
// for what has come. It returns nil if none holds.
func (f *fixer) completed(ctx context.Context, halves []*trialRun, r *repair.Result, target string) (*trialRun, error) {
	for _, half := range halves[:min(len(halves), mostHalves)] {
		first := half.patch
		seconds := f.propose(f, f.asBefore(half.fresh, append(slices.Clone(f.accepted), first)))
		for i, second := range seconds[:min(len(seconds), mostSeconds)] {
			if f.clock.over() {
				r.NotTried += min(len(seconds), mostSeconds) - i
				return nil, nil
			}
			both := code.Join(first, second)
			t, err := f.try(ctx, append(slices.Clone(f.accepted), both), target, true)
			if err != nil || ctx.Err() != nil {
				return nil, err
			}
			t.patch = both
			if f.refuse(t, r.Finding); t.why == "" {
				return t, nil
			}
			r.Tried = append(r.Tried, repair.Trial{What: both.What, Cause: t.cause, Why: t.why})
		}
	}
	return nil, nil
}

// asBefore is a finding of a run with patches with its places as they are in the program that others are compared with.
func (f *fixer) asBefore(e *finding.Finding, patches []*code.Patch) *finding.Finding {
	return displaced(e, func(p source.Pos) source.Pos {
		return code.Moved(f.texts, f.base, code.Moved(f.texts, patches, p, true), false)
	})
}
