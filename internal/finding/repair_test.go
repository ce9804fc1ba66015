package finding

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/source"
)

// TestBetween: where a repair goes, also within a line.
func TestBetween(t *testing.T) {
	at := func(line, col int) *Point {
		return &Point{Pos: source.Pos{File: "/a.cu", Line: line, Col: col}, PTXLine: line}
	}
	for _, c := range []struct {
		from, to *Point
		next     bool
		want     string
	}{
		{at(3, 5), at(8, 5), false, "between line 3 and line 8"},
		{at(8, 5), at(3, 5), true, "after line 8, before line 3 runs again"},
		{at(3, 5), at(3, 9), true, "after line 3, before it runs again"},
		{at(3, 5), at(3, 9), false, "between columns 5 and 9 of line 3"},
		{at(3, 9), at(3, 5), false, "between the read and the write of line 3"},
	} {
		r := Repair{Kind: "k", Call: Syncthreads, From: c.from, To: c.to, Next: c.next}
		if got := r.Between("/a.cu"); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
		if got, want := r.Between("/b.cuh"), strings.ReplaceAll(c.want, "line ", "a.cu:"); got != want {
			t.Errorf("%v to %v, in another file: %q, want %q", c.from, c.to, got, want)
		}
	}
}
