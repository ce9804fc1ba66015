package repair

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHostileReports: what fix and tidy say of each finding shows names and messages, and obeys none of them.
func TestHostileReports(t *testing.T) {
	r, values := rand.New(rand.NewPCG(4, 7)), 0
	for range 300 {
		var fixed Report
		var tidied TidyReport
		values += tooltest.FillHostile(&fixed.Results, r) + tooltest.FillHostile(&tidied.Results, r)
		for i := range fixed.Results {
			if x := &fixed.Results[i]; x.Finding == nil {
				x.Finding = &finding.Finding{Message: tooltest.Hostile(r)}
			}
		}
		var b strings.Builder
		fixed.Text(&b, "")
		tidied.Text(&b, "")
		if text := tooltest.Harm(b.String(), nil); text != "" {
			t.Fatal(text)
		}
	}
	t.Logf("%d values", values)
}
