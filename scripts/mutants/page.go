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

func (j *job) key() string { return j.program.path + "|" + j.mutant.Removed }

var kinds = []mutate.Kind{mutate.Barrier, mutate.WarpSync, mutate.Fence, mutate.Wait, mutate.Bounds, mutate.Init}

// page renders the results; it depends on nothing else.
func page(jobs []*job, notes map[string]string) string {
	var b strings.Builder
	b.WriteString("# Mutants\n\nMade by `make mutants`. Each correct program under `examples/` loses one barrier, `__syncwarp`, fence, wait, bounds\n" +
		"check or initialization at a time, and runs under the default rules. A mutant is *found* if there is any finding. If\n" +
		"there is none, it runs under three other schedules: it is *missed* where the program's output or exit code differs in\n" +
		"any of the runs, and has *no effect* on this input otherwise. Those that do not compile are left out.\n\n")
	b.WriteString("| taken away | mutants | found | by another schedule | missed | no effect | found of those with an effect |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, k := range kinds {
		row(&b, string(k), slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return j.mutant.Kind != k }))
	}
	row(&b, "all", jobs)
	list(&b, "Missed", jobs, notes, Missed)
	list(&b, "No effect seen", jobs, notes, NoEffect, Unchecked)
	list(&b, "Found", jobs, notes, Found, FoundBy)
	return b.String()
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
			what = strings.TrimPrefix(what+": "+n, ": ")
		}
		fmt.Fprintf(b, "| %s:%d | %s | `%s` | %s |\n", j.program.path, j.mutant.Line, j.mutant.Kind, cell(j.mutant.Removed), what)
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
