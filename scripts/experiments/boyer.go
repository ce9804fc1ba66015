package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

var (
	figure1      = build{source: "boyer/fig1.cu"}
	figure1Fixed = build{source: "boyer/fig1_fixed.cu"}
	figure2      = build{source: "boyer/fig2.cu"}
	scan         = build{source: "scan/scan.cu"}
)

// raceLines lists the lines of the races that a report has, as "line 8 (RAW)".
func raceLines(r *report) string {
	seen := map[string]bool{}
	var out []string
	for _, f := range r.separate() {
		s := fmt.Sprintf("line %d (%s)", f.Primary.Location.Line, f.Kind)
		if f.Rule == "race" && f.Level != "info" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

const figure1Notes = `
Between two warps nothing says who comes first: the last thread of a warp reads what the first thread of the next writes,
and here the write comes later, which is a WAR hazard at line 7. The other pairs are of one warp, in which all lanes write
before any reads. The emulator reports a pair of statements once.
`

func boyerFigure1(l *lab) (string, error) {
	t := table{{"program", "paper", "boyer-race", "emulator, `--race-model thread`"}}
	var text string
	for _, x := range []struct {
		name, paper string
		build
	}{
		{"as printed", "RAW hazard at line 8", figure1},
		{"with the barrier", "nothing", figure1Fixed},
	} {
		m, err := l.measure(x.with("boyer-race"))
		if err != nil {
			return "", err
		}
		r, _, err := l.check(l.example(x.source), "--race-model", "thread")
		if err != nil {
			return "", err
		}
		t.row(x.name, x.paper, raceLines(m.found), raceLines(r))
		if text == "" {
			text = m.text
		}
	}
	return t.String() + figure1Notes + "\nWhat the instrumented program writes, in the form of the paper:\n\n" + code(text), nil
}

// bankLine is what the bank rule or boyer-bank reports a line.
type bankLine struct {
	Worst                int    `json:"worst"`
	Statements           uint64 `json:"statement_instances"`
	StatementsConflicted uint64 `json:"statement_instances_with_conflict"`
	Histogram            []int  `json:"histogram"`
}

func boyerFigure2(l *lab) (string, error) {
	t := table{{"flag", "paper, line 21", "boyer-bank", "emulator, `--tool bank --arch sm_13`"}}
	texts := ""
	for _, x := range []struct{ flag, paper string }{
		{"0", "no bank conflicts"},
		{"1", "bank 0: 16 accesses"},
	} {
		b := figure2
		b.defines = []string{"CAUSE_BANK_CONFLICTS=" + x.flag}
		m, err := l.measure(b.with("boyer-bank", "--banks", "16"))
		if err != nil {
			return "", err
		}
		r, _, err := l.check(l.example(b.source), append(b.defineFlags(), "--tool", "bank", "--arch", "sm_13")...)
		if err != nil {
			return "", err
		}
		t.row(x.flag, x.paper, bankAt(m.found, 21), bankAt(r, 21))
		texts += "\nWith the flag " + x.flag + ":\n\n" + code(expression(m.text, 21))
	}
	return t.String() + "\nWhat the instrumented program writes for line 21:\n" + texts, nil
}

// boyerFigure3 is the cost of the conflicts over the number of iterations. The paper's is a
// GPU's time; what the emulator has of it is how often shared memory has to be asked.
func boyerFigure3(l *lab) (string, error) {
	t := table{{"iterations", "passes, flag 0", "passes, flag 1", "", "instructions and repeated passes, flag 0", "flag 1", ""}}
	for _, iterations := range []string{"1", "10", "100", "1000"} {
		var passes, slots [2]uint64
		for flag := range passes {
			r, _, err := l.check(l.example(figure2.source), "-D", "ITERS="+iterations, "-D", fmt.Sprintf("CAUSE_BANK_CONFLICTS=%d", flag), "--tool", "bank", "--arch", "sm_13")
			if err != nil {
				return "", err
			}
			var kernels []struct{ Passes, Excess uint64 }
			if err := json.Unmarshal(r.Stats["bank"], &kernels); err != nil || len(kernels) != 1 {
				return "", fmt.Errorf("%d kernels, %v", len(kernels), err)
			}
			passes[flag] = kernels[0].Passes
			slots[flag] = r.Summary.Instructions/figure2Threads + kernels[0].Excess
		}
		t.row(iterations, number(passes[0]), number(passes[1]), ratio(passes[1], passes[0]), number(slots[0]), number(slots[1]), ratio(slots[1], slots[0]))
	}
	return t.String() + figure3Notes, nil
}

// figure2Threads are the threads of its block, which are in one half-warp.
const figure2Threads = 16

const figure3Notes = `
The paper's Figure 3 is the time on a GPU: with conflicts about four times that without, for any number of iterations. The
emulator has no time; what a GPU of that kind does one after the other are the instructions of the warp, and a pass through shared memory
for each thread that wants another word of a bank beyond the first. Each pass being counted as one more instruction, the ratio
comes out near the paper's: 16 for the accesses themselves, less with the instructions around them.
`

// bankAt tells the worst conflict that a report has at a line.
func bankAt(r *report, line int) string {
	for _, f := range r.separate() {
		if f.Rule != "bank" || f.Primary.Location.Line != line {
			continue
		}
		var d bankLine
		if json.Unmarshal(f.Details, &d) != nil || d.Worst < 2 {
			continue
		}
		for bank, n := range d.Histogram {
			if n == d.Worst {
				return fmt.Sprintf("bank %d: %d accesses", bank, n)
			}
		}
		return fmt.Sprintf("%d-way", d.Worst)
	}
	return "no bank conflicts"
}

var atExpression = regexp.MustCompile(`(?m)^// .* at expression:`)

// expression cuts out what a scheme wrote of one line: the first time that it
// names it.
func expression(text string, line int) string {
	starts := atExpression.FindAllStringIndex(text, -1)
	for i, s := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		if strings.Contains(text[s[0]:end], fmt.Sprintf("#line %d ", line)) ||
			strings.Contains(text[s[0]:end], fmt.Sprintf("#line %d\n", line)) {
			return text[s[0]:end]
		}
	}
	return text
}

// barriersOf finds in the source of scan the lines of the kernel's start, its
// three barriers and its end.
func barriersOf(l *lab, kernel string) ([5]int, error) {
	marks := []string{"__global__", "UP_SWEEP_BARRIER();", "DOWN_SWEEP_BARRIER();", "FINAL_BARRIER();", "}"}
	var at [5]int
	text, err := os.ReadFile(l.example(scan.source))
	if err != nil {
		return at, err
	}
	next := 0
	for i, line := range strings.Split(string(text), "\n") {
		found := next < 4 && strings.HasPrefix(strings.TrimSpace(line), marks[min(next, 4)]) || next == 4 && line == "}"
		if found && (next > 0 || strings.Contains(line, kernel)) {
			at[next] = i + 1
			next++
		}
		if next == len(marks) {
			return at, nil
		}
	}
	return at, fmt.Errorf("%s: %s not found in %s", scan.source, marks[next], kernel)
}

// racesWithin counts the races of a kernel and says whether all lie in a range
// of lines.
func racesWithin(r *report, kernel string, from, to int) string {
	n, outside := 0, 0
	for _, f := range r.separate() {
		if f.Rule != "race" || f.Level == "info" || !strings.Contains(f.KernelName, kernel) {
			continue
		}
		n++
		for _, p := range append([]place{f.Primary}, f.Related...) {
			if line := p.Location.Line; line != 0 && (line < from || line > to) {
				outside++
				break
			}
		}
	}
	if n == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%d pairs of statements, %d of them elsewhere", n, outside)
}

func boyerBarriers(l *lab) (string, error) {
	t := table{{"kernel", "removed", "paper", "races expected in lines", "boyer-race", "emulator, `--race-model thread`"}}
	for _, kernel := range []string{"scanEfficient", "scanPadded"} {
		at, err := barriersOf(l, kernel)
		if err != nil {
			return "", err
		}
		for n := range 4 {
			b, paper, lines := scan, "no races", "-"
			from, to := 0, 0
			if n > 0 {
				b.defines = []string{fmt.Sprintf("NO_BARRIER=%d", n)}
				from, to = at[n-1], at[n+1]
				paper, lines = "races after it, not beyond the next", fmt.Sprintf("%d to %d", from, to)
			}
			m, err := l.measure(b.with("boyer-race"))
			if err != nil {
				return "", err
			}
			r, _, err := l.check(l.example(b.source), append(b.defineFlags(), "--race-model", "thread")...)
			if err != nil {
				return "", err
			}
			t.row(kernel, []string{"none", "first", "second", "third"}[n], paper, lines,
				racesWithin(m.found, kernel, from, to), racesWithin(r, kernel, from, to))
		}
	}
	return t.String() + "\nThe paper has one kernel, after which these two are made: with and without padding. In scanEfficient the third\n" +
		"barrier is not needed, since each thread stores the elements that it computed itself; the paper's kernel stores\n" +
		"others, as scanPadded does. The schemes see a data race between statements, the emulator between accesses of an\n" +
		"instruction: `temp[bi] += temp[ai]` has three.\n", nil
}

// banks sums up what a report says of a kernel.
type banks struct {
	instances, conflicted uint64
	statements, worst     int
}

// of writes the share; what are the instances that are counted.
func (b banks) of(what string) string {
	return fmt.Sprintf("%s of the %s (%s of %s), at %d sites, worst %d-way", percent(b.conflicted, b.instances), what,
		number(b.conflicted), number(b.instances), b.statements, b.worst)
}

// emulatorBanks takes all sites of a kernel from the rule's statistics.
func emulatorBanks(r *report, kernel string) (banks, error) {
	var kernels []struct {
		Name  string     `json:"kernel_name"`
		Sites []bankLine `json:"sites"`
	}
	var b banks
	if err := json.Unmarshal(r.Stats["bank"], &kernels); err != nil {
		return b, err
	}
	for _, k := range kernels {
		if !strings.Contains(k.Name, kernel) {
			continue
		}
		for _, s := range k.Sites {
			b.add(s)
		}
	}
	return b, nil
}

func (b *banks) add(s bankLine) {
	b.instances += s.Statements
	b.conflicted += s.StatementsConflicted
	b.worst = max(b.worst, s.Worst)
	if s.StatementsConflicted > 0 {
		b.statements++
	}
}

// schemeBanks takes the sites of a kernel from what boyer-bank counted; its
// instances are accesses of a half-warp.
func schemeBanks(m *measured, kernel string) string {
	var b banks
	for _, s := range m.sites("boyer-bank") {
		if strings.Contains(s.Location.Function, kernel) {
			b.add(bankLine{Worst: s.Worst, Statements: s.Requests, StatementsConflicted: s.Conflicts})
		}
	}
	return b.of("accesses of a half-warp")
}

func boyerBanks(l *lab) (string, error) {
	t := table{{"version", "paper", "boyer-bank", "emulator, `--tool bank --arch sm_13`"}}
	for _, x := range []struct {
		name, paper string
		defines     []string
	}{
		{"as shipped", "2-way, about one third of the accesses", nil},
		{"ZERO_BANK_CONFLICTS", "twice as many statements, up to 16-way", []string{"ZERO_BANK_CONFLICTS"}},
	} {
		b := scan
		b.defines = x.defines
		m, err := l.measure(b.with("boyer-bank", "--banks", "16"))
		if err != nil {
			return "", err
		}
		r, _, err := l.check(l.example(b.source), append(b.defineFlags(), "--tool", "bank", "--arch", "sm_13")...)
		if err != nil {
			return "", err
		}
		e, err := emulatorBanks(r, "scanPadded")
		if err != nil {
			return "", err
		}
		t.row(x.name, x.paper, schemeBanks(m, "scanPadded"), e.of("statement instances"))
	}
	return t.String() + "\nThe cause is in the macro of the SDK, `((index) >> LOG_NUM_BANKS + (index) >> (2 * LOG_NUM_BANKS))`: `+` binds tighter\n" +
		"than `>>`, the offset is always 0, and the padding that helps is gone. The compiler says so as well\n" +
		"(`-Wshift-op-parentheses`). A statement instance is one execution of a statement by the block,\n" +
		"which is what the paper counts; the scheme counts each half-warp for itself, and most of those that a statement has\n" +
		"are without a conflict.\n", nil
}
