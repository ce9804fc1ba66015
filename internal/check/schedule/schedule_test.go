package schedule

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// TestFinding checks which races are taken for the cause.
func TestFinding(t *testing.T) {
	race := func(kernel string, launch, line int) *finding.Finding {
		return &finding.Finding{Rule: "race", Kernel: kernel, Launches: finding.InLaunch(launch), Message: "RAW on s",
			Primary: finding.Place{Loc: source.Location{Pos: source.Pos{File: "a.cu", Line: line}}}}
	}
	change := Change{Launch: 2, Kernel: "k", Buffer: "variable a", Element: "a[5]", Was: "1", Now: "2", Under: "reverse", Count: 3}
	for _, tc := range []struct {
		name  string
		races []*finding.Finding
		line  int // of the primary place
		note  string
	}{
		{"none", nil, 0, "no race explains it"},
		{"same kernel", []*finding.Finding{race("other", 0, 3), race("k", 2, 9)}, 9, "a.cu:9"},
		{"earlier launch that changed memory", []*finding.Finding{race("other", 0, 3)}, 0, "a.cu:3"},
		{"earlier launch on other data", []*finding.Finding{race("elsewhere", 0, 3)}, 0, "no race explains it"},
		{"later launch", []*finding.Finding{race("other", 3, 3)}, 0, "no race explains it"},
	} {
		before := Change{Launch: 1, Kernel: "other", Buffer: "variable b", Under: "reverse"}
		f := Finding(change, []Change{before, change}, tc.races)
		if f.Message != "a[5] depends on the schedule: 1 or 2" || f.Level != finding.Warning || f.Count != 3 {
			t.Errorf("%s: %+v", tc.name, f)
		}
		if f.Primary.Loc.Line != tc.line || !strings.Contains(strings.Join(f.Notes, "\n"), tc.note) {
			t.Errorf("%s: line %d, notes %q", tc.name, f.Primary.Loc.Line, f.Notes)
		}
	}
}
