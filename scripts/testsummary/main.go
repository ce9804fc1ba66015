// Command testsummary reads the output of "go test -json" and prints what a
// person wants of it: the output of failed tests, each skipped test with its
// reason, the tests that took longest, and as the last line "N passed, N failed,
// N skipped". It exits 1 when anything failed.
//
// A test with subtests counts once for each of its leaves; a package that does
// not build, or that ends before its tests do, counts as one failure.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	if summarize(os.Stdin, os.Stdout).failed > 0 {
		os.Exit(1)
	}
}

// event is one line of test2json's output ("go doc test2json").
type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
	Elapsed    float64
	Time       time.Time
}

// name is the test, or the package when the event is about all of it.
func (e event) name() string {
	switch {
	case e.Test != "":
		return e.Package + " " + e.Test
	case e.Package != "":
		return e.Package
	default:
		return e.ImportPath
	}
}

// counts are the results of leaf tests.
type counts struct{ passed, failed, skipped int }

// run is the state of one test or package.
type run struct {
	output strings.Builder
	parent bool // it has subtests
	failed bool // it, or one of its tests, failed
	began  time.Time
	paused time.Time // when it began to wait for the tests that are not parallel
}

// summary collects the runs of a stream of events.
type summary struct {
	out    io.Writer
	runs   map[string]*run
	skips  []string
	timed  []timed
	counts counts
}

// timed is a test that is not a subtest, and took 5 s or more.
type timed struct {
	name string
	took time.Duration
}

// slowest is how many of the longest tests are named.
const slowest = 25

// summarize reads events from r until its end and prints to w.
func summarize(r io.Reader, w io.Writer) counts {
	s := &summary{out: w, runs: map[string]*run{}}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		s.line(line)
		if err != nil {
			break
		}
	}
	s.close()
	return s.counts
}

// line takes one line: an event, or text that the build printed.
func (s *summary) line(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Fprint(s.out, line)
		return
	}
	s.event(e)
}

func (s *summary) event(e event) {
	r := s.run(e.name())
	switch e.Action {
	case "run":
		r.began = e.Time
		s.markParents(e)
	case "pause":
		r.paused = e.Time
	case "cont":
		if !r.paused.IsZero() {
			r.began = r.began.Add(e.Time.Sub(r.paused))
		}
	case "output", "build-output":
		r.output.WriteString(e.Output)
	case "pass":
		s.time(e, r)
		s.pass(e, r)
	case "skip":
		s.skip(e, r)
	case "fail":
		s.fail(e, r)
	case "build-fail": // the package's own fail event follows
		fmt.Fprintf(s.out, "FAIL  %s\n%s", e.name(), indent(r.output.String()))
	}
}

// time notes how long a test took with its subtests, without the time that it waited for its turn to run in parallel with
// others. Elapsed leaves out subtests that run in parallel.
func (s *summary) time(e event, r *run) {
	if took := e.Time.Sub(r.began); e.Test != "" && !strings.Contains(e.Test, "/") && took >= 5*time.Second {
		s.timed = append(s.timed, timed{e.name(), took})
	}
}

func (s *summary) run(name string) *run {
	if s.runs[name] == nil {
		s.runs[name] = &run{}
	}
	return s.runs[name]
}

// markParents notes that the test's ancestors have subtests.
func (s *summary) markParents(e event) {
	for name := e.Test; ; {
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return
		}
		name = name[:i]
		s.run(e.Package + " " + name).parent = true
	}
}

func (s *summary) pass(e event, r *run) {
	if e.Test == "" {
		fmt.Fprintf(s.out, "ok    %s (%.1fs)\n", e.Package, e.Elapsed)
		return
	}
	if !r.parent {
		s.counts.passed++
	}
}

func (s *summary) skip(e event, r *run) {
	if e.Test == "" || r.parent {
		return
	}
	s.counts.skipped++
	s.skips = append(s.skips, e.name()+": "+reason(r.output.String()))
}

// fail counts leaves, and packages that failed without a failing test.
func (s *summary) fail(e event, r *run) {
	known := r.failed
	r.failed = true
	if e.Test != "" {
		s.run(e.Package).failed = true
		if i := strings.LastIndexByte(e.Test, '/'); i >= 0 {
			s.run(e.Package + " " + e.Test[:i]).failed = true
		}
	}
	if !known {
		s.counts.failed++
	}
	fmt.Fprintf(s.out, "FAIL  %s\n%s", e.name(), indent(r.output.String()))
}

// close prints the slowest tests, the skips and the closing line.
func (s *summary) close() {
	slices.SortStableFunc(s.timed, func(a, b timed) int { return cmp.Compare(b.took, a.took) })
	for _, t := range s.timed[:min(len(s.timed), slowest)] {
		fmt.Fprintf(s.out, "slow  %s (%.1fs)\n", t.name, t.took.Seconds())
	}
	for _, skip := range s.skips {
		fmt.Fprintf(s.out, "skip  %s\n", skip)
	}
	c := s.counts
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", c.passed, c.failed, c.skipped)
}

// reason is what a skipped test said, on one line.
func reason(output string) string {
	var said []string
	for _, line := range strings.Split(output, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		said = append(said, line)
	}
	if len(said) == 0 {
		return "no reason given"
	}
	return strings.Join(said, " ")
}

func indent(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if !strings.HasPrefix(line, "=== ") {
			b.WriteString("      " + line + "\n")
		}
	}
	return b.String()
}
