package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

var fan2 = build{source: "papers/fan2.cu"}

func gpudranoFan2(l *lab) (string, error) {
	t := table{{"Fan2", "paper", "coalesce scheme, lines of 128 bytes", "emulator, lines of 128 bytes", "`check --analysis gpudrano`", "`check`"}}
	for _, x := range []struct {
		name, paper string
		defines     []string
	}{
		{"as written", "`A[xy]`, `M[xt]`", nil},
		{"fixed", "nothing", []string{"FIXED"}},
	} {
		b := fan2
		b.defines = x.defines
		row := []any{x.name, x.paper}
		m, err := l.measure(b.with("coalesce"))
		if err != nil {
			return "", err
		}
		r, _, err := l.check(l.example(b.source), append(b.defineFlags(), "--tool", "coalesce")...)
		if err != nil {
			return "", err
		}
		for _, r := range []*report{m.found, r} {
			text, err := l.uncoalesced(b, r)
			if err != nil {
				return "", err
			}
			row = append(row, text)
		}
		for _, analysis := range [][]string{{"--analysis", "gpudrano"}, nil} {
			r, err := l.static(b, append([]string{"--tool", "coalesce"}, analysis...)...)
			if err != nil {
				return "", err
			}
			text, err := l.uncoalesced(b, r)
			if err != nil {
				return "", err
			}
			row = append(row, text)
		}
		t.row(row...)
	}
	return t.String() + gpudranoNotes, nil
}

const gpudranoNotes = `
Numbers are 128-byte lines for an access of a warp, on average. The paper's dynamic analysis, which the scheme is, calls
everything above 1.0 uncoalesced; it so finds that elements from column t on do not begin at a multiple of 128 bytes,
which the fixed kernel has in common with the paper's. The emulator's rule counts 32-byte sectors for sm_80, reports what is
worth a change, and tells the lines as well.
`

// gpudranoSavings counts the sectors of all of the kernel's accesses, which is what a repair
// saves whatever a GPU's time for them is.
func gpudranoSavings(l *lab) (string, error) {
	t := table{{"Fan2", "accesses of warps", "lines of 128 bytes", "sectors of 32 bytes", "bytes used of those moved"}}
	var sectors [2]uint64
	for i, name := range []string{"as written", "fixed"} {
		k, err := l.moved(fan2, "Fan2", [][]string{nil, {"-D", "FIXED"}}[i]...)
		if err != nil {
			return "", err
		}
		sectors[i] = k.Units
		t.row(name, number(k.Requests), number(uint64(k.Lines*float64(k.Requests)+0.5)), number(k.Units), percent(k.Used, k.Moved))
	}
	return t.String() + fmt.Sprintf(savingsNotes, ratio(sectors[0], sectors[1])), nil
}

// movement is what a kernel's accesses move.
type movement struct {
	Name     string  `json:"kernel_name"`
	Requests uint64  `json:"requests"`
	Units    uint64  `json:"units"`
	Lines    float64 `json:"lines_per_access"`
	Used     uint64  `json:"bytes_used"`
	Moved    uint64  `json:"bytes_moved"`
}

// moved takes it from the rule's statistics.
func (l *lab) moved(b build, kernel string, flags ...string) (movement, error) {
	r, _, err := l.check(l.example(b.source), append(flags, "--tool", "coalesce")...)
	if err != nil {
		return movement{}, err
	}
	var all []movement
	if err := json.Unmarshal(r.Stats["coalesce"], &all); err != nil {
		return movement{}, err
	}
	for _, k := range all {
		if strings.Contains(k.Name, kernel) {
			return k, nil
		}
	}
	return movement{}, fmt.Errorf("%s: no kernel %s", b.source, kernel)
}

const savingsNotes = `
The paper measured the time on a GPU, for N = 1024: the fixed kernel took 25 %% less. Here N is 96, and it is what is moved between
memory and the chip that is counted: as written %s the sectors. How much of that is time depends on the caches, which the
emulator does not have.
`

// static runs `warpgrind check` for the launch shape of the experiments.
func (l *lab) static(b build, flags ...string) (*report, error) {
	file := l.dir + "/static.json"
	args := append([]string{"check", "--format", "json", "-o", file}, b.defineFlags()...)
	out, err := l.command(nil, append(append(args, flags...), l.example(b.source))...)
	if err != nil {
		return nil, err
	}
	r, err := readReport(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("warpgrind %s: exit code %d\n%s", strings.Join(args, " "), out.exit, out.stderr)
	}
	return r, err
}

var element = regexp.MustCompile(`\w+\[[^\]]*\]`)

// expressionAt is the element that an access at a column of a line is to: the
// one that begins there, else the last one before (an assignment is placed at
// its operator).
func expressionAt(line string, column int) string {
	best := ""
	for _, at := range element.FindAllStringIndex(line, -1) {
		if at[0] <= column-1 || best == "" {
			best = line[at[0]:at[1]]
		}
	}
	return best
}

// uncoalesced names the elements of Fan2 that a report calls uncoalesced.
func (l *lab) uncoalesced(b build, r *report) (string, error) {
	text, err := os.ReadFile(l.example(b.source))
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(text), "\n")
	var out []string
	for _, f := range r.separate() {
		at := f.Primary.Location
		where := f.KernelName + at.Function // a scheme names the function alone
		if f.Rule != "coalesce" || f.Level == "info" || !strings.Contains(where, "Fan2") || at.Line < 1 || at.Line > len(lines) {
			continue
		}
		s := "`" + expressionAt(lines[at.Line-1], at.Column) + "`"
		if n := linesPerAccess(f); n != "" {
			s += " " + n
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return "nothing", nil
	}
	slices.Sort(out)
	return strings.Join(out, ", "), nil
}

// linesPerAccess is the average that a finding tells, "" if it tells none.
func linesPerAccess(f finding) string {
	var d struct {
		Lines float64 `json:"lines_per_access"`
	}
	if json.Unmarshal(f.Details, &d) != nil || d.Lines == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", d.Lines)
}
