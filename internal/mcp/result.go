package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Bounds of a result, which an agent reads as a whole.
const (
	firstFindings = 20
	messageBytes  = 4 << 10
	keptReports   = 16
	fieldBytes    = 1 << 10
	firstMessages = 20
	patchBytes    = 1 << 20
)

// brief is a finding in short; the tool "finding" returns all of it.
type brief struct {
	Number  int    `json:"number" jsonschema:"number of the finding in its report, for the tool finding"`
	Rule    string `json:"rule"`
	Kind    string `json:"kind,omitempty"`
	Level   string `json:"level" jsonschema:"error, warning or info; errors decide the exit code"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Kernel  string `json:"kernel,omitempty"`
	Other   string `json:"other,omitempty" jsonschema:"the other place, such as the other access of a race: file:line:column"`
	Help    string `json:"help,omitempty" jsonschema:"the smallest change that removes the finding"`
}

// checked is the result of run, check and replay.
type checked struct {
	Report   string   `json:"report" jsonschema:"names this report in calls of the tool finding"`
	Exit     int      `json:"exit" jsonschema:"0 no errors, 1 errors were found, 2 wrong usage or it does not compile, 3 the program failed, 4 no kernel ran, 5 unsupported feature"`
	Errors   int      `json:"errors"`
	Warnings int      `json:"warnings"`
	Infos    int      `json:"infos"`
	Launches uint64   `json:"launches"`
	Findings []brief  `json:"findings"`
	More     int      `json:"more,omitempty" jsonschema:"how many findings are not listed"`
	Compiler []string `json:"compiler,omitempty" jsonschema:"errors of the compiler"`
	Messages []string `json:"messages,omitempty" jsonschema:"what was not checked, and why the run stopped early"`
	Output   string   `json:"output,omitempty" jsonschema:"the end of what the program wrote"`
}

// briefOf is the short form of a report, named by an identifier.
func briefOf(r *report.Report, id string) *checked {
	c := &checked{Report: id, Exit: r.Exit, Errors: r.Summary.Errors, Warnings: r.Summary.Warnings, Infos: r.Summary.Infos,
		Launches: r.Summary.Launches, Findings: []brief{}}
	for _, m := range r.Messages {
		if !strings.HasPrefix(m, keepsNothing) {
			c.Messages = append(c.Messages, clip(m))
		}
	}
	for i, f := range r.Findings {
		if i == firstFindings {
			c.More = len(r.Findings) - i
			break
		}
		c.Findings = append(c.Findings, briefFinding(i+1, f))
	}
	for _, d := range r.Diagnostics {
		at := source.Pos{File: d.File, Line: d.Line, Col: d.Col}
		c.Compiler = append(c.Compiler, clip(strings.TrimPrefix(at.String()+": "+d.Message, ": ")))
	}
	c.Compiler, c.Messages = few(c.Compiler), few(c.Messages)
	return c
}

// keepsNothing begins the message that the cache cannot be written to, as is so in each sandbox.
const keepsNothing = "the cache keeps nothing"

// few are the first of many texts, and how many others there are.
func few(list []string) []string {
	if len(list) <= firstMessages {
		return list
	}
	return append(list[:firstMessages:firstMessages], fmt.Sprintf("and %d more", len(list)-firstMessages))
}

// clip is the begin of a long text.
func clip(s string) string {
	if len(s) <= fieldBytes {
		return s
	}
	return strings.ToValidUTF8(s[:fieldBytes], "") + "..."
}

func briefFinding(number int, f *finding.Finding) brief {
	at := f.Primary.Loc.Pos
	b := brief{Number: number, Rule: clip(f.Rule), Kind: clip(f.Kind), Level: f.Level.String(), Message: clip(f.Message), File: clip(at.File), Line: at.Line, Column: at.Col, Kernel: clip(f.KernelName), Help: clip(f.Help)}
	if len(f.Related) > 0 {
		b.Other = clip(strings.TrimSpace(f.Related[0].Role + " " + f.Related[0].Loc.Pos.String()))
	}
	return b
}

// reports keeps the last reports, for questions about their findings.
type reports struct {
	mu   sync.Mutex
	made int
	kept map[string]*report.Report
}

// keep names a report, and forgets the oldest of many.
func (s *reports) keep(r *report.Report) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[string]*report.Report{}
	}
	s.made++
	delete(s.kept, reportName(s.made-keptReports))
	id := reportName(s.made)
	s.kept[id] = r
	return id
}

func reportName(n int) string { return fmt.Sprintf("r%d", n) }

// finding returns a finding of a report, counted from 1; "" is the last report.
func (s *reports) finding(id string, number int) (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" {
		id = reportName(s.made)
	}
	r := s.kept[id]
	switch {
	case r == nil:
		return nil, fmt.Errorf("no report %q; the last %d are kept", id, keptReports)
	case number < 1 || number > len(r.Findings):
		return nil, fmt.Errorf("report %s has %d findings; they are counted from 1", id, len(r.Findings))
	}
	return json.Marshal(r.Findings[number-1])
}
