package lsp

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
)

func TestLineMap(t *testing.T) {
	for _, tc := range []struct {
		old, new string
		want     []int
	}{
		{"", "", []int{0}},
		{"a b c", "a b c", []int{0, 1, 2}},
		{"a b c", "x a b c", []int{1, 2, 3}},
		{"a b c", "a c", []int{0, -1, 1}},
		{"a b c", "a B c", []int{0, -1, 2}},
		{"a b c d e", "a x c y d e", []int{0, -1, 2, 4, 5}},
		{"a a a", "a a", []int{0, 1, -1}},
		{"a b", "b a", []int{-1, 0}},
	} {
		got := lineMap(strings.Split(tc.old, " "), strings.Split(tc.new, " "))
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q to %q: %v, want %v", tc.old, tc.new, got, tc.want)
		}
	}
}

// TestLineMapIsSound: mapped lines are equal and keep their order.
func TestLineMapIsSound(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 2000 {
		lines := func() []string {
			out := make([]string, 1+rng.Intn(12))
			for i := range out {
				out[i] = string(rune('a' + rng.Intn(4)))
			}
			return out
		}
		old, now := lines(), lines()
		last := -1
		for i, j := range lineMap(old, now) {
			if j < 0 {
				continue
			}
			if j <= last || old[i] != now[j] {
				t.Fatalf("%v to %v: line %d is said to be %d", old, now, i, j)
			}
			last = j
		}
	}
}

func TestPaths(t *testing.T) {
	for path, uri := range map[string]string{"/a b/c#d.cu": "file:///a%20b/c%23d.cu", "/x.cu": "file:///x.cu"} {
		if got := uriOf(path); got != uri {
			t.Errorf("uriOf(%q) = %q", path, got)
		}
		if got := pathOf(uri); got != path {
			t.Errorf("pathOf(%q) = %q", uri, got)
		}
	}
	if got := pathOf("untitled:1"); got != "" {
		t.Errorf("pathOf(untitled:1) = %q", got)
	}
}
