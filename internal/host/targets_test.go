package host

import "testing"

// TestChoose: which of several versions of a module a device gets.
func TestChoose(t *testing.T) {
	m := Meta{Targets: []Target{{80, 2, ""}, {50, 3, ""}, {70, 1, ""}}}
	for sm, want := range map[int]string{90: "80", 80: "80", 75: "7", 70: "7", 60: "500", 50: "500", 35: "500"} {
		if got := string(m.choose([]byte("805007"), sm)); got != want {
			t.Errorf("sm_%d gets %q, want %q", sm, got, want)
		}
	}
	only := Meta{Targets: []Target{{120, 1, ""}, {100, 1, "f"}, {90, 1, "a"}, {90, 1, ""}, {75, 1, ""}}}
	for sm, want := range map[int]string{75: "7", 89: "7", 90: "a", 100: "f", 103: "f", 110: "9", 120: "c", 121: "c", 70: "7"} {
		if got := string(only.choose([]byte("cfa97"), sm)); got != want {
			t.Errorf("of some for one architecture only, sm_%d gets %q, want %q", sm, got, want)
		}
	}
	if got := string((&Meta{}).choose([]byte("one"), 80)); got != "one" {
		t.Errorf("one version: %q", got)
	}
	if got := m.choose([]byte("80"), 80); got != nil {
		t.Errorf("damaged: %q", got)
	}
}
