package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/mutate"
)

// readNotes reads lines "path | removed text | reason". The reasons are for
// people and say why a mutant is not found.
func readNotes(file string) (map[string]string, error) {
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	notes := map[string]string{}
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			return nil, fmt.Errorf("%s:%d: want path | removed text | reason", file, n)
		}
		notes[parts[0]+"|"+parts[1]] = parts[2]
	}
	return notes, in.Err()
}

// what tells what is taken away, or what becomes of it.
func (j *job) what() string {
	if j.mutant.With != "" {
		return j.mutant.Removed + " -> " + j.mutant.With
	}
	return j.mutant.Removed
}

func (j *job) key() string {
	if j.async {
		return j.program.path + "|" + string(j.mutant.Kind) + ": " + j.what()
	}
	return j.program.path + "|" + j.mutant.Removed
}

// missedNote begins the reason for a mutant that should have been found.
const missedNote = "missed: "

// judge decides about mutants without effect on the emulated GPU, whose memory is
// sequentially consistent and whose asynchronous operations come late: each counts as missed
// unless a note tells why it is right, or harmless on every GPU.
func judge(jobs []*job, notes map[string]string) {
	for _, j := range jobs {
		if n := notes[j.key()]; j.outcome == NoEffect && (n == "" || strings.HasPrefix(n, missedNote)) {
			j.outcome = Missed
		}
	}
}

var (
	kinds      = []mutate.Kind{mutate.Barrier, mutate.WarpSync, mutate.Fence, mutate.Wait, mutate.Bounds, mutate.Init}
	asyncKinds = []mutate.Kind{mutate.Wait, mutate.Fence, mutate.Expect, mutate.Arrival, mutate.Phase, mutate.Commit, mutate.PDLWait, mutate.Trigger,
		mutate.Barrier, mutate.Moved, mutate.Count, mutate.Scope}
)

const asyncIntro = "# Mutants of asynchronous pipelines\n\nMade by `make mutants`. In each pipeline of `testdata/pipelines`, one thing that orders asynchronous operations is taken\n" +
	"away, moved past the statement beside it, or made weaker at a time: a wait, a fence, expected bytes, an arrival, the flip of a\n" +
	"phase, a commit, the wait for the kernel before or its trigger, a count, a scope. A mutant is *found* if there is any finding.\n" +
	"The emulated GPU cannot show every effect, so one that is not found counts as *missed* unless the table below tells why it\n" +
	"is right: *no effect*. The pipelines themselves are clean. Those that do not compile are left out.\n\n"

// page renders the results; it depends on nothing else.
func page(jobs []*job, notes map[string]string, async bool) string {
	var b strings.Builder
	if async {
		b.WriteString(asyncIntro)
		tables(&b, jobs, notes, asyncKinds)
		return b.String()
	}
	b.WriteString("# Mutants\n\nMade by `make mutants`. Each correct program under `examples/` loses one barrier, `__syncwarp`, fence, wait, bounds\n" +
		"check or initialization at a time, and runs under the default rules. A mutant is *found* if there is any finding. If\n" +
		"there is none, it runs under three other schedules: it is *missed* where the program's output or exit code differs in\n" +
		"any of the runs, and has *no effect* on this input otherwise. Those that do not compile are left out.\n" +
		"[MUTANTS-ASYNC.md](MUTANTS-ASYNC.md) is the same for asynchronous pipelines.\n\n")
	tables(&b, jobs, notes, kinds)
	return b.String()
}

func tables(b *strings.Builder, jobs []*job, notes map[string]string, kinds []mutate.Kind) {
	b.WriteString("| taken away | mutants | found | by another schedule | missed | no effect | found of those with an effect |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, k := range kinds {
		row(b, string(k), slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return j.mutant.Kind != k }))
	}
	row(b, "all", jobs)
	list(b, "Missed", jobs, notes, Missed)
	list(b, "No effect seen", jobs, notes, NoEffect, Unchecked)
	list(b, "Found", jobs, notes, Found, FoundBy)
}

func row(b *strings.Builder, name string, jobs []*job) {
	n := map[outcome]int{}
	for _, j := range jobs {
		n[j.outcome]++
	}
	found, total := n[Found]+n[FoundBy], len(jobs)-n[Invalid]
	share := "-"
	if found+n[Missed] > 0 {
		share = fmt.Sprintf("%.1f %%", 100*float64(found)/float64(found+n[Missed]))
	}
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %s |\n", name, total, found, n[FoundBy], n[Missed], n[NoEffect]+n[Unchecked], share)
}

// list writes the mutants with one of the outcomes.
func list(b *strings.Builder, title string, jobs []*job, notes map[string]string, which ...outcome) {
	fmt.Fprintf(b, "\n## %s\n\n| place | taken away | what | result |\n| --- | --- | --- | --- |\n", title)
	for _, j := range jobs {
		if !slices.Contains(which, j.outcome) {
			continue
		}
		what := j.by
		if j.outcome == FoundBy || j.outcome == Unchecked {
			what = strings.TrimSpace(string(j.outcome) + " " + what)
		}
		if n := notes[j.key()]; n != "" && (j.outcome == Missed || j.outcome == NoEffect) {
			what = strings.TrimPrefix(what+": "+strings.TrimPrefix(n, missedNote), ": ")
		}
		fmt.Fprintf(b, "| %s:%d | %s | `%s` | %s |\n", j.program.path, j.mutant.Line, j.mutant.Kind, cell(j.what()), what)
	}
}

// cell keeps a text from ending a column, and short.
func cell(s string) string {
	s = strings.ReplaceAll(s, "|", "\\|")
	if len(s) > 60 {
		s = s[:57] + "..."
	}
	return s
}
