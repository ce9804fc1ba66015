package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// The elements of a JUnit report as Jenkins and GitLab read it.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Skipped *junitProblem `xml:"skipped"`
	Out     *junitText    `xml:"system-out"`
}

type junitProblem struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// JUnit writes r as JUnit XML: a suite for each rule with a case for each
// finding, or one case that passed. Findings at error level are failures, milder
// ones cases that passed with the text as their output, suppressed ones
// skipped. What kept the run from being a check is an error in suite "run". A merged report has
// a suite for each test, and errors in suite "shards" for those that are missing.
func JUnit(w io.Writer, r *Report, o Options) error {
	all := junitSuites{Name: "warpgrind", Suites: suitesOf(r, o)}
	for i := range all.Suites {
		s := &all.Suites[i]
		s.tally()
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(visible.XML(text), '\n'))
	return err
}

func suitesOf(r *Report, o Options) []junitSuite {
	if r.Merged {
		return testSuites(r, o)
	}
	out := []junitSuite{runSuite(r)}
	for _, rule := range rulesOf(r) {
		out = append(out, ruleSuite(r, rule, o))
	}
	return out
}

// testSuites has a suite for each test of a merged report.
func testSuites(r *Report, o Options) []junitSuite {
	var out []junitSuite
	if lines := r.missing(); len(lines) > 0 {
		s := junitSuite{Name: "shards"}
		for _, text := range lines {
			s.Cases = append(s.Cases, junitCase{Class: "warpgrind.shards", Name: text, Error: &junitProblem{Type: "missing", Message: text}})
		}
		out = append(out, s)
	}
	for _, p := range r.Parts {
		if p.Job == nil {
			continue
		}
		s := junitSuite{Name: printable(p.Job.Name), Cases: runSuite(p).Cases}
		for _, f := range p.Findings {
			s.Cases = append(s.Cases, findingCase(f, o))
		}
		for _, q := range p.Suppressed {
			s.Cases = append(s.Cases, suppressedCase(q, o))
		}
		for i := range s.Cases {
			s.Cases[i].Class = s.Name
		}
		out = append(out, s)
	}
	return out
}

// suppressedCase is a finding that the user does not want to hear of.
func suppressedCase(q Suppressed, o Options) junitCase {
	c := findingCase(q.Finding, o)
	c.Failure, c.Out = nil, nil
	c.Skipped = &junitProblem{Message: "suppressed"}
	if q.Reason != "" {
		c.Skipped.Message += ": " + q.Reason
	}
	return c
}

// rulesOf lists the rules that were checked and those that findings name.
func rulesOf(r *Report) []string {
	var out []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	for _, id := range r.Tools {
		add(id)
	}
	for _, f := range r.Findings {
		add(f.Rule)
	}
	for _, q := range r.Suppressed {
		add(q.Finding.Rule)
	}
	return out
}

// tally counts the suite's cases.
func (s *junitSuite) tally() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

// runSuite says whether the program ran to its end and anything was checked.
func runSuite(r *Report) junitSuite {
	c := junitCase{Class: "warpgrind.run", Name: "the program ran and was checked"}
	if r.Exit > 1 {
		c.Error = &junitProblem{Type: "run", Message: printable(strings.Join(r.Messages, "; ")), Text: printable(SummaryLine(r))}
	} else {
		lines := append(slices.Clone(r.Messages), SummaryLine(r))
		c.Out = &junitText{printable(strings.Join(lines, "\n"))}
	}
	return junitSuite{Name: "run", Cases: []junitCase{c}}
}

func ruleSuite(r *Report, rule string, o Options) junitSuite {
	s := junitSuite{Name: rule}
	for _, f := range r.Findings {
		if f.Rule == rule {
			s.Cases = append(s.Cases, findingCase(f, o))
		}
	}
	for _, q := range r.Suppressed {
		if q.Finding.Rule == rule {
			s.Cases = append(s.Cases, suppressedCase(q, o))
		}
	}
	if len(s.Cases) == 0 {
		s.Cases = []junitCase{{Class: "warpgrind." + rule, Name: "no finding"}}
	}
	return s
}

func findingCase(f *finding.Finding, o Options) junitCase {
	f = relativeTo(f, o.Dir)
	c := junitCase{Class: "warpgrind." + f.Rule, Name: printable(caseName(f)), File: o.fromRoot(f.Primary.Loc.File), Line: f.Primary.Loc.Line}
	text := printable(paragraph(f, o))
	if f.Level == finding.Error {
		c.Failure = &junitProblem{Type: or(f.Kind, f.Rule), Message: printable(f.Message), Text: text}
	} else {
		c.Out = &junitText{text}
	}
	return c
}

// caseName is a name that stays the same from run to run as far as it can.
func caseName(f *finding.Finding) string {
	name := or(f.Kind, f.Rule)
	if v := objectName(f.Object); v != "" {
		name += " on " + v
	}
	if f.Kernel != "" {
		name += " in " + or(f.KernelName, f.Kernel)
	}
	if f.Primary.Loc.IsValid() {
		name += fmt.Sprintf(" at %s:%d", f.Primary.Loc.File, f.Primary.Loc.Line)
	}
	return name
}

// paragraph is the finding as the text format has it, without color.
func paragraph(f *finding.Finding, o Options) string {
	var b strings.Builder
	o.Color, o.Limit = false, 0
	_ = writeFinding(&b, f, o) // a Builder takes everything
	return strings.TrimSpace(b.String())
}
