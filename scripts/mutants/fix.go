package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/mutate"
	"github.com/warpgrind/warpgrind/internal/repair"
)

// fixed says what `warpgrind fix` made of a faulty program.
type fixed string

// Repaired programs count; what the others are is why they do not.
const (
	// Repaired: no error is left, and the program ends and prints as the original does.
	Repaired fixed = "repaired"
	// Differs: the patch holds, but the program is not the original again.
	Differs fixed = "differs from the original"
	// Left: errors are left.
	Left fixed = "errors are left"
	// Unstated: errors are left, all of which no program that has the source alone can repair: what should happen instead is not in it.
	Unstated fixed = "no repair exists"
	// Milder: what was found is not an error, and fix leaves it alone.
	Milder fixed = "not an error"
	// Failed: the command did not end, or ended without a report.
	Failed fixed = "no report"
)

// repaired is what became of a job's program by repair.
type repaired struct {
	outcome fixed
	// why are the reasons for the errors that are left, each once, in order.
	why []string
	// total and done count the errors, and those that are gone; unstated those of which the program does not say what is meant.
	total, done, unstated int
	// what are the patches.
	what []string
	// errors are what became of each.
	errors []repairedError
}

// fixReport is the part of a report of `warpgrind fix` that counts here.
type fixReport struct {
	Results []struct {
		Finding struct {
			Rule, Kind, Cause string
			KernelName        string `json:"kernel_name"`
			Primary           struct{ Location struct{ Line int } }
			Repair            *struct{ Kind string }
		}
		Outcome repair.Outcome
		Untried repair.Untried
		What    string
		Tried   []repair.Trial
	}
	Files []repair.Changed
}

// fix repairs a program, whose text it is given, and compares the result with the original,
// if there is one.
func (w *worker) fix(ctx context.Context, p *program, text []byte, args []string) (*repaired, error) {
	file := filepath.Join(w.dir, p.path)
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, 10*w.o.timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, w.o.tool, slices.Concat([]string{"fix", "-j1", "--format=json", "--timeout=" + w.o.timeout.String()}, p.flags, w.sources(p), args)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		return nil, cmp.Or(ctx.Err(), err)
	}
	var doc fixReport
	if json.Unmarshal(out, &doc) != nil {
		return &repaired{outcome: Failed, why: []string{fmt.Sprintf("exit code %d", cmd.ProcessState.ExitCode())}}, nil
	}
	r := &repaired{}
	r.results(&doc)
	if len(doc.Results) == 0 {
		r.outcome = Milder
		return r, nil
	}
	if r.done < r.total {
		if r.outcome = Left; r.done+r.unstated == r.total {
			r.outcome = Unstated
		}
		return r, nil
	}
	r.outcome = Repaired
	if p.clean == nil {
		return r, nil
	}
	return r, w.compare(ctx, p, &doc, r)
}

// untried are the reasons why there is no patch to try, in words.
var untried = map[repair.Untried]string{repair.NoRepair: "it names no repair", repair.OtherKind: "no repair of this kind is tried",
	repair.NotInProgram: "the program does not show what was intended", repair.Elsewhere: "it is not in the files of the project", repair.NothingToEdit: "no patch of this kind applies there", repair.OutOfTime: "there was no time to try patches"}

// results counts what became of the errors.
func (r *repaired) results(doc *fixReport) {
	for _, x := range doc.Results {
		r.total++
		e := repairedError{line: x.Finding.Primary.Location.Line, hazard: x.Finding.Kind, cause: x.Finding.Cause, outcome: Repaired, what: x.What}
		e.kernel, _, _ = strings.Cut(x.Finding.KernelName, "(")
		if x.Outcome == repair.Fixed || x.Outcome == repair.Gone {
			r.errors = append(r.errors, e)
			r.done++
			if x.What != "" {
				r.what = append(r.what, x.What)
			}
			continue
		}
		kind := "no repair"
		if x.Finding.Repair != nil {
			kind = x.Finding.Repair.Kind
		}
		why := fmt.Sprintf("%s %s (%s)", x.Finding.Rule, x.Finding.Cause, kind)
		if x.Untried == repair.NotInProgram {
			r.unstated++
		}
		if x.Outcome == repair.Manual || x.Untried == repair.NotInProgram {
			why += ": " + untried[x.Untried]
		} else {
			tried := map[repair.TrialCause]int{}
			for _, t := range x.Tried {
				tried[t.Cause]++
			}
			for i, c := range slices.Sorted(maps.Keys(tried)) {
				why += fmt.Sprintf("%s %d %s", map[bool]string{true: ": tried", false: ","}[i == 0], tried[c], c)
			}
		}
		if !slices.Contains(r.why, why) {
			r.why = append(r.why, why)
		}
		if e.outcome, e.what = Left, why; x.Untried == repair.NotInProgram {
			e.outcome = Unstated
		}
		r.errors = append(r.errors, e)
	}
}

// compare runs the repaired program and compares it with the original.
func (w *worker) compare(ctx context.Context, p *program, doc *fixReport, r *repaired) error {
	text, err := os.ReadFile(filepath.Join(w.dir, p.path))
	if err != nil {
		return err
	}
	for _, f := range doc.Files {
		if f.File != filepath.Join(w.dir, p.path) {
			r.outcome, r.why = Differs, []string{"it is another file that is changed"}
			return nil
		}
		text = []byte(f.After)
	}
	now, err := w.run(ctx, p, text)
	if err != nil {
		return err
	}
	if d := difference(p.clean, now); d != "" {
		r.outcome, r.why = Differs, []string{d}
	} else if now.exit != 0 {
		r.outcome, r.why = Differs, []string{"errors: " + now.rules()}
	}
	return nil
}

// caseWant is a line of testdata/defects that says what is found in a case.
var caseWant = regexp.MustCompile(`// (?:want|host)(?:\((\w+)\))? (\S+) (\S+)(?: (warning|info|error))?`)

// asTheyAre makes a job of each program that is wrong on purpose; of those with several cases, one
// of each case with an error.
func asTheyAre(path, rel string) ([]*job, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &program{path: rel, src: src}
	if m := programFlags.FindSubmatch(src); m != nil {
		p.flags = strings.Fields(string(m[1]))
	}
	whole := mutate.Mutant{Kind: "as it is", Text: src}
	var out []*job
	seen := map[string]bool{}
	for _, m := range caseWant.FindAllSubmatch(src, -1) {
		name, level := string(m[1]), string(m[4])
		if name == "" || seen[name] || level != "" && level != "error" {
			continue
		}
		seen[name] = true
		j := &job{program: p, mutant: whole, args: []string{"--", name}, outcome: Found}
		j.mutant.Removed, j.mutant.Kind = name, mutate.Kind(m[2])
		out = append(out, j)
	}
	if len(out) == 0 && !bytes.Contains(src, []byte("// want(")) {
		out = append(out, &job{program: p, mutant: whole, outcome: Found})
	}
	return out, nil
}

const fixIntro = "# Repairs\n\nMade by `%s`. `warpgrind fix` repairs %s. It is *repaired* if no error is left%s.\n\n"

// fixPage renders what became of the programs that were to be repaired; it depends on nothing else.
func fixPage(jobs []*job, o options) string {
	var b strings.Builder
	if o.asTheyAre {
		fmt.Fprintf(&b, fixIntro, "go run ./scripts/mutants -fix -as-they-are", "programs that are wrong on purpose, each as the case that is named", "")
	} else {
		fmt.Fprintf(&b, fixIntro, "make fixes", "the mutants of [MUTANTS.md](MUTANTS.md) that are found by errors", ", and the program prints and ends as the original does")
	}
	if o.every > 1 {
		from := "0"
		if len(o.from) > 0 {
			from = strings.Trim(strings.Join(strings.Fields(fmt.Sprint(o.from)), ","), "[]")
		}
		some := "One program in %d was taken"
		if len(o.from) > 1 {
			some = "Of each %d programs " + fmt.Sprint(len(o.from)) + " were taken"
		}
		fmt.Fprintf(&b, some+" (`-every %[1]d`), the first of them number %[2]s, counted from 0 (`-from %[2]s`).\n\n", o.every, from)
	}
	jobs = slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return j.repaired == nil })
	b.WriteString("*Share* is of all programs, *of repairable* without those for which no repair exists: an assertion or a trap that is reached, an index or a size that is a constant; " +
		"what should happen instead is not in the program.\n\n" +
		"| taken away | programs | repaired | share | of repairable | differs | errors are left | no repair exists | no report | not an error |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	byKind := map[mutate.Kind][]*job{}
	for _, j := range jobs {
		byKind[j.mutant.Kind] = append(byKind[j.mutant.Kind], j)
	}
	for _, k := range slices.Sorted(maps.Keys(byKind)) {
		fixRow(&b, string(k), byKind[k])
	}
	fixRow(&b, "all", jobs)
	fixReasons(&b, jobs)
	for _, title := range []fixed{Left, Unstated, Differs, Failed, Milder, Repaired} {
		fmt.Fprintf(&b, "\n## %s%s\n\n| place | kind | what | result |\n| --- | --- | --- | --- |\n", strings.ToUpper(string(title[:1])), title[1:])
		for _, j := range jobs {
			if j.repaired.outcome == title {
				fmt.Fprintf(&b, "| %s:%d | %s | `%s` | %s |\n", j.program.path, j.mutant.Line, j.mutant.Kind, cell(j.what()),
					strings.Join(append(slices.Clone(j.repaired.why), j.repaired.what...), "; "))
			}
		}
	}
	return b.String()
}

func fixRow(b *strings.Builder, name string, jobs []*job) {
	n := map[fixed]int{}
	for _, j := range jobs {
		n[j.repaired.outcome]++
	}
	share := func(of int) string {
		if of <= 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f %%", 100*float64(n[Repaired])/float64(of))
	}
	total := len(jobs) - n[Milder]
	fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %d | %d | %d | %d | %d |\n", name, total, n[Repaired], share(total), share(total-n[Unstated]), n[Differs], n[Left], n[Unstated], n[Failed], n[Milder])
}

// fixReasons counts why programs are not repaired, the most frequent reasons first.
func fixReasons(b *strings.Builder, jobs []*job) {
	n := map[string]int{}
	for _, j := range jobs {
		for _, why := range j.repaired.why {
			n[why]++
		}
	}
	b.WriteString("\n## Reasons\n\n| reason | programs |\n| --- | --- |\n")
	for _, why := range slices.SortedFunc(maps.Keys(n), func(a, c string) int {
		if n[a] != n[c] {
			return n[c] - n[a]
		}
		return strings.Compare(a, c)
	}) {
		fmt.Fprintf(b, "| %s | %d |\n", why, n[why])
	}
}
