package session

import (
	"bytes"
	"context"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// noise is how two runs of the program as it is differ: what varies by itself, such as
// a printed time, says nothing about a barrier or a schedule.
type noise struct {
	buffers map[string]bool // by their short names, which do not depend on lines
	lines   map[int]bool
	// tail is the first line from which on lines cannot be compared, as the runs print
	// different numbers of them; -1 for none.
	tail int
	// exit is set if they ended differently.
	exit  bool
	found []*finding.Finding
}

// variation returns the noise. The program is run for it once more, at the first
// difference.
func (st *multirun) variation(ctx context.Context, first *session) (*noise, error) {
	if st.noise != nil {
		return st.noise, nil
	}
	s, diffs, err := st.again(ctx, st.cfg, nil)
	if err != nil {
		return nil, err
	}
	n := &noise{buffers: map[string]bool{}, lines: map[int]bool{}, tail: -1, found: s.found}
	n.merge(first, s, diffs)
	st.noise = n
	return n, nil
}

// merge adds how another run differs from the first one.
func (n *noise) merge(first, s *session, diffs []difference) {
	n.exit = n.exit || first.exit != s.exit
	for _, d := range diffs {
		n.buffers[d.Name] = true
	}
	a, b := linesOf(first), linesOf(s)
	for i := range max(len(a), len(b)) {
		if lineAt(a, i) != lineAt(b, i) {
			n.lines[i] = true
			if len(a) != len(b) && (n.tail < 0 || i < n.tail) {
				n.tail = i
			}
		}
	}
}

// ignores reports whether a line of the output varies by itself. Without noise none
// does.
func (n *noise) ignores(line int) bool {
	return n != nil && (n.lines[line] || n.tail >= 0 && line >= n.tail)
}

func linesOf(s *session) [][]byte { return bytes.Split(s.output.Bytes(), []byte("\n")) }

// differences are those of a run from the first one that are not noise: of buffers, and
// of the end or the output.
func (st *multirun) differences(ctx context.Context, first, s *session, diffs []difference) ([]difference, *outputDifference, error) {
	out := outputChange(first, s, nil)
	if len(diffs) == 0 && out == nil {
		return nil, nil, nil
	}
	n, err := st.variation(ctx, first)
	if err != nil {
		return nil, nil, err
	}
	var left []difference
	for _, d := range diffs {
		if !n.buffers[d.Name] {
			left = append(left, d)
		}
	}
	return left, outputChange(first, s, n), nil
}
