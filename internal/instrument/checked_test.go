package instrument_test

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/instrument"
)

// TestParseStatic: a report without kernels is not one of warpgrind check; one
// without accesses to shared memory has nothing to tell.
func TestParseStatic(t *testing.T) {
	const site = `{"location": {"file": "a.cu", "line": 3}, "kind": "write", "verdict": "safe", "space": `
	for _, c := range []struct {
		text  string
		sites int // -1 for an error
	}{
		{`{"stats": {"static": [{"sites": [` + site + `"shared"}, ` + site + `"global"}]}]}}`, 1},
		{`{"stats": {"static": [{"sites": [` + site + `"global"}]}]}}`, 0},
		{`{"stats": {"static": [{"sites": []}]}}`, 0},
		{`{"sites": [{"file": "a.cu", "line": 3, "safe": true}]}`, 1},
		{`{"stats": {"race": []}}`, -1},
		{`{}`, -1},
		{`[]`, -1},
	} {
		got := -1
		if s, err := instrument.ParseStatic([]byte(c.text), "/here"); err == nil {
			got = len(s.Sites)
			if got > 0 && s.Sites[0].File != "/here/a.cu" {
				t.Errorf("file %s", s.Sites[0].File)
			}
		}
		if got != c.sites {
			t.Errorf("%s: %d sites, want %d", c.text, got, c.sites)
		}
	}
}
