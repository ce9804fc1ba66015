package session

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

var updateAdvice = flag.Bool("update-advice", false, "write testdata/advice.txt, after running all programs")

// A help line is a promise: whoever applies it and runs the program again must see neither the finding nor another one.
// TestAdvice takes each error of the race suite and of testdata/defects, applies the first patch of its repair, which is what
// its help line says, and runs the program under three schedules. The golden file lists the errors that this does not repair, and
// may only shrink. Most of its entries need a decision that the program does not contain, such as which of two values stays.
// A sample of the programs is run by default, all of them in the long tests.
const (
	adviceFile   = "internal/session/testdata/advice.txt"
	adviceSample = 30
)

// advicePrograms are the race suite without the programs whose host threads never see a kernel end, the programs of
// testdata/advice, and one in defectSample of the cases of testdata/defects.
var advicePrograms = []string{"internal/check/race/testdata/[gnps]*/*.cu", "testdata/advice/*.cu", "testdata/defects/*.cu"}

const defectSample = 6

var (
	adviceCase  = regexp.MustCompile(`// (?:want|host)(?:\((\w+)\))? (\S+) (\S+)(?: (warning|info|error))?`)
	adviceFlags = regexp.MustCompile(`(?m)^// flags: (.+)$`)
)

// advised is what became of the advice for one error.
type advised struct {
	name    string // "program.cu/case kernel"
	finding *finding.Finding
	outcome string
}

// The outcomes of advice that was applied; the others are causes of failed trials.
const (
	adviceRepairs = "repaired"
	adviceIsText  = "no patch"
)

func (a *advised) String() string {
	return fmt.Sprintf("%s %s %s (%s): %s", a.name, a.finding.Rule, cmp.Or(string(a.finding.Cause), a.finding.Kind), a.finding.Repair.Kind, a.outcome)
}

func TestAdvice(t *testing.T) {
	tooltest.NeedsClang(t)
	golden, err := os.ReadFile(adviceFile)
	if err != nil && !*updateAdvice {
		t.Fatal(err)
	}
	known := map[string]bool{} // by line; true where the line was seen again
	for l := range strings.Lines(string(golden)) {
		if l = strings.TrimSpace(l); !strings.HasPrefix(l, "#") {
			known[l] = false
		}
	}
	var failing []string
	counts := map[string]int{}
	for i, job := range adviceJobs(t) {
		if !*updateAdvice && !tooltest.Sampled(i, adviceSample) {
			continue
		}
		for _, a := range job.results(t) {
			counts[cmp.Or(map[string]string{adviceRepairs: adviceRepairs, adviceIsText: adviceIsText}[a.outcome], "not repaired")]++
			if a.outcome == adviceRepairs {
				continue
			}
			failing = append(failing, a.String())
			if _, ok := known[a.String()]; !ok && !*updateAdvice {
				t.Errorf("the help does not repair its error:\n%s\nhelp: %s", a, a.finding.Help)
			}
			known[a.String()] = true
		}
	}
	switch {
	case *updateAdvice:
		writeAdvice(t, failing, counts)
	case tooltest.Long():
		for l, seen := range known {
			if !seen {
				t.Errorf("no longer true, remove it from %s:\n%s", adviceFile, l)
			}
		}
	}
}

// results applies the advice for the errors of a program.
func (j *adviceJob) results(t *testing.T) []*advised {
	began := time.Now()
	out, err := j.apply()
	if err != nil {
		t.Errorf("%s: %v", j.name, err)
	}
	for _, a := range out {
		if a.outcome != adviceRepairs {
			t.Logf("%s\nhelp: %s", a, a.finding.Help)
		}
	}
	t.Logf("%s: %d errors, %.1f s", j.name, len(out), time.Since(began).Seconds())
	return out
}

func writeAdvice(t *testing.T, failing []string, counts map[string]int) {
	head := fmt.Sprintf("# The errors that their help line, when applied, does not repair. Repaired: %d, not repaired: %d, no patch for the text: %d.\n"+
		"# Made by go test ./internal/session -run TestAdvice -update-advice -timeout 3h\n",
		counts[adviceRepairs], counts["not repaired"], counts[adviceIsText])
	slices.Sort(failing)
	if err := os.MkdirAll(filepath.Dir(adviceFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(adviceFile, []byte(head+strings.Join(failing, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// adviceJob is a program with the name of a case, "" for all it has.
type adviceJob struct {
	name, file string
	cfg        Config
}

func adviceJobs(t *testing.T) (jobs []adviceJob) {
	for _, pattern := range advicePrograms {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			jobs = append(jobs, jobsOf(file, string(text))...)
		}
	}
	defects := 0
	return slices.DeleteFunc(jobs, func(j adviceJob) bool {
		if len(j.cfg.Args) == 0 {
			return false
		}
		defects++
		return defects%defectSample != 2
	})
}

func jobsOf(file, text string) (jobs []adviceJob) {
	abs, _ := filepath.Abs(file)
	cfg := Config{Inputs: []string{abs}, Timeout: 10 * time.Second, MaxSteps: 1 << 22, Stdout: io.Discard, Stderr: io.Discard}
	if m := adviceFlags.FindStringSubmatch(text); m != nil && !cfg.adviceFlags(strings.Fields(m[1])) {
		return nil
	}
	name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
	if strings.Contains(text, "// command: check") {
		return nil
	}
	if !strings.Contains(file, "testdata/defects") {
		return []adviceJob{{name, abs, cfg}}
	}
	seen := map[string]bool{}
	for _, m := range adviceCase.FindAllStringSubmatch(text, -1) {
		if m[1] == "" || seen[m[1]] || m[4] != "" && m[4] != "error" {
			continue
		}
		seen[m[1]] = true
		c := cfg
		c.Args = []string{m[1]}
		jobs = append(jobs, adviceJob{name + "/" + m[1], abs, c})
	}
	return jobs
}

// adviceFlags sets what a program's line of flags says; it reports whether it knows them all.
func (c *Config) adviceFlags(flags []string) bool {
	for i := 0; i < len(flags); i++ {
		name, value, ok := strings.Cut(flags[i], "=")
		if !ok && i+1 < len(flags) {
			i++
			value = flags[i]
		}
		switch name {
		case "--arch":
			c.Arch = value
		case "--tool":
			c.Tools = value
		case "--race-policy":
			c.RacePolicy = value
		case "--on-fault":
			c.OnFault = value
		case "--leak-check":
			c.LeakCheck = value
		case "--max-steps":
		default:
			return false
		}
	}
	return true
}

// apply applies the advice for each error of the program.
func (j *adviceJob) apply() (out []*advised, err error) {
	ctx := context.Background()
	_, _, err = prepared(ctx, j.cfg, nil, nil, func(f *fixer) error {
		if err := f.read(ctx); err != nil {
			return err
		}
		out, err = j.rounds(ctx, f)
		return err
	})
	return out, err
}

// adviceSchedules is under how many schedules besides the default one a program is run.
const adviceSchedules = 2

// rounds applies the advice for errors of different kernels together, those of one kernel one after the other.
func (j *adviceJob) rounds(ctx context.Context, f *fixer) (out []*advised, err error) {
	if f.known, err = f.advisedRun(ctx, nil); err != nil {
		return nil, err
	}
	rounds := map[string]int{}
	var byRound [][]*advised
	patches := map[*advised]*repair.Patch{}
	for _, e := range errorsOf(f.original) {
		kernel, _, _ := strings.Cut(finding.DemangleName(e.Kernel), "(")
		a := &advised{name: j.name + " " + kernel, finding: e, outcome: adviceIsText}
		out = append(out, a)
		if e.Repair == nil {
			e.Repair = &finding.Repair{}
		}
		list := f.candidates(e)
		if len(list) == 0 {
			continue
		}
		patches[a] = list[0]
		r := rounds[e.Kernel]
		rounds[e.Kernel]++
		if r == len(byRound) {
			byRound = append(byRound, nil)
		}
		byRound[r] = append(byRound[r], a)
	}
	for _, as := range byRound {
		if err := f.advise(ctx, as, patches); err != nil {
			return out, err
		}
	}
	return out, nil
}

// advise runs the program with the patches of several errors, one by one where together they do not run.
func (f *fixer) advise(ctx context.Context, as []*advised, patches map[*advised]*repair.Patch) error {
	var ps []*repair.Patch
	for _, a := range as {
		ps = append(ps, patches[a])
	}
	left, err := f.advisedRun(ctx, ps)
	if err != nil {
		return err
	}
	if len(as) > 1 && (left == nil || left[notAlone]) {
		for _, a := range as {
			if err := f.advise(ctx, []*advised{a}, patches); err != nil {
				return err
			}
		}
		return nil
	}
	for _, a := range as {
		a.outcome = adviceOutcome(f, a, left, len(as) == 1)
	}
	return nil
}

// notAlone marks runs that ended early: whose patch it was is seen only with each alone.
const notAlone = "ended"

func adviceOutcome(f *fixer, a *advised, left map[string]bool, alone bool) string {
	switch {
	case left == nil:
		return string(repair.NotCompiled)
	case left[identity(a.finding)]:
		return string(repair.Stays)
	case left[notAlone]:
		return string(repair.Ends)
	}
	for id := range left {
		rest := strings.SplitN(id, "\x00", 3)
		if !f.known[id] && len(rest) > 1 && (alone || rest[1] == a.finding.Kernel) {
			return string(repair.NewFinding) + " " + rest[0]
		}
	}
	return adviceRepairs
}

// advisedRun returns the identities of the errors of a program with patches, under all schedules; nil where it does not compile.
func (f *fixer) advisedRun(ctx context.Context, patches []*repair.Patch) (map[string]bool, error) {
	with := *f.multirun
	b := &built{exe: f.before, remove: func() {}}
	if len(patches) > 0 {
		var err error
		if b, err = f.build(ctx, patches, true); err != nil || b.exe == "" {
			return nil, err
		}
	}
	defer func() { b.remove() }()
	left := map[string]bool{}
	for i := 0; i <= adviceSchedules; i++ {
		with.exe = b.exe
		s, _, err := with.again(ctx, f.under(i), func(s *session) { s.modules = b.modules })
		if err != nil {
			return nil, err
		}
		if s.foreign && b.modules != nil { // it has device code of another source, too
			if b, err = f.buildWhole(ctx, patches, true); err != nil || b.exe == "" {
				return nil, err
			}
			i--
			continue
		}
		for id := range identities(errorsOf(s)) {
			left[id] = true
		}
		if len(s.failed) > len(f.original.failed) || s.exit.Canceled && !f.original.exit.Canceled || s.exit.Signal != 0 && f.original.exit.Signal == 0 {
			left[notAlone] = true
		}
	}
	return left, nil
}
