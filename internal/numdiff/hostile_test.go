package numdiff

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHostileNames: names and texts of compared files cannot write control sequences or lines of their own.
func TestHostileNames(t *testing.T) {
	r, dir := rand.New(rand.NewPCG(1, 5)), t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, d := range []string{a, b} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		name := strings.NewReplacer("/", "", "\x00", "").Replace(tooltest.Hostile(r)) + ".txt"
		for k, d := range []string{a, b} {
			text := []string{"1 2 3\n", "1 2 " + tooltest.Hostile(r) + " 4\n"}[k]
			if (i+k)%5 > 0 {
				_ = os.WriteFile(filepath.Join(d, name), []byte(text), 0o666)
			}
		}
	}
	var out strings.Builder
	if _, err := Paths(&out, a, b, Options{}, 5); err != nil {
		if harm := tooltest.Harm(err.Error(), nil); harm != "" {
			t.Logf("an error has %s; the command shows it by package visible", harm)
		}
	}
	if harm := tooltest.Harm(out.String(), nil); harm != "" {
		t.Error(harm)
	}
	if out.Len() == 0 {
		t.Error("nothing was compared")
	}
}
