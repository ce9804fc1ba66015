package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

const (
	tableStart = "<!-- samples -->\n"
	tableEnd   = "<!-- end of samples -->\n"
	// judgedFile has a line "SAMPLE | what the findings are" for each sample with findings, and for
	// those that fail.
	judgedFile = "scripts/samples/judged.txt"
)

// writePage writes the table into the page, between its marks.
func writePage(page string, done map[string]*sample) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), tableStart)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return fmt.Errorf("%s has no marks %q and %q", page, tableStart, tableEnd)
	}
	judged, err := judgements()
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+tableStart+table(done, judged)+tableEnd+after), 0o666)
}

func judgements() (map[string]string, error) {
	f, err := os.Open(judgedFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, what, ok := strings.Cut(lines.Text(), " | "); ok {
			out[name] = what
		}
	}
	return out, lines.Err()
}

// table is a summary and a row for each sample.
func table(done map[string]*sample, judged map[string]string) string {
	names := make([]string, 0, len(done))
	for name := range done {
		names = append(names, name)
	}
	slices.Sort(names)
	var rows strings.Builder
	counts := map[string]int{}
	built := 0
	for _, name := range names {
		s := done[name]
		outcome, note := s.outcome()
		counts[outcome]++
		build := "yes"
		if s.Refused != "" {
			build = "no"
		} else {
			built++
		}
		if j := judged[name]; j != "" {
			note = strings.Trim(note+"; "+j, "; ")
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s | %s | %s |\n", name, build, outcome, s.levels(), strings.ReplaceAll(note, "|", `\|`))
	}
	var sum strings.Builder
	fmt.Fprintf(&sum, "Of %d samples %d build. Their own tests:", len(names), built)
	for _, o := range outcomes {
		if counts[o] > 0 {
			fmt.Fprintf(&sum, " %s %d,", o, counts[o])
		}
	}
	return strings.TrimSuffix(sum.String(), ",") + ".\n\n| sample | builds | its own test | errors, warnings, infos | notes |\n| --- | --- | --- | --- | --- |\n" + rows.String()
}

// outcomes of a sample's own test, the best first.
var outcomes = []string{"passes", "waives itself", "refused", "stopped", "fails", "not run"}

// outcome is the worst of a sample's runs, with the reason.
func (s *sample) outcome() (outcome, note string) {
	if s.Refused != "" {
		return "not run", s.Refused
	}
	worst := 0
	for _, r := range s.Runs {
		o := "fails"
		switch {
		case r.Code == exitUnsupported:
			o = "refused"
		case r.Program == 0:
			o = "passes"
		case r.Program == waived:
			o = "waives itself"
		case r.Program < 0: // a program that crashes has a code from the shell
			o = "stopped"
		}
		if i := slices.Index(outcomes, o); i > worst {
			worst = i
			note = strings.Join(r.Messages, "; ")
		}
	}
	return outcomes[worst], note
}

// exitUnsupported is an exit code of warpgrind run.
const exitUnsupported = 5

// levels are how many findings there are of each level, in the run with most.
func (s *sample) levels() string {
	var most [3]int
	for _, r := range s.Runs {
		var n [3]int
		for _, f := range r.Findings {
			if f.Kind == "time" { // the run was stopped
				continue
			}
			n[slices.Index([]string{"error", "warning", "info"}, f.Level)]++
		}
		for i := range n {
			most[i] = max(most[i], n[i])
		}
	}
	if most == [3]int{} {
		return ""
	}
	return fmt.Sprintf("%d, %d, %d", most[0], most[1], most[2])
}
