package study

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/report"
)

// Verdict is what a run without a barrier showed.
type Verdict string

// The verdicts.
const (
	Needed     Verdict = "needed"
	NotNeeded  Verdict = "not needed on this input"
	NotReached Verdict = "not reached on this input"
	NotTried   Verdict = "not tried"
)

// Result is the verdict on one barrier.
type Result struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Column  int     `json:"column,omitempty"`
	Source  string  `json:"source,omitempty"`
	Verdict Verdict `json:"verdict"`
	// Why lists what its absence shows, or why it was not tried.
	Why []string `json:"why,omitempty"`
}

// Report is the outcome of a study of barriers.
type Report struct {
	Schema   int      `json:"schema"`
	Barriers []Result `json:"barriers"`
	// Messages are lines about the study itself.
	Messages []string `json:"messages,omitempty"`
	// Environment is what failed on this machine and was replaced, nil for nothing.
	Environment *report.Environment `json:"environment,omitempty"`
	// Exit is the exit code.
	Exit int `json:"exit"`
}

// Count returns how many barriers have a verdict.
func (r *Report) Count(v Verdict) int {
	n := 0
	for _, b := range r.Barriers {
		if b.Verdict == v {
			n++
		}
	}
	return n
}

// maxWhy is how many reasons text has of one barrier.
const maxWhy = 4

// Text writes the report for people, with paths relative to dir.
func Text(w io.Writer, r *Report, dir string) error {
	var b strings.Builder
	for _, x := range r.Barriers {
		file := x.File
		if rel, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(rel, "..") {
			file = rel
		}
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", file, x.Line, x.Source, x.Verdict)
		for i, why := range x.Why {
			if i == maxWhy {
				fmt.Fprintf(&b, "  and %d more\n", len(x.Why)-i)
				break
			}
			fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(why, dir+"/", ""))
		}
	}
	if len(r.Barriers) > 0 {
		b.WriteByte('\n')
	}
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "warpgrind: %s\n", m)
	}
	s := "s"
	if len(r.Barriers) == 1 {
		s = ""
	}
	fmt.Fprintf(&b, "warpgrind: %d barrier%s", len(r.Barriers), s)
	sep := ": "
	for _, v := range []Verdict{Needed, NotNeeded, NotReached, NotTried} {
		if n := r.Count(v); n > 0 {
			fmt.Fprintf(&b, "%s%d %s", sep, n, v)
			sep = ", "
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
