package memory

import "testing"

// TestGrown: a size keeps the names that it is made of.
func TestGrown(t *testing.T) {
	for _, c := range []struct {
		text     string
		was, now int64
		want     string
	}{
		{"65", 65, 66, "66"}, {"0x40", 64, 66, "66"}, {"B", 64, 66, "B + 2"}, {"B + 1", 65, 66, "B + 2"}, {"B - 2", 62, 64, "B"}, {"B - 2", 62, 63, "B - 1"},
		{"B - 1", 63, 66, "B + 2"}, {"B", 64, 128, "2 * B"}, {"B + 1", 65, 130, "2 * (B + 1)"}, {"1 << L", 64, 65, "(1 << L) + 1"}, {"TILE * TILE", 256, 257, "TILE * TILE + 1"},
	} {
		if got := grown(c.text, c.was, c.now); got != c.want {
			t.Errorf("%s of %d for %d: %s, want %s", c.text, c.was, c.now, got, c.want)
		}
	}
}
