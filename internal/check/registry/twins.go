package registry

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/initialized"
	"github.com/warpgrind/warpgrind/internal/check/memory"
	"github.com/warpgrind/warpgrind/internal/check/sync"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// WithoutTwins leaves out what two rules find at one place: sync and init of shuffles that read absent lanes. Where
// the shuffle itself is wrong, as its mask is or all lanes want the same absent lane, sync says so; elsewhere it matters
// whether the value is used, and init knows. What a dangling pointer reads is uninitialized, too, and memory says why.
func WithoutTwins(rules []check.Rule, fs []*finding.Finding) []*finding.Finding {
	if !slices.ContainsFunc(rules, func(r check.Rule) bool { return r.ID == initialized.Rule.ID }) {
		return fs
	}
	certain, dangling := map[source.Pos]bool{}, map[source.Pos]bool{}
	for _, f := range fs {
		switch {
		case f.Rule == sync.Rule.ID && f.Level == finding.Error:
			certain[f.Primary.Loc.Pos] = true
		case f.Cause == memory.FunctionReturned, f.Cause == memory.ScopeEnded:
			dangling[f.Primary.Loc.Pos] = true
		}
	}
	var out []*finding.Finding
	for _, f := range fs {
		switch at := f.Primary.Loc.Pos; {
		case f.Cause == sync.AbsentLane && f.Level < finding.Error:
		case f.Cause == initialized.UndefinedLane && certain[at], f.Rule == initialized.Rule.ID && dangling[at]:
		default:
			out = append(out, f)
		}
	}
	return out
}
