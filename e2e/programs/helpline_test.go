package programs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// A program of testdata/advice says at the end of the line of a finding, or on a line of its own for findings without
// a line, what the help line and the notes have: "// help: TEXT", and what they must not have: "// not: TEXT". Findings at
// other lines fail. "// command: check" is for warpgrind check.
var (
	helpText    = regexp.MustCompile(`// help: (.*?)(?: // |$)`)
	helpNot     = regexp.MustCompile(`// not: (.*?)(?: // |$)`)
	helpFlags   = regexp.MustCompile(`(?m)^// flags: (.+)$`)
	helpCommand = regexp.MustCompile(`(?m)^// command: (\w+)$`)
)

func TestHelpLines(t *testing.T) {
	bin := tooltest.Tool(t)
	files, err := filepath.Glob("testdata/advice/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			command, flags := "run", []string{"--format", "json"}
			if m := helpFlags.FindStringSubmatch(string(text)); m != nil {
				flags = append(flags, strings.Fields(m[1])...)
			}
			if m := helpCommand.FindStringSubmatch(string(text)); m != nil {
				command = m[1]
			}
			out := e2e.Invoke(t, bin, command, append(flags, file)...)
			var report struct {
				Findings []finding.Finding `json:"findings"`
			}
			if err := json.Unmarshal(out.Report, &report); err != nil {
				t.Fatalf("no report: %v\n%s", err, out.Stderr)
			}
			compareHelp(t, strings.Split(string(text), "\n"), report.Findings)
		})
	}
}

func compareHelp(t *testing.T, lines []string, findings []finding.Finding) {
	met := map[int]bool{}
	for _, f := range findings {
		line := f.Primary.Loc.Line
		if line < 1 || line > len(lines) || !helpText.MatchString(lines[line-1]) {
			t.Errorf("line %d: not expected: %s\nhelp: %s", line, f.Message, f.Help)
			continue
		}
		met[line] = true
		all := strings.Join(append(f.Notes, f.Message, "help: "+f.Help), "\n")
		for _, m := range helpText.FindAllStringSubmatch(lines[line-1], -1) {
			if !strings.Contains(all, m[1]) {
				t.Errorf("line %d: no %q in\n%s", line, m[1], all)
			}
		}
		for _, m := range helpNot.FindAllStringSubmatch(lines[line-1], -1) {
			if strings.Contains(all, m[1]) {
				t.Errorf("line %d: %q in\n%s", line, m[1], all)
			}
		}
	}
	for i, l := range lines {
		if helpText.MatchString(l) && !met[i+1] {
			t.Errorf("line %d: no finding", i+1)
		}
	}
}
