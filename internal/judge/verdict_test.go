package judge

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHostileVerdicts writes verdicts whose texts attack: they quote jobs, and what compilers say about them.
func TestHostileVerdicts(t *testing.T) {
	r, values := rand.New(rand.NewPCG(4, 7)), 0
	for range 50 {
		var v Verdict
		values += tooltest.FillHostile(&v, r)
		var b strings.Builder
		if err := v.write(&b); err != nil {
			t.Fatal(err)
		}
		if harm := tooltest.Harm(b.String(), nil); harm != "" || !json.Valid([]byte(b.String())) || strings.Count(b.String(), "\n") != 1 {
			t.Fatalf("%s: %s", harm, b.String())
		}
	}
	t.Logf("%d values", values)
}
