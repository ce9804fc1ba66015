package trial

import (
	"bytes"
	"context"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/session"
)

// Noise is how two runs of the program as it is differ: what varies by itself, such as
// a printed time, says nothing about a barrier or a schedule.
type Noise struct {
	Buffers map[string]bool // by their short names, which do not depend on lines
	Lines   map[int]bool
	// tail is the first line from which on lines cannot be compared, as the runs print
	// different numbers of them; -1 for none.
	Tail int
	// exit is set if they ended differently.
	exit  bool
	found []*finding.Finding
}

// variation returns the noise. The program is run for it once more, at the first
// difference.
func (st *Multirun) variation(ctx context.Context, first *session.Session) (*Noise, error) {
	if st.Noise != nil {
		return st.Noise, nil
	}
	s, diffs, err := st.Again(ctx, st.Cfg, nil)
	if err != nil {
		return nil, err
	}
	n := &Noise{Buffers: map[string]bool{}, Lines: map[int]bool{}, Tail: -1, found: s.Found}
	n.Merge(first, s, diffs)
	st.Noise = n
	return n, nil
}

// Merge adds how another run differs from the first one.
func (n *Noise) Merge(first, s *session.Session, diffs []Difference) {
	n.exit = n.exit || first.Exit != s.Exit
	for _, d := range diffs {
		n.Buffers[d.Name] = true
	}
	a, b := LinesOf(first), LinesOf(s)
	for i := range max(len(a), len(b)) {
		if lineAt(a, i) != lineAt(b, i) {
			n.Lines[i] = true
			if len(a) != len(b) && (n.Tail < 0 || i < n.Tail) {
				n.Tail = i
			}
		}
	}
}

// ignores reports whether a line of the output varies by itself. Without noise none
// does.
func (n *Noise) ignores(line int) bool {
	return n != nil && (n.Lines[line] || n.Tail >= 0 && line >= n.Tail)
}

// LinesOf returns what a run printed, by lines.
func LinesOf(s *session.Session) [][]byte { return bytes.Split(s.Output.Bytes(), []byte("\n")) }

// differences returns how a run differs from the first one beyond noise: its buffers, and its end or its output.
func (st *Multirun) differences(ctx context.Context, first, s *session.Session, diffs []Difference) ([]Difference, *outputDifference, error) {
	out := OutputChange(first, s, nil)
	if len(diffs) == 0 && out == nil {
		return nil, nil, nil
	}
	n, err := st.variation(ctx, first)
	if err != nil {
		return nil, nil, err
	}
	var left []Difference
	for _, d := range diffs {
		if !n.Buffers[d.Name] {
			left = append(left, d)
		}
	}
	return left, OutputChange(first, s, n), nil
}
