package host

import "testing"

// TestChoose: which of several versions of a module a device gets.
func TestChoose(t *testing.T) {
	m := Meta{Targets: []Target{{80, 2, ""}, {50, 3, ""}, {70, 1, ""}}}
	for sm, want := range map[int]string{90: "80", 80: "80", 75: "7", 70: "7", 60: "500", 50: "500"} {
		if got, err := m.choose([]byte("805007"), sm); string(got) != want || err != nil {
			t.Errorf("sm_%d gets %q, %v, want %q", sm, got, err, want)
		}
	}
	only := Meta{Targets: []Target{{120, 1, ""}, {100, 1, "f"}, {90, 1, "a"}, {90, 1, ""}, {75, 1, ""}}}
	for sm, want := range map[int]string{75: "7", 89: "7", 90: "a", 100: "f", 103: "f", 110: "9", 120: "c", 121: "c"} {
		if got, err := only.choose([]byte("cfa97"), sm); string(got) != want || err != nil {
			t.Errorf("of some for one architecture only, sm_%d gets %q, %v, want %q", sm, got, err, want)
		}
	}
	if got, err := (&Meta{}).choose([]byte("one"), 80); string(got) != "one" || err != nil {
		t.Errorf("one version: %q, %v", got, err)
	}
	if got, err := m.choose([]byte("80"), 80); got != nil || err != nil {
		t.Errorf("damaged: %q, %v", got, err)
	}
}

// TestNoImage: a device that runs no version of a module gets none, but for those older than all that code is compiled for.
func TestNoImage(t *testing.T) {
	for _, c := range []struct {
		targets []Target
		sm      int
		want    string
	}{
		{[]Target{{90, 1, "a"}}, 80, "no kernel image for sm_80: the device code is for sm_90a; use --arch sm_90, or build it for sm_80"},
		{[]Target{{90, 1, "a"}}, 100, "no kernel image for sm_100: the device code is for sm_90a; use --arch sm_90, or build it for sm_100"},
		{[]Target{{100, 1, "f"}, {90, 1, "a"}}, 89, "no kernel image for sm_89: the device code is for sm_90a, sm_100f; use --arch sm_90, or build it for sm_89"},
		{[]Target{{50, 1, ""}}, 35, "no kernel image for sm_35: the device code is for sm_50; use --arch sm_50, or build it for sm_35"},
		{[]Target{{35, 1, ""}}, 13, ""},
		{[]Target{{90, 1, "a"}}, 90, ""},
		{[]Target{{90, 1, ""}}, 120, ""},
	} {
		got := ""
		if _, err := (&Meta{Targets: c.targets}).choose([]byte("two"), c.sm); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v on sm_%d: %q, want %q", c.targets, c.sm, got, c.want)
		}
	}
}
