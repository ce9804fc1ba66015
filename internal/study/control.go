package study

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/report"
)

// Outcome is what became of a planted defect.
type Outcome string

// The outcomes.
const (
	Found    Outcome = "found"                   // by a finding that the program as it is does not have
	Missed   Outcome = "missed"                  // results differ, and nothing is found
	NoEffect Outcome = "no effect on this input" // nothing is found and nothing differs
)

// Planted is one defect that was put into the program.
type Planted struct {
	// Kind is what the program lost or what was made wrong, as internal/mutate has it.
	Kind string `json:"kind"`
	File string `json:"file"`
	Line int    `json:"line"`
	// Change is what was done to the source, in words.
	Change  string  `json:"change"`
	Outcome Outcome `json:"outcome"`
	// Why lists the findings, or what differs.
	Why []string `json:"why,omitempty"`
}

// Control is the outcome of a positive control: whether defects of each kind that the program has room for are found.
type Control struct {
	Schema  int       `json:"schema"`
	Planted []Planted `json:"planted"`
	// Messages are lines about the control itself.
	Messages []string `json:"messages,omitempty"`
	// Environment is what failed on this machine and was replaced, nil for nothing.
	Environment *report.Environment `json:"environment,omitempty"`
	// Exit is the exit code.
	Exit int `json:"exit"`
}

// Kinds returns the kinds that were planted, in order, with the best outcome of each: found before missed before no effect.
func (c *Control) Kinds() (kinds []string, best map[string]Outcome) {
	best = map[string]Outcome{}
	rank := []Outcome{Found, Missed, NoEffect}
	for _, p := range c.Planted {
		was, ok := best[p.Kind]
		if !ok {
			kinds = append(kinds, p.Kind)
		}
		if !ok || slices.Index(rank, p.Outcome) < slices.Index(rank, was) {
			best[p.Kind] = p.Outcome
		}
	}
	return kinds, best
}

// Text writes the control for people, with paths relative to dir.
func (c *Control) Text(w io.Writer, dir string) error {
	var b strings.Builder
	for _, p := range c.Planted {
		file := p.File
		if rel, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(rel, "..") {
			file = rel
		}
		fmt.Fprintf(&b, "%s:%d: %s: %s: %s\n", file, p.Line, p.Kind, p.Change, p.Outcome)
		for i, why := range p.Why {
			if i == maxWhy {
				fmt.Fprintf(&b, "  and %d more\n", len(p.Why)-i)
				break
			}
			fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(why, dir+"/", ""))
		}
	}
	if len(c.Planted) > 0 {
		b.WriteByte('\n')
	}
	for _, m := range c.Messages {
		fmt.Fprintf(&b, "warpgrind: %s\n", m)
	}
	b.WriteString("warpgrind: " + c.Summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary is the control in a line.
func (c *Control) Summary() string {
	kinds, best := c.Kinds()
	if len(kinds) == 0 {
		return "no defect was planted"
	}
	by := map[Outcome][]string{}
	for _, k := range kinds {
		by[best[k]] = append(by[best[k]], k)
	}
	text := fmt.Sprintf("planted %d defects of %d kinds", len(c.Planted), len(kinds))
	sep := ": "
	for _, o := range []Outcome{Found, Missed, NoEffect} {
		if len(by[o]) > 0 {
			text += fmt.Sprintf("%s%s: %s", sep, o, strings.Join(by[o], ", "))
			sep = "; "
		}
	}
	return text
}
