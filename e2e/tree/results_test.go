package tree

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/scripts/dated"
)

var updateResults = flag.Bool("update-results", false, "write the table of docs/results/README.md")

// result is a page of docs/results in the summary: what it measures, and the figures that pattern finds there, put into text.
type result struct {
	page, measures string
	pattern        string
	text           string
}

// held marks pages that a test compares with the tree, so that they have no date.
const held = "held by a test"

var results = []result{
	{"API.md", "functions of the CUDA API that are supported", `(?s)## Runtime API\n\n(\d+) functions, (\d+) supported.*## Driver API\n\n(\d+) functions, (\d+) supported`, "runtime %[2]s of %[1]s, driver %[4]s of %[3]s"},
	{"PTX.md", "PTX instructions that run", `(\d+) instructions, (\d+) of them run; (\d+) variants, of which (\d+) run`, "%[2]s of %[1]s; %[4]s of %[3]s variants"},
	{"MATH.md", "accuracy of device math", "", "no function beyond its documented error"},
	{"HARDWARE.md", "differences from a GPU", `About ([\d,]+) launches were repeated`, "%s launches repeated"},
	{"MUTANTS.md", "defects planted in correct programs", `\| all \| (\d+) \| (\d+) \| (\d+) \| \d+ \| \d+ \| ([\d.]+) % \|`, "%[2]s of %[1]s found, %[3]s of them under another schedule: %[4]s %% of those with an effect"},
	{"MUTANTS-ASYNC.md", "the same in asynchronous pipelines", `\| all \| (\d+) \| (\d+) \| (\d+) \| \d+ \| \d+ \| ([\d.]+) % \|`, "%[2]s of %[1]s found, %[3]s of them under another schedule: %[4]s %% of those with an effect"},
	{"FIXES.md", "planted defects that `fix` repairs", `\| all \| (\d+) \| (\d+) \| ([\d.]+) %`, "%[2]s of %[1]s (%[3]s %%)"},
	{"FIXES-DEFECTS.md", "cases of testdata/defects that `fix` repairs", `\| all \| (\d+) \| (\d+) \| [\d.]+ % \| ([\d.]+) %`, "%[2]s of %[1]s (%[3]s %% of the repairable)"},
	{"FIXES-RACES.md", "errors of the race suite that `fix` repairs", `\| all \| (\d+) \| (\d+) \| [\d.]+ % \| ([\d.]+) %`, "%[2]s of %[1]s (%[3]s %% of the repairable)"},
	{"FIXES-PUBLIC.md", "known defects of public programs, their patches beside the projects' own", "", "a list"},
	{"EXPERIMENTS.md", "the papers' experiments, repeated", "", "15 sections"},
	{"RODINIA.md", "uncoalesced accesses of the Rodinia benchmarks, without a run", `\| all \| \d+ \| .* \| (\d+) \| (\d+), (\d+), \d+ \|  \|  \|`, "%[1]s found: %[2]s real, %[3]s not"},
	{"PROGRAMS.md", "third-party programs: findings, and which are true", "", "a list"},
	{"SUITES.md", "test suites of Python packages and extensions of PyTorch", "", "a list"},
	{"SAMPLES.md", "NVIDIA's CUDA samples", `Of (\d+) samples (\d+) build. Their own tests: passes (\d+)`, "%[2]s of %[1]s build, %[3]s pass their own test"},
	{"LIBRARIES.md", "NVIDIA's samples of CUDA's libraries", `Of (\d+) programs (\d+) build; the results of (\d+) were compared and are right`, "%[2]s of %[1]s build; %[3]s compared results, all right"},
	{"BENCH.md", "time of all correctness checks, by that without checks", `(?s)## What a check costs.*?\*\*provable\*\*(?: \| \*\*[\d.]+\*\*){4} \| \*\*([\d.]+)\*\*.*?\*\*data-dependent\*\*(?: \| \*\*[\d.]+\*\*){4} \| \*\*([\d.]+)\*\*.*?\*\*synchronizing\*\*(?: \| \*\*[\d.]+\*\*){4} \| \*\*([\d.]+)\*\*`,
		"%s provable, %s data-dependent, %s synchronizing kernels"},
	{"../ANALYSIS.md", "accesses to global memory of the examples that need no check", `all of these programs \| .*? \| (\d+) of (\d+) \|.*\| ([\d.]+) \|\n`, "%s of %s; the examples run %s times as fast"},
}

// row is a result's line of the summary.
func (r result) row(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs/results", r.page))
	if err != nil {
		t.Fatal(err)
	}
	var figures []any
	if r.pattern != "" {
		m := regexp.MustCompile(r.pattern).FindStringSubmatch(string(text))
		if m == nil {
			t.Fatalf("%s has no %q", r.page, r.pattern)
		}
		for _, s := range m[1:] {
			figures = append(figures, s)
		}
	}
	date, commit, machine, ok := dated.Of(string(text))
	if !ok {
		date, commit, machine = held, "", ""
	}
	return fmt.Sprintf("| [%s](%s) | %s | %s | %s | %s | %s |\n", strings.TrimSuffix(filepath.Base(r.page), ".md"), r.page, r.measures, fmt.Sprintf(r.text, figures...), date, commit, machine)
}

// TestResults keeps the summary of docs/results equal to its pages, and each page in the summary.
func TestResults(t *testing.T) {
	table := "| page | measures | figure | date | commit | machine |\n| --- | --- | --- | --- | --- | --- |\n"
	listed := map[string]bool{"README.md": true}
	for _, r := range results {
		table += r.row(t)
		listed[r.page] = true
	}
	pages, err := filepath.Glob("docs/results/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if !listed[filepath.Base(page)] {
			t.Errorf("%s is not in the summary", page)
		}
	}
	e2e.ComparePage(t, "docs/results/README.md", table, *updateResults, "go test ./e2e/tree -run TestResults -update-results")
}
