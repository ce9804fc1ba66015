package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// joinParts joins the findings of all parts: those of one fingerprint are one, with the sum of
// the counts and the tests that showed it.
func joinParts(parts []*Report, of func(*Report) []*finding.Finding) []*finding.Finding {
	byPrint := map[string]*witness{}
	for _, p := range parts {
		for _, f := range of(p) {
			key := f.Fingerprint
			text, _ := json.Marshal(f) // it was read from JSON
			if key == "" {
				key = string(text)
			}
			if was := byPrint[key]; was != nil {
				was.add(f, text, p.Job.Name)
			} else {
				byPrint[key] = &witness{f: f, text: text, count: f.Count, tests: []string{p.Job.Name}}
			}
		}
	}
	var out []*finding.Finding
	for _, k := range slices.Sorted(maps.Keys(byPrint)) {
		w := byPrint[k]
		f := *w.f
		f.Count, f.Tests = w.count, w.tests
		out = append(out, &f)
	}
	finding.Sort(out)
	return out
}

// witness is a finding of several parts. What it shows is the worst of them, of equal ones the
// first by its text, which depends on no order.
type witness struct {
	f     *finding.Finding
	text  []byte
	count uint64
	tests []string
}

func (w *witness) add(f *finding.Finding, text []byte, test string) {
	w.count += f.Count
	w.tests = addNew(w.tests, test)
	if f.Level > w.f.Level || f.Level == w.f.Level && bytes.Compare(text, w.text) < 0 {
		w.f, w.text = f, text
	}
}

// joinSuppressed joins what was suppressed in all parts.
func joinSuppressed(parts []*Report) []Suppressed {
	byPrint := map[string]Suppressed{}
	found := joinParts(parts, func(r *Report) []*finding.Finding {
		var out []*finding.Finding
		for _, s := range r.Suppressed {
			was, ok := byPrint[s.Finding.Fingerprint]
			if !ok || s.Reason < was.Reason || s.Reason == was.Reason && s.InSource {
				byPrint[s.Finding.Fingerprint] = s
			}
			out = append(out, s.Finding)
		}
		return out
	})
	var out []Suppressed
	for _, f := range found {
		s := byPrint[f.Fingerprint]
		out = append(out, Suppressed{Finding: f, InSource: s.InSource, Reason: s.Reason})
	}
	return out
}

// addStats adds up the statistics of a rule: lists have the kernels of all parts, and counts
// are summed.
func addStats(a, b any) any {
	switch a := a.(type) {
	case nil:
		return b
	case []any:
		if b, ok := b.([]any); ok {
			return slices.Concat(a, b)
		}
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			out := maps.Clone(a)
			for k, v := range b {
				out[k] = addNumbers(a[k], v)
			}
			return out
		}
	}
	return a
}

func addNumbers(a, b any) any {
	x, isA := a.(json.Number)
	y, isB := b.(json.Number)
	if !isA || !isB {
		return addStats(a, b)
	}
	i, err1 := x.Int64()
	j, err2 := y.Int64()
	if err1 != nil || err2 != nil {
		return a
	}
	sum, _ := json.Marshal(i + j) // of an integer
	return json.Number(sum)
}

// joinCode joins the listings of kernels. Equal ones are one, with the sums of the executions.
func joinCode(parts []*Report) []Code {
	var out []Code
	at := map[string]int{}
	for _, p := range parts {
		for _, c := range p.Code {
			key := c.key()
			i, known := at[key]
			if !known {
				at[key] = len(out)
				c.Instructions = slices.Clone(c.Instructions)
				out = append(out, c)
				continue
			}
			for k := range c.Instructions {
				out[i].Instructions[k].Warps += c.Instructions[k].Warps
				out[i].Instructions[k].Threads += c.Instructions[k].Threads
			}
		}
	}
	return out
}

// key is the kernel's name and its instructions.
func (c *Code) key() string {
	var b strings.Builder
	b.WriteString(c.Kernel)
	for i := range c.Instructions {
		b.WriteByte(0)
		b.WriteString(c.Instructions[i].PTX)
	}
	return b.String()
}
