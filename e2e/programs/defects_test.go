package programs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// A program of testdata/defects has cases: it gets the name of one as its
// argument. "// want(case) rule kind [level] [build]" stands at the line of a
// finding's primary place; without a case it belongs to all, without a level it is
// an error, without a build it is found in both. "// host(case) ..." stands
// anywhere, for findings without a line. "// clean: a b" lists further cases, and
// "// default order: a b" those of which another order of execution shows another side.
var (
	defectWant  = regexp.MustCompile(`// (want|host)(?:\((\w+)\))? (\S+) (\S+)(?: (warning|info|error))?(?: (source|optimized))?`)
	defectClean = regexp.MustCompile(`^// clean: (.+)$`)
	defectOrder = regexp.MustCompile(`^// default order: (.+)$`)
	defectFlags = regexp.MustCompile(`^// flags: (.+)$`)
)

// defectFile is what a program of testdata/defects says of itself.
type defectFile struct {
	cases   []string
	flags   []string
	ordered []string // cases that run in the default order only
	// wants are expectations by case; "" belongs to all. differs is set if the builds' differ.
	wants   map[string][]defectLine
	differs bool
}

type defectLine struct{ text, build string }

func readDefects(t *testing.T, file string) *defectFile {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := &defectFile{wants: map[string][]defectLine{}}
	for i, line := range strings.Split(string(text), "\n") {
		if m := defectClean.FindStringSubmatch(line); m != nil {
			d.cases = append(d.cases, strings.Fields(m[1])...)
		}
		if m := defectOrder.FindStringSubmatch(line); m != nil {
			d.ordered = strings.Fields(m[1])
		}
		if m := defectFlags.FindStringSubmatch(line); m != nil {
			d.flags = strings.Fields(m[1])
		}
		for _, m := range defectWant.FindAllStringSubmatch(line, -1) {
			at, level := i+1, m[5]
			if m[1] == "host" {
				at = 0
			}
			if level == "" {
				level = "error"
			}
			d.differs = d.differs || m[6] != ""
			d.wants[m[2]] = append(d.wants[m[2]], defectLine{fmt.Sprintf("%d %s %s %s", at, m[3], m[4], level), m[6]})
			if m[2] != "" && !slices.Contains(d.cases, m[2]) {
				d.cases = append(d.cases, m[2])
			}
		}
	}
	if len(d.cases) == 0 {
		t.Fatalf("%s: no cases", file)
	}
	return d
}

func (d *defectFile) want(name, build string) []string {
	var out []string
	for _, w := range append(slices.Clone(d.wants[""]), d.wants[name]...) {
		if w.build == "" || w.build == build {
			out = append(out, w.text)
		}
	}
	slices.Sort(out)
	return out
}

// TestDefects runs each case of testdata/defects in the source-keeping build, one in eight in a
// random order too, and one in 16 with one worker, whose report must be the same; one program
// in twelve, and those whose findings differ, also in the optimized build. Reports of programs with concurrent processes
// differ. A finding too many fails.
// The long tests run each case in all ways.
func TestDefects(t *testing.T) {
	bin := tooltest.Tool(t)
	files, err := filepath.Glob("testdata/defects/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	n := 0 // cases so far
	for k, file := range files {
		d := readDefects(t, file)
		for _, build := range []string{"source", "optimized"} {
			for _, name := range d.cases {
				n++
				i := n
				if build == "optimized" && !tooltest.Sampled(k, 12) && !d.differs {
					continue
				}
				t.Run(strings.TrimSuffix(filepath.Base(file), ".cu")+"/"+name+"/"+build, func(t *testing.T) {
					t.Parallel()
					flags := append([]string{"--format", "json", "--build", build}, d.flags...)
					program := []string{file, "--", name}
					two := e2e.Run(t, bin, slices.Concat(flags, []string{"-j", "2"}, program)...)
					d.compare(t, two, d.want(name, build))
					if build == "optimized" && !tooltest.Long() {
						return
					}
					if tooltest.Sampled(i, 8) && !slices.Contains(d.ordered, name) {
						other := e2e.Run(t, bin, slices.Concat(flags, []string{"-j", "2", "--schedule", "random", "--seed", "2"}, program)...)
						d.compare(t, other, d.want(name, build))
					}
					if !tooltest.Sampled(i, 16) || isConcurrent(t, file) {
						return
					}
					one := e2e.Run(t, bin, slices.Concat(flags, []string{"-j", "1"}, program)...)
					if !bytes.Equal(one.Report, two.Report) {
						t.Errorf("the reports of -j 1 and -j 2 differ:\n%s", e2e.FirstDifference(one.Report, two.Report))
					}
				})
			}
		}
	}
}

func (d *defectFile) compare(t *testing.T, out e2e.Outcome, want []string) {
	t.Helper()
	var report struct {
		Findings []finding.Finding `json:"findings"`
	}
	if err := json.Unmarshal(out.Report, &report); err != nil {
		t.Fatalf("exit code %d, no JSON report: %v\n%s", out.Exit, err, out.Stderr)
	}
	var got []string
	findings := e2e.Separate(report.Findings)
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%d %s %s %v", f.Primary.Loc.Line, f.Rule, f.Kind, f.Level))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("findings %q, want %q\n%s", got, want, e2e.Show(findings))
	}
	exit := 0
	if slices.ContainsFunc(want, func(w string) bool { return strings.HasSuffix(w, " error") }) {
		exit = 1
	}
	if out.Exit != exit {
		t.Errorf("exit code %d, want %d\n%s%s", out.Exit, exit, out.Stdout, out.Stderr)
	}
}
