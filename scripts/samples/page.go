package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/scripts/dated"
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
	old, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return fmt.Errorf("%s has no marks %q and %q", page, tableStart, tableEnd)
	}
	judged, err := judgements(judgedFile)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(dated.Stamp(before+tableStart+table(rowsOf(old), done, judged)+tableEnd+after)), 0o666)
}

// judgements are the lines "NAME | words" of a file.
func judgements(file string) (map[string]string, error) {
	f, err := os.Open(file)
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

// rowsOf are the rows of a table, by the name of the sample.
func rowsOf(table string) map[string]row {
	rows := map[string]row{}
	for l := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(l), " | ")
		name, ok := strings.CutPrefix(cells[0], "| `")
		if ok && len(cells) > 2 {
			rows[strings.TrimSuffix(name, "`")] = row{cells[1] == "yes", cells[2], l}
		}
	}
	return rows
}

// row is a sample's line of the table.
type row struct {
	built         bool
	outcome, text string
}

func (s *sample) row(name, judged string) row {
	outcome, note := s.outcome()
	build := "yes"
	if s.Refused != "" {
		build = "no"
	}
	if judged != "" {
		note = strings.Trim(note+"; "+judged, "; ")
	}
	return row{s.Refused == "", outcome,
		fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", name, build, outcome, s.levels(), strings.ReplaceAll(note, "|", `\|`))}
}

// table is a summary and a row for each sample; rows of samples that were not run are kept.
func table(rows map[string]row, done map[string]*sample, judged map[string]string) string {
	for name, s := range done {
		rows[name] = s.row(name, judged[name])
	}
	var text, sum strings.Builder
	counts := map[string]int{}
	built := 0
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		r := rows[name]
		counts[r.outcome]++
		if r.built {
			built++
		}
		text.WriteString(r.text)
	}
	fmt.Fprintf(&sum, "Of %d samples %d build. Their own tests:", len(rows), built)
	for _, o := range outcomes {
		if counts[o] > 0 {
			fmt.Fprintf(&sum, " %s %d,", o, counts[o])
		}
	}
	return strings.TrimSuffix(sum.String(), ",") + ".\n\n| sample | builds | its own test | errors, warnings, infos | notes |\n| --- | --- | --- | --- | --- |\n" + text.String()
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
		case r.outOfTime(): // whatever the program makes of it
			o = "stopped"
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

// outOfTime says whether the run was stopped at its limit.
func (r *result) outOfTime() bool {
	return slices.ContainsFunc(r.Findings, func(f finding) bool { return f.Kind == stoppedKind })
}

// stoppedKind is the kind of the finding of a run that was stopped.
const stoppedKind = "time"

// exitUnsupported is an exit code of warpgrind run.
const exitUnsupported = 5

// levels are how many findings there are of each level, in the run with most.
func (s *sample) levels() string {
	var most [3]int
	for _, r := range s.Runs {
		var n [3]int
		for _, f := range r.Findings {
			if f.Kind == stoppedKind {
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
