package fix

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

var updateAdvice = flag.Bool("update-advice", false, "write testdata/advice.txt, after running all programs")

// A help line is a promise: whoever applies it and runs the program again must see neither the finding nor another one.
// TestAdvice takes each error of the race suite and of testdata/defects, applies the first patch of its repair, which is what
// its help line says, and runs the program under three schedules. The golden file lists the errors that this does not repair, and
// may only shrink. Most of its entries need a decision that the program does not contain, such as which of two values stays.
// A sample of the programs is run by default, all of them in the long tests.
const (
	adviceFile   = "internal/fix/testdata/advice.txt"
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
	// patches are those of its advice, and of the advice for what these uncovered.
	patches []*code.Patch
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
	known := adviceList(string(golden))
	rows := maps.Clone(known)
	named := strings.Contains(flag.Lookup("test.run").Value.String(), "/")
	for i, job := range adviceJobs(t) {
		if !*updateAdvice && !named && !tooltest.Sampled(i, adviceSample) {
			continue
		}
		t.Run(job.name, func(t *testing.T) {
			var now []string
			for _, a := range job.results(t) {
				if a.outcome == adviceRepairs {
					continue
				}
				now = append(now, a.String())
				if !slices.Contains(known[job.name], a.String()) && !*updateAdvice {
					t.Errorf("the help does not repair its error:\n%s\nhelp: %s", a, a.finding.Help)
				}
			}
			rows[job.name] = now
			for _, l := range known[job.name] {
				if !slices.Contains(now, l) && !*updateAdvice {
					t.Errorf("no longer true, remove it from %s:\n%s", adviceFile, l)
				}
			}
		})
	}
	if *updateAdvice {
		rows.write(t)
	}
}

// adviceRows has the errors that their advice does not repair, by the job's name.
type adviceRows map[string][]string

func adviceList(text string) adviceRows {
	out := adviceRows{}
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			name, _, _ := strings.Cut(l, " ")
			out[name] = append(out[name], l)
		}
	}
	return out
}

// write writes the file. What -run leaves out stays as it was.
func (r adviceRows) write(t *testing.T) {
	all := slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Values(r))...)))
	texts := 0
	for _, l := range all {
		if strings.Contains(l, ": "+adviceIsText+", ") {
			texts++
		}
	}
	head := fmt.Sprintf("# The errors that their help line, when applied, does not repair. Not repaired: %d, no patch for the text: %d.\n"+
		"# Made by go test ./internal/fix -run TestAdvice -update-advice -timeout 3h, one program of it by -run TestAdvice/NAME\n",
		len(all)-texts, texts)
	if err := os.MkdirAll(filepath.Dir(adviceFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(adviceFile, []byte(head+strings.Join(all, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
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
			t.Logf("%s\nhelp: %s\n%s", a, a.finding.Help, a.patchText())
		}
	}
	t.Logf("%s: %d errors, %.1f s", j.name, len(out), time.Since(began).Seconds())
	return out
}

// patchText has what the patches of an advice do.
func (a *advised) patchText() string {
	var s strings.Builder
	for _, p := range a.patches {
		fmt.Fprintf(&s, "patch: %s\n", p.What)
		for _, e := range p.Inline {
			fmt.Fprintf(&s, "  %d-%d: %q\n", e.From, e.To, e.Text)
		}
	}
	return s.String()
}

// adviceJob is a program with the name of a case, "" for all it has.
type adviceJob struct {
	name, file string
	cfg        session.Config
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
	cfg := session.Config{Config: build.Config{Inputs: []string{abs}}, RunConfig: session.RunConfig{Timeout: 10 * time.Second, MaxSteps: 1 << 22, Stdout: io.Discard, Stderr: io.Discard}}
	if m := adviceFlags.FindStringSubmatch(text); m != nil && !setAdviceFlags(&cfg, strings.Fields(m[1])) {
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

// setAdviceFlags sets what a program's line of flags says; it reports whether it knows them all.
func setAdviceFlags(c *session.Config, flags []string) bool {
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
	follow := func(f *fixer, ctx context.Context) (done bool, err error) {
		out, err = j.rounds(ctx, f)
		return true, err
	}
	_, _, err = prepared(ctx, j.cfg, nil, nil, []pass[*fixer]{{"read", "", (*fixer).read}, {"follow", "", follow}})
	return out, err
}

// adviceSchedules is under how many schedules besides the default one a program is run, adviceSteps how often advice is followed
// until nothing is left: of two accesses in a loop that race in both orders, one run shows one order.
const (
	adviceSchedules = 2
	adviceSteps     = 2
)

// adviceRun is what runs of a program under all schedules show: its errors by identity, and the schedules under which it ends early.
type adviceRun struct {
	errors map[string]*finding.Finding
	ended  map[int]bool
	// more is set after runs under more schedules.
	more bool
}

// runMore adds the errors of the program as it was under as many schedules again.
func (f *fixer) runMore(ctx context.Context, was *adviceRun) error {
	was.more = true
	with := *f.Multirun
	with.Exe = f.before
	for i := adviceSchedules + 1; i <= 2*adviceSchedules+1; i++ {
		s, _, err := with.Again(ctx, f.under(i), func(*session.Session) {})
		if err != nil {
			return err
		}
		for _, e := range errorsOf(s) {
			was.errors[identity(e)] = e
		}
	}
	return nil
}

// rounds applies the advice for errors of different kernels together, those of one kernel one after the other.
func (j *adviceJob) rounds(ctx context.Context, f *fixer) (out []*advised, err error) {
	was, err := f.advisedRun(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	rounds := map[string]int{}
	var byRound [][]*advised
	for _, e := range errorsOf(f.original) {
		a := f.advised(j.name, e)
		out = append(out, a)
		if len(a.patches) == 0 {
			continue
		}
		r := rounds[e.Kernel]
		rounds[e.Kernel]++
		if r == len(byRound) {
			byRound = append(byRound, nil)
		}
		byRound[r] = append(byRound[r], a)
	}
	for _, as := range byRound {
		if err := f.advise(ctx, was, as); err != nil {
			return out, err
		}
	}
	return out, nil
}

// advised is an error with the first patch of its repair. It has none where the help line leaves a decision to the reader.
func (f *fixer) advised(name string, e *finding.Finding) *advised {
	kernel, _, _ := strings.Cut(finding.DemangleName(e.Kernel), "(")
	if e.Repair == nil {
		e.Repair = &finding.Repair{}
	}
	a := &advised{name: name + " " + kernel, finding: e}
	list, why := f.candidates(e), f.whyNone(e)
	if len(list) == 0 || why == repair.NotInProgram {
		a.outcome = adviceIsText + ", " + string(why)
		return a
	}
	a.patches = list[:1]
	return a
}

// advise runs the program with the patches of several errors, one by one where together they do not run.
func (f *fixer) advise(ctx context.Context, was *adviceRun, as []*advised) error {
	var ps []*code.Patch
	for _, a := range as {
		ps = append(ps, a.patches...)
	}
	now, err := f.advisedRun(ctx, was, ps)
	if err != nil {
		return err
	}
	if len(as) > 1 && (now == nil || len(now.ended) > 0) {
		for _, a := range as {
			if err := f.advise(ctx, was, []*advised{a}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, a := range as {
		fresh := a.decide(was, now, len(as) == 1)
		if fresh != nil && !was.more { // which the program may have had under other schedules
			if err := f.runMore(ctx, was); err != nil {
				return err
			}
			fresh = a.decide(was, now, len(as) == 1)
		}
		if fresh == nil {
			continue
		}
		if more := f.nextStep(a, fresh); more != nil {
			a.patches = append(a.patches, more)
			if err := f.advise(ctx, was, []*advised{a}); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextStep is the advice for what remains between the lines of a finding that advice was followed for, such as the race in the other order;
// nil for a finding at other lines.
func (f *fixer) nextStep(a *advised, fresh *finding.Finding) *code.Patch {
	if len(a.patches) == adviceSteps || fresh.Rule != a.finding.Rule {
		return nil
	}
	were := linesOfFinding(a.finding)
	for at := range linesOfFinding(fresh) {
		if !were[at] {
			return nil
		}
	}
	list := f.candidates(f.asBefore(fresh, a.patches))
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func linesOfFinding(f *finding.Finding) map[source.Pos]bool {
	lines := map[source.Pos]bool{}
	for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
		lines[source.Pos{File: p.Loc.File, Line: p.Loc.Line}] = true
	}
	return lines
}

// decide sets what became of the advice, and returns the error that has come with it. alone is set where no other patches were applied.
func (a *advised) decide(was, now *adviceRun, alone bool) (fresh *finding.Finding) {
	switch a.outcome = adviceRepairs; {
	case now == nil:
		a.outcome = string(repair.NotCompiled)
		return nil
	case now.errors[identity(a.finding)] != nil:
		a.outcome = string(repair.Stays)
		return nil
	case len(now.ended) > 0:
		a.outcome = string(repair.Ends)
		return nil
	}
	for id, e := range now.errors {
		if was.errors[id] == nil && (alone || e.Kernel == a.finding.Kernel) && (fresh == nil || id < identity(fresh)) {
			a.outcome, fresh = string(repair.NewFinding)+" "+e.Rule, e
		}
	}
	return fresh
}

// advisedRun runs a program with patches under all schedules but those under which it ended early as it was; nil where it does not compile.
func (f *fixer) advisedRun(ctx context.Context, was *adviceRun, patches []*code.Patch) (*adviceRun, error) {
	with := *f.Multirun
	b := &built{exe: f.before, remove: func() {}}
	if len(patches) > 0 {
		var err error
		if b, err = f.build(ctx, patches, true); err != nil || b.exe == "" {
			return nil, err
		}
	}
	defer func() { b.remove() }()
	now := &adviceRun{errors: map[string]*finding.Finding{}, ended: map[int]bool{}}
	for i := 0; i <= adviceSchedules; i++ {
		if was != nil && was.ended[i] {
			continue
		}
		with.Exe = b.exe
		s, _, err := with.Again(ctx, f.under(i), func(s *session.Session) { s.Modules = b.modules })
		if err != nil {
			return nil, err
		}
		if s.Foreign && b.modules != nil { // it has device code of another source, too
			if b, err = f.buildWhole(ctx, patches, true); err != nil || b.exe == "" {
				return nil, err
			}
			i--
			continue
		}
		for _, e := range errorsOf(s) {
			now.errors[identity(e)] = e
		}
		if len(s.Failed) > len(f.original.Failed) || s.Exit.Canceled || s.Exit.Signal != 0 && f.original.Exit.Signal == 0 {
			now.ended[i] = true
		}
	}
	return now, nil
}
