// Package numdiff compares files of numbers: dumped buffers with one another or
// with a file of expected values.
package numdiff

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/visible"
)

// Options say what counts as equal.
type Options struct {
	// Abs and Rel are tolerances: values are equal if they differ by at most
	// Abs, or by at most Rel times the larger magnitude.
	Abs, Rel float64
	// NaNDiffers makes NaN differ from NaN, ZeroDiffers -0 from 0.
	NaNDiffers, ZeroDiffers bool
	// Unordered compares what values there are, and not where.
	Unordered bool
}

// Value is one datum: its text, and what it is as a number.
type Value struct {
	Text string
	F    float64
	// I is its exact value where Int is set.
	I   int64
	Int bool
	// Word is set if it is not a number.
	Word bool
}

// Parse reads a datum.
func Parse(s string) Value {
	if i, err := strconv.ParseInt(s, 0, 64); err == nil && s != "-0" {
		return Value{Text: s, F: float64(i), I: i, Int: true}
	}
	if u, err := strconv.ParseUint(s, 0, 64); err == nil {
		return Value{Text: s, F: float64(u)}
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return Value{Text: s, F: f}
	}
	return Value{Text: s, Word: true}
}

// Read reads data separated by white space or commas. A line that begins with
// # is a comment.
func Read(r io.Reader) ([]Value, error) {
	var out []Value
	in := bufio.NewScanner(r)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		line := in.Text()
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, s := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == ';' }) {
			out = append(out, Parse(s))
		}
	}
	return out, in.Err()
}

// Equal reports whether two data count as equal.
func (o Options) Equal(a, b Value) bool {
	if a.Word || b.Word {
		return a.Text == b.Text
	}
	if math.IsNaN(a.F) || math.IsNaN(b.F) {
		return math.IsNaN(a.F) && math.IsNaN(b.F) && !o.NaNDiffers
	}
	if a.F == 0 && b.F == 0 {
		return !o.ZeroDiffers || math.Signbit(a.F) == math.Signbit(b.F)
	}
	d := distance(a, b)
	if math.IsInf(d, 1) {
		return false
	}
	return d <= o.Abs || d <= o.Rel*math.Max(math.Abs(a.F), math.Abs(b.F))
}

// distance is exact for integers; of those beyond a float's precision their
// difference as floats would be 0.
func distance(a, b Value) float64 {
	switch {
	case a.F == b.F && a.Int && b.Int:
		return math.Abs(float64(a.I - b.I))
	case a.F == b.F: // equal infinities too
		return 0
	}
	return math.Abs(a.F - b.F)
}

// Pair is an element of A and one of B, by their indices.
type Pair struct {
	A, B int
	// Abs and Rel are how much they differ.
	Abs, Rel float64
}

// Block states that Len elements from A on are those of the other file from B on.
type Block struct{ A, B, Len int }

// Result is the outcome of a comparison.
type Result struct {
	A, B []Value
	// Differ are the elements that differ, by index; Extra is how many more
	// elements one file has: of A if positive, of B if negative.
	Differ []Pair
	Extra  int
	// Moved are runs of differing elements that are found elsewhere.
	Moved []Block
	// Reordered is set if both have the same elements in another order.
	Reordered bool
}

// Same reports whether nothing differs.
func (r *Result) Same() bool { return len(r.Differ) == 0 && r.Extra == 0 }

// Compare compares two lists.
func Compare(a, b []Value, o Options) *Result {
	r := &Result{A: a, B: b, Extra: len(a) - len(b)}
	if o.Unordered {
		r.A, r.B = sorted(a), sorted(b)
	}
	for i := range min(len(a), len(b)) {
		if !o.Equal(r.A[i], r.B[i]) {
			r.Differ = append(r.Differ, pair(r.A, r.B, i))
		}
	}
	if !o.Unordered && len(r.Differ) > 0 {
		r.Moved = moved(a, b, r.Differ, o)
		r.Reordered = len(a) == len(b) && reordered(a, b, o)
	}
	return r
}

func pair(a, b []Value, i int) Pair {
	p := Pair{A: i, B: i, Abs: distance(a[i], b[i])}
	if a[i].Word || b[i].Word || math.IsNaN(p.Abs) {
		p.Abs = math.Inf(1)
	}
	if m := math.Max(math.Abs(a[i].F), math.Abs(b[i].F)); math.IsInf(p.Abs, 1) {
		p.Rel = p.Abs
	} else if m > 0 {
		p.Rel = p.Abs / m
	}
	return p
}

// sorted orders by value, what is not a number last by its text, NaN before that.
func sorted(v []Value) []Value {
	v = slices.Clone(v)
	slices.SortFunc(v, func(a, b Value) int {
		switch {
		case a.Word != b.Word:
			return sign(b.Word)
		case a.Word:
			return strings.Compare(a.Text, b.Text)
		case math.IsNaN(a.F) != math.IsNaN(b.F):
			return sign(math.IsNaN(b.F))
		case a.Int && b.Int && a.I != b.I:
			return sign(a.I < b.I)
		case a.F != b.F && !math.IsNaN(a.F):
			return sign(a.F < b.F)
		case math.Signbit(a.F) != math.Signbit(b.F):
			return sign(math.Signbit(a.F))
		}
		return 0
	})
	return v
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

func reordered(a, b []Value, o Options) bool {
	x, y := sorted(a), sorted(b)
	for i := range x {
		if !o.Equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

// worst returns the n pairs that measure says are worst, the first ones first.
func (r *Result) worst(n int, measure func(Pair) float64) []Pair {
	ps := slices.Clone(r.Differ)
	slices.SortStableFunc(ps, func(p, q Pair) int {
		switch a, b := measure(p), measure(q); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	return ps[:min(n, len(ps))]
}

// Write writes a summary with at most n of the worst differences.
func (r *Result) Write(w io.Writer, name string, n int) {
	if r.Same() {
		return
	}
	_, _ = visible.Fprintf(w, "%s: %d of %d elements differ", name, len(r.Differ), min(len(r.A), len(r.B)))
	if r.Extra != 0 {
		_, _ = visible.Fprintf(w, "; the first has %d elements, the second %d", len(r.A), len(r.B))
	}
	fmt.Fprintln(w)
	if r.Reordered {
		fmt.Fprintln(w, "  both have the same elements in another order")
	}
	for i, m := range r.Moved {
		if i == 5 {
			_, _ = visible.Fprintf(w, "  and %d more blocks that are elsewhere\n", len(r.Moved)-i)
			break
		}
		_, _ = visible.Fprintf(w, "  elements %d to %d of the first are elements %d to %d of the second\n", m.A, m.A+m.Len-1, m.B, m.B+m.Len-1)
	}
	r.list(w, "first", r.Differ[:min(n, len(r.Differ))])
	if len(r.Differ) > n {
		r.list(w, "largest difference", r.worst(n, func(p Pair) float64 { return p.Abs }))
		r.list(w, "largest relative difference", r.worst(n, func(p Pair) float64 { return p.Rel }))
	}
}

func (r *Result) list(w io.Writer, title string, ps []Pair) {
	for _, p := range ps {
		_, _ = visible.Fprintf(w, "  %s: [%d] %s and %s", title, p.A, r.A[p.A].Text, r.B[p.B].Text)
		if !math.IsInf(p.Abs, 1) {
			_, _ = visible.Fprintf(w, ", difference %.3g, relative %.3g", p.Abs, p.Rel)
		}
		fmt.Fprintln(w)
	}
}
