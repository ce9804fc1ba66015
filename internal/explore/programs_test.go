package explore_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

type report struct {
	Findings []*finding.Finding
	Messages []string
}

func invoke(t *testing.T, args ...string) (r report) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(tooltest.Tool(t), append(args, "--format", "json", "-o", file)...)
	if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// errorsIn lists the rules that found an error in a kernel, and the orders that its findings name.
func (r *report) errorsIn(kernel string) (rules, orders []string) {
	for _, f := range r.Findings {
		if f.KernelName != kernel+"()" {
			continue
		}
		if f.Level == finding.Error {
			rules = append(rules, f.Rule)
		}
		if f.Level == finding.Error && f.Schedule != "" {
			orders = append(orders, f.Schedule)
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules), orders
}

var (
	wanted   = regexp.MustCompile(`(?m)^// explored (\w+): (\d+) executions, (\d+) outcomes(?:: (.*))?$`)
	extent   = regexp.MustCompile(`^launch \d+, (\w+)\(\): all (\d+) executions explored: (?:(\d+) outcomes)?`)
	constant = regexp.MustCompile(`^launch \d+, (\w+)\(\): all orders are the same execution`)
)

// TestPrograms explores the launches of a program to their ends.
func TestPrograms(t *testing.T) {
	const file = "testdata/small.cu"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := invoke(t, "explore", file)
	got := map[string]string{}
	for _, m := range r.Messages {
		if x := constant.FindStringSubmatch(m); x != nil {
			got[x[1]] = "1 1"
		} else if x := extent.FindStringSubmatch(m); x != nil {
			got[x[1]] = x[2] + " " + max(x[3], "1")
		}
	}
	for _, x := range wanted.FindAllStringSubmatch(string(text), -1) {
		if want := x[2] + " " + x[3]; got[x[1]] != want {
			t.Errorf("%s: %q executions and outcomes, want %s", x[1], got[x[1]], want)
		}
		rules, orders := r.errorsIn(x[1])
		if s := strings.Join(rules, " "); s != x[4] {
			t.Errorf("%s: errors of %q, want %q", x[1], s, x[4])
		}
		for _, o := range orders {
			repeats(t, file, x[1], rules, o)
		}
	}
}

// repeats runs the program in an order in which a kernel had an error.
func repeats(t *testing.T, file, kernel string, rules []string, order string) {
	t.Helper()
	r := invoke(t, "run", "--schedule", order, file)
	if again, _ := r.errorsIn(kernel); !slices.ContainsFunc(again, func(s string) bool { return slices.Contains(rules, s) }) {
		t.Errorf("%s: with --schedule %s errors of %q", kernel, order, again)
	}
}

// TestBounded: of a launch with too many executions some are made, and the rest is said.
func TestBounded(t *testing.T) {
	r := invoke(t, "explore", "--executions", "3", "--kernel", "counted", "--schedules", filepath.Join(t.TempDir(), "orders"), "testdata/small.cu")
	text := fmt.Sprint(r.Messages)
	if !strings.Contains(text, "3 executions explored, and not all") || !strings.Contains(text, "still to be tried") {
		t.Errorf("%s", text)
	}
}

// TestNumbered: where the order of arrivals decides which warps meet at a barrier, not all orders were tried. Four warps
// of which any two meet have 79 outcomes, and those that accesses tell apart are fewer.
func TestNumbered(t *testing.T) {
	text := strings.Join(invoke(t, "explore", "testdata/numbered.cu").Messages, "\n")
	for _, want := range []string{
		`launch 0, paired\(\): \d+ executions explored, and not all: which warps meet at a numbered barrier`,
		`launch 1, teams\(\): all orders are the same execution`,
		`launch 2, left\(\): 1 execution explored, and not all: which warps meet at a numbered barrier`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
