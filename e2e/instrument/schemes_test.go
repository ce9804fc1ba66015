package instrument

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// The table of docs/INSTRUMENT.md: every scheme on every example, instrumented,
// run, and held against the original and the emulator's rule. One row in sixty is
// checked, all with WARPGRIND_LONG_TESTS; with -update-schemes they are made, which
// takes half an hour of a processor for all.

var updateSchemes = flag.Bool("update-schemes", false, "write the table of docs/INSTRUMENT.md")

const schemesPage = "docs/INSTRUMENT.md"

// oneRowIn is how many rows of the table are passed over for one that is checked
// in ordinary runs, that one too.
const oneRowIn = 120

// unfit are the examples that are not in the table, with why.
var unfit = map[string]string{
	"apps/locks":         "lanes of a warp wait for each other's locks: in lockstep forever, in a scheme for longer than mostSteps",
	"bugs/compile_error": "it does not compile",
	"bugs/endless_loop":  "it does not end", "langdon/endless_loop": "it does not end",
	"bugs/host_crash": "it leaves no report", "bugs/no_launch": "it launches nothing",
	"bugs/oob_shared": "its fault takes the findings with it", "bugs/oob_write": "its fault takes the findings with it",
	"bugs/misaligned": "its fault takes the findings with it", "bugs/use_after_free": "its fault takes the findings with it",
}

// tableSchemes are the columns of the table.
var tableSchemes = []string{"boyer-race", "boyer-bank", "grace-stmt", "grace-addr", "coalesce"}

// smaller are macros that make a program small enough for the quadratic
// grace-stmt.
var smaller = map[string][]string{
	"papers/co_cluster": {"-D", "COLS=16", "-D", "ROUNDS=1"},
	"papers/em":         {"-D", "POINTS=2048", "-D", "ROUNDS=1"},
}

const tooLong = "too long"

// mostSteps are the instructions of a warp that an instrumented example may take.
const mostSteps = 1 << 25

// Reasons of differences that are understood; docs/INSTRUMENT.md lists them.
const (
	ofLibrary = "what the library's own code accesses is not seen"
	ofAsync   = "asynchronous copies are not seen"
	ofNamed   = "named barriers are not seen"
	ofMbar    = "mbarriers, and what waits for them, are not seen"
	ofPart    = "its barriers are reached by a part of the block, which has no defined result"
	ofMembers = "compiled code reads the members of an object that is copied, where they are used"
	ofTurns   = "how often a thread looks while it waits differs"
	ofVirtual = "what constructors initialize and virtual calls read is not seen"
	ofAsm     = "inline assembly is not seen"
)

// known are the differences that are understood, by program and column: why.
var known = map[string]string{
	"carved boyer-bank":      "what memcpy accesses is not seen",
	"layout boyer-bank":      "bit-fields are not watched",
	"generic boyer-bank":     "what one instance of a template reads, and another hands on by reference, counts for both",
	"packs boyer-bank":       "what one element of a pack is read for, and another handed on by reference, counts for both",
	"handles boyer-bank":     "the copies that simple captures make are not seen",
	"waits boyer-race":       ofNamed,
	"waits grace-stmt":       ofNamed,
	"expressions boyer-bank": "a ? b : c as one access to either object; compiled code has two",
	"bytes boyer-bank":       "fields of packed structures are not watched, inline assembly and parts of an object not seen",
	"objects boyer-bank":     "an assignment operator of the compiler's is at the line of the class in compiled code",
	"virtuals boyer-bank":    ofVirtual, "virtuals coalesce": ofVirtual,

	"apps/gemm boyer-bank": ofMembers, "apps/gemm coalesce": ofMembers,
	"apps/groups coalesce": ofLibrary, "apps/random coalesce": ofLibrary, "apps/atomics boyer-bank": ofLibrary, "apps/atomics coalesce": ofLibrary,
	"apps/specialized boyer-race": ofNamed, "apps/specialized grace-stmt": ofNamed, "apps/specialized grace-addr": ofNamed,
	"basic/fp8 coalesce": ofLibrary, "basic/objects coalesce": ofVirtual,
	"bugs/async_early_read boyer-race": ofAsync, "bugs/async_early_read boyer-bank": ofAsync, "bugs/async_early_read grace-stmt": ofAsync,
	"bugs/async_early_read grace-addr": ofAsync, "bugs/async_early_read coalesce": ofAsync,
	"bugs/divergent_barrier boyer-race":  ofPart,
	"langdon/missing_threads grace-addr": ofPart,
	"modern/cp_async_gemm boyer-bank":    ofAsync, "modern/cp_async_gemm coalesce": ofAsync,
	"modern/stream_k_gemm coalesce":     ofTurns,
	"modern/tiled_reduction boyer-bank": ofMembers, "modern/tiled_reduction coalesce": ofMembers,
	"modern/warp_specialized boyer-race": ofNamed, "modern/warp_specialized grace-stmt": ofNamed, "modern/warp_specialized grace-addr": ofNamed,
	"tensor/mma_gemm boyer-bank": ofAsm, "tensor/mma_gemm coalesce": ofAsm,
	"tensor/producer_consumer boyer-race": ofMbar, "tensor/producer_consumer boyer-bank": ofMbar, "tensor/producer_consumer grace-stmt": ofMbar,
	"tensor/producer_consumer grace-addr": ofMbar, "tensor/producer_consumer coalesce": ofMbar,
	"tensor/stencil_pipeline boyer-bank": ofAsync, "tensor/stencil_pipeline coalesce": ofAsync,
	"tensor/wmma_gemm boyer-bank": ofLibrary, "tensor/wmma_gemm coalesce": ofLibrary,
}

// tableProgram is an example with all of its sources.
type tableProgram struct {
	name           string // apps/bfs
	sources, flags []string
	steps          int // instructions of a warp, at most
	// waw is set if boyer-race reports WAW hazards too, unpruned that the schemes
	// are not run with the static analyzer's answer.
	waw, unpruned bool
	// sample leaves schemes out: all but every third, from this one on. 0: none.
	sample int
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
		p := tableProgram{strings.TrimSuffix(strings.TrimPrefix(path, "examples/"), ".cu"), []string{path}, nil, mostSteps, false, false, 0}
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

// TestSchemesTable checks rows that the table has, or makes all rows.
func TestSchemesTable(t *testing.T) {
	bin := tooltest.Tool(t)
	tooltest.NeedsZ3(t)
	text, err := os.ReadFile(schemesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), e2e.TableBegin)
	old, after, ok2 := strings.Cut(rest, e2e.TableEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the table", schemesPage)
	}
	every, n := oneRowIn, 0
	if *updateSchemes || tooltest.Long() {
		every = 1
	}
	programs := tablePrograms(t)
	rows := make([]string, len(programs))
	t.Run("rows", func(t *testing.T) {
		for i, p := range programs {
			if !*updateSchemes && !strings.Contains(old, "| "+p.name+" |") {
				continue
			}
			if n++; n%every != 0 {
				continue
			}
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				rows[i] = p.row(t, bin)
			})
		}
	})
	table := schemesTable(programs, rows, old)
	switch {
	case table == old:
	case *updateSchemes:
		if err := os.WriteFile(schemesPage, []byte(before+e2e.TableBegin+table+e2e.TableEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is out of date: go test ./e2e/instrument -run TestSchemesTable -update-schemes\n%s", schemesPage, e2e.FirstDifference([]byte(old), []byte(table)))
	}
}

// languagePrograms are the sources of testdata/instrument/language. A first line
// "// --std c++20" has flags.
func languagePrograms(t *testing.T) []tableProgram {
	t.Helper()
	paths, err := filepath.Glob("testdata/instrument/language/*.cu")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	var out []tableProgram
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := tableProgram{name: strings.TrimSuffix(filepath.Base(path), ".cu"), sources: []string{path}, steps: 1 << 30, waw: true}
		if first, _, _ := strings.Cut(string(text), "\n"); strings.HasPrefix(first, "// --") {
			p.flags = strings.Fields(first)[1:]
		}
		out = append(out, p)
	}
	return out
}

// TestSchemesLanguage does the same with sources that are hard to instrument: what
// C++ has, macros, headers, and every way to wait. Each is run with one or two of the
// schemes; with all, and with the static analyzer's answer, in the long tests.
func TestSchemesLanguage(t *testing.T) {
	bin := tooltest.Tool(t)
	for i, p := range languagePrograms(t) {
		if !tooltest.Sampled(i, 4) {
			continue
		}
		if !tooltest.Long() {
			p.unpruned, p.sample = i%8 > 0, 1+i%3
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if row := p.row(t, bin); strings.Contains(row, tooLong) {
				t.Error(row)
			}
		})
	}
}

// schemesTable is the table with the notes on it. Rows that were not made are
// those of old.
func schemesTable(programs []tableProgram, rows []string, old string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| program | %s |\n|%s\n", strings.Join(tableSchemes, " | ")+" | --static", strings.Repeat(" --- |", 2+len(tableSchemes)))
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
	reasons := map[string][]string{}
	for _, where := range slices.Sorted(maps.Keys(known)) {
		if strings.Contains(where, "/") {
			reasons[known[where]] = append(reasons[known[where]], where)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(&out, "- %s: %s\n", why, strings.Join(reasons[why], ", "))
	}
	return out.String()
}

// row runs a program with all schemes and returns its row.
func (p tableProgram) row(t *testing.T, bin string) string {
	t.Helper()
	exit, stdout := original(t, bin, p.args()...)
	want := p.emulated(t, bin)
	row := "| " + p.name + " |"
	var graces []build
	unshared := false // the schemes but for the last one watch the same accesses
	for i, scheme := range tableSchemes {
		if unshared && i < len(tableSchemes)-1 || p.sample > 0 && i%3 != p.sample-1 {
			row += " - |"
			continue
		}
		if _, ends := want[scheme]; !ends {
			row += " hangs |"
			continue
		}
		b := p.instrument(t, bin, scheme)
		if unshared = b.watched == 0; unshared {
			row += " - |"
			continue
		}
		b.cell = p.cell(t, scheme, b.run(t, bin), exit, stdout, want[scheme])
		if understood := known[p.name+" "+scheme] != ""; understood && b.cell.differences == 0 && !b.cell.tooLong {
			t.Errorf("%s, %s: no difference, which was expected", p.name, scheme)
		}
		row += " " + b.cell.String() + " |"
		if strings.HasPrefix(scheme, "grace") {
			graces = append(graces, b)
		}
	}
	pruned := "-"
	if len(graces) > 0 && !p.unpruned {
		pruned = p.pruned(t, bin, graces, exit, stdout, want)
	}
	row += " " + pruned + " |"
	t.Log(row)
	return row
}

// cell is how many findings of a scheme and of the emulator agree, and how many
// do not.
type cell struct {
	same, differences int
	tooLong           bool
}

func (c cell) String() string {
	switch {
	case c.tooLong:
		return tooLong
	case c.differences > 0:
		return fmt.Sprintf("%d, %d not", c.same, c.differences)
	}
	return fmt.Sprint(c.same)
}

// cell compares what a scheme says with what the emulator does, and the results
// with the original's. Differences that are not understood are errors.
func (p tableProgram) cell(t *testing.T, column string, got instrumented, exit int, stdout string, want result) cell {
	t.Helper()
	if strings.Contains(got.stderr, "the launch timed out") { // mostSteps
		return cell{tooLong: true}
	}
	scheme, _, _ := strings.Cut(column, " ")
	same, differences := schemeResult(scheme, got.report).compare(want)
	if got.exit != exit || got.stdout != stdout {
		differences = append(differences, fmt.Sprintf("exit code %d, want %d; output\n%s\nwant\n%s", got.exit, exit, got.stdout, stdout))
	}
	differences = append(differences, got.report.Messages...)
	if known[p.name+" "+scheme] == "" && len(differences) > 0 {
		t.Errorf("%s, %s: %d agree, but not: %s\n%s", p.name, column, same, strings.Join(differences, "\n"), got.stderr)
	}
	return cell{same: same, differences: len(differences)}
}

// pruned runs the schemes of GRace with the static analyzer's answer: they find
// what they find without, and watch fewer accesses. Differences may be fewer,
// since what is proved is no longer guessed.
func (p tableProgram) pruned(t *testing.T, bin string, graces []build, exit int, stdout string, want map[string]result) string {
	t.Helper()
	static := filepath.Join(t.TempDir(), "static.json")
	command := p.args("check", "--tool", "race", "--race-model", "lockstep", "--format", "json", "-o", static)
	check := exec.Command(bin, command...)
	text, err := check.CombinedOutput()
	switch code := check.ProcessState.ExitCode(); {
	case code == 4: // no kernel that it knows of
		return "-"
	case err != nil && code != 1: // 1: with findings
		t.Fatalf("%v: %v\n%s", command, err, text)
	}
	cell := ""
	for _, all := range graces {
		b := p.instrument(t, bin, all.scheme, "--static", static)
		cell = fmt.Sprintf("%d of %d", b.watched, all.watched)
		got := instrumented{exit: exit, stdout: stdout}
		switch {
		case b.accesses == all.accesses: // it has been run
			continue
		case b.watched > 0:
			got = b.run(t, bin)
		}
		if c := p.cell(t, all.scheme+" --static", got, exit, stdout, want[all.scheme]); !all.cell.tooLong && (c.same != all.cell.same || c.differences > all.cell.differences) {
			t.Errorf("%s, %s --static: %s, without it %s", p.name, all.scheme, c, all.cell)
		}
	}
	return cell
}

// build is an instrumented program.
type build struct {
	tableProgram
	scheme string
	// watched is how many accesses are, accesses which and how.
	watched  int
	accesses string
	dir      string
	outputs  []string
	cell     cell // what came out
}

// instrument instruments all sources of a program.
func (p tableProgram) instrument(t *testing.T, bin, scheme string, flags ...string) build {
	t.Helper()
	b := build{tableProgram: p, scheme: scheme, dir: t.TempDir()}
	for i, source := range p.sources {
		out, sites := filepath.Join(b.dir, fmt.Sprintf("%d.cu", i)), filepath.Join(b.dir, "sites.json")
		command := slices.Concat([]string{"instrument", "--scheme", scheme, "--sites", sites, "-o", out, source}, p.flags, flags)
		if p.waw && scheme == "boyer-race" {
			command = append(command, "--waw")
		}
		if text, err := exec.Command(bin, command...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, text)
		}
		for _, s := range readSites(t, sites) {
			if s.Kind != "barrier" {
				b.watched++
				b.accesses += fmt.Sprintln(i, s)
			}
		}
		b.outputs = append(b.outputs, out)
	}
	return b
}

// run compiles and runs it and reads its report.
func (b build) run(t *testing.T, bin string, flags ...string) (got instrumented) {
	t.Helper()
	report := filepath.Join(b.dir, "report.json")
	args := []string{"run", "-q", "--tool", "launch", "--max-steps", fmt.Sprint(b.steps), "--format", "json", "-o", os.DevNull}
	cmd := exec.Command(bin, slices.Concat(args, flags, b.flags, b.outputs)...)
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
		t.Fatalf("%s, %s: %v\n%s", b.name, b.scheme, err, got.stderr)
	}
	return got
}
