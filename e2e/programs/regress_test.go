package programs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

var (
	exitLine = regexp.MustCompile(`^// exit: (\d+)$`)
	wantNote = regexp.MustCompile(`// want (\S+) (\S+)`)
)

// expectation reads what a file of testdata/regress says of itself: the exit
// code in its first line, and the findings as "line rule kind".
func expectation(t *testing.T, file string) (exit int, findings []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	m := exitLine.FindStringSubmatch(lines[0])
	if m == nil {
		t.Fatalf("%s: the first line does not say // exit: N", file)
	}
	exit, _ = strconv.Atoi(m[1])
	for i, line := range lines {
		for _, w := range wantNote.FindAllStringSubmatch(line, -1) {
			findings = append(findings, fmt.Sprintf("%d %s %s", i+1, w[1], w[2]))
		}
	}
	slices.Sort(findings)
	return exit, findings
}

// TestRegress runs each program of testdata/regress and compares exit code
// and findings with what the file says; a finding too many fails.
func TestRegress(t *testing.T) {
	bin := tooltest.Tool(t)
	files, err := filepath.Glob("testdata/regress/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) {
			t.Parallel()
			exit, want := expectation(t, file)
			out, findings := e2e.RunJSON(t, bin, file)
			var got []string
			for _, f := range findings {
				got = append(got, fmt.Sprintf("%d %s %s", f.Primary.Loc.Line, f.Rule, f.Kind))
			}
			slices.Sort(got)
			if out.Exit != exit {
				t.Errorf("exit code %d, want %d\n%s%s", out.Exit, exit, out.Stdout, out.Stderr)
			}
			if !slices.Equal(got, want) {
				t.Errorf("findings %q, want %q\n%s", got, want, e2e.Show(findings))
			}
		})
	}
}
