package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHostileCapsuleFiles: what the commands write of a capsule that came from elsewhere obeys none of its texts, however far
// they come with it.
func TestHostileCapsuleFiles(t *testing.T) {
	n := 25
	if tooltest.Long() {
		n = 5000
	}
	r, values := rand.New(rand.NewPCG(6, 1)), 0
	file := filepath.Join(t.TempDir(), "launch.json")
	for range n {
		var c capsule.Capsule
		values += tooltest.FillHostile(&c, r)
		if r.IntN(4) > 0 {
			c.Format = capsule.Format
		}
		if r.IntN(4) > 0 {
			c.Settings = capsule.Settings{Arch: "sm_80"}
		}
		text, err := json.Marshal(&c)
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"capsule", "show", file}, {"replay", file}, {"replay", "--format", "github", file}, {"capsule", "export", file}} {
			var out strings.Builder
			code := run(t.Context(), args, strings.NewReader(""), &out, &out)
			if harm := tooltest.Harm(out.String(), nil); harm != "" || code == 6 {
				t.Fatalf("%q: exit %d, %s\n%q\n%s", args, code, harm, out.String(), text)
			}
		}
	}
	t.Logf("%d values", values)
}
