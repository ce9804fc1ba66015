package sync

import (
	"context"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/static"
)

// Static reports barriers that some threads of a block miss, and those that no
// thread reaches or that do nothing.
func Static(ctx context.Context, cfg check.Config, u *static.Unit) []*finding.Finding {
	var set finding.Set
	for _, b := range u.Barriers(ctx) {
		set.Add(staticFinding(cfg.Geometry().SM, u, &b))
	}
	return set.Sorted()
}

func staticFinding(sm int, u *static.Unit, b *static.Barrier) *finding.Finding {
	f := &finding.Finding{Rule: "sync", Kernel: u.F.Name, Count: 1, Unit: "place", Primary: check.StaticPlace(b.Value, "", nil)}
	kind := b.Kind
	if kind == static.Returned && sm < perThread { // these wait for whole warps
		kind = static.Divergent
	}
	switch kind {
	case static.Divergent:
		f.Kind, f.Level = "divergent", finding.Error
		f.Message = "barrier in divergent code: not all threads of a warp reach it"
		f.Cause = DivergentBarrier
		repair(f, finding.MoveBarrier)
	case static.Returned:
		f.Kind, f.Level = "exited", finding.Warning
		f.Message = "barrier after threads of the block have returned: they never reach it"
		f.Cause = ExitedWarp
		repair(f, finding.ReturnLater)
	case static.Left:
		f.Kind, f.Level = "exited", finding.Warning
		f.Message = "barrier that whole warps never reach"
		f.Cause = ExitedWarp
		repair(f, finding.ReturnLater)
	case static.Elsewhere:
		f.Kind, f.Level = "divergent", finding.Warning
		f.Message = "the warps of a block wait at different barriers"
		f.Related = []finding.Place{check.StaticPlace(b.Other, "other warps wait here", check.StaticThread(b.Evidence.Block[1], b.Evidence.Thread[1], b.Evidence.Shape))}
		f.Cause = ConditionalBarrier
		repair(f, finding.OneBarrier)
	case static.Unreachable:
		f.Kind, f.Level, f.Message = "unreachable", finding.Info, "barrier that no thread reaches"
		f.Cause = Unreachable
		repair(f, finding.RemoveOrCorrect)
	case static.Redundant:
		f.Kind, f.Level, f.Message = "redundant", finding.Info, "redundant barrier: no memory access since the previous barrier"
		f.Related = []finding.Place{check.StaticPlace(b.Before, "the previous barrier", nil)}
		f.Cause = Redundant
		repair(f, finding.RemoveOne)
	}
	if b.Verdict == static.Possible && f.Level == finding.Error {
		f.Level = finding.Warning
	}
	if e := b.Evidence; e != nil {
		f.Primary.Role = "reached by"
		f.Primary.Thread = check.StaticThread(e.Block[0], e.Thread[0], e.Shape)
		if b.Kind == static.Elsewhere {
			f.Notes = append(f.Notes, conditionalCode)
		} else {
			f.Notes = append(f.Notes, fmt.Sprintf("%v does not reach it", check.StaticThread(e.Block[1], e.Thread[1], e.Shape)))
		}
		if sm >= perThread && (kind == static.Returned || kind == static.Left) {
			f.Notes = append(f.Notes, nonExited)
		}
		f.Notes = append(f.Notes, check.ForParams(u, e)...)
	}
	check.Confident(f, u, b.Needs)
	f.Key = "static\x00" + f.Kind + check.StaticKey(b.Value)
	return f
}
