package warpgrind_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// The table of docs/INSTRUMENT.md: every scheme on every example, instrumented,
// run, and held against the original and the emulator's rule. Here its rows of a
// few programs are checked; with -update-schemes all are made, which takes an hour
// of a processor.

var updateSchemes = flag.Bool("update-schemes", false, "write the table of docs/INSTRUMENT.md")

const schemesPage = "docs/INSTRUMENT.md"

// sampled are the programs whose rows are checked in ordinary runs.
var sampled = []string{"boyer/fig1", "boyer/fig2", "bugs/missing_syncwarp", "cpp/main"}

// unfit are the examples that are not in the table, with why.
var unfit = map[string]string{
	"bugs/compile_error": "it does not compile",
	"bugs/endless_loop":  "it does not end", "langdon/endless_loop": "it does not end",
	"bugs/host_crash": "it leaves no report", "bugs/no_launch": "it launches nothing",
}

// tableSchemes are the columns of the table.
var tableSchemes = []string{"boyer-race", "boyer-bank", "grace-stmt", "grace-addr", "coalesce"}

// smaller are macros that make a program small enough for the quadratic
// grace-stmt.
var smaller = map[string][]string{
	"papers/co_cluster": {"-D", "COLS=16", "-D", "ROUNDS=1"},
	"papers/em":         {"-D", "POINTS=2048", "-D", "ROUNDS=1"},
}

// mostSteps are the instructions of a warp that an instrumented example may take.
const mostSteps = 4_000_000

// known are the differences that are understood, by program and column: why.
var known = map[string]string{
	"carved boyer-bank":      "what memcpy accesses is not seen",
	"layout boyer-bank":      "bit-fields are not watched",
	"generic boyer-bank":     "what one instance of a template reads, and another hands on by reference, counts for both",
	"waits boyer-race":       "named barriers are not seen",
	"waits grace-stmt":       "named barriers are not seen",
	"expressions boyer-bank": "a ? b : c as one access to either object; compiled code has two",
}

// tableProgram is an example with all of its sources.
type tableProgram struct {
	name           string // apps/bfs
	sources, flags []string
	steps          int // instructions of a warp that it may take when instrumented
}

// args are a command's arguments for the program as it is.
func (p tableProgram) args(flags ...string) []string { return slices.Concat(flags, p.flags, p.sources) }

func tablePrograms(t *testing.T) []tableProgram {
	t.Helper()
	paths, err := filepath.Glob("examples/*/*.cu")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	var out []tableProgram
	for _, path := range paths {
		p := tableProgram{strings.TrimSuffix(strings.TrimPrefix(path, "examples/"), ".cu"), []string{path}, nil, mostSteps}
		p.flags = smaller[p.name]
		switch {
		case unfit[p.name] != "" || p.name == "cpp/filters":
			continue
		case p.name == "cpp/main":
			p.sources = append(p.sources, "examples/cpp/filters.cu")
		}
		out = append(out, p)
	}
	return out
}

// TestSchemesTable checks rows of the table, or makes all of it.
func TestSchemesTable(t *testing.T) {
	bin := tool(t)
	programs := tablePrograms(t)
	rows := make([]string, len(programs))
	t.Run("rows", func(t *testing.T) {
		for i, p := range programs {
			if !*updateSchemes && !slices.Contains(sampled, p.name) {
				continue
			}
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				rows[i] = p.row(t, bin)
			})
		}
	})
	text, err := os.ReadFile(schemesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), tableBegin)
	old, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the table", schemesPage)
	}
	table := schemesTable(programs, rows, old)
	switch {
	case table == old:
	case *updateSchemes:
		if err := os.WriteFile(schemesPage, []byte(before+tableBegin+table+tableEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is out of date: go test . -run TestSchemesTable -update-schemes\n%s", schemesPage, firstDifference([]byte(old), []byte(table)))
	}
}

// TestSchemesLanguage does the same with sources that are hard to instrument: what
// C++ has, macros, headers, and every way to wait.
func TestSchemesLanguage(t *testing.T) {
	bin := tool(t)
	for _, name := range []string{"expressions", "carved", "waits", "generic", "layout"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := tableProgram{name: name, sources: []string{filepath.Join("testdata/instrument/language", name+".cu")}, steps: 1 << 30}
			if row := p.row(t, bin); strings.Contains(row, "too long") {
				t.Error(row)
			}
		})
	}
}

// schemesTable is the table with the notes on it. Rows that were not made are
// those of old.
func schemesTable(programs []tableProgram, rows []string, old string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| program | %s |\n|%s\n", strings.Join(tableSchemes, " | "), strings.Repeat(" --- |", 1+len(tableSchemes)))
	for i, p := range programs {
		row := rows[i]
		if at := strings.Index(old, "| "+p.name+" |"); row == "" && at >= 0 {
			row, _, _ = strings.Cut(old[at:], "\n")
		}
		if row != "" {
			fmt.Fprintln(&out, row)
		}
	}
	out.WriteString("\n")
	for _, where := range slices.Sorted(maps.Keys(known)) {
		if program, scheme, _ := strings.Cut(where, " "); strings.Contains(program, "/") {
			fmt.Fprintf(&out, "- %s, %s: %s\n", program, scheme, known[where])
		}
	}
	return out.String()
}

// row runs a program with all schemes and returns its row.
func (p tableProgram) row(t *testing.T, bin string) string {
	t.Helper()
	row := "| " + p.name + " |"
	exit, stdout := original(t, bin, p.args()...)
	emulator := p.emulated(t, bin)
	unshared := false // the schemes but for the last one watch the same accesses
	for i, scheme := range tableSchemes {
		if unshared && i < len(tableSchemes)-1 {
			row += " - |"
			continue
		}
		got, sites := p.instrumented(t, bin, scheme)
		switch {
		case sites == 0:
			unshared = true
			row += " - |"
			continue
		case strings.Contains(got.stderr, "the launch timed out"): // mostSteps

			row += " too long |"
			continue
		}
		same, differences := schemeResult(scheme, got.report).compare(emulator[scheme])
		if got.exit != exit || got.stdout != stdout {
			differences = append(differences, fmt.Sprintf("exit code %d, want %d; output\n%s\nwant\n%s", got.exit, exit, got.stdout, stdout))
		}
		differences = append(differences, got.report.Messages...)
		row += fmt.Sprintf(" %d", same)
		if n := len(differences); n > 0 {
			row += fmt.Sprintf(", %d not", n)
		}
		row += " |"
		if understood := known[p.name+" "+scheme] != ""; understood != (len(differences) > 0) {
			t.Errorf("%s, %s: %d agree, understood: %v: %s\n%s", p.name, scheme, same, understood, strings.Join(differences, "\n"), got.stderr)
		}
	}
	return row
}

// result is what a scheme or a rule says, by place: hazards, pairs of lines, or
// numbers. A hazard in brackets may be: another order of the same race.
type result map[string]string

// compare counts what is the same and lists the rest.
func (got result) compare(want result) (same int, differences []string) {
	for place, what := range got {
		switch strings.Trim(want[place], "()") {
		case what:
			same++
		case "":
			differences = append(differences, place+": only the scheme: "+what)
		default:
			differences = append(differences, place+": the scheme "+what+", the emulator "+want[place])
		}
	}
	for place, what := range want {
		if got[place] == "" && !strings.HasPrefix(what, "(") {
			differences = append(differences, place+": only the emulator: "+what)
		}
	}
	slices.Sort(differences)
	return same, differences
}

// emulated is what the emulator's rules say of a program, by scheme.
func (p tableProgram) emulated(t *testing.T, bin string) map[string]result {
	t.Helper()
	thread := emulatorReport(t, bin, p.args("--tool", "race,bank,coalesce", "--race-model", "thread")...)
	lockstep := emulatorReport(t, bin, p.args("--tool", "race", "--race-model", "lockstep")...)
	pairs := racingPairs(lockstep.Findings)
	return map[string]result{"boyer-race": emulatorRaces(thread.Findings), "boyer-bank": thread.numbers("bank"),
		"coalesce": thread.numbers("coalesce"), "grace-stmt": pairs, "grace-addr": anyRace(len(pairs) > 0)}
}

// schemeResult is the same for what a scheme reports.
func schemeResult(scheme string, r instrumentReport) result {
	switch scheme {
	case "boyer-race":
		out := result{}
		for _, f := range r.Findings {
			out.hazard(f.Primary.Loc, f.Kind, true)
		}
		return out
	case "grace-stmt":
		return racingPairs(r.Findings)
	case "grace-addr":
		return anyRace(len(r.Findings) > 0)
	}
	out := numbers{}
	for _, source := range r.Stats[scheme] {
		for _, s := range source.Sites {
			out.add(s.Location.File, s.Location.Line, siteNumbers{s.Requests + s.Accesses, s.Conflicts, s.Passes + s.Lines})
		}
	}
	return out.result()
}

// hazard notes a RAW or WAR hazard at a place.
func (got result) hazard(at source.Location, kind string, certain bool) {
	place := fmt.Sprintf("%s:%d %s", filepath.Base(at.File), at.Line, kind)
	switch {
	case certain:
		got[place] = "a hazard"
	case got[place] == "":
		got[place] = "(a hazard)"
	}
}

// emulatorRaces are the hazards in shared memory, each at its later access. A
// scheme may see the accesses in the other order, which is a hazard at the
// other one: its own barriers and calls change who comes first.
func emulatorRaces(all []finding.Finding) result {
	out := result{}
	for _, f := range separate(all) {
		var d struct {
			Space    string
			RAW, WAR uint64
		}
		text, _ := json.Marshal(f.Details)
		if json.Unmarshal(text, &d) != nil || f.Rule != "race" || d.Space != "shared" || d.RAW+d.WAR == 0 {
			continue
		}
		for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
			if strings.HasPrefix(p.Role, "read") {
				out.hazard(p.Loc, "RAW", d.RAW > 0)
			} else {
				out.hazard(p.Loc, "WAR", d.WAR > 0)
			}
		}
	}
	return out
}

// racingPairs are the pairs of lines that race in shared memory.
func racingPairs(all []finding.Finding) result {
	out := result{}
	for _, pair := range racingLines(all) {
		out["lines "+pair] = "a race"
	}
	return out
}

func anyRace(yes bool) result {
	if yes {
		return result{"the program": "races"}
	}
	return nil
}

// numbers are sums by place.
type numbers map[string]siteNumbers

func (n numbers) add(file string, line int, s siteNumbers) {
	place := fmt.Sprintf("%s:%d", filepath.Base(file), line)
	sum := n[place]
	n[place] = siteNumbers{sum.requests + s.requests, sum.conflicts + s.conflicts, sum.passes + s.passes}
}

func (n numbers) result() result {
	out := result{}
	for place, s := range n {
		out[place] = fmt.Sprintf("%d, %d, %d", s.requests, s.conflicts, s.passes)
	}
	return out
}

// instrumented instruments all sources of a program and runs the result; sites
// is how many accesses are watched, 0 if there is nothing to run.
func (p tableProgram) instrumented(t *testing.T, bin, scheme string) (got instrumented, sites int) {
	t.Helper()
	dir := t.TempDir()
	report := filepath.Join(dir, "report.json")
	args := append([]string{"run", "-q", "--tool", "launch", "--max-steps", fmt.Sprint(p.steps), "--format", "json", "-o", os.DevNull}, p.flags...)
	for i, source := range p.sources {
		out, file := filepath.Join(dir, fmt.Sprintf("%d.cu", i)), filepath.Join(dir, "sites.json")
		command := append([]string{"instrument", "--scheme", scheme, "--sites", file, "-o", out, source}, p.flags...)
		if text, err := exec.Command(bin, command...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, text)
		}
		sites += len(watchedLines(t, file))
		args = append(args, out)
	}
	if sites == 0 {
		return got, 0
	}
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "WARPGRIND_REPORT="+report)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	got = instrumented{exit: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &got.report)
	}
	if err != nil {
		t.Fatalf("%s, %s: %v\n%s", p.name, scheme, err, got.stderr)
	}
	return got, sites
}

// ruleReport is what is needed of the emulator's report.
type ruleReport struct {
	Findings []finding.Finding
	Stats    map[string]json.RawMessage
}

func emulatorReport(t *testing.T, bin string, args ...string) ruleReport {
	t.Helper()
	got := run(t, bin, append([]string{"-q", "--format", "json"}, args...)...)
	var r ruleReport
	if err := json.Unmarshal(got.report, &r); err != nil {
		t.Fatalf("%v: exit code %d: %v\n%s", args, got.exit, err, got.stderr)
	}
	return r
}

// numbers are those of a performance rule.
func (r ruleReport) numbers(rule string) result {
	var kernels []struct {
		Sites []struct {
			Location                              source.Location
			Requests, Conflicts, Passes, Accesses uint64
			Lines                                 float64 `json:"lines_per_access"`
		}
	}
	json.Unmarshal(r.Stats[rule], &kernels)
	out := numbers{}
	for _, k := range kernels {
		for _, s := range k.Sites {
			n := siteNumbers{s.Requests, s.Conflicts, s.Passes}
			if rule == "coalesce" {
				n = siteNumbers{requests: s.Accesses, passes: uint64(math.Round(s.Lines * float64(s.Accesses)))}
			}
			out.add(s.Location.File, s.Location.Line, n)
		}
	}
	return out.result()
}
