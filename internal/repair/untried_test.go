package repair_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/source"
)

// TestWhyNone: why there is no patch for a finding.
func TestWhyNone(t *testing.T) {
	p, file, _ := program(t)
	own := source.Location{Pos: at(t, file, "read")}
	other := source.Location{Pos: source.Pos{File: "/usr/include/other.h", Line: 3}}
	for _, c := range []struct {
		repair *finding.Repair
		at     source.Location
		want   repair.Untried
	}{
		{nil, own, repair.NoRepair},
		{&finding.Repair{Kind: "same-descriptor"}, own, repair.OtherKind},
		{&finding.Repair{Kind: "check-condition"}, own, repair.NotInProgram},
		{&finding.Repair{Kind: "outlive-function"}, own, repair.NotInProgram},
		{&finding.Repair{Kind: "free-once"}, other, repair.Elsewhere},
		{&finding.Repair{Kind: "syncwarp"}, other, repair.Elsewhere},
		{&finding.Repair{Kind: "check-result"}, own, repair.NothingToEdit},
	} {
		f := &finding.Finding{Primary: finding.Place{Loc: c.at}, Repair: c.repair}
		if got := repair.WhyNone(p, f); got != c.want || len(repair.Candidates(p, f)) > 0 {
			t.Errorf("%+v: %s, want %s; %d candidates", c.repair, got, c.want, len(repair.Candidates(p, f)))
		}
	}
}
