package session

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/initialized"
	"github.com/warpgrind/warpgrind/internal/check/sync"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// withoutTwins leaves out what both sync and init find of shuffles that read absent lanes. Where
// the shuffle itself is wrong, as its mask is or all lanes want the same absent lane, sync says so; elsewhere it matters
// whether the value is used, and init knows.
func withoutTwins(rules []check.Rule, fs []*finding.Finding) []*finding.Finding {
	if !slices.ContainsFunc(rules, func(r check.Rule) bool { return r.ID == initialized.Rule.ID }) {
		return fs
	}
	certain := map[source.Pos]bool{}
	for _, f := range fs {
		if f.Rule == sync.Rule.ID && f.Level == finding.Error {
			certain[f.Primary.Loc.Pos] = true
		}
	}
	var out []*finding.Finding
	for _, f := range fs {
		if f.Cause == sync.AbsentLane && f.Level < finding.Error || f.Cause == initialized.UndefinedLane && certain[f.Primary.Loc.Pos] {
			continue
		}
		out = append(out, f)
	}
	return out
}
