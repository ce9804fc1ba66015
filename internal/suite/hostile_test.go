package suite

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHostileNames: a plan's list shows names, and has one line for each job.
func TestHostileNames(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	p := &Plan{}
	for range 2000 {
		p.Jobs = append(p.Jobs, Job{ID: "0123456789abcdef", Args: []string{"run", tooltest.Hostile(r)}})
	}
	var b strings.Builder
	if err := p.Write(&b, "list", Target{}); err != nil {
		t.Fatal(err)
	}
	if text := tooltest.Harm(b.String(), nil); text != "" {
		t.Error(text)
	}
	if n := strings.Count(b.String(), "\n"); n != len(p.Jobs) {
		t.Errorf("%d lines for %d jobs", n, len(p.Jobs))
	}
}
