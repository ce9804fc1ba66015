package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHostileHover describes findings whose texts attack: nothing is markup, and no line is forged.
func TestHostileHover(t *testing.T) {
	r, values := rand.New(rand.NewPCG(4, 7)), 0
	for range 300 {
		var f finding.Finding
		values += tooltest.FillHostile(&f, r)
		var b strings.Builder
		describe(&b, &f)
		text := b.String()
		if harm := tooltest.Harm(text, nil); harm != "" {
			t.Fatal(harm)
		}
		for line := range strings.Lines(text) {
			if i := strings.Index(line, "<"); i >= 0 && !strings.HasPrefix(line, "- in kernel `") {
				t.Fatalf("markup: %q", line)
			}
		}
	}
	t.Logf("%d values", values)
}
