package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
)

// TestAsk: what the answers to four patches mean.
func TestAsk(t *testing.T) {
	for answers, want := range map[string]string{
		"y\nn\ny\nn\n": "yes no yes no",
		"n\na\n":       "no yes yes yes",
		"y\nq\n":       "yes no no no",
		"?\nY\ny\n":    "yes no no no", // asked again; the input ends
		"":             "no no no no",
	} {
		var out bytes.Buffer
		choose := (&command{stdin: strings.NewReader(answers), stderr: &out}).ask()
		var got []string
		for range 4 {
			take, err := choose(&repair.Offer{What: "do it", Why: "an error", Files: []repair.Changed{{File: "a.cu", Before: "a\n", After: "b\n"}}})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, map[bool]string{true: "yes", false: "no"}[take])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", answers, got, want)
		}
		if !strings.Contains(out.String(), "an error\n--- a/a.cu\n+++ b/a.cu\n") || !strings.Contains(out.String(), "do it [y,n,a,q,?]? ") {
			t.Errorf("shows %q", out.String())
		}
	}
}
