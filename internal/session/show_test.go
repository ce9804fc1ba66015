package session

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestShowHostileCapsule shows capsules whose texts attack.
func TestShowHostileCapsule(t *testing.T) {
	r, values := rand.New(rand.NewPCG(4, 7)), 0
	for range 50 {
		var c capsule.Capsule
		values += tooltest.FillHostile(&c, r)
		var b strings.Builder
		showCapsule(&b, &c)
		if harm := tooltest.Harm(b.String(), nil); harm != "" {
			t.Fatal(harm)
		}
	}
	t.Logf("%d values", values)
}
