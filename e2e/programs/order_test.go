package programs

import (
	"fmt"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestBlocksInTurn runs a program whose blocks race for what they read and write:
// its results and findings must not depend on how many workers run them.
func TestBlocksInTurn(t *testing.T) {
	bin := tooltest.Tool(t)
	var want string
	for _, j := range []string{"1", "2", "4"} {
		got, findings := e2e.RunJSON(t, bin, "-j", j, "testdata/order/blocks.cu")
		if len(findings) == 0 {
			t.Fatal("no race found", got.Stderr)
		}
		text := fmt.Sprint(got.Stdout, e2e.Show(findings))
		if want == "" {
			want = text
		}
		if text != want {
			t.Errorf("-j %s:\n%s\nwant\n%s", j, text, want)
		}
	}
}

// TestPolledFirst: blocks that wait for one that has not begun let it begin, in each order and with each set of observers.
func TestPolledFirst(t *testing.T) {
	bin := tooltest.Tool(t)
	for _, order := range [][]string{{"default"}, {"reverse"}, {"random", "--seed", "1"}, {"random", "--seed", "2"}} {
		for _, rules := range []string{"race", "hang", "default"} {
			args := append([]string{"--timeout", "3m", "--tool", rules, "testdata/order/polled.cu", "--schedule"}, order...)
			got, findings := e2e.RunJSON(t, bin, args...)
			if got.Exit != 0 || len(findings) > 0 {
				t.Errorf("%v, %s: exit code %d\n%s", order, rules, got.Exit, got.Stderr)
			}
		}
	}
}
