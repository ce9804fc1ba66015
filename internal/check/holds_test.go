package check

import "testing"

func TestParseHolds(t *testing.T) {
	for _, text := range []string{"hold:0:0.0.1", "hold:12:3.1.7,0.0.2"} {
		h, err := ParseHolds(text)
		if err != nil || h.String() != text {
			t.Errorf("%s: %v, %v", text, h, err)
		}
	}
	for _, text := range []string{"", "hold:", "hold:0", "hold:0:", "hold:0:1", "hold:0:1.2", "hold:0:1.2.0", "hold:0:1.32.1", "hold:0:1.2.3.4",
		"hold:-1:0.0.1", "hold:0:0.0.1,", "hold:99999999999:0.0.1", "hold:0:a.0.1", "0:0.0.1"} {
		if h, err := ParseHolds(text); err == nil {
			t.Errorf("%q is taken for %v", text, h)
		}
	}
}
