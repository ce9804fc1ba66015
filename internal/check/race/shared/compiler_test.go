package shared

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// TestReplicated: stores of one value by one instruction in memory of the compiler's own are not
// reported, nor are those of several values by lanes of a warp at once, or of two warps that
// write the same several. Those in a variable of the source are, and
// so are those of two instructions, of two values at different times, and all where the user has asked for them.
func TestReplicated(t *testing.T) {
	lane := func(l int) int { return l }
	ask := check.RacePolicy{SameValue: check.Verdict{Set: true, Level: finding.Warning}}
	for _, c := range []struct {
		name     string
		source   bool
		second   int
		value    func(l int) int
		policy   check.RacePolicy
		findings int
	}{
		{"replicated", false, wr, value(7), check.RacePolicy{}, 0},
		{"of the source", true, wr, value(7), check.RacePolicy{}, 1},
		{"two instructions", false, wr2, value(7), check.RacePolicy{}, 1},
		{"values of one instruction", false, -1, lane, check.RacePolicy{}, 0},
		{"values of one instruction, of the source", true, -1, lane, check.RacePolicy{}, 1},
		{"values of one instruction, asked for", false, -1, lane, ask, 1},
		{"the same values of two warps", false, wr, lane, check.RacePolicy{}, 0},
		{"the same values of two warps, of the source", true, wr, lane, check.RacePolicy{}, 1},
		{"other values of two warps", false, wr, nil, check.RacePolicy{}, 1},
		{"read", false, rd, value(7), check.RacePolicy{}, 1},
		{"asked for", false, wr, value(7), ask, 1},
	} {
		p := newPlayer(t, check.ITS, 64, 1)
		p.config.Policy = c.policy
		p.launch.Shared[0].Compiler = !c.source
		p.begin(0)
		p.access(wr, 0, 3, fixed(0), c.value)
		if c.second >= 0 {
			p.access(c.second, 1, 3, fixed(0), c.value)
		}
		if got := p.end(); len(got) != c.findings {
			t.Errorf("%s: %d findings, want %d", c.name, len(got), c.findings)
		}
	}
}
